package view

import "terrarium/web/dom"

// TimelineTools draws the controls above the timeline.
func TimelineTools() dom.HTML {
	var b dom.Builder
	b.Lit(`<label class="tl-filter"><span class="vh">Show only spans about</span><input type="search" id="tl-filter" data-testid="timeline-filter" placeholder="Filter" title="By object, component or node: web, pods/default/web, scheduler" autocomplete="off" spellcheck="false"></label>`)
	b.Lit(`<label class="tl-quiet"><input type="checkbox" id="tl-quiet" data-testid="timeline-quiet"> Quiet <span class="vh">work: heartbeats, events, nothing to do</span></label>`)
	b.Lit(`<label><span class="vh">Axis</span><select id="tl-axis" data-testid="timeline-axis"><option value="0">Steps</option><option value="1">Time</option></select></label>`)
	b.Lit(`<span class="tl-zoom" role="group" aria-label="Zoom"><button type="button" class="icon" data-tl="out" data-testid="timeline-out" aria-label="Zoom out" title="Zoom out (−)">−</button><button type="button" class="icon" data-tl="in" data-testid="timeline-in" aria-label="Zoom in" title="Zoom in (+)">+</button></span>`)
	b.Lit(`<button type="button" data-tl="follow" id="tl-follow" data-testid="timeline-follow" aria-pressed="true" title="Keep the newest in view (F)">Follow</button>`)
	return b.HTML()
}

// TimelineBody draws the places that the timeline's parts go to.
func TimelineBody() dom.HTML {
	var b dom.Builder
	b.Lit(`<div class="tl-main"><div class="tl-scroll" id="tl-scroll"></div><div class="tl-foot"><input type="range" id="tl-range" class="tl-range" aria-label="Place in the history" min="0" max="0" value="0" step="1" disabled><span id="tl-summary" class="tl-summary"></span></div></div>`)
	b.Lit(`<section class="tl-details" id="tl-details" data-testid="span-details" aria-label="Selected span" tabindex="-1" hidden></section><p class="vh" id="tl-say" aria-live="polite"></p>`)
	return b.HTML()
}
