// Turning a file of any bytes into text, or into a sentence that says why not.

/** The longest text the editor takes, in characters. The cluster refuses documents above 3 MiB. */
export const maxText = 5_000_000;

/** Longer texts are not colored, and not checked as they are typed. */
export const maxLively = 256 * 1024;

/** Says whether a text is so long or so deep that parsing it would hold the page up. */
export function isHeavy(text: string): boolean {
  return text.length > maxLively || flowDepth(text) > 100 || /^ {400}|^ *(?:[-?] +){100}/m.test(text);
}

function flowDepth(text: string): number {
  let depth = 0, deepest = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x5b || c === 0x7b) deepest = Math.max(deepest, ++depth); // [ {
    else if ((c === 0x5d || c === 0x7d) && depth > 0) depth--; // ] }
  }
  return deepest;
}

export class FileError extends Error {}

function megabytes(n: number): string {
  return (n / 1_000_000).toFixed(1) + " MB";
}

/** Says why text of that size is refused, or nothing. */
export function tooLong(length: number): string {
  return length > maxText ? `The text has ${megabytes(length)}; the editor takes at most ${megabytes(maxText)}.` : "";
}

export async function readFile(file: File): Promise<string> {
  if (file.size > maxText) {
    throw new FileError(`${file.name} has ${megabytes(file.size)}; the editor takes at most ${megabytes(maxText)}.`);
  }
  return decode(new Uint8Array(await file.arrayBuffer()), file.name);
}

function decode(bytes: Uint8Array, name: string): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new FileError(`${name} is not a text file: its bytes are not ${encoding.toUpperCase()}.`);
  }
  // What YAML allows: tab, line ends and everything printable.
  const bad = text.search(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/);
  if (bad >= 0) {
    const line = text.slice(0, bad).split("\n").length;
    throw new FileError(`${name} is not a text file: line ${line} holds a control character.`);
  }
  return text;
}
