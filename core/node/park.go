// Package node simulates the machines of a cluster: a Park holds one machine for each Node of the API.
//
// It promises: a Node that is made through the API is a machine that joins, with the capacity it was given; deleting
// the Node takes the machine away; the annotation PowerAnnotation switches a machine off and on.
package node

import (
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/client"
	"terrarium/core/informer"
	"terrarium/core/loop"
	"terrarium/core/node/container"
	"terrarium/core/node/image"
	"terrarium/core/node/kubelet"
	"terrarium/core/trace"
)

// PowerAnnotation, when "off", says that a node's machine has no power.
const PowerAnnotation = "terrarium.dev/power"

// Config is what a Park is made of.
type Config struct {
	Loop    *loop.Loop
	Trace   *trace.Recorder
	Client  *client.Client
	Watch   loop.Range // how long a change takes to reach a kubelet
	Pull    loop.Range // how long an image takes that is not on the node
	Start   loop.Range // how long a container takes
	Runtime container.Runtime
}

// A Park holds the machines.
type Park struct {
	cfg       Config
	catalogue *image.Catalogue
	nodes     *informer.Informer[*corev1.Node]
	pods      *informer.Informer[*corev1.Pod]
	machines  map[string]*machine
	cidrs     *cidrs
	synced    bool
}

// A machine is one computer: its kubelet, its images and where it is on the network.
type machine struct {
	name    string
	kubelet *kubelet.Kubelet
	images  *image.Store
	cidr    string // the addresses of its pods
	joined  bool
	boot    *loop.Timer // nil unless it is coming up
}

// bootTime is how long a machine takes from power to kubelet.
const bootTime = 2 * time.Second

// New returns a park that follows the nodes and pods of the API once it is started.
func New(cfg Config) *Park {
	p := &Park{cfg: cfg, catalogue: image.NewCatalogue(), machines: make(map[string]*machine), cidrs: newCIDRs()}
	ic := informer.Config{Name: "kubelet", Loop: cfg.Loop, Latency: cfg.Watch}
	c := cfg.Client.As("system:nodes")
	p.nodes = informer.New(ic, "nodes", client.Of[*corev1.Node](c, "nodes"))
	p.pods = informer.New(ic, "pods", client.Of[*corev1.Pod](c, "pods"))
	p.nodes.AddHandler(p.node)
	p.pods.AddHandler(p.pod)
	p.pods.AddIndex("node", func(pod *corev1.Pod) []string {
		if pod.Spec.NodeName == "" {
			return nil
		}
		return []string{pod.Spec.NodeName}
	})
	return p
}

// Start begins to follow the API. Pods are only looked at once every node is known.
func (p *Park) Start() {
	p.nodes.OnSync(func() {
		p.synced = true
		p.pods.Start()
	})
	p.nodes.Start()
}

// Join makes n new nodes, each with the capacity given (see kubelet.Capacity for what is absent), named
// node-1, node-2, ... skipping names that are taken. It returns their names.
func (p *Park) Join(n int, capacity corev1.ResourceList) ([]string, error) {
	var names []string
	for i := 1; len(names) < n; i++ {
		name := "node-" + strconv.Itoa(i)
		if _, err := p.cfg.Client.Nodes().Get("", name); err == nil {
			continue
		}
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}
		node.Status.Capacity = kubelet.Capacity(capacity)
		node.Status.Allocatable = node.Status.Capacity
		if _, err := p.cfg.Client.Nodes().Create(node); err != nil {
			return names, err
		}
		names = append(names, name)
	}
	return names, nil
}

// node hears of a change of a Node.
func (p *Park) node(ev informer.Event[*corev1.Node]) {
	name := ev.Key.Name
	m := p.machines[name]
	switch {
	case ev.Type == informer.Deleted:
		if m != nil {
			m.powerOff()
			p.cidrs.free(m.cidr)
			delete(p.machines, name)
		}
		return
	case m == nil:
		m = p.add(ev.New)
	case ev.New.Spec.PodCIDR == "":
		p.writeCIDR(ev.New, m.cidr)
	}
	m.kubelet.SetAllocatable(kubelet.Allocatable(&ev.New.Status))
	switch off := ev.New.Annotations[PowerAnnotation] == "off"; {
	case off:
		m.powerOff()
	case m.joined || m.boot != nil:
	case m.kubelet.Off():
		p.boot(m, bootTime, true)
	default:
		p.boot(m, 0, false)
	}
}

