package view

import (
	"terrarium/core/projection/wire"
	"terrarium/web/dom"
)

func events(b *dom.Builder, o *wire.Inspect, now int64) {
	if len(o.Conditions) > 0 {
		b.Lit(`<h3 class="sub">Conditions</h3><ul class="conditions">`)
		for _, c := range o.Conditions {
			b.Lit(`<li><span class="cond"`)
			b.Attr("data-status", c.Status)
			b.Lit(`>`)
			b.Text(c.Type)
			b.Lit(`</span> <span class="cond-status">`)
			b.Text(c.Status)
			b.Lit(`</span>`)
			if c.Reason != "" {
				b.Lit(` <span class="cond-reason">`)
				b.Text(c.Reason)
				b.Lit(`</span>`)
			}
			if c.Message != "" {
				b.Lit(`<p>`)
				b.Text(c.Message)
				b.Lit(`</p>`)
			}
			b.Lit(`</li>`)
		}
		b.Lit(`</ul>`)
	}
	b.Lit(`<h3 class="sub">Events</h3>`)
	if len(o.Events) == 0 {
		b.Lit(`<p class="hint">No events about this object.</p>`)
		return
	}
	b.Lit(`<ol class="events">`)
	for _, e := range o.Events {
		b.Lit(`<li data-testid="event"`)
		b.Attr("data-reason", e.Reason)
		b.Attr("class", "event "+eventClass(e.Type))
		b.Lit(`><div class="event-head"><span class="event-reason">`)
		b.Text(e.Reason)
		b.Lit(`</span>`)
		if e.Count > 1 {
			b.Lit(` <span class="count">&#215;`)
			b.Int(int64(e.Count))
			b.Lit(`</span>`)
		}
		b.Lit(` <time`)
		b.Attr("title", Stamp(e.Last))
		b.Lit(`>`)
		b.Text(Age(now, e.Last) + " ago")
		b.Lit(`</time></div><p>`)
		b.Text(e.Message)
		b.Lit(`</p><small>`)
		b.Text(e.From)
		b.Lit(`</small></li>`)
	}
	b.Lit(`</ol>`)
}

func eventClass(kind string) string {
	if kind == "Warning" {
		return "warning"
	}
	return "normal"
}

func owners(b *dom.Builder, o *wire.Inspect) {
	b.Lit(`<ul class="tree" data-testid="owners" aria-label="Owners above, what it owns below">`)
	depth := 0
	for i := len(o.Up) - 1; i >= 0; i-- {
		branch(b, o.Up[i], depth, "", false)
		depth++
	}
	branch(b, o.Ref, depth, "", true)
	for _, d := range o.Down {
		branch(b, d.Ref, depth+int(d.Depth), d.Status, false)
	}
	b.Lit(`</ul>`)
	if len(o.Up)+len(o.Down) == 0 {
		b.Lit(`<p class="hint">Nothing owns it and it owns nothing.</p>`)
	}
}

func branch(b *dom.Builder, r wire.Ref, depth int, status string, self bool) {
	b.Lit(`<li`)
	b.Attr("data-key", "owner-"+r.ID())
	b.Attr("class", "d"+itoa(int64(min(depth, 6))))
	if self {
		b.Lit(` aria-current="true"`)
	}
	b.Lit(`><span class="kind">`)
	b.Text(kindOf(r))
	b.Lit(`</span> `)
	if self {
		b.Lit(`<b>`)
		b.Text(r.Name)
		b.Lit(`</b>`)
	} else {
		link(b, r.ID(), r.Name)
	}
	if status != "" {
		b.Lit(` <span class="status">`)
		b.Text(status)
		b.Lit(`</span>`)
	}
	b.Lit(`</li>`)
}

func timers(b *dom.Builder, o *wire.Inspect, now int64) {
	if len(o.Timers) == 0 {
		b.Lit(`<p class="hint">Nothing is waiting to happen to it. Kubernetes is level-triggered: it acts again when something changes.</p>`)
		return
	}
	b.Lit(`<ol class="timers">`)
	for _, t := range o.Timers {
		b.Lit(`<li data-testid="timer"><time`)
		b.Attr("title", Stamp(t.At))
		b.Lit(`>`)
		b.Text(Until(now, t.At))
		b.Lit(`</time><div><b>`)
		b.Text(t.Component)
		b.Lit(`</b> `)
		b.Text(t.Action)
		if t.Object != "" {
			b.Lit(`<small>`)
			b.Text(t.Object)
			b.Lit(`</small>`)
		}
		b.Lit(`</div></li>`)
	}
	b.Lit(`</ol>`)
}
