import { Kernels, packRows } from '../../../vector/float-kernels.ts';
import { longestSpan, partsAWord, type SentenceModelInput, type SentenceModelWords } from './sentence-model-input.ts';

/** A matrix of int8 rows times their scales, and what is added to each product. */
export interface Layer {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float32Array;
  readonly bias: Float32Array;
}

/** Gain and shift of each component after it was brought to mean 0 and variance 1. */
export interface Norm {
  readonly gain: Float32Array;
  readonly shift: Float32Array;
}

/** Weights of a small network that reads a sentence for a question, as `bench/quality/train-sentence-model.py` trains it. */
export interface SentenceModelWeights {
  /** Components of a word part, and of a word that was read: a multiple of 8. */
  readonly small: number;
  readonly size: number;
  /** Hashes of the word parts that it knows, ascending; what other words are made of says nothing. */
  readonly known: Int32Array;
  /** Their vectors, in units of `scale`. */
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
  /** From the greatest and the mean of each component over the words: how well the whole sentence answers. */
  readonly whole: Layer;
}

/** What a sentence model says of a sentence. */
export interface Reading {
  /**
   * How well each run of words answers: a logit of the run from word i over n further ones stands at
   * i · longestSpan + n. Runs that reach over the sentence's end stand at -Infinity. Worked out when it is asked.
   */
  runs(): Float32Array;
  /** How well the sentence answers: a logit beside that of the trees, which it was learned with. */
  readonly whole: number;
}

/** A layer in the memory of the kernels, a part for each of the neighbouring words that it reads. */
interface Product {
  /** Columns of a part, and rows of the layer, up to a multiple of 8. */
  readonly inner: number;
  readonly width: number;
  readonly parts: readonly Float32Array[];
  readonly bias: Float32Array;
}

/** Room for what is computed of a sentence of 80 words. */
const scratchBytes = 2 ** 20;
const upTo = (multiple: number, count: number): number => Math.ceil(count / multiple) * multiple;
/** The kernels multiply four rows at a time. */
const tiled = (count: number): number => upTo(4, Math.max(1, count));

/** Reads sentences for questions. One sentence at a time: it works in one memory, which holds the weights too. */
export class SentenceModel {
  readonly weights: SentenceModelWeights;
  readonly #kernels = new Kernels();
  readonly #products = new Map<Layer, Product>();
  /** By the hash of a word part. */
  readonly #rowOf: ReadonlyMap<number, number>;
  readonly #scratch: number;

  constructor(weights: SentenceModelWeights) {
    this.weights = weights;
    this.#rowOf = new Map(Array.from(weights.known, (hash, row) => [hash, row]));
    const { attend, questionIn, questionWindow, questionPool, questionOut, sentenceIn, questionToSentence } = weights;
    const { windows, roles, rolesAsked, startPair, endPair, lengths, whole } = weights;
    const layers = [attend, questionIn, questionPool, questionOut, sentenceIn, questionToSentence];
    layers.push(...windows.map(({ asked }) => asked), roles, rolesAsked, startPair, endPair, lengths, whole);
    const overNeighbours = [questionWindow, ...windows.map(({ layer }) => layer)];
    const floats = [...layers, ...overNeighbours].reduce((sum, one) => sum + upTo(8, one.rows) * one.columns + 16, 0);
    this.#kernels.reserve(4 * floats + scratchBytes);
    for (const layer of layers) this.#pack(layer, 1);
    for (const layer of overNeighbours) this.#pack(layer, 3);
    this.#scratch = this.#kernels.mark();
  }

