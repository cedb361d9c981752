import { endOfString } from './depth.ts';

/**
 * `JSON.parse` for texts most of which look alike, as the lines of one file do: the same values and the same errors in
 * about half the time.
 *
 * Most of what `JSON.parse` takes for a small object goes into its keys and its objects, over and over the same. A text
 * seen before leaves its shape: the characters between the values that vary, and where in the object each of these
 * belongs. A text that is the same in all of those characters is valid JSON if each varying value is, and only these
 * are parsed. Nothing is assumed about names or their order, and whatever fits no shape is left to `JSON.parse`.
 */
export class ShapedJson {
  readonly #shapes: Shape[] = [];
  /** Taking a text apart costs more than parsing it, so that it must be earned again by texts that fitted. */
  #credit = FIRST_CREDIT;

  /** @throws SyntaxError as `JSON.parse` does */
  parse(text: string): unknown {
    for (let i = 0; i < this.#shapes.length; i++) {
      const shape = this.#shapes[i]!;
      if (!shape.fits(text)) continue;
      const value = shape.read(text);
      if (value === undefined) continue;
      if (i > 0) {
        this.#shapes.splice(i, 1);
        this.#shapes.unshift(shape);
      }
      if (this.#credit < FIRST_CREDIT) this.#credit += 0.25;
      return value;
    }
    const value: unknown = JSON.parse(text);
    if (this.#credit >= 1 && text.length <= MAX_LENGTH) this.#learn(text);
    return value;
  }

  #learn(text: string): void {
    this.#credit -= 1;
    const parts = takeApart(text);
    if (parts === undefined) return;
    if (this.#shapes.some((shape) => shape.widen(parts))) return;
    this.#shapes.unshift(new Shape(text, parts));
    if (this.#shapes.length > MAX_SHAPES) this.#shapes.pop();
  }
}

const FIRST_CREDIT = 32;
const MAX_SHAPES = 8;
const MAX_LENGTH = 65_536;
const MAX_LEAVES = 200;
const MAX_DEPTH = 40;

/** The strings and plain whole numbers of a text that are values, and what stands around them. */
interface Parts {
  /** One more than there are leaves. The quotes of a string count to what is around it. */
  readonly around: readonly string[];
  readonly leaves: readonly string[];
  readonly strings: readonly boolean[];
  readonly root: Branch;
}

/** An object or array: where in it the leaves and further branches stand. */
interface Branch {
  readonly slots: (readonly [key: string | number, Branch | number])[];
}

/** The same with an object to copy, and only those leaves that vary, counted through. */
interface Mould {
  readonly sample: object;
  readonly copy: (sample: object) => object;
  readonly keys: readonly (string | number)[];
  /** For each key the mould of a nested object, or undefined and the number of the value in `values`. */
  readonly moulds: readonly (Mould | undefined)[];
  readonly values: readonly number[];
}

class Shape {
  readonly #parts: Parts;
  readonly #varies: boolean[];
  /** Of the text the shape comes from; never handed out. */
  readonly #sample: object;
  #fixed: readonly string[] = [];
  #strings: readonly boolean[] = [];
  #mould!: Mould;
  /** Of the varying values of the text that fitted last. */
  #starts: number[] = [];
  #ends: number[] = [];

  constructor(text: string, parts: Parts) {
    this.#parts = parts;
    this.#varies = parts.leaves.map(() => false);
    this.#sample = JSON.parse(text) as object; // `takeApart` gives nothing else
    this.#compile();
  }

  /**
   * Whether the text differs from those seen in varying values only, as far as that can be told without parsing these.
   */
  fits(text: string): boolean {
    const fixed = this.#fixed;
    const count = fixed.length - 1;
    const first = fixed[0]!;
    // Half the time `startsWith` takes, which goes character by character.
    if (text.slice(0, first.length) !== first) return false;
    let at = first.length;
    for (let i = 0; i < count; i++) {
      const next = fixed[i + 1]!;
      this.#starts[i] = at;
      at = this.#strings[i]! ? endOfString(text, at, next) : text.indexOf(next, at);
      if (at === -1) return false;
      this.#ends[i] = at;
      at += next.length;
    }
    return at === text.length;
  }

  /**
   * The value of a text that fits; undefined when one of its varying values is not a valid string or a plain number.
   */
  read(text: string): unknown {
    const strings = this.#strings;
    const values: (string | number)[] = [];
    for (let i = 0; i < strings.length; i++) {
      const start = this.#starts[i]!;
      const end = this.#ends[i]!;
      const value = strings[i]! ? stringAt(text, start, end) : plainNumber(text.slice(start, end));
      if (value === undefined) return undefined;
      values.push(value);
    }
    return cast(this.#mould, values);
  }

  /** Lets the values in which a text of the same shape differs vary from now on; false when it is of another shape. */
  widen({ around, leaves, strings }: Parts): boolean {
    const mine = this.#parts;
    if (around.length !== mine.around.length) return false;
    if (!around.every((part, i) => part === mine.around[i])) return false;
    if (!strings.every((string, i) => string === mine.strings[i])) return false;
    let more = false;
    for (const [i, leaf] of leaves.entries()) {
      if (this.#varies[i] || leaf === mine.leaves[i]) continue;
      this.#varies[i] = true;
      more = true;
    }
    if (more) this.#compile();
    return true;
  }

  #compile(): void {
    const { around, leaves, strings, root } = this.#parts;
    const fixed = [around[0]!];
    const numbers = leaves.map((leaf, i) => {
      if (this.#varies[i]) return fixed.push(around[i + 1]!) - 2;
      fixed[fixed.length - 1] += leaf + around[i + 1]!;
      return -1;
    });
    let places = 0;
    const mould = (branch: Branch, sample: object): Mould => {
      const used = branch.slots.filter(([, to]) => typeof to !== 'number' || this.#varies[to]);
      const nested = sample as Record<string | number, object>; // at the keys that lead to branches
      return {
        sample,
        copy: Array.isArray(sample) ? copyArray : copies[places++ % copies.length]!,
        keys: used.map(([key]) => key),
        moulds: used.map(([key, to]) => (typeof to === 'number' ? undefined : mould(to, nested[key]!))),
        values: used.map(([, to]) => (typeof to === 'number' ? numbers[to]! : -1)),
      };
    };
    // What was cut and joined is compared slowly; what comes from the parser lies in one piece.
    this.#fixed = fixed.map((part) => JSON.parse(JSON.stringify(part)) as string);
    this.#strings = strings.filter((_, i) => this.#varies[i]);
    this.#mould = mould(root, this.#sample);
  }
}

const copyArray = (sample: object): object => (sample as unknown[]).slice(); // only arrays come here

/**
 * One and the same spread, for each object of a shape another: the engine remembers for each place in the code how the
 * objects that come by are made, four kinds at most, and past those copies property by property, which takes three
 * times as long.
 */
const copies: readonly ((sample: object) => object)[] = [
  (sample) => ({ ...sample }),
  (sample) => ({ ...sample }),
  (sample) => ({ ...sample }),
  (sample) => ({ ...sample }),
  (sample) => ({ ...sample }),
  (sample) => ({ ...sample }),
  (sample) => ({ ...sample }),
  (sample) => ({ ...sample }),
];

function cast(mould: Mould, all: readonly (string | number)[]): object {
  const { sample, copy, keys, moulds, values } = mould;
  const made = copy(sample) as Record<string | number, unknown>; // to be filled
  for (let i = 0; i < keys.length; i++) {
    const nested = moulds[i];
    made[keys[i]!] = nested === undefined ? all[values[i]!] : cast(nested, all);
  }
  return made;
}

/** The string between two quotes; undefined when it is not valid. */
function stringAt(text: string, start: number, end: number): string | undefined {
  if (end - start < 13) {
    const short = text.slice(start, end);
    let at = 0;
    for (; at < short.length; at++) {
      const code = short.charCodeAt(at);
      if (code === BACKSLASH || code === QUOTE || code < 32) break;
    }
    if (at === short.length) return short;
  }
  try {
    // The parser copies: a longer slice would keep all that arrived with it in memory.
    return JSON.parse(text.slice(start - 1, end + 1)) as string; // it begins and ends with a quote
  } catch {
    return undefined;
  }
}

/** A whole number of at most 15 digits, as JSON writes it; undefined when it is anything else. */
function plainNumber(digits: string): number | undefined {
  const { length } = digits;
  if (length === 0 || length > 15 || (length > 1 && digits.charCodeAt(0) === ZERO)) return undefined;
  let number = 0;
  for (let at = 0; at < length; at++) {
    const digit = digits.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return undefined;
    number = number * 10 + digit;
  }
  return number;
}

const ZERO = 48;
const QUOTE = 34;
const BACKSLASH = 92;
const token = /\s*(?:("[^"\\]*(?:\\.[^"\\]*)*")|([[\]{}:,])|([^\s"[\]{}:,]+))/y;

/**
 * Valid JSON taken apart; undefined when it is no object, or one that is not worth it or cannot be copied key by key.
 */
function takeApart(text: string): Parts | undefined {
  const around: string[] = [];
  const leaves: string[] = [];
  const strings: boolean[] = [];
  const open: { readonly branch: Branch; readonly keys: Set<string> | undefined; key: string | number }[] = [];
  let root: Branch | undefined;
  let from = 0;
  let wantsKey = false;
  for (token.lastIndex = 0; token.lastIndex < text.length; ) {
    const end = token.exec(text);
    if (end === null) break; // white space at the end
    const [, string, sign, bare] = end;
    const parent = open.at(-1);
    if (sign === '{' || sign === '[') {
      const branch: Branch = { slots: [] };
      if (root === undefined) root = branch;
      parent?.branch.slots.push([parent.key, branch]);
      open.push({ branch, keys: sign === '{' ? new Set() : undefined, key: 0 });
      if (open.length > MAX_DEPTH) return undefined;
      wantsKey = sign === '{';
      continue;
    }
    if (parent === undefined) return undefined; // a text that is a single value
    if (sign === '}' || sign === ']') {
      open.pop();
      if (open.length === 0) break;
      wantsKey = false;
    } else if (sign === ',') {
      if (parent.keys === undefined)
        (parent.key as number) += 1; // of an array
      else wantsKey = true;
    } else if (wantsKey && string !== undefined) {
      const key = JSON.parse(string) as string;
      // Of a key that comes twice the last value counts, and this one is not copied like others.
      if (parent.keys!.has(key) || key === '__proto__') return undefined;
      parent.keys!.add(key);
      parent.key = key;
      wantsKey = false;
    } else if (string !== undefined || (bare !== undefined && plainNumber(bare) !== undefined)) {
      const quote = string === undefined ? 0 : 1;
      const stop = token.lastIndex - quote;
      const start = token.lastIndex - (string ?? bare)!.length + quote;
      parent.branch.slots.push([parent.key, leaves.length]);
      around.push(text.slice(from, start));
      strings.push(quote === 1);
      if (leaves.push(text.slice(start, stop)) > MAX_LEAVES) return undefined;
      from = stop;
    }
  }
  around.push(text.slice(from));
  return root === undefined ? undefined : { around, leaves, strings, root };
}
