// The text area: CodeMirror with YAML, set up for this page.

import { Compartment, EditorState, StateEffect, StateField, Prec, type Extension, type Text } from "@codemirror/state";
import {
  EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers,
} from "@codemirror/view";
import { defaultKeymap, history, historyKeymap, indentWithTab, invertedEffects } from "@codemirror/commands";
import {
  HighlightStyle, LRLanguage, bracketMatching, foldGutter, foldInside, foldKeymap, foldNodeProp, indentNodeProp, indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { parser } from "@lezer/yaml";
import { tags } from "@lezer/highlight";

import type { Base } from "./editor-port";
import { isHeavy, tooLong } from "./editor-files";

const yaml = LRLanguage.define({
  name: "yaml",
  parser: parser.configure({
    props: [
      indentNodeProp.add({
        BlockMapping: (c) => c.column(c.node.from),
        BlockSequence: (c) => c.column(c.node.from),
        FlowMapping: (c) => c.column(c.node.from) + c.unit,
        FlowSequence: (c) => c.column(c.node.from) + c.unit,
      }),
      foldNodeProp.add({
        FlowMapping: foldInside,
        FlowSequence: foldInside,
        Item: (node, state) => ({ from: Math.min(node.to, state.doc.lineAt(node.from).to), to: node.to }),
        BlockLiteral: (node, state) => ({ from: state.doc.lineAt(node.from).to, to: node.to }),
        Pair: (node, state) => {
          const end = state.doc.lineAt(node.from).to;
          return end < node.to ? { from: end, to: node.to } : null;
        },
      }),
    ],
  }),
  languageData: { commentTokens: { line: "#" } },
});

// Classes rather than colours: the colours of both themes are in editor.css.
const highlight = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], class: "y-key" },
  { tag: [tags.string, tags.attributeValue, tags.content], class: "y-text" },
  { tag: tags.comment, class: "y-comment" },
  { tag: [tags.meta, tags.typeName, tags.labelName], class: "y-meta" },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], class: "y-mark" },
]);

export const setBase = StateEffect.define<Base | null>();

/** The live object the text was opened from. It follows undo: the old text comes back with its old base. */
export const baseField = StateField.define<Base | null>({
  create: () => null,
  update: (base, tr) => tr.effects.reduce((b, e) => (e.is(setBase) ? e.value : b), base),
});

const undoBase = invertedEffects.of((tr) =>
  tr.effects.some((e) => e.is(setBase)) ? [setBase.of(tr.startState.field(baseField))] : [],
);

/** What every view of YAML has, editable or not. */
export function yamlLook(doc: Text | string): Extension {
  return [structure.of(structureFor(doc)), syntaxHighlighting(highlight), EditorState.tabSize.of(2), highlightSpecialChars(), lineNumbers()];
}

const structure = new Compartment();

/** Colors and folds, but not for a text whose parse would hold the page up. */
function structureFor(doc: Text | string): Extension {
  return isHeavy(doc.toString()) ? [] : [yaml, foldGutter(), bracketMatching()];
}

/** Drops or brings back the structure in the same step that changes the text a lot. */
const adapt = EditorState.transactionExtender.of((tr) => {
  if (!tr.docChanged || Math.abs(tr.newDoc.length - tr.startState.doc.length) < 200) return null;
  return { effects: structure.reconfigure(structureFor(tr.newDoc)) };
});

export interface ViewEvents {
  changed(): void;
  apply(): void;
  diff(): void;
  refused(why: string): void;
}

export function createView(parent: HTMLElement, text: string, on: ViewEvents): EditorView {
  const limit = EditorState.changeFilter.of((tr) => {
    const why = tooLong(tr.newDoc.length);
    if (why) on.refused(why);
    return !why;
  });
  return new EditorView({
    parent,
    doc: text,
    extensions: [
      yamlLook(text),
      adapt,
      lintGutter(),
      history(),
      baseField,
      undoBase,
      limit,
      indentUnit.of("  "),
      drawSelection(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      search({ top: true }),
      Prec.high(
        keymap.of([
          { key: "Mod-Enter", preventDefault: true, run: () => (on.apply(), true) },
          { key: "Mod-Shift-d", preventDefault: true, run: () => (on.diff(), true) },
        ]),
      ),
      keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...foldKeymap, ...lintKeymap, indentWithTab]),
      EditorView.contentAttributes.of({
        "aria-label": "Kubernetes manifest in YAML",
        "aria-describedby": "editor-hint",
        spellcheck: "false",
        autocapitalize: "off",
      }),
      EditorView.updateListener.of((u) => {
        if (u.docChanged) on.changed();
      }),
    ],
  });
}

/** Replaces the whole text as one step of undo. */
export function replaceText(view: EditorView, text: string, base: Base | null): void {
  view.dispatch({
    changes: { from: 0, to: view.state.doc.length, insert: text },
    selection: { anchor: 0 },
    effects: setBase.of(base),
    scrollIntoView: true,
    userEvent: "input.replace",
  });
}