  #pack(layer: Layer, neighbours: number): void {
    const { rows, columns, values, bias } = layer;
    const width = upTo(8, rows);
    const inner = columns / neighbours;
    const parts = Array.from({ length: neighbours }, (_, n) => {
      const part = new Float32Array(width * inner);
      for (let r = 0; r < rows; r++) {
        const from = r * columns + n * inner;
        part.set(values.subarray(from, from + inner), r * inner);
      }
      const packed = this.#kernels.floats(part.length);
      packRows(part, packed, inner, width);
      return packed;
    });
    const padded = new Float32Array(width);
    padded.set(bias);
    this.#products.set(layer, { inner, width, parts, bias: padded });
  }

  read(input: SentenceModelInput): Reading {
    this.#kernels.release(this.#scratch);
    const { size } = this.weights;
    const { count } = input.sentence;
    const asked = this.#one(size);
    const vectors = this.#vectorsOf(input.question);
    if (input.question.count > 0) asked.set(this.#readQuestion(input, vectors));
    const words = this.#readSentence(input, asked, vectors);
    const [read, askedFor] = [words.slice(0, count * size), asked.slice()];
    return { runs: () => this.#runsOf(read, count, askedFor), whole: this.#wholeOf(words, count) };
  }

  #wholeOf(words: Float32Array, count: number): number {
    const { size, whole } = this.weights;
    const pooled = this.#one(2 * size);
    for (let c = 0; c < size && count > 0; c++) {
      let most = words[c]!;
      let sum = 0;
      for (let i = 0; i < count; i++) {
        const value = words[i * size + c]!;
        most = Math.max(most, value);
        sum += value;
      }
      pooled[c] = most;
      pooled[size + c] = sum / count;
    }
    return this.#times(whole, pooled, 1)[0]!;
  }

  #runsOf(read: Float32Array, count: number, askedFor: Float32Array): Float32Array {
    this.#kernels.release(this.#scratch);
    const { size, roles, rolesAsked, startPair, endPair } = this.weights;
    const [words, asked] = [this.#rows(count, size), this.#one(size)];
    words.set(read);
    asked.set(askedFor);
    const plain = this.#times(roles, words, count);
    const askedRoles = this.#times(rolesAsked, asked, 1);
    const roleOf = (i: number, role: number): number => {
      let sum = 0;
      for (let c = 0; c < size; c++) sum += words[i * size + c]! * askedRoles[role * size + c]!;
      return plain[i * upTo(8, roles.rows) + role]! + 0.2 * sum;
    };
    const starts = this.#times(startPair, words, count);
    const ends = this.#times(endPair, words, count);
    const pair = startPair.rows;
    const lengths = this.#times(this.weights.lengths, asked, 1);
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

  /** What the question asks for, as a vector. @param vectors of its words */
  #readQuestion({ question, type }: SentenceModelInput, vectors: Float32Array): Float32Array {
    const { size, small, types, questionIn, questionWindow, questionPool, questionOut } = this.weights;
    const { count, features } = question;
    const columns = features.length / count;
    const width = small + columns;
    const rows = this.#rows(count, width);
    for (let i = 0; i < count; i++) {
      copy(vectors, i * small, rows, i * width, small);
      copy(features, i * columns, rows, i * width + small, columns);
    }
    const words = positive(this.#times(questionIn, rows, count));
    addGated(words, this.#timesNeighbours(questionWindow, this.#copyOf(words, count), count, 1), count, size);
    const pools = this.#times(questionPool, words, count);
    const heads = questionPool.rows;
    const pooled = this.#one(questionOut.columns);
    for (let head = 0; head < heads; head++) {
      const shares = softmax(Float64Array.from({ length: count }, (_, i) => pools[i * upTo(8, heads) + head]!));
      for (let i = 0; i < count; i++) {
        for (let c = 0; c < size; c++) pooled[head * size + c]! += shares[i]! * words[i * size + c]!;
      }
    }
    pooled.set(types.values.subarray(type * types.columns, (type + 1) * types.columns), heads * size);
    return this.#times(questionOut, pooled, 1).subarray(0, size).map(Math.tanh);
  }

  /** A vector for each word of the sentence, which knows the words around it and the question. @param others of its words */
  #readSentence(
    { sentence, question, alike }: SentenceModelInput,
    asked: Float32Array,
    others: Float32Array,
  ): Float32Array {
    const { small, size, attend, sentenceIn, questionToSentence, windows, norm } = this.weights;
    const { count } = sentence;
    const columns = sentence.features.length / Math.max(1, count);
    const width = sentenceIn.columns;
    const own = this.#vectorsOf(sentence);
    const keys = positive(this.#times(attend, own, count));
    const otherKeys = positive(this.#times(attend, others, question.count));
    const rows = this.#rows(count, width);
    const shares = new Float64Array(question.count);
    const key = upTo(8, small);
    for (let i = 0; i < count; i++) {
      const at = i * width;
      let nearest = 0;
      for (let k = 0; k < question.count; k++) {
        const near = alike[i * question.count + k]!;
        nearest = Math.max(nearest, near);
        shares[k] = 4 * near + 0.2 * dot(keys, i * key, otherKeys, k * key, small);
      }
      softmax(shares);
      copy(own, i * small, rows, at, small);
      for (let k = 0; k < question.count; k++) {
        for (let c = 0; c < small; c++) rows[at + small + c]! += shares[k]! * others[k * small + c]!;
      }
      copy(sentence.features, i * columns, rows, at + 2 * small, columns);
      rows[at + width - 3] = nearest;
      rows[at + width - 2] = (5 * dot(rows, at, rows, at + small, small)) / small;
      rows[at + width - 1] = 1;
    }
    const words = positive(this.#times(sentenceIn, rows, count, this.#times(questionToSentence, asked, 1)));
    for (const { step, layer, asked: askedLayer, norm } of windows) {
      const read = this.#copyOf(words, count);
      normalise(norm, read, count);
      addGated(words, this.#timesNeighbours(layer, read, count, step, this.#times(askedLayer, asked, 1)), count, size);
    }
    normalise(norm, words, count);
    return words;
  }

  /** Sums of the known parts of each word. */
  #vectorsOf({ count, parts }: SentenceModelWords): Float32Array {
    const { table, scale, small } = this.weights;
    const out = this.#rows(count, small);
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < partsAWord; k++) {
        const row = this.#rowOf.get(parts[i * partsAWord + k]!);
        if (row === undefined) continue;
        const from = row * small;
        for (let c = 0; c < small; c++) out[i * small + c]! += table[from + c]! * scale;
      }
    }
    return out;
  }

  /** Rows of zeros in the memory of the kernels, to be multiplied: up to a whole tile. */
  #rows(count: number, columns: number): Float32Array {
    return this.#kernels.floats(tiled(count) * columns);
  }

  #one(columns: number): Float32Array {
    return this.#rows(1, columns);
  }

  /** Each row of `input` times the layer, its bias, and `added`. Rows of the layer are kept up to a multiple of 8. */
  #times(layer: Layer, input: Float32Array, count: number, added?: Float32Array): Float32Array {
    return this.#product(layer, [input], count, added);
  }

  /**
   * The same for each row with the one `step` before it and the one `step` behind it; zeros beyond the edges.
   * @param input from `#copyOf`
   */
  #timesNeighbours(layer: Layer, input: Float32Array, count: number, step: number, added?: Float32Array): Float32Array {
    const { size } = this.weights;
    const { buffer, byteOffset, length } = input;
    const inputs = [-step, 0, step].map((by) => new Float32Array(buffer, byteOffset + 4 * by * size, length));
    return this.#product(layer, inputs, count, added);
  }

  #product(layer: Layer, inputs: readonly Float32Array[], count: number, added?: Float32Array): Float32Array {
    const { inner, width, parts, bias } = this.#products.get(layer)!;
    const rows = tiled(count);
    const out = this.#kernels.floats(rows * width);
    const first = out.subarray(0, width);
    first.set(bias);
    if (added) for (let c = 0; c < width; c++) first[c]! += added[c]!;
    for (let filled = width; filled < out.length; filled *= 2) out.copyWithin(filled, 0, filled);
    for (const [n, part] of parts.entries()) this.#kernels.addDense(inputs[n]!, part, out, rows, inner, width);
    return out;
  }

  /** A copy of the first rows, with zeros before and behind them as far as a window reaches. */
  #copyOf(words: Float32Array, count: number): Float32Array {
    const { size, windows } = this.weights;
    const beyond = Math.max(1, ...windows.map(({ step }) => step)) * size;
    const all = this.#kernels.floats(tiled(count) * size + 2 * beyond);
    const out = all.subarray(beyond, all.length - beyond);
    out.set(words.subarray(0, count * size));
    return out;
  }
}

