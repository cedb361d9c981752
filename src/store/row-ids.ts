/** The runs, ascending: first seq, its id, number of rows. */
export interface SharedRowIds {
  readonly seqs: Float64Array;
  readonly ids: Float64Array;
  readonly counts: Float64Array;
}

/**
 * Database row ids by seq, stored as runs in which both numbers ascend by one. Rows get ids in the order of writing and
 * keep them. An index that only grew is one run, and each edit adds a few runs, so memory does not grow with the rows.
 */
export class RowIds {
  #seqs: Float64Array;
  #ids: Float64Array;
  #counts: Float64Array;
  #runs = 0;
  #rows = 0;
  #sorted = true;

  constructor() {
    this.#seqs = new Float64Array(16);
    this.#ids = new Float64Array(16);
    this.#counts = new Float64Array(16);
  }

  /** For `attach` in another thread. */
  share(): SharedRowIds {
    this.#sort();
    const part = (values: Float64Array): Float64Array => values.slice(0, this.#runs);
    return { seqs: part(this.#seqs), ids: part(this.#ids), counts: part(this.#counts) };
  }

  static attach({ seqs, ids, counts }: SharedRowIds): RowIds {
    const rows = new RowIds();
    rows.#seqs = seqs;
    rows.#ids = ids;
    rows.#counts = counts;
    rows.#runs = counts.length;
    rows.#rows = counts.reduce((sum, count) => sum + count, 0);
    return rows;
  }

  /** Number of added rows. */
  get rows(): number {
    return this.#rows;
  }

  /** Number of runs. */
  get runs(): number {
    return this.#runs;
  }

  /** Adds rows in any order; each seq only once. */
  add(seqs: ArrayLike<number>, ids: ArrayLike<number>): void {
    for (let i = 0; i < seqs.length; i++) this.#addRow(seqs[i]!, ids[i]!);
    this.#rows += seqs.length;
  }

  #addRow(seq: number, id: number): void {
    const last = this.#runs - 1;
    if (last >= 0) {
      const count = this.#counts[last]!;
      if (this.#seqs[last]! + count === seq && this.#ids[last]! + count === id) {
        this.#counts[last] = count + 1;
        return;
      }
      if (seq < this.#seqs[last]!) this.#sorted = false;
    }
    if (this.#runs === this.#seqs.length) this.#grow();
    this.#seqs[this.#runs] = seq;
    this.#ids[this.#runs] = id;
    this.#counts[this.#runs++] = 1;
  }

  #grow(): void {
    const larger = (values: Float64Array): Float64Array => {
      const grown = new Float64Array(values.length * 2);
      grown.set(values);
      return grown;
    };
    this.#seqs = larger(this.#seqs);
    this.#ids = larger(this.#ids);
    this.#counts = larger(this.#counts);
  }

  #sort(): void {
    if (this.#sorted) return;
    const { seqs, ids, counts } = { seqs: this.#seqs, ids: this.#ids, counts: this.#counts };
    const order = Uint32Array.from({ length: this.#runs }, (_, run) => run).sort((a, b) => seqs[a]! - seqs[b]!);
    this.#seqs = Float64Array.from(order, (run) => seqs[run]!);
    this.#ids = Float64Array.from(order, (run) => ids[run]!);
    this.#counts = Float64Array.from(order, (run) => counts[run]!);
    this.#sorted = true;
  }

  /** The id of a row; -1 for an unknown seq. */
  of(seq: number): number {
    this.#sort();
    let low = 0;
    let high = this.#runs;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#seqs[middle]! <= seq) low = middle + 1;
      else high = middle;
    }
    const within = seq - this.#seqs[low - 1]!;
    return low > 0 && within < this.#counts[low - 1]! ? this.#ids[low - 1]! + within : -1;
  }

  /** The runs, ascending. */
  eachRun(visit: (seq: number, count: number) => void): void {
    this.#sort();
    for (let run = 0; run < this.#runs; run++) visit(this.#seqs[run]!, this.#counts[run]!);
  }

  /** All seqs, ascending. */
  *seqs(): Generator<number, void, undefined> {
    this.#sort();
    for (let run = 0; run < this.#runs; run++) {
      const first = this.#seqs[run]!;
      for (let i = 0; i < this.#counts[run]!; i++) yield first + i;
    }
  }
}
