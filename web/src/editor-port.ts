// What the editor and the cluster say to each other: the answers of core/apply.

/** A Cluster answers operations. It may be slow to come; the editor works meanwhile. */
export interface Cluster {
  /** Rejects with an Error whose message is for a person. */
  call(op: string, params: object): Promise<any>;
}

/** A Base is the live object that a text was opened from. */
export interface Base {
  apiVersion: string;
  kind: string;
  resource: string;
  namespace: string;
  name: string;
  resourceVersion: string;
  text: string;
}

/** A Problem names the place of a mistake; lines and columns count from 1, 0 is unknown. */
export interface Problem {
  line: number;
  column: number;
  doc: number;
  field: string;
  message: string;
}

export interface Result {
  line: number;
  kind: string;
  resource: string;
  namespace: string;
  name: string;
  verb: "created" | "configured" | "unchanged" | "edited";
  warnings?: string[];
}

export interface FieldChange {
  path: string;
  old: string;
  new: string;
}

/** A Conflict says that the live object changed after the text was opened from it. */
export interface Conflict {
  line: number;
  kind: string;
  namespace: string;
  name: string;
  message: string;
  /** Fields that somebody else changed in between. */
  changed?: FieldChange[];
  /** Paths that both sides changed to different values; the merge keeps this side's. */
  both?: string[];
  live: string;
  merged: string;
  /** The live object as it is now: the base of what is applied next. */
  base: Base;
}

export interface ApplyAnswer {
  results?: Result[];
  errors?: Problem[];
  conflicts?: Conflict[];
}

export interface DiffDocument {
  line: number;
  kind: string;
  namespace: string;
  name: string;
  verb: string;
  live: string;
  next: string;
}

export interface DiffAnswer {
  documents?: DiffDocument[];
  errors?: Problem[];
}

export function titleOf(o: { kind: string; namespace: string; name: string }): string {
  return o.namespace ? `${o.kind} ${o.namespace}/${o.name}` : `${o.kind} ${o.name}`;
}
