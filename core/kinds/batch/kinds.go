// Package batch holds the kinds of the batch group.
package batch

import (
	batchv1 "k8s.io/api/batch/v1"

	"terrarium/core/kinds"
)

// Kinds returns the kinds of the group, in discovery order.
func Kinds() []*kinds.Kind {
	v1 := batchv1.SchemeGroupVersion
	return kinds.Assemble(strategies(), columns(), []*kinds.Kind{
		kinds.Of[batchv1.CronJob, batchv1.CronJobList](v1, kinds.Kind{Resource: "cronjobs", ShortNames: []string{"cj"}, Categories: []string{"all"}, Namespaced: true, HasStatus: true}),
		kinds.Of[batchv1.Job, batchv1.JobList](v1, kinds.Kind{Resource: "jobs", Categories: []string{"all"}, Namespaced: true, HasStatus: true}),
	})
}
