import type { Snapshot } from '../store/contract.ts';
import { SAMPLED_ROWS } from '../store/row-sample.ts';
import { GRAM_HASHES, GRAM_SIZE, gramAt, gramText } from './grams.ts';
import { inverseDocumentFrequency } from './lexical-scores.ts';

/** In how many chunks character 4-grams occur, estimated once per snapshot: a table over all chunks ranks no better. */
export class GramFrequencies {
  static readonly #ofSnapshot = new WeakMap<Snapshot, Promise<GramFrequencies>>();
  readonly liveRows: number;
  readonly #counts = new Uint16Array(GRAM_HASHES);
  readonly #sampled: number;

  private constructor(liveRows: number, texts: readonly string[]) {
    this.liveRows = liveRows;
    this.#sampled = texts.length;
    const lastText = new Uint16Array(GRAM_HASHES); // 1 + the number of the text that counted a gram last
    texts.forEach((text, number) => {
      for (let at = 0; at + GRAM_SIZE <= text.length; at++) {
        const gram = gramAt(text, at);
        if (lastText[gram] === number + 1) continue;
        lastText[gram] = number + 1;
        this.#counts[gram]!++;
      }
    });
  }

  static of(snapshot: Snapshot): Promise<GramFrequencies> {
    let found = GramFrequencies.#ofSnapshot.get(snapshot);
    if (found === undefined) {
      found = GramFrequencies.#estimate(snapshot);
      found.catch(() => GramFrequencies.#ofSnapshot.delete(snapshot)); // a failed read is tried again
      GramFrequencies.#ofSnapshot.set(snapshot, found);
    }
    return found;
  }

  static async #estimate(snapshot: Snapshot): Promise<GramFrequencies> {
    const chunks = await snapshot.fetch(sampleOf(snapshot));
    return new GramFrequencies(
      snapshot.liveRows,
      chunks.map(({ title, text }) => gramText(`${title} ${text}`)),
    );
  }

  /** ln(1 + (n - df + 0.5) / (df + 0.5)) over the sample, of the gram that begins at an index of a `gramText`. */
  idf(text: string, at: number): number {
    return inverseDocumentFrequency(this.#sampled, this.#counts[gramAt(text, at)]!);
  }
}

/**
 * All rows of a small index; of another, those that it has noted. Where it has noted none, where a run that did not end
 * has removed most of them, and in a scope: rows spread evenly over the live ones.
 */
function sampleOf(snapshot: Snapshot): readonly number[] {
  const { rows, liveRows, sample } = snapshot;
  const wanted = Math.min(SAMPLED_ROWS, liveRows);
  if (sample && wanted < liveRows && sample.length * 2 > wanted) return sample.map(({ ordinal }) => ordinal);
  const places = Array.from({ length: wanted }, (_, i) => Math.floor((i * liveRows) / wanted));
  if (liveRows === rows) return places;
  const ordinals: number[] = [];
  for (let row = 0, live = 0; ordinals.length < places.length && row < rows; row++)
    if (snapshot.isLive(row) && live++ === places[ordinals.length]) ordinals.push(row);
  return ordinals;
}
