import { yieldToEventLoop } from '../core/event-loop.ts';
import type { Int8Rows, Int8RowsOptions, Nearest, ScanOptions } from './int8-rows.ts';
import { type SharedSignRows, SignRows } from './sign-rows.ts';

/** Candidates by signs that are compared at first, for each row that is wanted, and at least. */
const PER_WANTED = 8;
const LEAST_CANDIDATES = 1000;
/** Rows by signs that are remembered, as a share of all, so that few searches go through the signs twice. */
const KEPT = 1 / 200;
/** With a greater share of the rows still in question, comparing all of them in order is no slower. */
const MOST_IN_QUESTION = 1 / 4;
/** A binomial variable is below its mean by so many standard deviations with this probability. */
const QUARTILE = 0.6745;
const ROWS_AT_A_TIME = 2 ** 16;
/** Rows whose neighbours are looked at, among how many others, and how many of them. */
const SAMPLED = 24;
const SAMPLED_AMONG = 32_768;
const NEIGHBOURS = 50;
/** How much farther than the farthest that was seen a row may lie; and never less than so many standard deviations. */
const SAFETY = 1.5;
const LEAST_SPREAD = 4;
/** Signs that spread farther tell too little. */
const MOST_SPREAD = 12;
/**
 * Searches after which the filter is given up where it helped fewer than one in four: helping saves two thirds of the
 * time, trying in vain costs a fifth.
 */
const TRIED = 16;

/** A filter as another thread takes it with `attach`. */
export interface SharedSignFilter {
  readonly signs: SharedSignRows;
  readonly spread: number;
}

/**
 * Exact nearest neighbours without looking at every row. Vectors at the angle θ differ in the sign of a component with
 * probability θ/π, so that of n components about nθ/π differ, as a binomial varies. The exact cosines of a few
 * candidates by signs say at which angle the last wanted neighbour lies at most; rows that differ in more signs than
 * such a neighbour could are left out, all others are compared exactly. How far real vectors stray from the binomial is
 * measured on the rows themselves, and again on what each search finds; a row that strays half as far again as any seen
 * so far would be missed.
 * @see Charikar 2002, doi:10.1145/509907.509965 (signs and angles)
 */
export class SignFilter {
  readonly #rows: Int8Rows;
  #signs: SignRows;
  readonly #options: Pick<Int8RowsOptions, 'threads'>;
  #searches = 0;
  #helped = 0;
  #isGivenUp = false;
  /** The most standard deviations above the mean, of rows that were seen, times `SAFETY`; 0 = not measured. */
  #spread = 0;
  /** Rows whose signs are taken; rows there were at the last measurement. */
  #taken = 0;
  #measured = 0;

  constructor(rows: Int8Rows, options: Pick<Int8RowsOptions, 'threads'> = {}, signs?: SignRows) {
    this.#rows = rows;
    this.#options = options;
    this.#signs = signs ?? new SignRows(rows.negativesBytes * 8, options);
  }

  static attach(rows: Int8Rows, { signs, spread }: SharedSignFilter, thread: number): SignFilter {
    const filter = new SignFilter(rows, {}, SignRows.attach(signs, thread));
    filter.#spread = spread;
    filter.#taken = signs.count;
    return filter;
  }

  /** Undefined where signs tell too little of these rows. */
  share(): SharedSignFilter | undefined {
    return this.isUsable(0) ? { signs: this.#signs.share(), spread: this.#spread } : undefined;
  }

  /** Whether a search among the first `rows` rows can use the filter. */
  isUsable(rows: number): boolean {
    return !this.#isGivenUp && this.#spread > 0 && this.#taken >= rows;
  }

  /** True once it has shown that the signs of these rows tell too little: short vectors of ordinary prose. */
  get isGivenUp(): boolean {
    return this.#isGivenUp;
  }

  #giveUp(): void {
    this.#isGivenUp = true;
    this.#signs = new SignRows(this.#signs.bits, this.#options); // frees the memory
  }

