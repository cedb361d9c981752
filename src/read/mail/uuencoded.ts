/** Files that programs before MIME put into the text of a message. */

const BEGIN = /^begin [0-7]{3,4} (\S.*)$/gm;
const LINE = /[!-M][ -`]{1,84}\r?(?:\n|$)/y;
const END = /(?:[ `]?[ ]*\r?\n)?end[ \t]*\r?(?:\n|$)/y;

/** A file goes from `begin` to `end`, and its lines say how many bytes they hold. @returns the text without its files */
export function withoutFiles(text: string): { text: string; files: { name: string; content: Uint8Array }[] } {
  const files: { name: string; content: Uint8Array }[] = [];
  let rest = '';
  let from = 0;
  for (const { index, 0: line, 1: name = '' } of text.matchAll(BEGIN)) {
    if (index < from) continue;
    const start = index + line.length + 1;
    let at = start;
    for (LINE.lastIndex = at; LINE.test(text); LINE.lastIndex = at) at = LINE.lastIndex;
    END.lastIndex = at;
    if (at === start || !END.test(text)) continue;
    files.push({ name: name.trim(), content: decodeUu(Buffer.from(text.slice(index, at), 'latin1')) });
    rest += text.slice(from, index);
    from = END.lastIndex;
  }
  return { text: rest + text.slice(from), files };
}

/** Lines of their length and of four characters for three bytes, between `begin` and an empty line. */
export function decodeUu(body: Buffer): Buffer {
  const lines = body.toString('latin1').split(/\r?\n/);
  const out: number[] = [];
  for (const line of lines.slice(lines.findIndex((each) => /^begin \d{3,4} /.test(each)) + 1)) {
    const six = Array.from(line, (character) => (character.charCodeAt(0) - 32) & 63);
    const length = six.shift() ?? 0;
    if (length === 0) break;
    const bytes: number[] = [];
    for (let i = 0; i < six.length; i += 4) {
      const [a = 0, b = 0, c = 0, d = 0] = six.slice(i, i + 4);
      bytes.push(((a << 2) | (b >> 4)) & 255, ((b << 4) | (c >> 2)) & 255, ((c << 6) | d) & 255);
    }
    for (const byte of bytes.slice(0, length)) out.push(byte);
  }
  return Buffer.from(out);
}
