// The live check: a dry run of the text a moment after the last change, at most one at a time.

import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import type { EditorState } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";

import type { ApplyAnswer, Cluster, Problem } from "./editor-port";
import { maxLively } from "./editor-files";
import { baseField } from "./editor-view";

const settle = 350; // ms without a change before the text is checked

export interface CheckEvents {
  checking(): void;
  answered(answer: ApplyAnswer): void;
  skipped(why: string): void;
}

export class Checker {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running: AbortController | undefined;
  private cluster: Cluster | undefined;

  constructor(private view: EditorView, private on: CheckEvents) {}

  connect(cluster: Cluster): void {
    this.cluster = cluster;
    this.schedule(0);
  }

  /** Drops the check that runs, if any, and starts another when the text has settled. */
  schedule(after = settle): void {
    clearTimeout(this.timer);
    this.running?.abort();
    this.timer = setTimeout(() => void this.run(), after);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.running?.abort();
  }

  private async run(): Promise<void> {
    const state = this.view.state;
    if (!this.cluster) return;
    if (state.doc.length > maxLively) {
      this.on.skipped("A text this long is checked when it is applied.");
      return;
    }
    const text = state.doc.toString();
    const control = (this.running = new AbortController());
    this.on.checking();
    try {
      const params = { text, dryRun: true, base: state.field(baseField) };
      const answer: ApplyAnswer = await this.cluster.call("apply", params, control.signal);
      if (!control.signal.aborted) this.on.answered(answer);
    } catch (e) {
      if (!control.signal.aborted) this.on.skipped(e instanceof Error ? e.message : String(e));
    } finally {
      if (this.running === control) this.running = undefined;
    }
  }
}

/** Shows problems at their lines. */
export function showProblems(view: EditorView, problems: Problem[]): void {
  view.dispatch(setDiagnostics(view.state, problems.map((p) => diagnostic(view.state, p))));
}

function diagnostic(state: EditorState, p: Problem): Diagnostic {
  const { from, to } = rangeOf(state, p);
  return { from, to, severity: "error", message: sentence(p) };
}

/** The text of a problem, its field first where the message does not name it anyway. */
export function sentence(p: Problem): string {
  return p.field && !p.message.includes(p.field) ? `${p.field}: ${p.message}` : p.message;
}

/** From the place of the problem to the end of its line, without the spaces around. */
export function rangeOf(state: EditorState, p: Problem): { from: number; to: number } {
  const line = state.doc.line(Math.max(1, Math.min(p.line, state.doc.lines)));
  const indent = line.text.search(/\S/);
  const from = line.from + (p.column > 1 ? Math.min(p.column - 1, line.length) : Math.max(indent, 0));
  return { from, to: Math.max(from, line.from + line.text.trimEnd().length) };
}
