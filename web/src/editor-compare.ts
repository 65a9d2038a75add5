// What stands in place of the text area: the differences before an apply, and a conflict with its merge.

import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { unifiedMergeView } from "@codemirror/merge";

import { titleOf, type Conflict, type DiffDocument } from "./editor-port";
import { element } from "./editor-dom";
import { yamlLook } from "./editor-view";

/** A Comparison owns its part of the page until it is closed. */
export interface Comparison {
  dom: HTMLElement;
  close(): void;
}

function unified(before: string, after: string, label: string): EditorView {
  return new EditorView({
    doc: after,
    extensions: [
      yamlLook(after),
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      EditorView.contentAttributes.of({ tabindex: "0", "aria-label": label }),
      unifiedMergeView({
        original: before, mergeControls: false, gutter: true, collapseUnchanged: { margin: 3, minSize: 6 },
        diffConfig: { scanLimit: 2000, timeout: 200 },
      }),
    ],
  });
}

const verbs: Record<string, string> = { created: "will be created", configured: "will change", unchanged: "stays as it is" };

/** The differences between the live objects and what the text makes of them. */
export function showDiff(docs: DiffDocument[]): Comparison {
  const views: EditorView[] = [];
  const dom = element("div", { class: "compare", "data-testid": "diff-view", role: "group", "aria-label": "What apply will change" });
  for (const d of docs) {
    const title = titleOf(d);
    const head = element("h3", { class: "compare-head" }, title, " ");
    head.append(element("span", { class: "compare-verb", "data-verb": d.verb }, verbs[d.verb] ?? d.verb));
    dom.append(head);
    if (d.verb === "unchanged") continue;
    const view = unified(d.live, d.next, `Differences of ${title}`);
    views.push(view);
    dom.append(view.dom);
  }
  if (docs.length === 0) dom.append(element("p", { class: "compare-empty" }, "There is no object in this text."));
  return { dom, close: () => views.forEach((v) => v.destroy()) };
}

export interface ConflictChoice {
  /** Go on with the merged text on top of the live object. */
  merge(c: Conflict): void;
  /** Drop the edits and take the live object. */
  theirs(c: Conflict): void;
  /** Apply the text as it stands, over what others changed. */
  mine(): void;
  back(): void;
}

/** Tells what changed in between and offers ways out. */
export function showConflict(c: Conflict, choose: ConflictChoice): Comparison {
  const title = titleOf(c);
  const dom = element("div", { class: "compare conflict", "data-testid": "conflict", role: "group", "aria-label": `Conflict on ${title}` });
  dom.append(
    element("h3", { class: "compare-head" }, `${title} changed since you opened it`),
    element("p", { class: "conflict-message" }, c.message),
  );
  if (c.changed?.length) {
    const list = element("ul", { class: "changes", "aria-label": "What changed in between" });
    for (const f of c.changed) list.append(changeItem(f.path, f.old, f.new, c.both?.includes(f.path) ?? false));
    dom.append(element("p", {}, "In between somebody changed:"), list);
  }
  const button = (label: string, test: string, run: () => void, kind = "") =>
    Object.assign(element("button", { type: "button", "data-testid": test, class: kind }, label), { onclick: run });
  const tools = element("div", { class: "conflict-tools" });
  tools.append(
    button("Merge", "conflict-merge", () => choose.merge(c), "primary"),
    button("Take theirs", "conflict-theirs", () => choose.theirs(c)),
    button("Overwrite", "conflict-mine", () => choose.mine()),
    button("Keep editing", "conflict-back", () => choose.back()),
  );
  const view = unified(c.live, c.merged, `The live ${title} and the merge`);
  dom.append(tools, element("p", {}, "The live object, and what Merge makes of it:"), view.dom);
  return { dom, close: () => view.destroy() };
}

function changeItem(path: string, before: string, after: string, both: boolean): HTMLElement {
  const item = element("li", {}, element("code", {}, path), " ");
  if (before) item.append(element("del", {}, before), " ");
  item.append(after ? element("ins", {}, after) : "removed");
  if (both) item.append(" ", element("strong", {}, "you changed it too; the merge keeps yours"));
  return item;
}
