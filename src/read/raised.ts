/** A raised number, such as an exponent or the mark of a note, or its sign: no ordinal (1ˢᵗ), no `[1]`. */
const NUMBER = /^\s*(?:[-+−–]?\d|[-+−–]$)/u;
/** Before a raised number: digits, a word that is no unit (m², CO₂), or what ends a sentence or a part of it. */
const JOINED = /(?:\d|\p{L}{4,}|[)\]}]|[\p{L}\d][.,;:!?…][”’»"']?|[”’»])$/u;
/** The mark of a note that is set apart from its word. */
const APART = /^\d{1,2}\s*$/u;
/** The mark of a note that is a link: notes are counted in letters, too. */
const MARK = /^[\p{L}\d]{1,4}$/u;
const WORD = /[\p{L}\d]$/u;
const JOINED_BEFORE_BLANK = /(?:\p{L}{4}|[)\]}”’»]) $/u;
/** Characters of the end that are looked at. */
const KEPT = 5;
/** The mark that a note begins with, and its text; that of an isotope (¹³C) is shorter. */
const OPENING_MARK = /^\s*\d{1,3}$/u;
const NOTE = /^\p{L}{3}/u;

/**
 * Superscripts in plain text. Joined to what stands before them, 10³ would be "103", and the mark of a note a part of
 * its word: such numbers get a `^`. Where a text begins with one, the next word is apart from it.
 */
export class RaisedText {
  /** The end of the text, and its length: looking at the text itself would copy it, once for each run. */
  #end = '';
  #length = 0;
  #wasRaised = false;

  /**
   * @param isLink whether the run is a link to another place of the same text
   * @returns a run as it is added to the text before it
   */
  read(before: string, run: string, isRaised: boolean, isLink = false): string {
    if (before.length !== this.#length) {
      this.#end = before.slice(-KEPT);
      this.#wasRaised = false;
    }
    const text = this.#joinedBy(run, isRaised, isLink) + run;
    this.#end = (this.#end + text.slice(-KEPT)).slice(-KEPT);
    this.#length = before.length + text.length;
    if (run !== '') this.#wasRaised = isRaised;
    return text;
  }

  #joinedBy(run: string, isRaised: boolean, isLink: boolean): string {
    if (!isRaised) {
      const isNote = this.#wasRaised && this.#length < 5 && OPENING_MARK.test(this.#end) && NOTE.test(run);
      return isNote ? ' ' : '';
    }
    if (this.#wasRaised) return ''; // a raised run goes on in the next one
    if (APART.test(run) && JOINED_BEFORE_BLANK.test(this.#end)) return '^';
    const isMark = NUMBER.test(run) ? JOINED.test(this.#end) : isLink && MARK.test(run) && WORD.test(this.#end);
    return isMark ? '^' : '';
  }
}
