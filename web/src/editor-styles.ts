// CodeMirror writes its rules into a <style> element, which style-src 'self' refuses. Rules in constructed
// style sheets are no inline style, so this puts them into document.adoptedStyleSheets instead. (CodeMirror
// does that by itself only inside a shadow root, where labels and tests of the page would not reach in.)

import { StyleModule } from "style-mod";

// img-src 'self' refuses the data: images of CodeMirror's lint marks; editor.css draws them with text.
const images = /[\w-]+:\s*url\('data:[^']*'\)[^;}]*;?/g;

export function adoptStyles(): void {
  const sheet = new CSSStyleSheet();
  let mounted: StyleModule[] = [];
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

  StyleModule.mount = (_root, modules) => {
    const list = Array.isArray(modules) ? modules : [modules];
    if (list.every((m) => mounted.includes(m))) return;
    // Later modules win over earlier ones, as in StyleModule's own mount.
    mounted = [...mounted.filter((m) => !list.includes(m)), ...list];
    sheet.replaceSync(mounted.map((m) => m.getRules().replace(images, "")).join("\n"));
  };
}
