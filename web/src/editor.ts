// The editor island: write YAML, see mistakes as you type, compare with what is live, apply.
//
// It works before any wasm has arrived: mountEditor takes a promise of the cluster, and what needs it waits.
// The other parts of the page reach it through window.terrariumEditor (EditorAPI) and the event
// "terrarium:edit" on document with {resource, namespace, name} or {text}.

import { EditorSelection } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

import { examples } from "./examples";
import { adoptStyles } from "./editor-styles";
import { baseField, createView, replaceText, setBase } from "./editor-view";
import { Checker, rangeOf, sentence, showProblems } from "./editor-check";
import { showConflict, showDiff, type Comparison } from "./editor-compare";
import { FileError, readFile, tooLong } from "./editor-files";
import { keepDraft, recallDraft } from "./editor-draft";
import { element, menuButton } from "./editor-dom";
import { askToKeep } from "./persist";
import { titleOf, type ApplyAnswer, type Base, type Cluster, type DiffAnswer, type Problem } from "./editor-port";

export type { Cluster } from "./editor-port";

/** What the rest of the page may ask of the editor: window.terrariumEditor. */
export interface EditorAPI {
  getText(): string;
  /** Replaces the text; undo brings the old one back. */
  setText(text: string): void;
  /** Opens a live object; applying it later notices what others changed meanwhile. resource as in "deployments.apps". */
  openObject(resource: string, namespace: string, name: string): Promise<void>;
  /** Applies the text, as the button does. Resolves with the sentence that the editor shows. */
  apply(): Promise<string>;
  focus(): void;
}

declare global {
  interface Window {
    terrariumEditor?: EditorAPI;
  }
}

export function mountEditor(host: HTMLElement, cluster: Promise<Cluster>): EditorAPI {
  adoptStyles();
  const editor = new Editor(host, cluster);
  window.terrariumEditor = editor;
  document.addEventListener("terrarium:edit", (e) => {
    const d = (e as CustomEvent).detail;
    if (d.resource) void editor.openObject(d.resource, d.namespace ?? "", d.name);
    else editor.setText(d.text);
    editor.focus();
  });
  return editor;
}

class Editor implements EditorAPI {
  private view: EditorView;
  private checker: Checker;
  private text = element("div", { class: "editor-text" });
  private status = element("p", { class: "editor-status", role: "status", "aria-live": "polite", "data-testid": "editor-status" });
  private problems = element("ol", { class: "problems", "data-testid": "problems", "aria-label": "Problems" });
  private comparison: Comparison | undefined;
  private applyButton = document.getElementById("apply") as HTMLButtonElement;
  private diffButton = document.getElementById("diff") as HTMLButtonElement;
  private busy = false;

  constructor(private host: HTMLElement, private cluster: Promise<Cluster>) {
    this.problems.hidden = true;
    host.append(this.text, element("p", { id: "editor-hint", class: "vh" }, "Press Escape and then Tab to leave the editor."));
    const foot = document.getElementById("editor-foot")!;
    foot.removeAttribute("role"); // only the sentence is announced, not the list of problems at every key
    foot.removeAttribute("aria-live");
    foot.append(this.status, this.problems);

    this.view = createView(this.text, recallDraft() ?? examples[0]!.text, {
      changed: () => this.changed(),
      apply: () => void this.apply(),
      diff: () => void this.toggleDiff(),
      refused: (why) => this.say(why, "error"),
    });
    this.checker = new Checker(this.view, {
      answered: (a) => this.checked(a),
      skipped: (why) => (this.showProblems([]), this.say(why)),
    });
    this.wire(host);
    this.sayWaiting();
    document.addEventListener("terrarium:elsewhere", () => this.sayWaiting());
    cluster.then(
      (c) => this.checker.connect(c),
      (e) => this.say(`The cluster did not start: ${message(e)}`, "error"),
    );
  }

