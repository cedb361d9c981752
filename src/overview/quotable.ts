import { plainText } from '../answer/extractive/plain-text.ts';
import { leansBack } from '../answer/sentences/ranking/closer.ts';
import { headingsOver } from '../answer/sentences/structure/headings.ts';
import { unitsOf } from '../answer/sentences/structure/units.ts';
import type { StoredChunk } from '../core/types.ts';
import { sentencesOf } from './proof.ts';

/** A sentence of a chunk that a listener understands without the text around it. */
export interface Quotable {
  readonly chunk: StoredChunk;
  /** As it reads. */
  readonly text: string;
  /** That stand over it, outermost first. */
  readonly headings: readonly string[];
  /** In the chunk's text. */
  readonly start: number;
  readonly end: number;
}

/** A shorter sentence says little by itself. */
export const LEAST_CHARS = 40;
const MOST_CHARS = 320;
/** Of scripts in which a letter says as much as two or three others. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** Formats of programs, data and lists: what looks like a sentence there is none. */
const unspoken: ReadonlySet<string> = new Set([
  'code',
  'csv',
  'tsv',
  'json',
  'jsonl',
  'yaml',
  'xml',
  'sqlite',
  'parquet',
  'arrow',
]);

/**
 * The sentences of a chunk that can be read aloud: whole ones, of words, that lean on nothing before them, neither
 * questions nor lines of a table.
 * @param least characters of a sentence
 */
export function quotableOf(chunk: StoredChunk, least: number): Quotable[] {
  if (unspoken.has(chunk.format)) return [];
  const { text, format } = chunk;
  const units = unitsOf(text, format);
  const { paths, isHeading } = headingsOver(text, units, chunk.headings, format);
  return units.flatMap(({ kind, start, end }, i) => {
    if (kind === 'row' || isHeading[i]) return [];
    const said = plainText(text.slice(start, end), { format, before: text.slice(0, start) });
    return isQuotable(said, least) && sentencesOf(said).length === 1
      ? [{ chunk, text: said, headings: paths[i]!, start, end }]
      : [];
  });
}

function isQuotable(text: string, least: number): boolean {
  const length = text.length + (text.match(DENSE)?.length ?? 0);
  if (length < least || length > MOST_CHARS) return false;
  if (!/[.!…。！]["'”’»)\]]*$/u.test(text) || !/^[(]?[\p{Lu}\p{Lt}\p{Lo}\p{N}]/u.test(text)) return false;
  // talk in a story: who says it stands elsewhere
  if ((text.match(/"/g)?.length ?? 0) % 2 === 1 || /[!?,]["”»]/.test(text)) return false;
  if (/https?:|www\.|[{}<>=|\\^~_·]|\.\.\.\s|@/.test(text) || leansBack(text)) return false;
  const letters = text.match(/[\p{L}\p{M}]/gu)?.length ?? 0;
  return letters >= 0.7 * text.replace(/\s/g, '').length;
}

/** In that many documents a sentence is part of their form: a licence, a footer, a disclaimer. */
const REPEATED = 3;

/** Sentences that many documents share. */
export class Boilerplate {
  readonly #documents = new Map<string, Set<string>>();

  add({ text, chunk: { uri } }: Quotable): void {
    const key = keyOf(text);
    const uris = this.#documents.get(key);
    if (uris) uris.add(uri);
    else this.#documents.set(key, new Set([uri]));
  }

  has({ text }: Quotable): boolean {
    return (this.#documents.get(keyOf(text))?.size ?? 0) >= REPEATED;
  }
}

/** Equal for texts that are said alike. */
export const keyOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
