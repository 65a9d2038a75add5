// Asking the browser to keep what the page keeps.

let asked = false;

/**
 * The browser may drop what a page keeps when space is short unless it promises not to. It is asked once, when
 * there is something to keep: it may ask the person.
 */
export function askToKeep(): void {
  if (asked) return;
  asked = true;
  navigator.storage?.persist?.().catch(() => undefined); // refused, as where there is no storage
}
