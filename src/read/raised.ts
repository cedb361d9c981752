/** A raised number, such as an exponent or the mark of a note, or its sign: no ordinal (1ˢᵗ), no `[1]`. */
const NUMBER = /^\s*(?:[-+−–]?\d|[-+−–]$)/u;
/** Before a raised number: digits, or a word that is no unit (m², CO₂). */
const JOINED = /(?:\d|\p{L}{4,}|[)\]}])$/u;

/**
 * Superscripts in plain text. Joined to what stands before them, 10³ would be "103", and the mark of a note a part of
 * its word: such numbers get a `^`.
 */
export class RaisedText {
  /** The end of the text, and its length: looking at the text itself would copy it, once for each run. */
  #end = '';
  #length = 0;
  #wasRaised = false;

  /** @returns a run as it is added to the text before it */
  read(before: string, run: string, isRaised: boolean): string {
    if (before.length !== this.#length) {
      this.#end = before.slice(-4);
      this.#wasRaised = false;
    }
    // A raised run goes on in the next one.
    const isMarked = isRaised && !this.#wasRaised && NUMBER.test(run) && JOINED.test(this.#end);
    const text = isMarked ? `^${run}` : run;
    this.#end = (this.#end + text.slice(-4)).slice(-4);
    this.#length = before.length + text.length;
    if (run !== '') this.#wasRaised = isRaised;
    return text;
  }
}
