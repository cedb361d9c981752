/** A raised number, such as an exponent or the mark of a note, or its sign: no ordinal (1ˢᵗ), no `[1]`. */
const NUMBER = /^\s*(?:[-+−–]?\d|[-+−–]$)/u;
/** Before a raised number: digits, or a word that is no unit (m², CO₂). */
const JOINED = /(?:\d|\p{L}{4,}|[)\]}])$/u;

/**
 * Superscripts in plain text. Joined to what stands before them, 10³ would be "103", and the mark of a note a part of
 * its word: such numbers get a `^`.
 */
export class RaisedText {
  /** The text up to the end of the last raised run, which the next one continues. */
  #last = '';

  /** @returns a run as it is added to the text before it */
  read(before: string, run: string, isRaised: boolean): string {
    if (!isRaised || run === '') return run;
    const isMarked = before !== this.#last && NUMBER.test(run) && JOINED.test(before.slice(-4));
    const text = isMarked ? `^${run}` : run;
    this.#last = before + text;
    return text;
  }
}
