package scenario_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/apiserver"
	"terrarium/core/cluster"
	"terrarium/core/controller/pods"
	"terrarium/core/kinds"
	"terrarium/core/rollout"
)

const web = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":3,
"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},
"spec":{"containers":[{"name":"nginx","image":"nginx:1.7.9"}]}}}}`

// Whatever is done to a Deployment, in whatever moment, once it is left alone with working nodes and a good
// image it comes to exactly the pods it asks for, all of its template.
func TestRandomOperationsConverge(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { randomOperations(t, seed) })
	}
}

func randomOperations(t *testing.T, seed uint64) {
	c := cluster.New(cluster.Config{Seed: seed, Nodes: 3, CheckMutation: true})
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	c.Loop.Run(c.Now().Add(15 * time.Second))
	c.Serve(&apiserver.RESTRequest{Method: "POST", Path: "/apis/apps/v1/namespaces/default/deployments", Body: []byte(web)})
	luck := rand.New(rand.NewPCG(seed, 99))
	var done []string
	for range 30 {
		done = append(done, operate(c, luck))
		c.Loop.Run(c.Now().Add(time.Duration(luck.ExpFloat64() * float64(2*time.Second))))
	}
	patch(c, `{"spec":{"paused":false,"template":{"spec":{"containers":[{"name":"nginx","image":"nginx:1.25"}]}}}}`)
	c.Loop.Run(c.Now().Add(3 * time.Minute))
	if problem := unfinished(c); problem != "" {
		t.Errorf("seed %d: %s\nafter %q", seed, problem, done)
	}
	for _, s := range c.Trace.Spans(0) {
		if len(s.Err) > 4 && s.Err[:4] == "BUG:" {
			t.Fatalf("seed %d: %s", seed, s.Err)
		}
	}
}

func deploymentKey(c *cluster.Cluster) kinds.Key {
	return c.Kinds.ByName("deployments").Key("default", "web")
}

func patch(c *cluster.Cluster, body string) {
	c.As(cluster.Admin, deploymentKey(c), func() {
		c.Client.Deployments().Patch("default", "web", types.StrategicMergePatchType, []byte(body), "")
	})
}

// operate does one thing that a person might do, and says what.
func operate(c *cluster.Cluster, luck *rand.Rand) string {
	pick := func(list ...string) string { return list[luck.IntN(len(list))] }
	var what string
	switch luck.IntN(8) {
	case 0, 1:
		what = fmt.Sprintf(`{"spec":{"replicas":%d}}`, luck.IntN(8))
	case 2, 3:
		what = `{"spec":{"template":{"spec":{"containers":[{"name":"nginx","image":"` + pick("nginx:1.7.9", "nginx:1.9.1", "nginx:none", "nginx:1.25") + `"}]}}}}`
	case 4:
		what = `{"spec":{"paused":` + pick("true", "false", "false") + `}}`
	case 5:
		what = `{"spec":{"strategy":{"rollingUpdate":{"maxSurge":` + pick("1", `"50%"`) + `,"maxUnavailable":` + pick("0", "1", `"25%"`) + `}}}}`
	case 6:
		c.As(cluster.Admin, deploymentKey(c), func() { rollout.Undo(c.Client, "default", "web", 0) })
		return "undo"
	case 7:
		all := active(c)
		if len(all) == 0 {
			return "nothing"
		}
		p := all[luck.IntN(len(all))]
		c.As(cluster.Admin, c.Kinds.ByName("pods").Key(p.Namespace, p.Name), func() {
			c.Client.Pods().Delete(p.Namespace, p.Name, metav1.DeleteOptions{})
		})
		return "delete " + p.Name
	}
	patch(c, what)
	return what
}

func active(c *cluster.Cluster) (out []*corev1.Pod) {
	list, _ := c.Store.List("pods", "default")
	for _, o := range list {
		if p := o.(*corev1.Pod); pods.Active(p) {
			out = append(out, p)
		}
	}
	return out
}

// unfinished says what is wrong with a Deployment that should be done.
func unfinished(c *cluster.Cluster) string {
	obj, _ := c.Store.Get(deploymentKey(c))
	d := obj.(*appsv1.Deployment)
	n, st := *d.Spec.Replicas, d.Status
	if st.ObservedGeneration != d.Generation || st.Replicas != n || st.UpdatedReplicas != n || st.AvailableReplicas != n {
		return fmt.Sprintf("status %+v of %d replicas at generation %d", st, n, d.Generation)
	}
	for _, cond := range st.Conditions {
		if cond.Type == appsv1.DeploymentProgressing && n > 0 && cond.Reason != "NewReplicaSetAvailable" {
			return "Progressing is " + cond.Reason
		}
	}
	all := active(c)
	if len(all) != int(n) {
		return fmt.Sprintf("%d pods, want %d", len(all), n)
	}
	for _, p := range all {
		if p.Spec.Containers[0].Image != d.Spec.Template.Spec.Containers[0].Image || !pods.Ready(p) {
			return "pod " + p.Name + " runs " + p.Spec.Containers[0].Image
		}
	}
	sets, _ := c.Store.List("replicasets.apps", "default")
	inUse := 0
	for _, o := range sets {
		if *o.(*appsv1.ReplicaSet).Spec.Replicas > 0 {
			inUse++
		}
	}
	if inUse > 1 {
		return fmt.Sprintf("%d sets are in use", inUse)
	}
	return ""
}

func TestSameSeedSameHistory(t *testing.T) {
	history := func(seed uint64) string {
		c := cluster.New(cluster.Config{Seed: seed, Nodes: 3})
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		c.Loop.Run(c.Now().Add(15 * time.Second))
		c.Serve(&apiserver.RESTRequest{Method: "POST", Path: "/apis/apps/v1/namespaces/default/deployments", Body: []byte(web)})
		luck := rand.New(rand.NewPCG(5, 5))
		for range 40 {
			operate(c, luck)
			c.Loop.Run(c.Now().Add(700 * time.Millisecond))
		}
		c.Client.Namespaces().Delete("", "kube-public", metav1.DeleteOptions{})
		c.Client.Deployments().Delete("default", "web", metav1.DeleteOptions{})
		c.Loop.Run(c.Now().Add(2 * time.Minute))
		return c.Trace.Hash()
	}
	first := history(1)
	for range 3 {
		if again := history(1); again != first {
			t.Fatalf("the same seed gave %s and %s", first, again)
		}
	}
	if other := history(2); other == first {
		t.Error("another seed gave the same history")
	}
}
