// Package replicaset is the replica set controller: it keeps as many pods of one template as a ReplicaSet
// asks for.
//
// It promises: upstream's decisions, names, conditions and events (Kubernetes 1.37,
// pkg/controller/replicaset), and that a change of one pod costs the same however many pods there are: the
// numbers that a status needs are kept up to date change by change (census.go) and the pods are looked at
// one by one only when there is something to claim or to delete.
//
// Differs: a pod's change that no ReplicaSet could care about (its node, its IP, a container's state)
// causes no reconcile; upstream reconciles on each.
package replicaset

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
)

var kind = appsv1.SchemeGroupVersion.WithKind("ReplicaSet")

const (
	// burst is how many pods one reconcile creates or deletes at most.
	burst = 500
	// slowStart is the size of the first batch of creates; each batch is twice the one before.
	slowStart = 1
	// statusRetries is how often a conflicting status write is tried again on the live object.
	statusRetries = 1
)

// Reasons of events and of the condition ReplicaFailure.
const (
	reasonCreated      = "SuccessfulCreate"
	reasonCreateFailed = "FailedCreate"
	reasonDeleted      = "SuccessfulDelete"
	reasonDeleteFailed = "FailedDelete"
)

func seconds(n int32) time.Duration { return time.Duration(n) * time.Second }
