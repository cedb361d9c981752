import { longestSpan, partsAWord, type ReaderInput, type ReaderWords } from './reader-input.ts';

/** A matrix of int8 rows times their scales, and what is added to each product. Doubles: products of them are faster. */
export interface Layer {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array;
  readonly bias: Float64Array;
}

/** Gain and shift of each component after it was brought to mean 0 and variance 1. */
export interface Norm {
  readonly gain: Float64Array;
  readonly shift: Float64Array;
}

/** A small network that reads a sentence for a question, as `bench/quality/train-reader.py` trains it. */
export interface SpanReader {
  /** Components of a word part, and of a word that was read. */
  readonly small: number;
  readonly size: number;
  /** Vectors of word parts, in units of `scale`. */
  readonly table: Int8Array;
  readonly scale: number;
  readonly types: Layer;
  readonly attend: Layer;
  readonly questionIn: Layer;
  readonly questionWindow: Layer;
  readonly questionPool: Layer;
  readonly questionOut: Layer;
  readonly sentenceIn: Layer;
  readonly questionToSentence: Layer;
  readonly windows: readonly {
    readonly step: number;
    readonly layer: Layer;
    readonly asked: Layer;
    readonly norm: Norm;
  }[];
  readonly norm: Norm;
  /** What makes a word a start, an end, a part of the answer: by itself, and times what the question says. */
  readonly roles: Layer;
  readonly rolesAsked: Layer;
  readonly startPair: Layer;
  readonly endPair: Layer;
  readonly lengths: Layer;
}

/**
 * How well each run of words answers: a logit of the run from word i over n further ones stands at
 * i · longestSpan + n. Runs that reach over the sentence's end stand at -Infinity.
 */
export function readSpans(reader: SpanReader, input: ReaderInput): Float32Array {
  const { sentence, question } = input;
  const { size } = reader;
  const count = sentence.count;
  const asked = question.count === 0 ? new Float64Array(size) : readQuestion(reader, input);
  const words = readSentence(reader, input, asked);
  const roles = affine(reader.roles, words, count);
  const askedRoles = affine(reader.rolesAsked, asked, 1);
  const roleOf = (i: number, role: number): number => {
    let sum = 0;
    for (let c = 0; c < size; c++) sum += words[i * size + c]! * askedRoles[role * size + c]!;
    return roles[i * 3 + role]! + 0.2 * sum;
  };
  const starts = affine(reader.startPair, words, count);
  const ends = affine(reader.endPair, words, count);
  const pair = reader.startPair.rows;
  const lengths = affine(reader.lengths, asked, 1);
  const inside = new Float64Array(count + 1);
  const endRoles = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    inside[i + 1] = inside[i]! + roleOf(i, 2);
    endRoles[i] = roleOf(i, 1);
  }
  const out = new Float32Array(count * longestSpan).fill(Number.NEGATIVE_INFINITY);
  for (let i = 0; i < count; i++) {
    const start = roleOf(i, 0);
    for (let more = 0; more < longestSpan && i + more < count; more++) {
      const j = i + more;
      let both = 0;
      for (let c = 0; c < pair; c++) both += starts[i * pair + c]! * ends[j * pair + c]!;
      out[i * longestSpan + more] =
        start + endRoles[j]! + 0.2 * both + (inside[j + 1]! - inside[i]!) / Math.sqrt(more + 1) + lengths[more]!;
    }
  }
  return out;
}

/** What the question asks for, as a vector. */
function readQuestion(reader: SpanReader, { question, type }: ReaderInput): Float64Array {
  const { size, small } = reader;
  const { count, features } = question;
  const width = small + features.length / count;
  const rows = new Float64Array(count * width);
  const vectors = vectorsOf(reader, question);
  for (let i = 0; i < count; i++) {
    rows.set(vectors.subarray(i * small, (i + 1) * small), i * width);
    rows.set(features.subarray((i * features.length) / count, ((i + 1) * features.length) / count), i * width + small);
  }
  const words = positive(affine(reader.questionIn, rows, count));
  addGated(words, affine(reader.questionWindow, windowsOf(words, count, size, 1), count), count, size);
  const pools = affine(reader.questionPool, words, count);
  const heads = reader.questionPool.rows;
  const pooled = new Float64Array(heads * size + reader.types.columns);
  for (let head = 0; head < heads; head++) {
    const shares = softmax(Float64Array.from({ length: count }, (_, i) => pools[i * heads + head]!));
    for (let i = 0; i < count; i++) {
      for (let c = 0; c < size; c++) pooled[head * size + c]! += shares[i]! * words[i * size + c]!;
    }
  }
  pooled.set(
    reader.types.values.subarray(type * reader.types.columns, (type + 1) * reader.types.columns),
    heads * size,
  );
  return affine(reader.questionOut, pooled, 1).map(Math.tanh);
}

