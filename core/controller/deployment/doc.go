// Package deployment is the deployment controller: it rolls a Deployment's pod template out through
// ReplicaSets, one a template, and keeps as many pods as the strategy allows while it does.
//
// It promises: upstream's decisions, names, annotations, conditions and events (Kubernetes 1.37,
// pkg/controller/deployment). What to do is decided in plan.go, size.go, revision.go and status.go from
// values alone; rollout.go does it.
//
// Differs: upstream writes a Deployment's status several times in one reconcile and runs into its own
// conflicts, which it retries. Here a reconcile waits until the informers have seen the last one's writes,
// and writes the Deployment's status once, at its end.
package deployment

import appsv1 "k8s.io/api/apps/v1"

var kind = appsv1.SchemeGroupVersion.WithKind("Deployment")

// Annotations that the controller keeps on ReplicaSets, and the first also on the Deployment.
const (
	revisionAnnotation = "deployment.kubernetes.io/revision"
	historyAnnotation  = "deployment.kubernetes.io/revision-history"
	desiredAnnotation  = "deployment.kubernetes.io/desired-replicas"
	maxAnnotation      = "deployment.kubernetes.io/max-replicas"
)

// Reasons of the conditions Progressing and Available.
const (
	reasonCreated     = "NewReplicaSetCreated"
	reasonCreateError = "ReplicaSetCreateError"
	reasonFound       = "FoundNewReplicaSet"
	reasonUpdated     = "ReplicaSetUpdated"
	reasonComplete    = "NewReplicaSetAvailable"
	reasonTimedOut    = "ProgressDeadlineExceeded"
	reasonPaused      = "DeploymentPaused"
	reasonResumed     = "DeploymentResumed"
	reasonAvailable   = "MinimumReplicasAvailable"
	reasonUnavailable = "MinimumReplicasUnavailable"
)

// Reasons of events.
const (
	eventScaling           = "ScalingReplicaSet"
	eventSelectingAll      = "SelectingAll"
	eventRollback          = "DeploymentRollback"
	eventRevisionNotFound  = "DeploymentRollbackRevisionNotFound"
	eventTemplateUnchanged = "DeploymentRollbackTemplateUnchanged"
)
