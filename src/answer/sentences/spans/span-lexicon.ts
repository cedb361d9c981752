import { answerTypes, askingWord } from '../../../text/languages/answer-types.ts';
import type { Question } from '../question/question.ts';

/** Where a word stands to a span: just before it, first in it, last in it, just behind it. */
export const edges = ['before', 'first', 'last', 'behind'] as const;
/** What the answer to a question looks like, as its asking words tell. */
export const shapes = ['number', 'date', 'capital', 'length'] as const;

interface Lookup<T> {
  get(key: string): T | undefined;
}

/** What words say about the edges of a short answer and about its shape, learned from short answers. */
export interface SpanLexicon {
  /** Of a word, `edgeKey` → how much more often than another word it stands there: a natural logarithm. */
  readonly edges: Lookup<ReadonlyMap<string, number>>;
  /** An asking word, or one near it → how much more than other answers an answer has of each of `shapes`. */
  readonly asking: Lookup<readonly number[]>;
}

/** A lexicon whose words can be gone through. */
export interface WholeLexicon extends SpanLexicon {
  readonly edges: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly asking: ReadonlyMap<string, readonly number[]>;
}

/** Digits are alike. */
export function wordKey(word: string): string {
  return /\p{N}/u.test(word) ? word.replace(/\p{N}/gu, '0') : word;
}

/** Edge and type. @param type index of the question's type; undefined: any */
export function edgeKey(edge: number, type: number | undefined): string {
  return `${edge}${type === undefined ? '' : String.fromCharCode(65 + type)}`;
}

/** Values of `edges` of a word for a question's type. */
export function edgeValues({ edges: known }: SpanLexicon, question: Question, word: string): number[] {
  const places = known.get(wordKey(word));
  if (places === undefined) return edges.map(() => 0);
  const type = answerTypes.indexOf(question.type);
  return edges.map((_, edge) => places.get(edgeKey(edge, type)) ?? places.get(edgeKey(edge, undefined)) ?? 0);
}

/** The words of a question that tell what is asked for: its asking word, alone and with those behind it, and those around it. */
export function askingKeys({ text, tokens }: Question): string[] {
  const asking = askingWord(text);
  if (asking === undefined) return [];
  const word = text.slice(asking.start, asking.end).toLowerCase();
  const behind = tokens.filter(({ start }) => start >= asking.end).map((token) => token.word);
  const before = tokens.filter(({ end }) => end <= asking.start).at(-1)?.word;
  const keys = [word];
  if (behind[0] !== undefined) keys.push(`${word} ${behind[0]}`, `+${behind[0]}`);
  if (behind[1] !== undefined) keys.push(`+${behind[1]}`);
  if (before !== undefined) keys.push(`-${before}`);
  return keys;
}

/** Values of `shapes` for a question: the sums of its asking keys. */
export function shapeValues({ asking }: SpanLexicon, question: Question): number[] {
  const out = shapes.map(() => 0);
  for (const key of askingKeys(question)) {
    asking.get(key)?.forEach((value, i) => {
      out[i]! += value;
    });
  }
  return out;
}

/** A lexicon as text, to be kept in a source file: of each word, edge and type with the value in tenths; the same of asking words. */
export function packLexicon({ edges: known, asking }: WholeLexicon): {
  readonly edges: string;
  readonly asking: string;
} {
  const tenths = (value: number): number => Math.round(10 * value);
  const signed = (value: number): string => `${value < 0 ? '' : '+'}${value}`;
  const placed = ([place, value]: readonly [string, number]): string => `${place}${signed(tenths(value))}`;
  return {
    edges: [...known].map(([word, places]) => `${word}=${[...places].map(placed).join(',')}`).join(' '),
    asking: [...asking].map(([key, values]) => `${key}=${values.map(tenths).join(',')}`).join('|'),
  };
}

export function unpackLexicon(packed: { readonly edges: string; readonly asking: string }): SpanLexicon {
  return {
    edges: lookup(packed.edges, ' ', placesOf),
    asking: lookup(packed.asking, '|', (values) => values.split(',').map((value) => Number(value) / 10)),
  };
}

function placesOf(values: string): ReadonlyMap<string, number> {
  const out = new Map<string, number>();
  for (const value of values.split(',')) {
    const sign = value.search(/[+-]/);
    out.set(value.slice(0, sign), Number(value.slice(sign)) / 10);
  }
  return out;
}

/** Reads what stands behind a key when it is asked for: a question asks for few of the thousands. */
function lookup<T>(text: string, mark: string, read: (values: string) => T): Lookup<T> {
  const packed = new Map<string, string>();
  for (let from = 0; from < text.length; ) {
    const next = text.indexOf(mark, from);
    const end = next < 0 ? text.length : next;
    const at = text.lastIndexOf('=', end);
    packed.set(text.slice(from, at), text.slice(at + 1, end));
    from = end + 1;
  }
  const known = new Map<string, T>();
  return {
    get(key) {
      const values = packed.get(key);
      if (values === undefined) return undefined;
      const found = known.get(key) ?? read(values);
      known.set(key, found);
      return found;
    },
  };
}
