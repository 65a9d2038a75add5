package view

import (
	"terrarium/core/projection/wire"
	"terrarium/web/dom"
)

// Why draws the answer of op "why": the chain of causes, first to last.
func Why(w *wire.Why) dom.HTML {
	var b dom.Builder
	if len(w.Sentences) == 0 {
		return Hint("The timeline knows nothing of this object: it is from before the cluster was loaded, and nothing owns it.")
	}
	b.Lit(`<ol class="why" data-testid="why">`)
	for i := range w.Sentences {
		s := &w.Sentences[i]
		b.Lit(`<li>`)
		if s.At != 0 {
			b.Lit(`<time>`)
			b.Text(TimeOfDay(s.At, true))
			b.Lit(`</time>`)
		}
		b.Lit(`<p>`)
		b.Text(s.Text)
		b.Lit(`</p><div class="why-links">`)
		if s.Object.Name != "" {
			object(&b, s.Object)
		}
		if s.Span != 0 {
			b.Lit(` <button type="button" class="link" data-tl="span"`)
			b.Attr("data-span", itoa(int64(s.Span)))
			b.Lit(`>On the timeline</button>`)
		}
		b.Lit(`</div></li>`)
	}
	b.Lit(`</ol>`)
	return b.HTML()
}
