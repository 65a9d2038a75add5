package node

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCIDRs(t *testing.T) {
	c := newCIDRs()
	c.keep("10.244.1.0/24")
	var got []string
	for _, pods := range []int64{110, 110, 1000, 128, 129, 0, -5, 1 << 40} {
		got = append(got, c.take(pods))
	}
	want := []string{
		"10.244.0.0/24", "10.244.2.0/24", "10.244.8.0/21", "10.244.16.0/24", "10.244.18.0/23", "10.244.20.0/24", "10.244.21.0/24", "10.245.0.0/16",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for cidr, want := range map[string]string{"10.244.0.0/24": "172.18.0.2", "10.244.8.0/21": "172.18.0.10", "10.245.0.0/16": "172.18.1.2", "": "172.18.0.1"} {
		if ip := c.hostIP(cidr); ip != want {
			t.Errorf("machine of %s: got %s, want %s", cidr, ip, want)
		}
	}
}

func TestCIDRsRunOut(t *testing.T) {
	c := newCIDRs()
	for range 128 {
		if got := c.take(1 << 20); got == "" {
			t.Fatal("there are 128 blocks of 65,536")
		}
	}
	if got := c.take(1); got != "" {
		t.Fatalf("got %s, but nothing is left", got)
	}
	c.free("10.250.0.0/16")
	if got := c.take(1); got != "10.250.0.0/24" {
		t.Errorf("got %s, want a part of the block that was freed", got)
	}
	if got := c.take(30000); got != "10.250.128.0/17" {
		t.Errorf("got %s, want half of that block", got)
	}
}

// TestCIDRsOfManyNodes are apart from each other and from the addresses of Services.
func TestCIDRsOfManyNodes(t *testing.T) {
	c := newCIDRs()
	services := netip.MustParsePrefix("10.96.0.0/12")
	hosts := make(map[string]bool)
	for i := range 2000 {
		block := c.take(1100)
		p, err := netip.ParsePrefix(block)
		if err != nil || p.Bits() != 20 || p.Overlaps(services) {
			t.Fatalf("node %d: got block %q, want a /20 clear of %v", i, block, services)
		}
		host := c.hostIP(block)
		if hosts[host] {
			t.Fatalf("node %d: %s is another node's address", i, host)
		}
		hosts[host] = true
	}
	if len(c.used) != 2000 {
		t.Errorf("got %d blocks, want 2000", len(c.used))
	}
}