  private wire(host: HTMLElement): void {
    this.applyButton.disabled = this.diffButton.disabled = false;
    this.applyButton.onclick = () => void this.apply();
    this.diffButton.onclick = () => void this.toggleDiff();

    const menus = document.getElementById("examples")!;
    const picker = element("input", { type: "file", class: "vh", tabindex: "-1", "aria-label": "Manifest file", "data-testid": "open-file",
      accept: ".yaml,.yml,.json,.txt,text/*,application/json" });
    picker.onchange = () => {
      if (picker.files?.[0]) void this.openFile(picker.files[0]);
      picker.value = "";
    };
    menus.append(picker);
    menuButton(menus, "Examples", "examples", [
      ...examples.map((e) => ({
        id: e.name, label: e.title, choose: () => (this.replace(e.text, null, `Example: ${e.title}.`), this.focus()),
      })),
      { id: "open", label: "Open a file…", choose: () => picker.click() },
    ]);

    host.addEventListener("dragover", (e) => {
      if (!e.dataTransfer?.types.includes("Files")) return;
      e.preventDefault();
      host.dataset.drop = "true";
    });
    host.addEventListener("dragleave", () => delete host.dataset.drop);
    host.addEventListener("drop", (e) => {
      delete host.dataset.drop;
      const file = e.dataTransfer?.files[0];
      if (!file) return;
      e.preventDefault();
      e.stopPropagation();
      void this.openFile(file);
    }, true);
    host.addEventListener("keydown", (e) => {
      if (e.key === "Escape" && this.comparison) this.leaveComparison();
    });
  }

  getText(): string {
    return this.view.state.doc.toString();
  }

  setText(text: string): void {
    this.replace(text, null, "");
  }

  focus(): void {
    this.closeComparison(false);
    this.view.focus();
  }

  async openObject(resource: string, namespace: string, name: string): Promise<void> {
    try {
      const { base } = (await (await this.cluster).call("live", { resource, namespace, name })) as { base: Base };
      this.replace(base.text, base, `Editing ${titleOf(base)} as it is now.`);
    } catch (e) {
      this.say(message(e), "error");
    }
  }

  private async openFile(file: File): Promise<void> {
    try {
      this.replace(await readFile(file), null, `Opened ${file.name}.`);
      this.focus();
    } catch (e) {
      this.say(e instanceof FileError ? e.message : `${file.name} could not be read: ${message(e)}`, "error");
    }
  }

  private replace(text: string, base: Base | null, said: string): void {
    const why = tooLong(text.length);
    if (why) return this.say(why, "error");
    this.closeComparison(false);
    replaceText(this.view, text, base);
    if (said) this.say(`${said} Undo brings back the text before.`);
  }

  private changed(): void {
    keepDraft(this.view.state.doc.length < 200_000 ? this.getText() : "");
    this.say("");
    this.checker.schedule();
  }

  private checked(a: ApplyAnswer): void {
    this.showProblems(a.errors ?? []);
    if (a.errors?.length) this.say(count(a.errors.length, "problem"), "error");
    else if (a.conflicts?.length) this.say(`${titleOf(a.conflicts[0]!)} changed since you opened it. Apply shows how.`, "warn");
    else if (this.status.dataset.kind !== "done") this.say("");
  }

  async apply(force = false): Promise<string> {
    if (this.busy) return this.status.textContent!;
    this.checker.stop();
    this.setBusy(true, "Applying");
    try {
      const base = this.view.state.field(baseField);
      const answer: ApplyAnswer = await (await this.cluster).call("apply", { text: this.getText(), base, force });
      await this.applied(answer, base);
    } catch (e) {
      this.say(`Nothing is known to be applied: ${message(e)}`, "error");
    } finally {
      this.setBusy(false);
    }
    return this.status.textContent!;
  }

  private async applied(a: ApplyAnswer, base: Base | null): Promise<void> {
    const results = a.results ?? [];
    this.showProblems(a.errors ?? []);
    const conflict = a.conflicts?.[0];
    if (conflict) {
      this.compare(showConflict(conflict, {
        merge: (c) => this.replace(c.merged, c.base, "Merged with the live object; look it over and apply."),
        theirs: (c) => this.replace(c.live, c.base, "This is the live object."),
        mine: () => (this.closeComparison(true), void this.apply(true)),
        back: () => this.leaveComparison(),
      }));
      this.say(`${titleOf(conflict)} changed since you opened it; nothing was applied.`, "warn");
      return;
    }
    if (results.some((r) => r.verb !== "unchanged")) askToKeep();
    const done = results.map((r) => `${r.resource}/${r.name} ${r.verb}`).join(", ");
    const warnings = results.flatMap((r) => r.warnings ?? []);
    if (a.errors?.length) {
      this.say(`${done ? `Applied in part: ${done}` : "Nothing was applied"}: ${count(a.errors.length, "problem")}.`, "error");
      return;
    }
    this.closeComparison(true);
    const said = warnings.length ? [`${done}.`, ...warned(warnings)].join(" ") : done;
    this.say(said || "There is no object in this text.", "done");
    if (base && results.some((r) => r.resource === base.resource && r.name === base.name)) await this.renewBase(base);
  }

