import { known } from '../../core/known.ts';
/** Formulas of MathML, written in one line. */

import { oneLine } from '../../text/one-line.ts';

interface Frame {
  readonly tag: string;
  readonly parts: string[];
  /** Whether text in it is shown: it is a token, or stands in one. */
  readonly isToken: boolean;
}

const TOKENS = new Set(['mi', 'mn', 'mo', 'mtext', 'ms']);
const UNSEEN = new Set(['mphantom', 'annotation-xml', 'script', 'style']);
/** What stands between the parts of an element: a fraction, its powers and indices, a root. */
const BETWEEN: Readonly<Record<string, readonly string[]>> = {
  mfrac: [' / '],
  msup: ['^'],
  msub: ['_'],
  msubsup: ['_', '^'],
  munder: ['_'],
  munderover: ['_', '^'],
};
/** Deeper elements are read as if their marks were not there. */
const MAX_DEPTH = 100;

/** Follows the elements inside `math`. The source in TeX that the formula may carry is taken before its tokens. */
export class MathReader {
  readonly #frames: Frame[] = [{ tag: 'math', parts: [], isToken: false }];
  #deeper = 0;
  #tex = '';

  open(tag: string, attributes: Readonly<Record<string, string>>): void {
    const around = this.#frames.at(-1)!;
    if (this.#frames.length > MAX_DEPTH) {
      this.#deeper++;
      return;
    }
    const isTex = tag === 'annotation' && /tex/i.test(attributes.encoding ?? '');
    const isToken = !UNSEEN.has(tag) && (isTex || TOKENS.has(tag) || around.isToken);
    this.#frames.push({ tag, parts: [], isToken });
  }

  text(text: string): void {
    const frame = this.#frames.at(-1)!;
    if (frame.isToken || this.#deeper > 0) frame.parts.push(text.replace(/[\u2061-\u2064]/g, ''));
  }

  close(): void {
    if (this.#deeper > 0) {
      this.#deeper--;
      return;
    }
    if (this.#frames.length === 1) return;
    const frame = this.#frames.pop()!;
    if (frame.tag === 'annotation') this.#tex = oneLine(frame.parts.join(''));
    else if (!UNSEEN.has(frame.tag)) this.#frames.at(-1)!.parts.push(inOneLine(frame));
  }

  /** The formula, when `math` ends. */
  take(): string {
    while (this.#frames.length > 1) this.close();
    return this.#tex || oneLine(this.#frames[0]!.parts.join(' '));
  }
}

function inOneLine({ tag, parts, isToken }: Frame): string {
  if (isToken) return oneLine(parts.join(''));
  const between = known(BETWEEN, tag);
  if (between) return parts.map((part, i) => (between[i - 1] ?? '') + bracketed(part)).join('');
  const inside = oneLine(parts.join(' '));
  if (tag === 'msqrt') return `√${bracketed(inside)}`;
  return inside;
}

/** More than one word or number is one operand only in brackets. */
export function bracketed(text: string): string {
  return /^[\p{L}\p{M}\p{N}.,]*$/u.test(text) || /^\([^()]*\)$/u.test(text) ? text : `(${text})`;
}