/** 1 / (1 + e^-x) at every 1/64 from -16 to 16; between two of them a straight line is right to 3e-6. */
const sigmoidSteps = 64;
const sigmoidReach = 16;
const sigmoids = Float32Array.from(
  { length: 2 * sigmoidReach * sigmoidSteps + 2 },
  (_, i) => 1 / (1 + Math.exp(sigmoidReach - i / sigmoidSteps)),
);

function sigmoid(x: number): number {
  const place = (Math.max(-sigmoidReach, Math.min(sigmoidReach, x)) + sigmoidReach) * sigmoidSteps;
  const at = Math.floor(place);
  const below = sigmoids[at]!;
  return below + (place - at) * (sigmoids[at + 1]! - below);
}

/** In a loop: most are few, and each `subarray` makes an object. */
function copy(from: Float32Array, start: number, to: Float32Array, at: number, length: number): void {
  for (let c = 0; c < length; c++) to[at + c] = from[start + c]!;
}

/** Adds the first half of each row of `gated`, as far as the second half lets it through. */
function addGated(rows: Float32Array, gated: Float32Array, count: number, size: number): void {
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < size; c++) {
      rows[i * size + c]! += gated[2 * i * size + c]! * sigmoid(gated[(2 * i + 1) * size + c]!);
    }
  }
}

function positive(values: Float32Array): Float32Array {
  for (let i = 0; i < values.length; i++) if (values[i]! < 0) values[i] = 0;
  return values;
}

/** Brings each row to mean 0 and variance 1, then to the gain and shift of each component, in place. */
function normalise({ gain, shift }: Norm, rows: Float32Array, count: number): void {
  const size = gain.length;
  for (let from = 0; from < count * size; from += size) {
    let sum = 0;
    for (let c = 0; c < size; c++) sum += rows[from + c]!;
    const mean = sum / size;
    let squares = 0;
    for (let c = 0; c < size; c++) squares += (rows[from + c]! - mean) ** 2;
    const by = 1 / Math.sqrt(squares / size + 1e-5);
    for (let c = 0; c < size; c++) rows[from + c] = (rows[from + c]! - mean) * by * gain[c]! + shift[c]!;
  }
}

function dot(a: Float32Array, i: number, b: Float32Array, j: number, length: number): number {
  let sum = 0;
  for (let c = 0; c < length; c++) sum += a[i + c]! * b[j + c]!;
  return sum;
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
