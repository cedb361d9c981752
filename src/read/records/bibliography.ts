import { known } from '../../core/known.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { LETTERS, MARKS } from '../markup/tex-letters.ts';
import { LineIndex } from '../text/lines.ts';

const NO_ENTRIES = new Set(['comment', 'preamble', 'string']);
/** In this order; fields that are not here follow as they are written. */
const ORDER = ['author', 'editor', 'year', 'date', 'journal', 'booktitle', 'publisher', 'doi', 'url', 'keywords'];
const ADDRESSES = new Set(['url', 'doi', 'eprint', 'isbn', 'issn']);
/** Notes of the program that wrote the file. */
const LEFT_OUT = new Set(['title', 'abstract', 'file', 'timestamp', 'bdsk-url-1', 'owner', 'groups']);

/**
 * BibTeX → a heading with the title of each entry, its key, type and fields as lines, and its abstract. Values keep
 * their words; braces, quotes and the commonest accents of TeX are resolved. What cannot be read is kept as text.
 */
export function parseBibliography(
  source: string,
  context: Pick<ParseContext, 'name' | 'maxTextChars'>,
): ParsedDocument {
  const builder = new DocumentBuilder('bib', context);
  const text = source.replace(/\r\n?/g, '\n');
  const lines = new LineIndex(text);
  const strings = new Map<string, string>();
  let entries = 0;
  const start = /@([A-Za-z]+)\s*[{(]/g;
  for (let match = start.exec(text); match; match = start.exec(text)) {
    const type = match[1]!.toLowerCase();
    const from = match.index + match[0].length;
    const end = closingAt(text, from, match[0].endsWith('(') ? ')' : '}');
    const place = { lines: [lines.lineOf(match.index) + 1, lines.lineOf(Math.max(from, end - 1)) + 1] as const };
    if (!/[)}]/.test(text[end] ?? '')) builder.warn('BIBLIOGRAPHY_CUT', `line ${place.lines[0]}: the entry has no end`);
    start.lastIndex = end;
    const body = text.slice(from, end);
    if (type === 'string') for (const [name, value] of fieldsOf(body, strings)) strings.set(name, value);
    if (NO_ENTRIES.has(type)) continue;
    const comma = body.indexOf(',');
    const key = (comma === -1 ? body : body.slice(0, comma)).trim();
    const fields = new Map(fieldsOf(comma === -1 ? '' : body.slice(comma + 1), strings));
    builder.block({ kind: 'heading', level: 1 }, fields.get('title') || key, place);
    const names = [
      ...ORDER.filter((name) => fields.has(name)),
      ...[...fields.keys()].filter((name) => !ORDER.includes(name)),
    ];
    const facts = names.filter((name) => !LEFT_OUT.has(name)).map((name) => `${name}: ${fields.get(name)}`);
    builder.block({ kind: 'record' }, [`${key} (${type})`, ...facts].join('\n'), place);
    builder.block({ kind: 'paragraph' }, fields.get('abstract') ?? '', place);
    entries++;
  }
  if (entries === 0) builder.block({ kind: 'paragraph' }, text);
  builder.metadata.entries = entries;
  return builder.build();
}

/** The bracket that ends the entry; the end of the text without one. Brackets in values need no partner: `1) Pumps`. */
function closingAt(text: string, from: number, closing: ')' | '}'): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const code = text[at];
    if (code === '\\') at++;
    else if (code === closing && depth === 0) return at;
    else if (code === '{') depth++;
    else if (code === '}') depth--;
    // An entry at the start of a line after an entry that never ends.
    else if (code === '@' && text[at - 1] === '\n' && /^@[A-Za-z]{3,20}\s*\{/.test(text.slice(at, at + 40))) return at;
  }
  return text.length;
}

