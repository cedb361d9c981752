import { IbidError } from '../core/errors.ts';

/** `count` consecutive seqs from `first` on. */
export type RowRun = readonly [first: number, count: number];

/** Groups ascending seqs into runs. */
export function runsOf(seqs: Iterable<number>): RowRun[] {
  const runs: [number, number][] = [];
  for (const seq of seqs) {
    const last = runs.at(-1);
    if (last !== undefined && last[0] + last[1] === seq) last[1]++;
    else runs.push([seq, 1]);
  }
  return runs;
}

export function joinRuns(runs: readonly RowRun[]): RowRun[] {
  const joined: [number, number][] = [];
  for (const [first, count] of runs) {
    const last = joined.at(-1);
    if (last !== undefined && last[0] + last[1] === first) last[1] += count;
    else if (count > 0) joined.push([first, count]);
  }
  return joined;
}

export function countRows(runs: readonly RowRun[]): number {
  return runs.reduce((sum, [, count]) => sum + count, 0);
}

export function* seqsOf(runs: readonly RowRun[]): Generator<number, void, undefined> {
  for (const [first, count] of runs) for (let seq = first; seq < first + count; seq++) yield seq;
}

/** @throws IbidError INDEX_DAMAGED */
export function parseRuns(json: string): RowRun[] {
  const runs = JSON.parse(json) as RowRun[]; // written by `JSON.stringify` of runs; checked next
  let end = 0;
  for (const [first, count] of runs) {
    if (!(first >= end) || !(count > 0))
      throw new IbidError('INDEX_DAMAGED', `a segment covers impossible rows: ${json}`);
    end = first + count;
  }
  return runs;
}

/** Maps the seqs of ascending runs to ordinals 0, 1, 2, … and back. */
export class SeqMap {
  readonly rows: number;
  readonly runs: readonly RowRun[];
  readonly #firsts: Float64Array;
  /** Ordinal of the first seq of each run; the last element is the number of rows. */
  readonly #ordinals: Float64Array;
  #last = 0;

  /** @throws IbidError INDEX_DAMAGED when runs overlap or do not ascend */
  constructor(runs: readonly RowRun[]) {
    this.runs = joinRuns(runs);
    this.#firsts = Float64Array.from(this.runs, ([first]) => first);
    this.#ordinals = new Float64Array(this.runs.length + 1);
    let end = 0;
    for (const [i, [first, count]] of this.runs.entries()) {
      if (first < end) throw new IbidError('INDEX_DAMAGED', `two segments cover row ${first}`);
      end = first + count;
      this.#ordinals[i + 1] = this.#ordinals[i]! + count;
    }
    this.rows = this.#ordinals[this.runs.length]!;
  }

  /** The ordinal of a seq; -1 when no run holds the seq. */
  ordinalOf(seq: number): number {
    const near = this.#within(this.#last, seq);
    if (near >= 0) return near;
    let low = 0;
    let high = this.#firsts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#firsts[middle]! <= seq) low = middle + 1;
      else high = middle;
    }
    this.#last = Math.max(0, low - 1);
    return this.#within(this.#last, seq);
  }

  #within(run: number, seq: number): number {
    const ordinal = this.#ordinals[run]! + seq - (this.#firsts[run] ?? Number.NaN);
    return ordinal >= this.#ordinals[run]! && ordinal < this.#ordinals[run + 1]! ? ordinal : -1;
  }

  seqOf(ordinal: number): number {
    let low = 0;
    let high = this.runs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ordinals[middle]! <= ordinal) low = middle + 1;
      else high = middle;
    }
    return this.#firsts[low - 1]! + ordinal - this.#ordinals[low - 1]!;
  }

  /** True when ordinals 0 … `rows` - 1 are the same seqs in both maps. */
  agreesWith(other: SeqMap, rows: number): boolean {
    if (rows > this.rows || rows > other.rows) return false;
    for (let i = 0; this.#ordinals[i]! < rows; i++) {
      const [first, count] = this.runs[i]!;
      const [otherFirst, otherCount] = other.runs[i]!;
      if (first !== otherFirst) return false;
      if (count !== otherCount) return this.#ordinals[i]! + Math.min(count, otherCount) >= rows;
    }
    return true;
  }
}

/** The ascending seqs that no run covers, in groups. A covered row between two seqs starts a new group. */
export function uncovered(seqs: Iterable<number>, covered: SeqMap): Float64Array[] {
  const groups: number[][] = [];
  let previous = -1;
  for (const seq of seqs) {
    if (covered.ordinalOf(seq) >= 0) continue;
    const group = groups.at(-1);
    if (group === undefined || covered.runs.some(([first]) => first > previous && first < seq)) groups.push([seq]);
    else group.push(seq);
    previous = seq;
  }
  return groups.map((group) => Float64Array.from(group));
}
