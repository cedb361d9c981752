/** Formats that are text: their words as they stand in the source. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Extraction } from './formats.ts';

export const hasPython: boolean = spawnSync('python3', ['--version']).status === 0;

/** UTF-8, else UTF-16 or Windows-1252. @returns undefined for text in another encoding, which is not compared */
export function decodeText(bytes: Buffer): string | undefined {
  const mark = bytes.subarray(0, 2).toString('hex');
  if (mark === 'fffe' || mark === 'feff') return decoded(bytes, mark === 'fffe' ? 'utf-16le' : 'utf-16be');
  return (
    decoded(bytes, 'utf-8') ??
    (/[\x80-\xff]{2}/u.test(bytes.toString('latin1')) ? undefined : decoded(bytes, 'windows-1252'))
  );
}

function decoded(bytes: Buffer, encoding: string): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

export function plainText(bytes: Buffer): Extraction | undefined {
  const text = decodeText(bytes);
  return text === undefined ? undefined : { pages: [text], apart: new Map() };
}

/** All of the source but the front matter, which becomes fields of the document. */
export function markdownText(bytes: Buffer): Extraction | undefined {
  const source = decodeText(bytes);
  if (source === undefined) return undefined;
  const front = /^\s*---\r?\n[\s\S]*?\n(?:---|\.\.\.)\s*(?:\n|$)/u.exec(source)?.[0] ?? '';
  return { pages: [source.slice(front.length)], apart: new Map([['front matter, kept as fields', front]]) };
}

function valuesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(valuesOf);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => [key, ...valuesOf(inner)]);
  return [String(value)];
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

/** Keys and values. @returns undefined when it is not JSON, or too deep for this walk */
export function jsonText(bytes: Buffer): Extraction | undefined {
  const source = decodeText(bytes);
  if (source === undefined || /(?:[[{]\s*){500}/u.test(source)) return undefined;
  const whole = parsed(source);
  const values =
    whole === undefined ? source.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parsed(line)])) : [whole];
  if (values.includes(undefined)) return undefined;
  return { pages: [valuesOf(values).join('\n')], apart: new Map() };
}

/** Sources of the cells, and their text outputs. */
export function notebookText(bytes: Buffer): Extraction | undefined {
  const lines = (value: unknown): string =>
    Array.isArray(value) ? value.join('') : typeof value === 'string' ? value : '';
  // A notebook as it is written; a field that is not there gives no text.
  const book = parsed(decodeText(bytes) ?? '') as { cells?: Cell[]; worksheets?: { cells?: Cell[] }[] } | undefined;
  type Cell = {
    source?: unknown;
    input?: unknown;
    outputs?: { text?: unknown; data?: Record<string, unknown>; traceback?: unknown }[];
  };
  const cells = book?.cells ?? book?.worksheets?.flatMap((sheet) => sheet.cells ?? []);
  if (!Array.isArray(cells)) return undefined;
  const outputs = (cell: Cell): string[] =>
    (cell.outputs ?? []).map((output) => lines(output.text ?? output.data?.['text/plain']));
  return {
    pages: [cells.map((cell) => lines(cell.source ?? cell.input)).join('\n')],
    apart: new Map([['output of a cell', cells.flatMap(outputs).join('\n')]]),
  };
}

/** The lines that are neither number, time, comment nor style. */
export function subtitleText(bytes: Buffer): Extraction | undefined {
  const cues = decodeText(bytes)
    ?.replaceAll('\r', '')
    .split(/\n\s*\n/u)
    .map((cue) => cue.trim())
    .filter((cue) => !/^\s*(?:\ufeff?WEBVTT|NOTE|STYLE|REGION)/u.test(cue));
  const text = cues?.map((cue) =>
    cue.replace(/^(?:.*\n)?.*-->.*$/mu, '').replace(/<(?:v(?:\.\S*)?\s+([^>]*)|[^>]*)>/gu, '$1 '),
  );
  if (text === undefined) return undefined;
  const rolling = text.filter((cue, i) => i > 0 && cue.trim() === text[i - 1]!.trim());
  return {
    pages: [text.filter((cue, i) => i === 0 || cue.trim() !== text[i - 1]!.trim()).join('\n')],
    apart: new Map([['a cue that says the same as the one before', rolling.join('\n')]]),
  };
}

const MAIL = `
import sys, email, email.policy
message = email.message_from_binary_file(open(sys.argv[1], 'rb'), policy=email.policy.default)
for name in ('From', 'To', 'Cc', 'Bcc', 'Date', 'Subject', 'Keywords', 'X-Gmail-Labels'):
    if message[name]: print(message[name])
body = message.get_body(preferencelist=('plain',))
if body is not None: print(body.get_content())
`;

/** Heads and plain body, by the mail module of Python. @returns undefined without a plain body */
export function mailText(path: string): Extraction | undefined {
  if (plainText(readFileSync(path)) === undefined) return undefined;
  const { stdout, status } = spawnSync('python3', ['-X', 'utf8', '-c', MAIL, path], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  return status === 0 ? { pages: [stdout], apart: new Map() } : undefined;
}
