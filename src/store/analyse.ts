import { yieldToEventLoop } from '../core/event-loop.ts';
import type { SegmentData } from '../lexical/contract.ts';
import { type PackedTerms, RowPacker, renumberRows, unpackRows } from '../lexical/packed.ts';
import { SegmentBuilder } from '../lexical/segment.ts';
import { numberDocument, TermNumbers } from '../text/analysis/analysis.ts';
import type { AnalysableDocument } from './contract.ts';

/** Reused for the next segments, because segments share most words. Replaced when full (about 10 MB). */
let numbers: TermNumbers | undefined;

/** Builds the segment of the inverted index for whole documents. */
export async function analyse(documents: Iterable<AnalysableDocument>): Promise<SegmentData> {
  if (numbers === undefined || numbers.isFull) numbers = new TermNumbers('document');
  const mine = numbers; // another call may replace `numbers` during a wait
  const builder = new SegmentBuilder();
  for (const { title, chunks } of documents) {
    await yieldToEventLoop();
    builder.add(numberDocument(mine, title, chunks));
  }
  if (numbers === mine && mine.isFull) numbers = undefined; // the words of a large document take hundreds of megabytes
  return builder.finish(mine.terms);
}

/** Documents that are analysed before their segment is known. Some never get a segment. */
export class AnalysedDocuments {
  readonly #packer = new RowPacker();
  readonly #waiting = new Map<number, { readonly rows: PackedTerms; readonly numbers: TermNumbers }>();
  readonly #newNumbers: () => TermNumbers;
  #numbers: TermNumbers;

  constructor(newNumbers: () => TermNumbers = () => new TermNumbers('document')) {
    this.#newNumbers = newNumbers;
    this.#numbers = newNumbers();
  }

  /** @param key names the document in `segment` and `forget` */
  add(key: number, { title, chunks }: AnalysableDocument): void {
    if (this.#numbers.isFull) this.#numbers = this.#newNumbers();
    const rows = this.#packer.pack(numberDocument(this.#numbers, title, chunks));
    this.#waiting.set(key, { rows, numbers: this.#numbers });
  }

  forget(keys: Iterable<number>): void {
    for (const key of keys) this.#waiting.delete(key);
  }

  /** Same result as `analyse` of the named documents, in that order. Forgets these documents. A key may come twice. */
  segment(keys: readonly number[]): SegmentData {
    const builder = new SegmentBuilder();
    const { terms } = this.#numbers;
    for (const key of keys) {
      const { rows, numbers } = this.#waiting.get(key)!;
      // analysed before the numbers were replaced: rare, once in some hundred thousand words
      const same =
        numbers === this.#numbers ? rows : renumberRows(rows, (n) => this.#numbers.number(numbers.terms[n]!));
      builder.add(unpackRows(same));
    }
    this.forget(keys);
    return builder.finish(terms);
  }
}
