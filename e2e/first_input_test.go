package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

const nginx = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: nginx-deployment
spec:
  selector:
    matchLabels:
      app: nginx
  replicas: 2
  template:
    metadata:
      labels:
        app: nginx
    spec:
      containers:
      - name: nginx
        image: nginx:1.7.9
        ports:
        - containerPort: 80
`

const deployment = "/apis/apps/v1/namespaces/default/deployments/nginx-deployment"

// TestFirstInput is the main job as a person does it, in the page, with what is stored checked after
// each step.
func TestFirstInput(t *testing.T) {
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			p := open(t, options{fallback: m.fallback, query: "?seed=1"})
			f := firstInput{p}
			for _, step := range []struct {
				name string
				do   func()
			}{
				{"apply", f.apply}, {"timeline", f.timeline}, {"delete a pod", f.deletePod}, {"scale", f.scale},
				{"another image", f.image}, {"undo", f.undo}, {"power off", f.powerOff},
				{"time", f.time}, {"reload", f.reload}, {"reset", f.reset},
			} {
				t.Log(step.name)
				step.do()
			}
		})
	}
}

type firstInput struct{ *tab }

func (f firstInput) pods(selector string) []object { return f.tab.pods("app=nginx" + selector) }

// settled waits until n pods run, and no other is left.
func (f firstInput) settled(what string, n int) {
	f.Helper()
	f.until(what, 5*time.Minute, func() bool {
		all := f.get("/api/v1/namespaces/default/pods").items()
		return len(all) == n && running(f.pods("")) == n
	})
	f.eventually(fmt.Sprintf("%d running pods on the board", n),
		fmt.Sprintf(`(() => { const pods = [...document.querySelectorAll('#board [data-testid="pod"]')]; return pods.length === %d && pods.every(p => p.dataset.phase === "Running"); })()`, n))
}

func (f firstInput) apply() {
	f.eventually("three nodes on the board", `document.querySelectorAll('[data-testid="node"]').length === 3`)
	f.eval("terrariumEditor.setText("+quote(nginx)+")", nil)
	f.click("apply")
	f.eventually("the editor says what it did", `document.querySelector('[data-testid="editor-status"]').textContent.includes("created")`)
	f.pause()
	f.eventually("time stands still", `document.getElementById("pause").getAttribute("aria-pressed") === "true"`)
	f.settled("two pods run", 2)
	nodes := make(map[string]bool)
	for _, pod := range f.pods("") {
		nodes[pod.text("spec", "nodeName")] = true
		if pod.text("status", "podIP") == "" {
			f.Errorf("pod %s has no IP", pod.text("metadata", "name"))
		}
	}
	if len(nodes) != 2 {
		f.Errorf("the two pods are on %v, want two nodes", nodes)
	}
	if d := f.get(deployment); d.number("status", "readyReplicas") != 2 {
		f.Errorf("deployment status: %v", d.at("status"))
	}
}

func (f firstInput) timeline() {
	for _, c := range []string{"deployment-controller", "replicaset-controller", "scheduler", "kubelet"} {
		f.eventually("the timeline shows "+c, fmt.Sprintf(
			`[...document.querySelectorAll('[data-testid="span"]')].some(s => s.dataset.controller.includes(%s))`, quote(c)))
	}
}

func (f firstInput) deletePod() {
	victim := f.pods("")[0].text("metadata", "name")
	f.clickOn(fmt.Sprintf(`#board [data-testid="pod"][data-name=%q]`, victim))
	f.eventually("the inspector shows the pod", fmt.Sprintf(`document.querySelector("#inspector-title")?.textContent === %s && !document.getElementById("inspector").hidden`, quote(victim)))
	f.click("delete")
	f.confirmIfAsked()
	f.eventually("the pod is on its way out", fmt.Sprintf(`terrarium.request("GET", "/api/v1/namespaces/default/pods/%s").then(r => r.status === 404 || r.body.metadata.deletionTimestamp !== undefined)`, victim))
	f.settled("the pod is replaced", 2)
	for _, pod := range f.pods("") {
		if pod.text("metadata", "name") == victim {
			f.Errorf("pod %s is still there", victim)
		}
	}
}

// confirmIfAsked says yes where the page asks whether one is sure.
func (f firstInput) confirmIfAsked() {
	var asked bool
	f.eval(`document.getElementById("confirm").open`, &asked)
	if asked {
		f.click("confirm-yes")
	}
}

// inspectDeployment opens the Deployment in the inspector.
func (f firstInput) inspectDeployment() {
	f.eval(`document.dispatchEvent(new CustomEvent("terrarium:select", {detail: {resource: "deployments.apps", namespace: "default", name: "nginx-deployment"}}))`, nil)
	f.eventually("the inspector shows the Deployment", `document.querySelector("#inspector-title")?.textContent === "nginx-deployment" && document.querySelector('[data-testid="scale-input"]') !== null`)
}

