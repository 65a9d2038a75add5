package controller

import (
	"terrarium/core/client"
	"terrarium/core/client/record"
	"terrarium/core/informer"
	"terrarium/core/loop"
	"terrarium/core/trace"
)

// Deps are what every controller works with.
type Deps struct {
	Loop      *loop.Loop
	Trace     *trace.Recorder
	Client    *client.Client // each controller makes its requests as a service account of its own
	Informers *informer.Factory
}

// Recorder returns a recorder of events that speaks as component through api.
func (d Deps) Recorder(api *client.Client, component string) *record.Recorder {
	return record.New(d.Loop, api, component, "")
}
