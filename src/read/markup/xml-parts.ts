/** Elements of XML whose meaning comes from several elements in them: names, dates, formulas, marks of notes. */

const DATES = /^(?:pub-date|date|date-in-citation)$/;
const OF_DATE = /^(?:year|month|day)$/;
/** A mark of a note or a reference, and the word that it hangs on. */
const MARK = /^\s*[\d,;–*†‡§a-z-]{1,9}\s*$/;
const WORD = /\p{L}[.,;:)”"’]?$/u;

/** What one element says, and those in it that it needs. */
export class XmlParts {
  readonly #name: string;
  readonly #isInReference: boolean;
  readonly #isMark: boolean;
  readonly #said = new Map<string, string>();
  /** Where formulas in TeX stand, of which there is another form. */
  readonly #tex: { readonly from: number; readonly to: number }[] = [];
  #hasMath = false;
  #isLabelled = false;
  /** Where the last name in it ends. */
  #nameEnd = -1;

  constructor(name: string, attributes: Readonly<Record<string, string>>, parent: XmlParts | undefined) {
    this.#name = name;
    this.#isInReference = parent !== undefined && (parent.#name === 'ref' || parent.#isInReference);
    this.#isMark = name === 'xref' && /^(?:bibr|fn|table-fn|aff|corresp)$/.test(attributes['ref-type'] ?? '');
  }

  /** Whether the mark of an item stands before what comes; once. */
  takeLabel(): boolean {
    const isLabelled = this.#isLabelled;
    this.#isLabelled = false;
    return isLabelled;
  }

  /** The element ends. @param out what is written, its content from `from` on */
  close(out: string[], from: number, parent: XmlParts | undefined): void {
    const name = this.#name;
    const rewrite = (text: string): void => {
      out.length = from;
      out.push(text);
    };
    if (name === 'name' && this.#said.has('surname')) {
      const isNext = parent && parent.#nameEnd >= 0 && out.slice(parent.#nameEnd, from).join('').trim() === '';
      out.length = isNext ? parent.#nameEnd : from;
      out.push(`${isNext ? ', ' : ''}${this.#fullName()}`);
      if (parent) parent.#nameEnd = out.length;
    } else if (DATES.test(name) && this.#said.has('year')) rewrite(` ${this.#date()} `);
    else if (name === 'tex-math')
      rewrite(
        out
          .slice(from)
          .join('')
          .replace(/^[\s\S]*\\begin\{document\}|\\end\{document\}/g, ''),
      );
    else if (name === 'alternatives' && this.#hasMath) for (const { from, to } of this.#tex) out.fill('', from, to);
    else if (name === 'label' && parent && /^(?:ref|aff)$/.test(parent.#name)) out.push(' ');
    else if (
      this.#isMark &&
      MARK.test(out.slice(from).join('')) &&
      WORD.test(out.slice(Math.max(0, from - 3), from).join(''))
    ) {
      out.splice(from, 0, '<sup>');
      out.push('</sup>');
    }
    if (!parent) return;
    if (name === 'math' && parent.#name === 'alternatives') parent.#hasMath = true;
    if (name === 'tex-math') parent.#tex.push({ from, to: out.length });
    if (name === 'label' && parent.#name === 'list-item') parent.#isLabelled = true;
    const isPart = parent.#name === 'name' || (DATES.test(parent.#name) && OF_DATE.test(name));
    if (isPart) parent.#said.set(name, out.slice(from).join('').trim());
    else if (parent.#isInReference && /^(?:element|nlm)-citation$|^person-group$/.test(parent.#name)) out.push(' ');
  }

  /** As a reader says it; in a list of references the family name stands first. */
  #fullName(): string {
    const [given, family, suffix] = ['given-names', 'surname', 'suffix'].map((part) => this.#said.get(part));
    const whole = this.#isInReference ? [family, given, suffix] : [given, family, suffix];
    return whole.filter((part) => part !== undefined && part !== '').join(' ');
  }

  #date(): string {
    const [year, month, day] = ['year', 'month', 'day'].map((part) => this.#said.get(part) ?? '');
    const isNumeric = [month, day].every((part) => /^\d{0,2}$/.test(part!));
    if (!isNumeric || (month === '' && day !== '')) return [day, month, year].filter((part) => part !== '').join(' ');
    return [year, month, day]
      .filter((part) => part !== '')
      .map((part) => part!.padStart(2, '0'))
      .join('-');
  }
}
