// The live check: a dry run of the text a moment after the last change, at most one at a time.

import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import type { EditorState } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";

import type { ApplyAnswer, Cluster, Problem } from "./editor-port";
import { maxLively } from "./editor-files";
import { baseField } from "./editor-view";

const settle = 350; // ms without a change before the text is checked

export interface CheckEvents {
  answered(answer: ApplyAnswer): void;
  skipped(why: string): void;
}

export class Checker {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running = false; // a check is out: the next waits for its answer
  private stale = false; // the text is not the one that is being checked
  private cluster: Cluster | undefined;

  constructor(private view: EditorView, private on: CheckEvents) {}

  connect(cluster: Cluster): void {
    this.cluster = cluster;
    this.schedule(0);
  }

  /** Checks the text when it has settled, instead of a check that runs. */
  schedule(after = settle): void {
    this.stop();
    this.timer = setTimeout(() => void this.run(), after);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.stale = true;
  }

  private async run(): Promise<void> {
    const state = this.view.state;
    if (!this.cluster || this.running) return;
    if (state.doc.length > maxLively) {
      this.on.skipped("A text this long is checked when it is applied.");
      return;
    }
    this.running = true;
    this.stale = false;
    try {
      const params = { text: state.doc.toString(), dryRun: true, base: state.field(baseField) };
      const answer: ApplyAnswer = await this.cluster.call("apply", params);
      if (!this.stale) this.on.answered(answer);
    } catch (e) {
      if (!this.stale) this.on.skipped(e instanceof Error ? e.message : String(e));
    } finally {
      this.running = false;
      if (this.stale && this.view.state.doc !== state.doc) this.schedule();
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
