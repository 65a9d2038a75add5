package node

import (
	"encoding/binary"
	"math/bits"
	"net/netip"
	"strconv"
)

// cidrs hands out the pod address blocks of nodes, from 10.244.0.0 upwards and then from 10.128.0.0: room for
// 2,000 nodes of 1,100 pods, clear of the Services' 10.96.0.0/12.
type cidrs struct {
	used map[netip.Prefix]bool
	next uint32
}

func newCIDRs() *cidrs {
	return &cidrs{used: make(map[netip.Prefix]bool), next: firstBlock}
}

const (
	lowest     = 10<<24 | 128<<16
	firstBlock = 10<<24 | 244<<16
	lastBlock  = 11 << 24 // exclusive
	smallest   = 8        // bits of a /24
	largest    = 16       // bits of a /16
)

// take returns a free block with room for twice as many pods, at least a /24 and at most a /16. Where
// there is no room left for one that large it is smaller; "" is none at all.
func (c *cidrs) take(pods int64) string {
	size := smallest
	if pods > 0 {
		size = min(max(smallest, bits.Len64(uint64(pods-1))+1), largest)
	}
	for ; size >= smallest; size-- {
		if block := c.block(size); block != "" {
			return block
		}
	}
	return ""
}

func (c *cidrs) block(size int) string {
	step := uint32(1) << size
	at := (c.next + step - 1) &^ (step - 1)
	for range (lastBlock - lowest) >> size {
		if at+step > lastBlock {
			at = lowest
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
	n := (binary.BigEndian.Uint32(b[:])-firstBlock)%(lastBlock-lowest)>>8 + 2
	return "172." + strconv.Itoa(18+int(n>>16)) + "." + strconv.Itoa(int(n>>8&0xff)) + "." + strconv.Itoa(int(n&0xff))
}

func addr(n uint32) netip.Addr {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], n)
	return netip.AddrFrom4(b)
}