func (m *machine) powerOff() {
	m.boot.Stop()
	m.boot, m.joined = nil, false
	if !m.kubelet.Off() {
		m.kubelet.PowerOff()
	}
}

// add puts a machine into the park for a Node.
func (p *Park) add(node *corev1.Node) *machine {
	name := node.Name
	cidr := node.Spec.PodCIDR
	if cidr == "" {
		cidr = p.assignCIDR(node)
	} else {
		p.cidrs.keep(cidr)
	}
	m := &machine{name: name, cidr: cidr}
	m.images = image.NewStore(p.cfg.Loop, p.catalogue, p.cfg.Pull, p.cfg.Loop.Rand("images "+name))
	for _, img := range node.Status.Images {
		if n := len(img.Names); n > 0 {
			m.images.Restore(img.Names[n-1])
		}
	}
	m.kubelet = kubelet.New(kubelet.Config{
		Node: name, HostIP: p.cidrs.hostIP(cidr), Loop: p.cfg.Loop, Trace: p.cfg.Trace,
		Client: p.cfg.Client.As("system:node:" + name), Runtime: p.cfg.Runtime, Images: m.images, Start: p.cfg.Start,
	})
	m.kubelet.SetPodCIDR(cidr)
	p.machines[name] = m
	return m
}

// assignCIDR gives a node the addresses of its pods: as many as fit twice its capacity of pods, as upstream
// gives a /24 to nodes of 110.
//
// Models pkg/controller/nodeipam range allocator. Differs: upstream's blocks are all of one size.
func (p *Park) assignCIDR(node *corev1.Node) string {
	pods := kubelet.Capacity(node.Status.Capacity)[corev1.ResourcePods]
	cidr := p.cidrs.take(pods.Value())
	p.writeCIDR(node, cidr)
	return cidr
}

// writeCIDR writes a node's addresses into its spec. Where that fails because the node has changed, it is done
// when that change is heard of.
func (p *Park) writeCIDR(node *corev1.Node, cidr string) {
	if cidr == "" {
		return
	}
	next := *node
	next.Spec.PodCIDR, next.Spec.PodCIDRs = cidr, []string{cidr}
	_, _ = p.cfg.Client.ServiceAccount("node-controller").Nodes().Update(&next)
}

// boot lets a machine come up after d.
func (p *Park) boot(m *machine, d time.Duration, again bool) {
	m.boot.Stop()
	label := loop.Label{Component: "kubelet", Action: "machine boots", Object: m.name}
	m.boot = p.cfg.Loop.After(d, label, func() {
		m.boot = nil
		if again {
			m.kubelet.PowerOn()
		}
		m.joined = true
		m.kubelet.Join()
		m.kubelet.Adopt(p.pods.Lister().ByIndex("node", m.name))
	})
}

// pod hears of a change of a Pod and tells the kubelet that it concerns.
func (p *Park) pod(ev informer.Event[*corev1.Pod]) {
	name := ev.New.Spec.NodeName
	if name == "" {
		return
	}
	m := p.machines[name]
	switch {
	case m == nil || !m.joined:
	case ev.Type == informer.Deleted:
		m.kubelet.Gone(ev.New)
	default:
		m.kubelet.Handle(ev.New, ev.Trigger())
	}
}

// Powered reports whether a node's machine has power; ok is false when there is no such machine.
func (p *Park) Powered(node string) (on, ok bool) {
	m := p.machines[node]
	return m != nil && !m.kubelet.Off(), m != nil
}

// Catalogue returns the images that can be pulled.
func (p *Park) Catalogue() *image.Catalogue { return p.catalogue }

// Machines returns the names of the machines, sorted.
func (p *Park) Machines() []string {
	names := make([]string, 0, len(p.machines))
	for n := range p.machines {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}