/** `name = {value} # "value" # name`, between commas. */
function* fieldsOf(body: string, strings: ReadonlyMap<string, string>): Generator<[name: string, value: string]> {
  const field = /\s*([\w:-]+)\s*=\s*/y;
  for (let at = 0; at < body.length; at++) {
    field.lastIndex = at;
    const match = field.exec(body);
    if (!match) {
      const comma = body.indexOf(',', at);
      if (comma === -1) return;
      at = comma;
      continue;
    }
    let value = '';
    at = field.lastIndex;
    for (;;) {
      const [piece, end] = pieceAt(body, at, strings);
      value += piece;
      const more = /^\s*#\s*/.exec(body.slice(end, end + 200));
      at = end + (more?.[0].length ?? 0);
      if (!more || at >= body.length) break;
    }
    const name = match[1]!.toLowerCase();
    yield [name, ADDRESSES.has(name) ? plainAddress(value) : plainText(value)];
    const comma = body.indexOf(',', at);
    if (comma === -1) return;
    at = comma;
  }
}

function pieceAt(body: string, from: number, strings: ReadonlyMap<string, string>): [text: string, end: number] {
  if (body[from] === '{') {
    let depth = 0;
    for (let at = from; at < body.length; at++) {
      if (body[at] === '\\') at++;
      else if (body[at] === '{') depth++;
      else if (body[at] === '}' && --depth === 0) return [body.slice(from + 1, at), at + 1];
    }
    return [body.slice(from + 1), body.length];
  }
  if (body[from] === '"') {
    let depth = 0;
    for (let at = from + 1; at < body.length; at++) {
      if (body[at] === '\\') at++;
      else if (body[at] === '{') depth++;
      else if (body[at] === '}') depth--;
      else if (body[at] === '"' && depth <= 0) return [body.slice(from + 1, at), at + 1];
    }
    return [body.slice(from + 1), body.length];
  }
  const word = /^[^,#\s]*/.exec(body.slice(from, from + 1000))![0];
  return [strings.get(word.toLowerCase()) ?? word, from + word.length];
}

/** Commands that only change how text looks, or where it stands; others say their name: `\\LaTeX`, `\\alpha`. */
const SILENT_COMMANDS =
  /^(?:em|it|bf|sc|rm|sf|sl|tt|tiny|small|large|Large|normalfont|itshape|bfseries|scshape|upshape|par|newline|noopsort|protect|relax|hfill|quad|qquad|ensuremath|left|right)$/;

/** In an address `~` and `--` are what they are. */
function plainAddress(value: string): string {
  return value
    .replace(/\\url(?=\{)/g, '')
    .replace(/\\([&%$#_{}~])/g, '$1')
    .replace(/[{}]/g, '')
    .trim();
}

function plainText(value: string): string {
  const addresses: string[] = [];
  const apart = value.replace(/(\\href\s*\{[^{}]*\})\s*\{/g, '$1 {'); // address and text
  const marked = apart.replace(/https?:\/\/[^\s{}]+/g, (address) => {
    addresses.push(plainAddress(address));
    return '\0';
  });
  return marked
    .replace(
      /(?<!\\)\$([^$]{0,500}?[_^\\][^$]{0,500}?)(?<!\\)\$/g,
      (_, formula: string) => formula.replace(/(?<!\\)_/g, ''), // `CO$_2$` is CO2
    )
    .replace(/\\(["'`^~=.]|[cvuHkrd](?=[\s{]))\s*\{?\\?([A-Za-z])\}?/g, (_, mark: string, letter: string) =>
      (letter + MARKS[mark]!).normalize('NFC'),
    )
    .replace(/\\([A-Za-z]+)(?![A-Za-z])(?:\{\}|\s)?/g, (whole, name: string) => known(LETTERS, name) ?? whole)
    .replace(/\\([&%$#_{}])/g, '$1')
    .replace(/\\[-/!@]/g, '')
    .replace(/\\[,;:> ]/g, ' ')
    .replace(/\\[A-Za-z]+(?=\s*\{[^}])/g, '')
    .replace(/\\([A-Za-z]+)(?:\{\}|(\s?))/g, (_, name: string, blank: string | undefined) =>
      SILENT_COMMANDS.test(name) ? '' : name + (blank ?? ''),
    )
    .replace(/[{}]/g, '')
    .replace(/---?/g, '–')
    .replaceAll('~', ' ')
    .replace(/\s+/g, ' ')
    .replace(/\0/g, () => addresses.shift() ?? '')
    .trim();
}