func (f firstInput) scale() {
	f.inspectDeployment()
	for _, n := range []int{5, 2} {
		f.eval(fmt.Sprintf(`(() => { const i = document.querySelector('[data-testid="scale-input"]'); i.value = "%d"; i.form.requestSubmit(); })()`, n), nil)
		f.eventually(fmt.Sprintf("%d replicas are asked for", n), fmt.Sprintf(`terrarium.request("GET", %s).then(r => r.body.spec.replicas === %d)`, quote(deployment), n))
		f.settled(fmt.Sprintf("%d pods run", n), n)
	}
}

func (f firstInput) image() {
	f.eval("terrariumEditor.setText("+quote(strings.Replace(nginx, "1.7.9", "1.9.1", 1))+")", nil)
	f.click("apply")
	f.eventually("the editor says what it did", `document.querySelector('[data-testid="editor-status"]').textContent.includes("configured")`)
	f.rolledOver("nginx:1.9.1")
}

// rolledOver waits until two pods run that image, and no other pod is left.
func (f firstInput) rolledOver(image string) {
	f.Helper()
	f.until("all pods run "+image, 5*time.Minute, func() bool {
		for _, pod := range f.pods("") {
			if pod.text("spec", "containers", 0, "image") != image {
				return false
			}
		}
		return true
	})
	f.settled("two pods run "+image, 2)
}

func (f firstInput) undo() {
	f.inspectDeployment()
	f.click("undo")
	f.eventually("the old image is asked for", fmt.Sprintf(`terrarium.request("GET", %s).then(r => r.body.spec.template.spec.containers[0].image === "nginx:1.7.9")`, quote(deployment)))
	f.rolledOver("nginx:1.7.9")
}

func (f firstInput) powerOff() {
	node := f.pods("")[0].text("spec", "nodeName")
	f.clickOn(fmt.Sprintf(`[data-testid="node-menu"][data-name=%q]`, node))
	f.eventually("the node's menu is open", `!document.getElementById("menu").hidden`)
	f.click("node-off")
	f.confirmIfAsked()
	moved := func() bool {
		pods := f.pods("")
		for _, pod := range pods {
			if pod.text("spec", "nodeName") == node {
				return false
			}
		}
		return running(pods) == 2
	}
	f.advance(5 * time.Minute) // heartbeats missed for 40 s, then tolerated for 300 s
	f.until("the pods of "+node+" run elsewhere", 5*time.Minute, moved)
	f.eventually("the board shows the pods where they are", fmt.Sprintf(
		`[...document.querySelectorAll('#board [data-testid="node"]:not([data-name=%q]) [data-testid="pod"][data-phase="Running"]')].length === 2`, node))
}

func (f firstInput) time() {
	var before, after struct{ Now int64 }
	f.eval("terrarium.clock()", &before)
	f.click("step")
	f.eventually("a step moves time", fmt.Sprintf("terrarium.clock().then(c => c.now > %d)", before.Now))
	f.click("pause") // lets time go on
	f.eventually("time goes on", `terrarium.clock().then(c => !c.paused)`)
	f.eval(`(() => { const s = document.getElementById("speed"); s.value = "100"; s.dispatchEvent(new Event("change", {bubbles: true})); })()`, nil)
	f.eventually("time is fast", `terrarium.clock().then(c => c.speed === 100)`)
	f.eval("terrarium.clock()", &before)
	time.Sleep(300 * time.Millisecond)
	f.pause()
	f.eval("terrarium.clock()", &after)
	if after.Now-before.Now < 5000 {
		f.Errorf("300 ms at 100x are %d ms of virtual time", after.Now-before.Now)
	}
	f.eval("terrarium.speed(1)", nil)
}

func (f firstInput) reload() {
	f.eval("terrarium.flush()", nil)
	before := names(f.pods(""))
	f.tab.reload()
	f.waitReady()
	if after := names(f.pods("")); after != before {
		f.Errorf("pods after the reload: %s, before it: %s", after, before)
	}
	var clock struct{ Paused bool }
	f.eval("terrarium.clock()", &clock)
	if !clock.Paused {
		f.Error("time stood still before the reload and does not after it")
	}
	f.eventually("the board shows the pods again", `document.querySelectorAll('#board [data-testid="pod"][data-phase="Running"]').length >= 2`)
}

func names(pods []object) string {
	var list []string
	for _, pod := range pods {
		list = append(list, pod.text("metadata", "name")+"="+pod.text("metadata", "uid"))
	}
	return strings.Join(list, " ")
}

func (f firstInput) reset() {
	f.click("reset")
	f.click("confirm-yes")
	f.eventually("the cluster is new", `window.terrarium ? terrarium.request("GET", "/apis/apps/v1/deployments").then(r => r.body.items.length === 0) : false`)
	f.waitReady()
	f.eventually("a new cluster has its nodes", `document.querySelectorAll('[data-testid="node"]').length === 3`)
}
