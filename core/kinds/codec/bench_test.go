package codec_test

import (
	"bytes"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds"
	"terrarium/core/kinds/all"
	"terrarium/core/kinds/codec"
)

// pod is a running pod of about 3 KB, as a cluster has them.
const pod = `apiVersion: v1
kind: Pod
metadata:
  name: nginx-deployment-7fb96c846b-8xk2p
  generateName: nginx-deployment-7fb96c846b-
  namespace: default
  uid: 0ab66a18-1eb3-4b10-8a22-5f8ad3a3f8c4
  resourceVersion: "1234"
  creationTimestamp: "2024-01-01T00:00:00Z"
  labels: {app: nginx, pod-template-hash: 7fb96c846b}
  ownerReferences:
  - {apiVersion: apps/v1, kind: ReplicaSet, name: nginx-deployment-7fb96c846b, uid: 8c2d7a63-6b55-4c4e-9f0a-3c1f0d1ce3a1, controller: true, blockOwnerDeletion: true}
spec:
  nodeName: node-1
  restartPolicy: Always
  dnsPolicy: ClusterFirst
  serviceAccountName: default
  serviceAccount: default
  schedulerName: default-scheduler
  terminationGracePeriodSeconds: 30
  priority: 0
  enableServiceLinks: true
  preemptionPolicy: PreemptLowerPriority
  securityContext: {}
  containers:
  - name: nginx
    image: nginx:1.7.9
    imagePullPolicy: IfNotPresent
    terminationMessagePath: /dev/termination-log
    terminationMessagePolicy: File
    ports: [{containerPort: 80, protocol: TCP}]
    resources: {limits: {cpu: 500m, memory: 128Mi}, requests: {cpu: 250m, memory: 64Mi}}
    volumeMounts: [{name: kube-api-access-abcde, mountPath: /var/run/secrets/kubernetes.io/serviceaccount, readOnly: true}]
  volumes:
  - name: kube-api-access-abcde
    projected:
      defaultMode: 420
      sources:
      - serviceAccountToken: {expirationSeconds: 3607, path: token}
      - configMap: {name: kube-root-ca.crt, items: [{key: ca.crt, path: ca.crt}]}
      - downwardAPI: {items: [{path: namespace, fieldRef: {apiVersion: v1, fieldPath: metadata.namespace}}]}
  tolerations:
  - {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 300}
  - {key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 300}
status:
  phase: Running
  hostIP: 10.0.0.1
  podIP: 10.244.1.7
  podIPs: [{ip: 10.244.1.7}]
  qosClass: Burstable
  startTime: "2024-01-01T00:00:01Z"
  conditions:
  - {type: PodReadyToStartContainers, status: "True", lastTransitionTime: "2024-01-01T00:00:03Z"}
  - {type: Initialized, status: "True", lastTransitionTime: "2024-01-01T00:00:01Z"}
  - {type: Ready, status: "True", lastTransitionTime: "2024-01-01T00:00:03Z"}
  - {type: ContainersReady, status: "True", lastTransitionTime: "2024-01-01T00:00:03Z"}
  - {type: PodScheduled, status: "True", lastTransitionTime: "2024-01-01T00:00:01Z"}
  containerStatuses:
  - name: nginx
    image: nginx:1.7.9
    imageID: docker.io/library/nginx@sha256:e3456c851a152494c3e4ff5fcc26f240206abac0c9d794affb40e0714846c451
    containerID: containerd://8c2d7a636b554c4e9f0a3c1f0d1ce3a18c2d7a636b554c4e9f0a3c1f0d1ce3a1
    ready: true
    started: true
    restartCount: 0
    state: {running: {startedAt: "2024-01-01T00:00:03Z"}}
`

func BenchmarkPod(b *testing.B) {
	r := all.Registry()
	c := codec.New(r)
	kind := r.ByName("pods")
	obj, _, found, err := c.Decode([]byte(pod), nil, true)
	if err != nil || found != nil {
		b.Fatal(found, err)
	}
	json, _ := c.JSON(obj)
	yaml, _ := c.YAML(obj)
	stored, _ := c.EncodeStored(obj)
	generated := stored[4:]
	run := func(name string, data []byte, f func() error) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.ReportMetric(float64(len(data)), "bytes")
			for b.Loop() {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	decode := func(data []byte, strict bool) func() error {
		return func() error { _, _, _, err := c.Decode(data, kind, strict); return err }
	}
	run("decode JSON", json, decode(json, false))
	run("decode JSON strict", json, decode(json, true))
	run("decode YAML strict", yaml, decode(yaml, true))
	run("encode JSON", json, func() error { _, err := c.JSON(obj); return err })
	run("encode YAML", yaml, func() error { _, err := c.YAML(obj); return err })
	run("encode stored", stored, func() error { _, err := c.EncodeStored(obj); return err })
	run("decode stored", stored, func() error { _, err := c.DecodeStored("pods", stored); return err })
	run("generated Marshal", generated, func() error { _, err := obj.(*corev1.Pod).Marshal(); return err })
	run("generated Unmarshal", generated, func() error { return new(corev1.Pod).Unmarshal(generated) })
}

func BenchmarkRegistry(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_ = all.Registry()
	}
}

// 1,000 documents in one file, as someone may paste.
func BenchmarkDocuments(b *testing.B) {
	data := []byte(strings.Repeat(deployment+"---\n", 1000))
	c := codec.New(all.Registry())
	b.SetBytes(int64(len(data)))
	var kept kinds.Object
	for b.Loop() {
		docs, err := codec.Documents(bytes.Clone(data))
		if err != nil || len(docs) != 1000 {
			b.Fatal(len(docs), err)
		}
		for _, d := range docs {
			if kept, _, _, err = c.DecodeDocument(d, nil, true); err != nil {
				b.Fatal(err)
			}
		}
	}
	_ = kept
}
