import { stemmer } from 'stemmer';
import { mean } from '../../src/internal.ts';

const stop = new Set(
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with'.split(
    ' ',
  ),
);

const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u30fc\p{sc=Thai}]+/gu;

/** Character pairs where a script has no spaces; the baseline would otherwise find nothing there. */
function split(word: string): string[] {
  if (word.search(unspaced) === -1) return [word];
  const characters = [...word];
  return characters.length === 1 ? characters : characters.slice(1).map((character, i) => characters[i]! + character);
}

function tokens(text: string): string[] {
  const words =
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}_]+(?:['\u2019][\p{L}\p{M}]+)*/gu) ?? [];
  return words
    .map((word) => word.replace(/['\u2019]s$/, ''))
    .filter((word) => word !== '' && !stop.has(word))
    .flatMap(split)
    .map((word) => (/^[a-z]+$/.test(word) ? stemmer(word) : word));
}

/**
 * The baseline everyone knows: BM25 over bare texts, k1 0.9, b 0.4, Porter stems, 33 stop words; nothing of ibid's is
 * in it.
 */
export class PlainBm25 {
  readonly #postings = new Map<string, [row: number, frequency: number][]>();
  readonly #lengths: number[] = [];
  readonly #average: number;

  constructor(texts: readonly string[]) {
    texts.forEach((text, row) => {
      const counts = new Map<string, number>();
      const found = tokens(text);
      for (const token of found) counts.set(token, (counts.get(token) ?? 0) + 1);
      for (const [token, frequency] of counts) {
        const list = this.#postings.get(token);
        if (list) list.push([row, frequency]);
        else this.#postings.set(token, [[row, frequency]]);
      }
      this.#lengths.push(found.length);
    });
    this.#average = mean(this.#lengths) || 1;
  }

  /** Rows, best first; ties by row. */
  search(query: string, limit: number): number[] {
    return this.scored(query, limit).rows;
  }

  scored(query: string, limit: number): { rows: number[]; scores: number[] } {
    const k1 = 0.9;
    const b = 0.4;
    const scores = new Map<number, number>();
    for (const token of tokens(query)) {
      const list = this.#postings.get(token) ?? [];
      const idf = Math.log(1 + (this.#lengths.length - list.length + 0.5) / (list.length + 0.5));
      for (const [row, frequency] of list) {
        const norm = k1 * (1 - b + (b * this.#lengths[row]!) / this.#average);
        scores.set(row, (scores.get(row) ?? 0) + (idf * frequency * (k1 + 1)) / (frequency + norm));
      }
    }
    const best = [...scores].sort((x, y) => y[1] - x[1] || x[0] - y[0]).slice(0, limit);
    return { rows: best.map(([row]) => row), scores: best.map(([, score]) => score) };
  }
}
