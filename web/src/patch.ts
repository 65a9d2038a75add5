// Drawing anew without replacing what stays: a press or a selection on an element outlives the drawing.

import morphdom from "morphdom";

/** keyOf names an element that stays itself, whatever comes and goes around it. */
function keyOf(node: Node): string | undefined {
  return node instanceof Element ? node.id || (node.getAttribute("data-key") ?? undefined) : undefined;
}

/** patch makes the children of host those that html describes. */
export function patch(host: Element, html: string): void {
  const wanted = host.cloneNode(false) as Element;
  wanted.innerHTML = html;
  morphdom(host, wanted, { childrenOnly: true, getNodeKey: keyOf });
}
