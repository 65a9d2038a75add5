package kubelet

import "net/netip"

// addresses hands out the pod addresses of a node's CIDR, in turn, so that a freed one is not reused soon.
type addresses struct {
	prefix netip.Prefix
	next   netip.Addr
	used   map[netip.Addr]bool
}

func newAddresses(cidr string) *addresses {
	p, err := netip.ParsePrefix(cidr)
	if err != nil {
		return nil
	}
	p = p.Masked()
	return &addresses{prefix: p, next: p.Addr().Next().Next(), used: make(map[netip.Addr]bool)}
}

// take returns a free address; ok is false when there is none.
func (a *addresses) take() (ip string, ok bool) {
	if a == nil {
		return "", false
	}
	start := a.next
	for {
		addr := a.next
		a.next = addr.Next()
		if !a.prefix.Contains(a.next.Next()) { // the last one is for broadcast
			a.next = a.prefix.Addr().Next().Next()
		}
		if !a.used[addr] {
			a.used[addr] = true
			return addr.String(), true
		}
		if a.next == start {
			return "", false
		}
	}
}

// keep marks an address as taken by a pod that had it before.
func (a *addresses) keep(ip string) {
	if addr, err := netip.ParseAddr(ip); a != nil && err == nil {
		a.used[addr] = true
	}
}

func (a *addresses) free(ip string) {
	if addr, err := netip.ParseAddr(ip); a != nil && err == nil {
		delete(a.used, addr)
	}
}
