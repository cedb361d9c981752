import type { Span } from '../core/types.ts';
import { sentenceSpans } from '../text/sentences/sentences.ts';

/** Marks of citations at the start of a sentence belong to the one before. */
const LEADING_MARKS = /^(?:\s*\[\d+(?:\s*[,–-]\s*\d+)*\](?!\())+\s*/u;

/** Cuts a text that is still being written into sentences: each is given as soon as the next one begins. */
export class SentenceStream {
  #text = '';
  #from = 0;

  /** All that was written. */
  get text(): string {
    return this.#text;
  }

  /** @returns sentences that are whole now, as spans of the whole text */
  push(text: string): Span[] {
    this.#text += text;
    return this.#cut(false);
  }

  /** The rest. */
  end(): Span[] {
    return this.#cut(true);
  }

  #cut(isEnd: boolean): Span[] {
    const from = this.#from;
    const spans = sentenceSpans(this.#text.slice(from)).flatMap(({ start, end }, i, all) => {
      const marks = LEADING_MARKS.exec(this.#text.slice(from + start, from + end))?.[0].length ?? 0;
      // a mark that is cut by the end of what is written is no sentence that begins
      const isOpen = !isEnd && (i === all.length - 1 || /^\s*\[[\d\s,–-]*\]?\s*$/u.test(this.#text.slice(from + end)));
      return isOpen ? [] : [{ start: from + start + marks, end: from + end }];
    });
    this.#from = isEnd ? this.#text.length : (spans.at(-1)?.end ?? from);
    return spans.filter(({ start, end }) => start < end);
  }
}
