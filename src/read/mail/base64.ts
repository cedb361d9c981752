/** Contents in base64, as mail has them. */

/** Text that is no base64: other signs, or words with a blank between them. */
const FOREIGN = /[^A-Za-z0-9+/=\s]|[^\s=] +[^\s=]/;
const DATA_LINE = /^[A-Za-z0-9+/=]{40,}\s*$/m;
/** Fewer characters before a text say nothing. */
const FEWEST = 16;

/**
 * The content; undefined where it is not base64. Programs of mailing lists put their lines behind base64 as they are:
 * `tail` is such a text.
 */
export function decodeBase64(body: Buffer): { readonly content: Uint8Array; readonly tail: Buffer } | undefined {
  const text = body.toString('latin1');
  const cut = tailAt(text);
  const head = cut === undefined ? text : text.slice(0, cut);
  const data = dataOf(head.trim());
  return data && { content: data, tail: cut === undefined ? Buffer.alloc(0) : body.subarray(cut) };
}

function dataOf(lines: string): Uint8Array | undefined {
  // Words with blanks between them are a text that its writer forgot to encode.
  if ((lines.match(/[^\s=] [^\s=]/g)?.length ?? 0) > lines.length / 50) return undefined;
  const text = lines.replace(/\s+/g, '');
  const foreign = text.replace(/[A-Za-z0-9+/=]/g, '').length;
  if (foreign > text.length / 20) return undefined;
  // Some programs write several pieces with padding each; a decoder ends at the first.
  return Buffer.concat(text.split(/(?<==)(?!=)/).map((piece) => Buffer.from(piece, 'base64')));
}

/** Where a text begins behind base64; undefined where none does, or more base64 follows it. */
function tailAt(text: string): number | undefined {
  const foreign = FOREIGN.exec(text)?.index;
  if (foreign === undefined) return undefined;
  const line = text.lastIndexOf('\n', foreign) + 1;
  const before = text.slice(0, line);
  const end = /\S\s*?\n[^\S\n]*\n/.exec(before); // an empty line ends the data
  const at = end ? end.index + 1 : Math.max(0, line - 1);
  const isData = before.slice(0, at).trim().length >= FEWEST && !DATA_LINE.test(text.slice(at));
  return isData ? at : undefined;
}
