package queue

// A heap holds items by less, each knowing its index.
type heap struct {
	items []*item
	less  func(a, b *item) bool
}

func (h *heap) push(it *item) {
	it.index = len(h.items)
	h.items = append(h.items, it)
	h.up(it.index)
}

func (h *heap) remove(it *item) {
	i, last := it.index, len(h.items)-1
	h.swap(i, last)
	h.items[last] = nil
	h.items = h.items[:last]
	if i < last {
		h.fix(h.items[i])
	}
}

func (h *heap) fix(it *item) {
	h.up(it.index)
	h.down(it.index)
}

func (h *heap) swap(i, j int) {
	h.items[i], h.items[j] = h.items[j], h.items[i]
	h.items[i].index, h.items[j].index = i, j
}

func (h *heap) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !h.less(h.items[i], h.items[parent]) {
			return
		}
		h.swap(i, parent)
		i = parent
	}
}

func (h *heap) down(i int) {
	for {
		least := i
		for _, child := range [2]int{2*i + 1, 2*i + 2} {
			if child < len(h.items) && h.less(h.items[child], h.items[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		h.swap(i, least)
		i = least
	}
}
