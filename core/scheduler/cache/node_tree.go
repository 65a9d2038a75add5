package cache

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// A nodeTree holds node names by zone, zones and nodes in the order they came.
// Models pkg/scheduler/backend/cache nodeTree.
type nodeTree struct {
	zones map[string][]string
	order []string // keys of zones
	count int
}

func (t *nodeTree) add(node *corev1.Node) {
	zone := zoneOf(node)
	if t.zones[zone] == nil {
		t.order = append(t.order, zone)
	}
	t.zones[zone] = append(t.zones[zone], node.Name)
	t.count++
}

func (t *nodeTree) remove(node *corev1.Node) {
	zone := zoneOf(node)
	i := slices.Index(t.zones[zone], node.Name)
	if i < 0 {
		return
	}
	t.count--
	if t.zones[zone] = slices.Delete(t.zones[zone], i, i+1); len(t.zones[zone]) == 0 {
		delete(t.zones, zone)
		z := slices.Index(t.order, zone)
		t.order = slices.Delete(t.order, z, z+1)
	}
}

// names returns all names, taking one from each zone in turn.
func (t *nodeTree) names() []string {
	names := make([]string, 0, t.count)
	for i := 0; len(names) < t.count; i++ {
		for _, zone := range t.order {
			if nodes := t.zones[zone]; i < len(nodes) {
				names = append(names, nodes[i])
			}
		}
	}
	return names
}

// zoneOf identifies the node's failure zone; "" is no zone.
// Models component-helpers/node/topology GetZoneKey.
func zoneOf(node *corev1.Node) string {
	first := func(keys ...string) string {
		for _, k := range keys {
			if v, ok := node.Labels[k]; ok {
				return v
			}
		}
		return ""
	}
	zone := first(corev1.LabelFailureDomainBetaZone, corev1.LabelTopologyZone)
	region := first(corev1.LabelFailureDomainBetaRegion, corev1.LabelTopologyRegion)
	if zone == "" && region == "" {
		return ""
	}
	return region + ":\x00:" + zone
}
