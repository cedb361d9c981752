/** What a number format of Excel writes around a number: units, currencies, zeros in front, dashes of a code. */

/** A sign of a format: a place of a digit, or a character that is shown. */
interface Sign {
  readonly text: string;
  readonly isDigit: boolean;
}

const TOKEN =
  /"(?<quoted>[^"]*)"|\\(?<escaped>.)|_.|\*.|\[\$(?<currency>[^\]-]*)[^\]]*\]|\[[^\]]*\]|(?<digits>general|[0#?.,/]+|E[+-])|(?<shown>.)/giu;
/** A text that says what a number is, not only how it looks. */
export const SAYS: RegExp = /[\p{L}\p{Sc}°′″‰]/u;

/** How one section of a format writes a number. */
interface Section {
  readonly signs: readonly Sign[];
  /** What stands before and behind the digits. */
  readonly before: string;
  readonly behind: string;
  /** Every place of a digit is filled or has a place of its own: a code with zeros or dashes. */
  readonly isCode: boolean;
}

/** The format as a function; undefined for one that writes digits alone. @param code not of a date or a percentage */
export function readNumberFormat(code: string): ((number: number) => string | undefined) | undefined {
  // With conditions a section holds for other numbers than those below and above zero.
  if (/\[[<>=]/u.test(code)) return undefined;
  const sections = (code.match(/(?:"[^"]*"|\\.|[^;"\\])+/gu) ?? []).map(readSection);
  if (!sections.some((section) => section && (section.isCode || section.before !== '' || section.behind !== '')))
    return undefined;
  return (number) => {
    const section = (number < 0 ? sections[1] : number === 0 ? sections[2] : undefined) ?? sections[0];
    if (!section) return undefined;
    const size = Math.abs(number);
    const isCode = section.isCode && Number.isSafeInteger(size);
    // A section for negative numbers writes their sign itself, or brackets.
    if (isCode) {
      const text = fill(section.signs, String(size));
      return number < 0 ? `-${text.replace(/^[-−(]+|\)$/gu, '')}` : text;
    }
    const around = [section.before, section.behind].map((text) => (number < 0 ? text.replace(/[-−()]/gu, '') : text));
    return `${number < 0 ? '-' : ''}${around[0]!.trimStart()}${Number(size.toPrecision(15))}${around[1]!}`;
  };
}

/** @returns undefined for a section without a number, or with one that is shown in thousands */
function readSection(code: string): Section | undefined {
  const signs: Sign[] = [];
  let digits = '';
  for (const { groups = {} } of code.matchAll(TOKEN)) {
    const { quoted, escaped, currency, digits: places, shown } = groups;
    if (places !== undefined) {
      digits += places;
      for (const place of /general/iu.test(places) ? ['#'] : places) signs.push({ text: place, isDigit: true });
    } else for (const text of quoted ?? escaped ?? currency ?? shown ?? '') signs.push({ text, isDigit: false });
  }
  if (digits === '' || digits.endsWith(',')) return undefined;
  const first = signs.findIndex(({ isDigit }) => isDigit);
  const last = signs.findLastIndex(({ isDigit }) => isDigit);
  const textOf = (some: readonly Sign[]): string => some.map(({ text }) => text).join('');
  const before = textOf(signs.slice(0, first));
  const behind = textOf(signs.slice(last + 1));
  const isDashed = signs.slice(first, last).some(({ isDigit }) => !isDigit);
  return {
    signs,
    before: SAYS.test(before) ? before.trimStart() : '',
    behind: SAYS.test(behind) ? behind.trimEnd() : '',
    isCode: /^[0#]+$/u.test(digits) && (isDashed || /00/u.test(digits)),
  };
}

/** Digits in their places, from the last on; those that find none stand before the first place. */
function fill(signs: readonly Sign[], digits: string): string {
  const first = signs.findIndex(({ isDigit }) => isDigit);
  let left = digits;
  let text = '';
  for (let i = signs.length - 1; i >= 0; i--) {
    const sign = signs[i]!;
    if (!sign.isDigit) text = sign.text + text;
    else if (i === first) text = (left || (sign.text === '0' ? '0' : '')) + text;
    else {
      text = (left.at(-1) ?? (sign.text === '0' ? '0' : '')) + text;
      left = left.slice(0, -1);
    }
  }
  return text.trim();
}
