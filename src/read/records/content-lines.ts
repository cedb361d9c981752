import { decodeBytes } from '../encoding.ts';

/** The lines of iCalendar and vCard files. @see RFC 5545, 3.1; RFC 6350, 3.3 */
export interface ContentLine {
  /** In upper case, without a group: `item1.TEL` is `TEL`. */
  readonly name: string;
  /** Lines of one group belong together: a number and what it is called. */
  readonly group: string | undefined;
  /** By name in upper case; several values are joined with commas. */
  readonly parameters: Readonly<Record<string, string>>;
  /** As written. */
  readonly value: string;
  /** First and last line in the source, from 1. */
  readonly lines: readonly [number, number];
}

/** Some programs fold at a number of bytes, also inside a character of UTF-8: the fold then stands behind the character. */
export function withWholeCharacters(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (!SPLIT.test(text)) return bytes;
  return Buffer.from(text.replace(new RegExp(SPLIT, 'g'), '$1$3$2'), 'latin1');
}

const SPLIT = /([\xc2-\xf4][\x80-\xbf]{0,2})(\r?\n[ \t])([\x80-\xbf]{1,3})/;

/** Content lines with folded lines joined; what is no content line is left out. */
export function* contentLines(source: string): Generator<ContentLine, void, undefined> {
  const lines = source.replace(/^\ufeff/, '').split(/\r\n?|\n/);
  for (let at = 0; at < lines.length; ) {
    const first = at;
    const parts = [lines[at++]!];
    for (; at < lines.length && /^[ \t]/.test(lines[at]!); at++) parts.push(lines[at]!.slice(1));
    // vCard 2.1 folds quoted-printable text at `=`, without a blank.
    if (/[;=]QUOTED-PRINTABLE[;:]/i.test(parts[0]!)) {
      for (; at < lines.length && parts.at(-1)!.endsWith('='); at++) {
        parts.push(parts.pop()!.slice(0, -1), lines[at]!);
      }
    }
    const line = readLine(parts.join(''), [first + 1, at]);
    if (line) yield line;
  }
}

function readLine(text: string, lines: readonly [number, number]): ContentLine | undefined {
  const name = /^(?:([\w-]+)\.)?([\w-]+)(?=[;:])/.exec(text);
  if (!name) return undefined;
  const parameters: Record<string, string> = Object.create(null);
  let at = name[0].length;
  const next = /;([\w-]+)(?:=((?:"[^"]*"|[^;:"])*))?/y; // the value may be a whole page, as `ALTREP="data:text/html,…"`
  while (text[at] === ';') {
    next.lastIndex = at;
    const parameter = next.exec(text);
    if (!parameter) return undefined;
    const key = parameter[1]!.toUpperCase();
    const value = unescapeParameter((parameter[2] ?? parameter[1]!).replaceAll('"', '')); // `TEL;HOME:` of vCard 2.1 is `TYPE=HOME`
    const bare = /^(?:quoted-printable|base64|8bit|7bit)$/i.test(key) ? 'ENCODING' : 'TYPE';
    const type = parameter[2] === undefined ? bare : key;
    parameters[type] = parameters[type] === undefined ? value : `${parameters[type]},${value}`;
    at += parameter[0].length;
  }
  if (text[at] !== ':') return undefined;
  const raw = text.slice(at + 1);
  const value = /^quoted-printable$/i.test(parameters.ENCODING ?? '') ? unquote(raw, parameters.CHARSET) : raw;
  return { name: name[2]!.toUpperCase(), group: name[1]?.toLowerCase(), parameters, value, lines };
}

/** The bytes are in an encoding of their own, not in that of the file. */
function unquote(text: string, charset: string | undefined): string {
  const bytes = Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decodeBytes(Buffer.from(bytes, 'latin1'), charset ?? 'windows-1252').text;
}

/** @see RFC 6868 */
function unescapeParameter(value: string): string {
  return value.replace(/\^([n'^])/g, (_, mark: string) => (mark === 'n' ? ' ' : mark === "'" ? '"' : '^'));
}

/** The text of a value: `\n`, `\,` and `\;` are what they stand for, and `\:`, which Google writes in addresses. */
export function unescapeText(value: string): string {
  return value.replace(/\\([nN,;:\\])/g, (_, character: string) => (/n/i.test(character) ? '\n' : character)).trim();
}

/** The parts of a structured value, in order. */
export function partsOf(value: string): string[] {
  return value.split(/(?<!\\);/).map(unescapeText);
}