/** A vector for each word of the sentence, which knows the words around it and the question. */
function readSentence(
  reader: SpanReader,
  { sentence, question, alike }: ReaderInput,
  asked: Float64Array,
): Float64Array {
  const { small, size } = reader;
  const { count } = sentence;
  const columns = sentence.features.length / Math.max(1, count);
  const width = 2 * small + columns + 3;
  const own = vectorsOf(reader, sentence);
  const others = vectorsOf(reader, question);
  const keys = positive(affine(reader.attend, own, count));
  const otherKeys = positive(affine(reader.attend, others, question.count));
  const rows = new Float64Array(count * width);
  for (let i = 0; i < count; i++) {
    const row = rows.subarray(i * width, (i + 1) * width);
    const near = alike.subarray(i * question.count, (i + 1) * question.count);
    const shares = softmax(
      Float64Array.from(near, (value, k) => 4 * value + 0.2 * dot(keys, i * small, otherKeys, k * small, small)),
    );
    row.set(own.subarray(i * small, (i + 1) * small));
    for (let k = 0; k < question.count; k++) {
      for (let c = 0; c < small; c++) row[small + c]! += shares[k]! * others[k * small + c]!;
    }
    row.set(sentence.features.subarray(i * columns, (i + 1) * columns), 2 * small);
    row[width - 3] = Math.max(0, ...near);
    row[width - 2] = (5 * dot(row, 0, row, small, small)) / small;
    row[width - 1] = 1;
  }
  const words = affine(reader.sentenceIn, rows, count);
  addToEach(words, affine(reader.questionToSentence, asked, 1), count);
  positive(words);
  for (const { step, layer, asked: askedLayer, norm } of reader.windows) {
    const gated = affine(layer, windowsOf(normed(norm, words, count), count, size, step), count);
    addToEach(gated, affine(askedLayer, asked, 1), count);
    addGated(words, gated, count, size);
  }
  return normed(reader.norm, words, count);
}

/** Sums of the parts of each word. */
function vectorsOf({ table, scale, small }: SpanReader, { count, parts }: ReaderWords): Float64Array {
  const out = new Float64Array(count * small);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < partsAWord; k++) {
      const from = parts[i * partsAWord + k]! * small;
      for (let c = 0; c < small; c++) out[i * small + c]! += table[from + c]!;
    }
  }
  for (let i = 0; i < out.length; i++) out[i]! *= scale;
  return out;
}

/** Each row of `input` times the layer, and its bias. */
export function affine({ rows, columns, values, bias }: Layer, input: Float64Array, count: number): Float64Array {
  const out = new Float64Array(count * rows);
  let i = 0;
  // Two inputs and two rows at a time: each value is loaded once for two products.
  for (; i + 1 < count; i += 2) {
    const from = i * columns;
    let r = 0;
    for (; r + 1 < rows; r += 2) {
      const first = r * columns;
      let a = bias[r]!;
      let b = bias[r + 1]!;
      let c = a;
      let d = b;
      for (let k = 0; k < columns; k++) {
        const x = input[from + k]!;
        const y = input[from + columns + k]!;
        const v = values[first + k]!;
        const w = values[first + columns + k]!;
        a += x * v;
        b += x * w;
        c += y * v;
        d += y * w;
      }
      const to = i * rows + r;
      out[to] = a;
      out[to + 1] = b;
      out[to + rows] = c;
      out[to + rows + 1] = d;
    }
    if (r < rows) {
      out[i * rows + r] = bias[r]! + dot(values, r * columns, input, from, columns);
      out[(i + 1) * rows + r] = bias[r]! + dot(values, r * columns, input, from + columns, columns);
    }
  }
  if (i < count) {
    for (let r = 0; r < rows; r++) out[i * rows + r] = bias[r]! + dot(values, r * columns, input, i * columns, columns);
  }
  return out;
}

function dot(a: Float64Array, i: number, b: Float64Array, j: number, length: number): number {
  let sum = 0;
  let other = 0;
  let c = 0;
  for (; c + 1 < length; c += 2) {
    sum += a[i + c]! * b[j + c]!;
    other += a[i + c + 1]! * b[j + c + 1]!;
  }
  return c < length ? sum + other + a[i + c]! * b[j + c]! : sum + other;
}

/** Each row with the one `step` before it and the one `step` behind it; zeros beyond the edges. */
function windowsOf(rows: Float64Array, count: number, size: number, step: number): Float64Array {
  const out = new Float64Array(count * 3 * size);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      const from = i + (k - 1) * step;
      if (from >= 0 && from < count) out.set(rows.subarray(from * size, (from + 1) * size), (3 * i + k) * size);
    }
  }
  return out;
}

/** Adds the first half of each row of `gated`, as far as the second half lets it through. */
function addGated(rows: Float64Array, gated: Float64Array, count: number, size: number): void {
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < size; c++) {
      rows[i * size + c]! += gated[2 * i * size + c]! / (1 + Math.exp(-gated[(2 * i + 1) * size + c]!));
    }
  }
}

function addToEach(rows: Float64Array, one: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) for (let c = 0; c < one.length; c++) rows[i * one.length + c]! += one[c]!;
}

function positive(values: Float64Array): Float64Array {
  for (let i = 0; i < values.length; i++) if (values[i]! < 0) values[i] = 0;
  return values;
}

function normed({ gain, shift }: Norm, rows: Float64Array, count: number): Float64Array {
  const size = gain.length;
  const out = new Float64Array(rows.length);
  for (let i = 0; i < count; i++) {
    const row = rows.subarray(i * size, (i + 1) * size);
    let mean = 0;
    for (const x of row) mean += x / size;
    let variance = 0;
    for (const x of row) variance += (x - mean) ** 2 / size;
    const by = 1 / Math.sqrt(variance + 1e-5);
    for (let c = 0; c < size; c++) out[i * size + c] = (row[c]! - mean) * by * gain[c]! + shift[c]!;
  }
  return out;
}

/** Shares that sum to 1, in place. */
function softmax(values: Float64Array): Float64Array {
  let most = Number.NEGATIVE_INFINITY;
  for (const x of values) if (x > most) most = x;
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] = Math.exp(values[i]! - most);
  for (let i = 0; i < values.length; i++) values[i]! /= sum;
  return values;
}
