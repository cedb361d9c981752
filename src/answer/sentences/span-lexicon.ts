import { answerTypes, askingWord } from '../../text/languages/question-words.ts';
import type { Question } from './question.ts';

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
  return word.replace(/\p{N}/gu, '0');
}

/** @param type index of the question's type; undefined: any */
export function edgeKey(edge: number, type: number | undefined, word: string): string {
  return `${edge}${type === undefined ? '' : String.fromCharCode(97 + type)}${word}`;
}

/** Values of `edges` of a word for a question's type. */
export function edgeValues({ edges: known }: SpanLexicon, question: Question, word: string): number[] {
  const type = answerTypes.indexOf(question.type);
  const key = wordKey(word);
  return edges.map((_, edge) => known.get(edgeKey(edge, type, key)) ?? known.get(edgeKey(edge, undefined, key)) ?? 0);
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

/** A lexicon as text, to be kept in a source file: `key=value`, in tenths. No key holds `=`, and none of `edges` a blank. */
export function packLexicon({ edges: words, asking }: SpanLexicon): {
  readonly edges: string;
  readonly asking: string;
} {
  const tenths = (value: number): number => Math.round(10 * value);
  return {
    edges: [...words].map(([key, value]) => `${key}=${tenths(value)}`).join(' '),
    asking: [...asking].map(([key, values]) => `${key}=${values.map(tenths).join(',')}`).join('|'),
  };
}

export function unpackLexicon(packed: { readonly edges: string; readonly asking: string }): SpanLexicon {
  const pairs = (text: string, mark: string): [string, string][] =>
    text === ''
      ? []
      : text.split(mark).map((pair) => {
          const at = pair.lastIndexOf('=');
          return [pair.slice(0, at), pair.slice(at + 1)];
        });
  return {
    edges: new Map(pairs(packed.edges, ' ').map(([key, value]) => [key, Number(value) / 10])),
    asking: new Map(
      pairs(packed.asking, '|').map(([key, values]) => [key, values.split(',').map((value) => Number(value) / 10)]),
    ),
  };
}
