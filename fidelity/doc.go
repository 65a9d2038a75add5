// Package fidelity compares what this project does with what Kubernetes does, on the same inputs. It is a
// module of its own because it links all of k8s.io/kubernetes.
//
//	make fidelity
package fidelity
