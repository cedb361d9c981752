/** One of these must stand in a text. In lower case. */
type AnyOf = readonly string[];

/** Shorter ones stand in most texts. */
const leastLetters = 3;

/**
 * A regular expression without flags but `d`, `i` and `u`, which is only made and run for a text that has the letters it
 * cannot do without (required literals, as in Cox 2012, "Regular Expression Matching with a Trigram Index"). The first
 * run of a pattern with classes such as `\p{L}` takes a millisecond, and most patterns of a list suit few questions.
 */
export class GuardedPattern {
  readonly source: string;
  readonly flags: string;
  /** All of them must be fulfilled. */
  readonly #required: readonly AnyOf[];
  #made: RegExp | undefined;

  constructor(source: string, flags: 'u' | 'iu' | 'diu') {
    this.source = source;
    this.flags = flags;
    this.#required = requiredLetters(source);
  }

  exec(text: string): RegExpExecArray | null {
    return this.#mayMatch(text) ? this.#pattern().exec(text) : null;
  }

  test(text: string): boolean {
    return this.#mayMatch(text) && this.#pattern().test(text);
  }

  #pattern(): RegExp {
    this.#made ??= new RegExp(this.source, this.flags);
    return this.#made;
  }

  #mayMatch(text: string): boolean {
    const folded = fold(text);
    return this.#required.every((any) => any.some((letters) => folded.includes(letters)));
  }
}

export const guarded = ({ source, flags }: RegExp): GuardedPattern =>
  new GuardedPattern(source, flags as 'u' | 'iu' | 'diu');

/** `ſ` is an `s` to a pattern without case. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  return lower.includes('ſ') ? lower.replaceAll('ſ', 's') : lower;
}

/** The letters without which a pattern cannot match: of each entry, one must stand in the folded text. */
export function requiredLetters(source: string): readonly AnyOf[] {
  return new Reader(source).alternatives().filter((any) => any.every((letters) => letters.length >= leastLetters));
}

const groupHead = /\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/y;
const characterClass = /\[(?:\\.|[^\]\\])*\]/suy;
const escapedCharacter = /\\(?:[pPu]\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|k<[^>]*>|.)/isuy;
const quantifier = /(?:[?*+]|\{\d+(?:,\d*)?\})\??/y;

/** Reads the source of a regular expression, as far as letters are concerned. */
class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Up to the end of the group. */
  alternatives(): readonly AnyOf[] {
    const all = [this.#sequence()];
    while (this.#source[this.#at] === '|') {
      this.#at++;
      all.push(this.#sequence());
    }
    this.#at++; // the bracket
    if (all.length === 1) return all[0]!;
    const best = all.map(longest);
    return best.includes(undefined) ? [] : [best.flatMap((any) => any!)];
  }

  #sequence(): AnyOf[] {
    const found: AnyOf[] = [];
    let run = '';
    const flush = (): void => {
      if (run !== '') found.push([fold(run)]);
      run = '';
    };
    for (;;) {
      const next = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0x7c);
      if (next === '|' || next === ')') break;
      if (next === '(') {
        flush();
        found.push(...this.#group());
        continue;
      }
      const letter = this.#letter(next);
      const quantity = this.#quantity();
      if (letter !== undefined && quantity !== 'none') run += letter;
      if (letter === undefined || quantity !== 'one') flush();
    }
    flush();
    return found;
  }

  #group(): readonly AnyOf[] {
    const head = this.#take(groupHead);
    const inside = this.alternatives();
    return this.#quantity() === 'none' || head.endsWith('!') ? [] : inside;
  }

  /** A character that matches itself alone, its capital included; undefined for all else. */
  #letter(next: string): string | undefined {
    if (next === '\\') return this.#escaped();
    if (next === '[') {
      this.#take(characterClass);
      return undefined;
    }
    this.#at += next.length;
    return /[.^$µ\u0370-\u03ff\u1f00-\u1fff]/u.test(next) ? undefined : next;
  }

  /** `\?` is itself; `\b`, `\p{L}`, `\x60`, `\k<name>` are not. */
  #escaped(): string | undefined {
    const all = this.#take(escapedCharacter);
    return /^\\[^\p{L}\p{N}]$/u.test(all) ? all[1] : undefined;
  }

  /** What a sticky pattern finds here, which is read; '' where it finds nothing. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  /** How often what stands before it must occur. */
  #quantity(): 'none' | 'one' | 'more' {
    const all = this.#take(quantifier);
    if (all === '') return 'one';
    return /^(?:[?*]|\{0)/.test(all) ? 'none' : 'more';
  }
}

/** Of several requirements, the one whose shortest letters are the longest. */
function longest(all: readonly AnyOf[]): AnyOf | undefined {
  const least = (any: AnyOf): number => Math.min(...any.map((letters) => letters.length));
  return all.reduce<AnyOf | undefined>(
    (best, any) => (best === undefined || least(any) > least(best) ? any : best),
    undefined,
  );
}
