const opening = '<think>';
const closing = '</think>';

export interface Separated {
  readonly text: string;
  readonly reasoning: string | undefined;
}

/**
 * Takes the leading reasoning block off a text: from `<think>` at the start to the first `</think>`. For models that
 * reason (`tagMayBeMissing`) also up to a `</think>` whose opening tag is missing, as long as it comes before the first
 * `{`: a tag inside a JSON string is part of the answer. A block that is never closed is all reasoning.
 */
export function separateReasoning(content: string, tagMayBeMissing: boolean): Separated {
  const begin = content.length - content.trimStart().length;
  const tagged = content.startsWith(opening, begin);
  const end = content.indexOf(closing, begin);
  if (tagged) {
    if (end < 0) return { text: '', reasoning: content.slice(begin + opening.length).trim() };
    return {
      text: content.slice(end + closing.length).trimStart(),
      reasoning: content.slice(begin + opening.length, end).trim(),
    };
  }
  const brace = content.indexOf('{');
  if (tagMayBeMissing && end >= 0 && (brace < 0 || end < brace)) {
    return { text: content.slice(end + closing.length).trimStart(), reasoning: content.slice(0, end).trim() };
  }
  return { text: content, reasoning: undefined };
}

export type ReasoningPiece =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'reclassified'; readonly reasoning: string };

/** `separateReasoning` for a text that arrives in pieces: the same text in the end, however it is cut. */
export class ReasoningSplitter {
  readonly #tagMayBeMissing: boolean;
  /** `start`: the opening tag may still come. `open`: text, but a closing tag could make it reasoning. */
  #state: 'start' | 'reasoning' | 'open' | 'after' | 'text' = 'start';
  #held = '';
  #all = '';

  constructor(tagMayBeMissing: boolean) {
    this.#tagMayBeMissing = tagMayBeMissing;
  }

  /** The array is the caller's. */
  push(piece: string): ReasoningPiece[] {
    if (this.#state === 'text' && this.#held === '') return piece === '' ? [] : [{ type: 'text', text: piece }];
    this.#held += piece;
    const out: ReasoningPiece[] = [];
    while (this.#step(out)) {}
    return out;
  }

  /** The content has ended: what was held back, waiting for a tag, is what it is. */
  end(): readonly ReasoningPiece[] {
    const rest = this.#held;
    this.#held = '';
    if (rest === '') return [];
    return [{ type: this.#state === 'reasoning' ? 'reasoning' : 'text', text: rest }];
  }

  /** @returns whether another step may follow */
  #step(out: ReasoningPiece[]): boolean {
    switch (this.#state) {
      case 'start': {
        const trimmed = this.#held.trimStart();
        if (trimmed.startsWith(opening)) {
          this.#held = trimmed.slice(opening.length);
          this.#state = 'reasoning';
          return true;
        }
        if (opening.startsWith(trimmed)) return false; // also while nothing but white space has come
        this.#state = this.#tagMayBeMissing ? 'open' : 'text';
        return true;
      }
      case 'reasoning': {
        const end = this.#held.indexOf(closing);
        if (end < 0) {
          this.#emit(out, 'reasoning', this.#held.length - heldBack(this.#held));
          return false;
        }
        this.#emit(out, 'reasoning', end);
        this.#held = this.#held.slice(closing.length);
        this.#state = 'after';
        return true;
      }
      case 'open': {
        const end = this.#held.indexOf(closing);
        const brace = this.#held.indexOf('{');
        if (brace >= 0 && (end < 0 || brace < end)) {
          this.#state = 'text';
          return true;
        }
        if (end < 0) {
          this.#emit(out, 'text', this.#held.length - heldBack(this.#held));
          return false;
        }
        this.#emit(out, 'text', end);
        this.#held = this.#held.slice(closing.length);
        out.push({ type: 'reclassified', reasoning: this.#all.trim() });
        this.#state = 'after';
        return true;
      }
      case 'after': {
        this.#held = this.#held.trimStart();
        if (this.#held === '') return false;
        this.#state = 'text';
        return true;
      }
      case 'text':
        this.#emit(out, 'text', this.#held.length);
        return false;
    }
  }

  #emit(out: ReasoningPiece[], type: 'text' | 'reasoning', length: number): void {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    if (text === '') return;
    if (this.#state === 'open') this.#all += text;
    out.push({ type, text });
  }
}

/** Length of the end of a text that could be the beginning of a closing tag. */
function heldBack(text: string): number {
  for (let length = Math.min(closing.length - 1, text.length); length > 0; length--) {
    if (closing.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
