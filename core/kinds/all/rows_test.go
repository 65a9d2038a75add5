package all_test

import (
	"fmt"
	"strings"
	"testing"

	"terrarium/core/kinds/all"
	"terrarium/core/kinds/codec"
)

// What kubectl get -o wide prints of objects that a person may have.
func TestRows(t *testing.T) {
	const now = 1_700_000_000 // 2023-11-14T22:13:20Z
	meta := "metadata: {name: q, creationTimestamp: '2023-11-14T22:12:20Z'}\n"
	template := "template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}, {name: d, image: j}]}}"
	tests := []struct{ doc, want string }{
		{"apiVersion: apps/v1\nkind: Deployment\nspec: {replicas: 3, selector: {matchExpressions: [{key: a, operator: In, values: [b, c]}]}, " + template + "}\nstatus: {readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1}\n",
			"q|1/3|2|1|60s|c,d|i,j|a in (b,c)"},
		{"apiVersion: apps/v1\nkind: Deployment\nspec: {replicas: 3, selector: {matchExpressions: [{key: a, operator: Near}]}, " + template + "}\n",
			"q|0/3|0|0|60s|c,d|i,j|<invalid>"},
		{"apiVersion: apps/v1\nkind: ReplicaSet\nspec: {replicas: 3, selector: {matchLabels: {a: b}}, " + template + "}\nstatus: {replicas: 2, readyReplicas: 1}\n",
			"q|3|2|1|60s|c,d|i,j|a=b"},
		{"apiVersion: apps/v1\nkind: StatefulSet\nspec: {replicas: 3, " + template + "}\nstatus: {readyReplicas: 1}\n", "q|1/3|60s|c,d|i,j"},
		{"apiVersion: apps/v1\nkind: DaemonSet\nspec: {selector: {matchLabels: {a: b}}, " + template + "}\nstatus: {desiredNumberScheduled: 5, currentNumberScheduled: 4, numberReady: 3, updatedNumberScheduled: 2, numberAvailable: 1}\n",
			"q|5|4|3|2|1|<none>|60s|c,d|i,j|a=b"},
		{"apiVersion: apps/v1\nkind: ControllerRevision\nrevision: 7\n", "q|<none>|7|60s"},
		{"apiVersion: batch/v1\nkind: Job\nspec: {completions: 3, " + template + "}\nstatus: {succeeded: 1, startTime: '2023-11-14T22:13:10Z'}\n", "q|Running|1/3|10s|60s|c,d|i,j|<none>"},
		{"apiVersion: batch/v1\nkind: Job\nspec: {parallelism: 2, " + template + "}\nstatus: {succeeded: 1, startTime: '2023-11-14T22:12:30Z', completionTime: '2023-11-14T22:12:35Z', conditions: [{type: Complete, status: 'True'}]}\n", "q|Complete|1/1 of 2|5s|60s|c,d|i,j|<none>"},
		{"apiVersion: batch/v1\nkind: CronJob\nspec: {schedule: '* * * * *', suspend: false, jobTemplate: {spec: {" + template + "}}}\nstatus: {active: [{name: x}]}\n", "q|* * * * *|<none>|False|1|<none>|60s|c,d|i,j|<none>"},
		{"apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nspec: {scaleTargetRef: {kind: Deployment, name: web}, maxReplicas: 9, metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}, {type: Pods, pods: {metric: {name: qps}, target: {averageValue: 5}}}, {type: External, external: {metric: {name: q}, target: {value: 3}}}]}\nstatus: {currentReplicas: 2, currentMetrics: [{type: Resource, resource: {name: cpu, current: {averageUtilization: 50}}}]}\n",
			"q|Deployment/web|cpu: 50%/80%, <unknown>/5 + 1 more...|<unset>|9|2|60s"},
		{"apiVersion: autoscaling/v1\nkind: HorizontalPodAutoscaler\nspec: {scaleTargetRef: {kind: Deployment, name: web}, minReplicas: 1, maxReplicas: 9, targetCPUUtilizationPercentage: 80}\n",
			"q|Deployment/web|cpu: <unknown>/80%|1|9|0|60s"},
		{"apiVersion: networking.k8s.io/v1\nkind: Ingress\nspec: {ingressClassName: nginx, tls: [{}], rules: [{host: a}, {host: b}, {host: c}, {host: d}]}\nstatus: {loadBalancer: {ingress: [{ip: 2.2.2.2}, {ip: 1.1.1.1}]}}\n",
			"q|nginx|a,b,c + 1 more...|1.1.1.1,2.2.2.2|80, 443|60s"},
		{"apiVersion: networking.k8s.io/v1\nkind: Ingress\n", "q|<none>|*||80|60s"},
		{"apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nspec: {podSelector: {matchLabels: {a: b}}}\n", "q|a=b|60s"},
		{"apiVersion: policy/v1\nkind: PodDisruptionBudget\nspec: {maxUnavailable: 25%}\nstatus: {disruptionsAllowed: 1}\n", "q|N/A|25%|1|60s"},
		{"apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nroleRef: {kind: ClusterRole, name: view}\nsubjects: [{kind: User, name: u}, {kind: User, name: w}, {kind: ServiceAccount, namespace: d, name: s}]\n", "q|ClusterRole/view|60s|u, w||d/s"},
		{"apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\n", "q|2023-11-14T22:12:20Z"},
		{"apiVersion: storage.k8s.io/v1\nkind: StorageClass\nprovisioner: p\n", "q|p|Delete|Immediate|false|60s"},
		{"apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nspec: {tokenRequests: [{audience: x}], volumeLifecycleModes: [Persistent, Ephemeral]}\n", "q|true|false|false|x|false|Persistent,Ephemeral|60s"},
		{"apiVersion: coordination.k8s.io/v1\nkind: Lease\nspec: {holderIdentity: node-1}\n", "q|node-1|60s"},
		{"apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\naddressType: IPv4\nports: [{port: 80}, {name: x}]\nendpoints: [{addresses: [1.1.1.1]}, {addresses: [1.1.1.2]}, {addresses: [1.1.1.3]}, {addresses: [1.1.1.4]}]\n", "q|IPv4|80,x|1.1.1.1,1.1.1.2,1.1.1.3 + 1 more...|60s"},
		{"apiVersion: events.k8s.io/v1\nkind: Event\nregarding: {kind: Pod, name: p}\nnote: hi\ntype: Normal\nreason: R\neventTime: '2023-11-14T22:13:10.000000Z'\nreportingController: c\n", "10s|Normal|R|pod/p||c|hi|10s|1|q"},
		{"apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nvalue: 7\npreemptionPolicy: Never\n", "q|7|false|60s|Never"},
		{"apiVersion: certificates.k8s.io/v1\nkind: CertificateSigningRequest\nspec: {signerName: s, username: u, request: '', expirationSeconds: 3600}\nstatus: {certificate: aGk=, conditions: [{type: Approved, status: 'True'}]}\n", "q|60s|s|u|60m|Approved,Issued"},
		{"apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nhandler: runc\n", "q|runc|60s"},
		{"apiVersion: flowcontrol.apiserver.k8s.io/v1\nkind: PriorityLevelConfiguration\nspec: {type: Limited, limited: {nominalConcurrencyShares: 30, limitResponse: {type: Queue, queuing: {queues: 64, handSize: 6, queueLengthLimit: 50}}}}\n", "q|Limited|30|64|6|50|60s"},
		{"apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nspec: {policyName: p, paramRef: {name: x}}\n", "q|p|*/x|60s"},
		{"apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\n", "q|pending|60s"},
		{"apiVersion: storagemigration.k8s.io/v1\nkind: StorageVersionMigration\nspec: {resource: {group: apps, resource: deployments}}\nstatus: {conditions: [{type: Running, status: 'True'}]}\n", "q|deployments.apps|Running"},
	}
	r := all.Registry()
	c := codec.New(r)
	for _, tt := range tests {
		obj, gvk, found, err := c.Decode([]byte(tt.doc+meta), nil, true)
		if err != nil || found != nil {
			t.Fatalf("%v %v in\n%s", found, err, tt.doc)
		}
		columns := r.ByGVK(gvk).Strategy.Columns
		var got []string
		for _, cell := range columns.Cells(obj, now) {
			got = append(got, fmt.Sprint(cell))
		}
		if row := strings.Join(got, "|"); row != tt.want || len(got) != len(columns.Columns) {
			t.Errorf("%s\n got %s\nwant %s", gvk.Kind, row, tt.want)
		}
	}
}