  /** Takes the signs of rows that were added, and measures how far they spread. */
  async prepare(rows: number): Promise<void> {
    if (this.#isGivenUp) return;
    if (this.#taken < rows) this.#signs.extend(rows);
    while (this.#taken < rows) {
      await yieldToEventLoop();
      if (this.#isGivenUp) return; // meanwhile
      const end = Math.min(rows, this.#taken + ROWS_AT_A_TIME);
      this.#rows.eachNegatives(this.#taken, end, (first, bits) => this.#signs.write(first, bits));
      this.#taken = end;
    }
    if (rows < 2 * this.#measured) return;
    const step = Math.max(1, rows / SAMPLED_AMONG);
    const within = Uint32Array.from({ length: Math.min(rows, SAMPLED_AMONG) }, (_, i) => Math.floor(i * step));
    let spread = LEAST_SPREAD;
    for (let i = 0; i < SAMPLED; i++) {
      await yieldToEventLoop();
      const query = this.#rows.row(Math.floor(((i + 0.5) * rows) / SAMPLED)).slice();
      spread = Math.max(spread, SAFETY * this.#farthest(query, this.#rows.search(query, NEIGHBOURS, { within })));
    }
    this.#spread = Math.max(spread, this.#spread);
    this.#measured = rows;
    if (this.#spread > MOST_SPREAD) this.#giveUp();
  }

  /** As `Int8Rows.search`. */
  search(query: Int8Array, limit: number, options: ScanOptions = {}): Nearest {
    const found = this.#isGivenUp ? undefined : this.#filtered(query, limit, options);
    this.#searches++;
    if (found) this.#helped++;
    else if (this.#searches >= TRIED && 4 * this.#helped < this.#searches) this.#giveUp();
    return found ?? this.#rows.search(query, limit, options);
  }

  /** Undefined where so many rows are in question that comparing all of them is no slower. */
  #filtered(query: Int8Array, limit: number, options: ScanOptions): Nearest | undefined {
    if (options.least !== undefined && options.least > 0) return this.#above(options.least, query, limit, options);
    const signs = this.#signsOf(query);
    const all = this.#countOf(options);
    const first = Math.max(PER_WANTED * limit, LEAST_CANDIDATES);
    const near = this.#signs.search(signs, Math.max(first, Math.floor(KEPT * all)), options);
    if (near.ordinals.length >= limit && !this.#isPromising(near.distances[limit - 1]!)) return undefined;
    const seen = near.ordinals.length < first ? Infinity : near.distances.at(-1)!; // nearer ones are all in `near`
    let compared = Math.min(first, near.ordinals.length);
    let found = this.#among(query, limit, near.ordinals.subarray(0, compared));
    while (compared < all) {
      const cosine = found.cosines.length < limit ? 0 : found.cosines.at(-1)!;
      if (!(cosine > 0)) return undefined;
      const bar = this.#mostDiffering(cosine);
      if (bar >= seen) {
        const within = this.#signs.nearerThan(signs, bar + 1, MOST_IN_QUESTION * all, options);
        if (within === undefined) return undefined;
        found = this.#rows.search(query, limit, { within });
      } else {
        const inQuestion = placeBeyond(near.distances, bar);
        if (inQuestion > compared) {
          compared = inQuestion;
          found = this.#among(query, limit, near.ordinals.subarray(0, compared));
        }
      }
      const farthest = SAFETY * this.#farthest(query, found);
      if (farthest <= this.#spread) return found;
      this.#spread = farthest; // these signs stray farther than any before: look farther
      if (farthest > MOST_SPREAD) return undefined;
    }
    return found;
  }

  #countOf({ within, rows }: ScanOptions): number {
    return within?.length ?? rows ?? this.#rows.count;
  }

  /** The nearest rows of at least a cosine; undefined as in a search without a bound. */
  #above(least: number, query: Int8Array, limit: number, options: ScanOptions): Nearest | undefined {
    const signs = this.#signsOf(query);
    const most = MOST_IN_QUESTION * this.#countOf(options);
    for (;;) {
      const bar = this.#mostDiffering(least);
      const within = this.#isFew(bar) ? this.#signs.nearerThan(signs, bar + 1, most, options) : undefined;
      if (within === undefined) return undefined;
      const found = this.#rows.search(query, limit, { within, least });
      const farthest = SAFETY * this.#farthest(query, found);
      if (farthest <= this.#spread) return found;
      this.#spread = farthest; // as in a search without a bound
      if (farthest > MOST_SPREAD) return undefined;
    }
  }

  /**
   * Whether few enough rows will be in question when the last wanted one differs in so many signs, and those of most
   * rows fall as a coin does. The nearest by signs seem nearer than they are: the answer is too often yes, which costs
   * time and no result.
   */
  #isPromising(distance: number): boolean {
    return this.#isFew(this.#mostDiffering(Math.cos((Math.PI * distance) / this.#rows.dimensions)));
  }

  /** Whether fewer than a quarter of the rows differ in at most so many signs, where signs fall as a coin does. */
  #isFew(differing: number): boolean {
    const n = this.#rows.dimensions;
    return differing < (n - QUARTILE * Math.sqrt(n)) / 2;
  }

  #among(query: Int8Array, limit: number, ordinals: Uint32Array): Nearest {
    return this.#rows.search(query, limit, { within: ordinals.slice().sort() });
  }

  /** In how many signs a row of at least this cosine may differ. */
  #mostDiffering(cosine: number): number {
    const share = differing(cosine - 1e-6); // cosines are rounded to 32 bits
    const n = this.#rows.dimensions;
    return Math.floor(n * share + this.#spread * Math.sqrt(n * share * (1 - share) + 1));
  }

  /** The most standard deviations by which one of these rows differs in more signs than its angle says. */
  #farthest(query: Int8Array, { ordinals, cosines }: Nearest): number {
    const n = this.#rows.dimensions;
    let most = 0;
    for (let i = 0; i < ordinals.length; i++) {
      if (!(cosines[i]! > 0)) continue; // says nothing of near rows, nor do zero vectors
      const row = this.#rows.row(ordinals[i]!);
      let differ = 0;
      for (let d = 0; d < n; d++) if ((row[d]! ^ query[d]!) < 0) differ++;
      const share = differing(cosines[i]!);
      most = Math.max(most, (differ - n * share) / Math.sqrt(n * share * (1 - share) + 1));
    }
    return most;
  }

  #signsOf(query: Int8Array): Uint8Array {
    const bits = new Uint8Array(this.#rows.negativesBytes);
    for (let d = 0; d < query.length; d++) if (query[d]! < 0) bits[d >> 3]! |= 1 << (d & 7);
    return bits;
  }
}

/** The first place of ascending distances that is beyond `bar`. */
function placeBeyond(distances: Uint16Array, bar: number): number {
  let low = 0;
  let high = distances.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (distances[middle]! <= bar) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The probability that two vectors of this cosine differ in the sign of a component. */
function differing(cosine: number): number {
  return Math.acos(Math.max(-1, Math.min(1, cosine))) / Math.PI;
}
