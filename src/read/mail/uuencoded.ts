/** Files that programs before MIME put into the text of a message. */

/** A file in a text, from `begin` to `end`. Its lines say how many bytes they hold. */
const FILE = /^begin [0-7]{3,4} (\S.*)\r?\n((?:[!-M][ -`]{1,84}\r?\n)+)(?:[ `]?[ ]*\r?\n)?end[ \t]*(?:\r?\n|$)/gm;

/** @returns the text without its files, and these */
export function withoutFiles(text: string): { text: string; files: { name: string; content: Uint8Array }[] } {
  const files: { name: string; content: Uint8Array }[] = [];
  if (!text.includes('begin ')) return { text, files };
  const rest = text.replace(FILE, (whole, name: string) => {
    files.push({ name: name.trim(), content: decodeUu(Buffer.from(whole, 'latin1')) });
    return '';
  });
  return { text: rest, files };
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
