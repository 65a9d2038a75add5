// Turning a file of any bytes into text, or into a sentence that says why not.

/** The longest text the editor takes, in characters. The cluster refuses documents above 3 MiB. */
export const maxText = 5_000_000;

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
