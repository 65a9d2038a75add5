package node

import (
	"encoding/binary"
	"math/bits"
	"net/netip"
	"strconv"
)

// cidrs hands out the pod address blocks of nodes, from 10.244.0.0 upwards.
type cidrs struct {
	used map[netip.Prefix]bool
	next uint32
}

func newCIDRs() *cidrs {
	return &cidrs{used: make(map[netip.Prefix]bool), next: firstBlock}
}

const (
	firstBlock = 10<<24 | 244<<16
	lastBlock  = 11 << 24 // exclusive
)

// take returns a free block with room for twice as many pods, at least a /24.
func (c *cidrs) take(pods int) string {
	size := max(8, bits.Len(uint(2*pods-1)))
	step := uint32(1) << size
	at := (c.next + step - 1) &^ (step - 1)
	for range 1 << 16 {
		if at+step > lastBlock {
			at = firstBlock
		}
		p := netip.PrefixFrom(addr(at), 32-size)
		if !c.overlaps(p) {
			c.used[p] = true
			c.next = at + step
			return p.String()
		}
		at += step
	}
	return ""
}

func (c *cidrs) overlaps(p netip.Prefix) bool {
	for q := range c.used {
		if q.Overlaps(p) {
			return true
		}
	}
	return false
}

func (c *cidrs) keep(cidr string) {
	if p, err := netip.ParsePrefix(cidr); err == nil {
		c.used[p] = true
	}
}

func (c *cidrs) free(cidr string) {
	if p, err := netip.ParsePrefix(cidr); err == nil {
		delete(c.used, p)
	}
}

// hostIP is the address of the machine whose pods have the block: 172.18.x.y, one for each /24.
func (c *cidrs) hostIP(cidr string) string {
	p, err := netip.ParsePrefix(cidr)
	if err != nil {
		return "172.18.0.1"
	}
	b := p.Addr().As4()
	n := (binary.BigEndian.Uint32(b[:])-firstBlock)>>8 + 2
	return "172." + strconv.Itoa(18+int(n>>16)) + "." + strconv.Itoa(int(n>>8&0xff)) + "." + strconv.Itoa(int(n&0xff))
}

func addr(n uint32) netip.Addr {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], n)
	return netip.AddrFrom4(b)
}
