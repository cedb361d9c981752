/** The names that models give to the thoughts before an answer. */
const TAGS = ['think', 'thinking', 'thought', 'reasoning'];
const OPENING = new RegExp(`^\\s*<(?:${TAGS.join('|')})>\\s*`, 'i');
const CLOSING = new RegExp(`\\s*</(?:${TAGS.join('|')})>\\s*`, 'i');
/** Longer than any tag. */
const TAG = 16;

/** A piece of what a model writes. */
export interface Told {
  readonly type: 'text' | 'thinking';
  readonly text: string;
}

/**
 * Tells what a model thinks aloud from what it answers, for any cutting of the stream. Thoughts stand between tags at
 * the beginning. Some models are set to begin inside of them, so that only the closing tag comes.
 */
export class ThoughtFilter {
  #held = '';
  #state: 'start' | 'unsure' | 'thinking' | 'answer' = 'start';
  /** White space behind a tag belongs to the tag. */
  #isBehindTag = false;
  readonly #mayBeginInside: boolean;

  /** @param mayBeginInside the opening tag may be missing: text is held until a closing tag or the end says what it is */
  constructor(mayBeginInside: boolean) {
    this.#mayBeginInside = mayBeginInside;
  }

  *push(piece: string): Generator<Told> {
    this.#held += piece;
    if (this.#state === 'start') {
      const opening = OPENING.exec(this.#held);
      if (!opening && mayOpen(this.#held)) return;
      this.#state = opening ? 'thinking' : this.#mayBeginInside ? 'unsure' : 'answer';
      this.#held = this.#held.slice(opening?.[0].length ?? 0);
      this.#isBehindTag = opening !== null;
    }
    if (this.#state === 'unsure' && CLOSING.test(this.#held)) this.#state = 'thinking';
    if (this.#state === 'thinking') yield* this.#think();
    if (this.#state === 'answer') yield* this.#tell('text');
  }

  /** Thoughts that were never closed stay thoughts. */
  *end(): Generator<Told> {
    yield* this.#tell(this.#state === 'thinking' ? 'thinking' : 'text');
  }

  *#think(): Generator<Told> {
    const closing = CLOSING.exec(this.#held);
    // a tag may be cut by the stream
    const end = closing?.index ?? Math.max(0, this.#held.length - TAG);
    const rest = this.#held.slice(end + (closing?.[0].length ?? 0));
    this.#held = this.#held.slice(0, end);
    yield* this.#tell('thinking');
    this.#held = rest;
    if (!closing) return;
    this.#state = 'answer';
    this.#isBehindTag = true;
  }

  *#tell(type: Told['type']): Generator<Told> {
    if (this.#isBehindTag) this.#held = this.#held.trimStart();
    if (this.#held === '') return;
    this.#isBehindTag = false;
    yield { type, text: this.#held };
    this.#held = '';
  }
}

/** Whether what has come may be the beginning of an opening tag. */
function mayOpen(text: string): boolean {
  const begun = text.trimStart().toLowerCase();
  return TAGS.some((tag) => `<${tag}>`.startsWith(begun));
}
