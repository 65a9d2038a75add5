//go:build js && wasm

package main

import (
	"errors"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/kinds"
	"terrarium/core/node"
	"terrarium/core/rollout"
	"terrarium/wasm/port"
)

func (p *program) addNodeOps(ops port.Ops) {
	ops.Call["nodeAdd"] = p.write(p.nodeAdd)
	ops.Call["nodePower"] = p.write(p.nodePower)
	ops.Call["rolloutUndo"] = p.write(p.rolloutUndo)
}

// nodeAdd adds a machine, by the name given or the next free one.
func (p *program) nodeAdd(a port.Args) (port.Result, error) {
	name := a.String("name")
	for i := 1; name == ""; i++ {
		free := "node-" + strconv.Itoa(i)
		if _, err := p.cluster.Client.Nodes().Get("", free); apierrors.IsNotFound(err) {
			name = free
		} else if err != nil {
			return nil, err
		}
	}
	err := p.asPerson(kinds.Key{Resource: "nodes", Name: name}, func() error {
		_, err := p.cluster.Client.Nodes().Create(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}})
		return err
	})
	return port.Result{"name": name}, err
}

// nodePower switches a machine on or off.
func (p *program) nodePower(a port.Args) (port.Result, error) {
	name, value := a.String("name"), "null"
	if name == "" {
		return nil, errors.New("nodePower: which node?")
	}
	if !a.Bool("on") {
		value = `"off"`
	}
	patch := `{"metadata":{"annotations":{"` + node.PowerAnnotation + `":` + value + `}}}`
	return nil, p.asPerson(kinds.Key{Resource: "nodes", Name: name}, func() error {
		_, err := p.cluster.Client.Nodes().Patch("", name, types.MergePatchType, []byte(patch), "")
		return err
	})
}

// rolloutUndo takes a Deployment back to the template it had before.
func (p *program) rolloutUndo(a port.Args) (port.Result, error) {
	namespace, name := a.String("namespace"), a.String("name")
	var revision int64
	err := p.asPerson(kinds.Key{Resource: "deployments.apps", Namespace: namespace, Name: name}, func() (err error) {
		revision, err = rollout.Undo(p.cluster.Client, namespace, name, int64(a.Float("revision")))
		return err
	})
	return port.Result{"revision": revision}, err
}

// asPerson runs do as one request of the person at the page.
func (p *program) asPerson(about kinds.Key, do func() error) (err error) {
	p.cluster.As(p.cluster.Client.User(), about, func() { err = do() })
	return err
}
