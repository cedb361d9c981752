import { answerTypes, askingWord } from '../../../text/languages/answer-types.ts';
import type { Question } from '../question/question.ts';
import { remembered } from '../structure/remembered.ts';

/** Where a word stands to a span: just before it, first in it, last in it, just behind it. */
export const edges = ['before', 'first', 'last', 'behind'] as const;
/** What the answer to a question looks like, as its asking words tell. */
export const shapes = ['number', 'date', 'capital', 'length'] as const;

/** What words say about the edges of a short answer and about its shape, learned from short answers. */
export interface SpanLexicon {
  /** `edgeKey` → how much more often than another word it stands there: a natural logarithm. */
  readonly edges: ReadonlyMap<string, number>;
  /** An asking word, or one near it → how much more than other answers an answer has of each of `shapes`. */
  readonly asking: ReadonlyMap<string, readonly number[]>;
}

/** Digits are alike. */
export function wordKey(word: string): string {
  return /\p{N}/u.test(word) ? word.replace(/\p{N}/gu, '0') : word;
}

/**
 * Edge, type and word; words are in lower case, types in upper case.
 * @param type index of the question's type; undefined: any
 */
export function edgeKey(edge: number, type: number | undefined, word: string): string {
  return `${edge}${type === undefined ? '' : String.fromCharCode(65 + type)}${word}`;
}

/** Values of `edges` of a word for a question's type. */
export function edgeValues({ edges: known }: SpanLexicon, question: Question, word: string): number[] {
  const places = placesByWord(known).get(wordKey(word));
  if (places === undefined) return edges.map(() => 0);
  const type = answerTypes.indexOf(question.type);
  return edges.map((_, edge) => places.get(edgeKey(edge, type, '')) ?? places.get(edgeKey(edge, undefined, '')) ?? 0);
}

/** Word → `edgeKey` without the word → value: most words of a text have none. */
const placesByWord = remembered((known: SpanLexicon['edges']) => {
  const out = new Map<string, Map<string, number>>();
  for (const [key, value] of known) {
    const [place, word] = partsOfKey(key);
    const places = out.get(word) ?? new Map<string, number>();
    out.set(word, places.set(place, value));
  }
  return out;
});

/** Edge and type, and the word. */
function partsOfKey(key: string): readonly [place: string, word: string] {
  const [, place = '', word = ''] = /^(\d[A-Z]?)(.*)$/su.exec(key) ?? [];
  return [place, word];
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
export function packLexicon({ edges: known, asking }: SpanLexicon): {
  readonly edges: string;
  readonly asking: string;
} {
  const tenths = (value: number): number => Math.round(10 * value);
  const words = new Map<string, string[]>();
  for (const [key, value] of known) {
    const [place, word] = partsOfKey(key);
    const rounded = tenths(value);
    words.set(word, [...(words.get(word) ?? []), `${place}${rounded < 0 ? '' : '+'}${rounded}`]);
  }
  return {
    edges: [...words].map(([word, values]) => `${word}=${values.join(',')}`).join(' '),
    asking: [...asking].map(([key, values]) => `${key}=${values.map(tenths).join(',')}`).join('|'),
  };
}

export function unpackLexicon(packed: { readonly edges: string; readonly asking: string }): SpanLexicon {
  const words = new Map<string, number>();
  eachPair(packed.edges, ' ', (word, values) => {
    for (const value of values.split(',')) {
      const sign = value.search(/[+-]/);
      words.set(value.slice(0, sign) + word, Number(value.slice(sign)) / 10);
    }
  });
  const asking = new Map<string, readonly number[]>();
  eachPair(packed.asking, '|', (key, values) => {
    asking.set(
      key,
      values.split(',').map((value) => Number(value) / 10),
    );
  });
  return { edges: words, asking };
}

function eachPair(text: string, mark: string, visit: (key: string, value: string) => void): void {
  for (let from = 0; from < text.length; ) {
    const next = text.indexOf(mark, from);
    const end = next < 0 ? text.length : next;
    const at = text.lastIndexOf('=', end);
    visit(text.slice(from, at), text.slice(at + 1, end));
    from = end + 1;
  }
}