  /** After an apply the text stands on the object as it is now. */
  private async renewBase(old: Base): Promise<void> {
    const { base } = (await (await this.cluster).call("live", { resource: old.resource, namespace: old.namespace, name: old.name })) as { base: Base };
    this.view.dispatch({ effects: setBase.of(base) });
  }

  private async toggleDiff(): Promise<void> {
    if (this.comparison) return this.leaveComparison();
    if (this.busy) return;
    this.setBusy(true, "Comparing with the cluster");
    try {
      const params = { text: this.getText(), base: this.view.state.field(baseField) };
      const answer: DiffAnswer = await (await this.cluster).call("diff", params);
      this.showProblems(answer.errors ?? []);
      if (answer.errors?.length) this.say(count(answer.errors.length, "problem"), "error");
      else {
        this.compare(showDiff(answer.documents ?? []));
        this.say("Escape goes back to the text.");
      }
    } catch (e) {
      this.say(message(e), "error");
    } finally {
      this.setBusy(false);
    }
  }

  private compare(c: Comparison): void {
    this.closeComparison(false);
    this.comparison = c;
    this.text.hidden = true;
    this.host.append(c.dom);
    this.diffButton.setAttribute("aria-pressed", "true");
    c.dom.tabIndex = -1;
    c.dom.focus();
  }

  private leaveComparison(): void {
    this.closeComparison(true);
    this.say("");
  }

  private closeComparison(focus: boolean): void {
    if (!this.comparison) return;
    this.comparison.close();
    this.comparison.dom.remove();
    this.comparison = undefined;
    this.text.hidden = false;
    this.diffButton.setAttribute("aria-pressed", "false");
    this.view.requestMeasure();
    if (focus) this.view.focus();
  }

  private showProblems(problems: Problem[]): void {
    showProblems(this.view, problems);
    const shown = problems.slice(0, 50).map((p) => {
      const go = element("button", { type: "button", "data-line": String(p.line) }, p.line ? `Line ${p.line}: ${sentence(p)}` : sentence(p));
      go.onclick = () => this.reveal(p);
      return element("li", {}, go);
    });
    this.problems.replaceChildren(...shown);
    this.problems.hidden = shown.length === 0;
  }

  private reveal(p: Problem): void {
    this.closeComparison(false);
    const { from } = rangeOf(this.view.state, p);
    this.view.dispatch({ selection: EditorSelection.cursor(from), effects: EditorView.scrollIntoView(from, { y: "center" }) });
    this.view.focus();
  }

  private sayWaiting(): void {
    if (isUp() || this.busy) return;
    this.say(isElsewhere() ? "Another tab has the cluster; you can write meanwhile." : "The cluster is starting; you can write meanwhile.");
  }

  private setBusy(busy: boolean, what = ""): void {
    this.busy = busy;
    this.applyButton.setAttribute("aria-busy", String(busy));
    if (busy) this.say(isUp() ? what : `${what} as soon as ${isElsewhere() ? "this tab has the cluster" : "the cluster is up"}.`);
  }

  private say(text: string, kind: "info" | "error" | "warn" | "done" = "info"): void {
    this.status.textContent = text;
    this.status.dataset.kind = kind;
  }
}

function isUp(): boolean {
  return document.documentElement.dataset.ready === "true";
}

/** Another tab has the cluster: see boot.ts. */
function isElsewhere(): boolean {
  return document.documentElement.dataset.elsewhere === "true";
}

function message(e: unknown): string {
  return e instanceof Error ? e.message : String(e);
}

/** Many warnings, as of nodes that nobody applied, are told by the first sentence of the first. */
function warned(warnings: string[]): string[] {
  if (warnings.length <= 2) return warnings.map((w) => `Warning: ${w}`);
  return [`${count(warnings.length, "warning")}, the first: ${warnings[0]!.replace(/\. .*/s, "")}.`];
}

function count(n: number, what: string): string {
  return n === 1 ? `1 ${what}` : `${n} ${what}s`;
}
