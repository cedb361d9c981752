import { answerTypes } from '../../../text/languages/answer-types.ts';
import type { Layer, Norm, SentenceModelWeights } from './sentence-model.ts';
import { featuresAWord, longestSpan, questionFeatures } from './sentence-model-input.ts';

/** Steps of the windows that a sentence is read with, one after the other. */
const windowSteps = [1, 2, 3];
const typeSize = 16;
const pools = 2;
const pairSize = 24;

interface SentenceModelSizes {
  readonly small: number;
  readonly size: number;
}

/** Gives the matrices and vectors of a sentence model in their order, each with its shape. */
interface Source {
  /** Hashes of word parts, each of three bytes. */
  known(): Int32Array;
  table(rows: number, columns: number): { readonly values: Int8Array; readonly scale: number };
  matrix(rows: number, columns: number): Float32Array;
  vector(length: number): Float32Array;
}

function build({ small, size }: SentenceModelSizes, source: Source): SentenceModelWeights {
  const layer = (rows: number, columns: number): Layer => ({
    rows,
    columns,
    values: source.matrix(rows, columns),
    bias: source.vector(rows),
  });
  const norm = (): Norm => ({ gain: source.vector(size), shift: source.vector(size) });
  const known = source.known();
  const table = source.table(known.length, small);
  return {
    small,
    size,
    known,
    table: table.values,
    scale: table.scale,
    types: layer(answerTypes.length, typeSize),
    attend: layer(small, small),
    questionIn: layer(size, small + questionFeatures),
    questionWindow: layer(2 * size, 3 * size),
    questionPool: layer(pools, size),
    questionOut: layer(size, pools * size + typeSize),
    sentenceIn: layer(size, 2 * small + featuresAWord + 3),
    questionToSentence: layer(size, size),
    windows: windowSteps.map((step) => ({
      step,
      layer: layer(2 * size, 3 * size),
      asked: layer(2 * size, size),
      norm: norm(),
    })),
    norm: norm(),
    roles: layer(3, size),
    rolesAsked: layer(3 * size, size),
    startPair: layer(pairSize, size),
    endPair: layer(pairSize, size),
    lengths: layer(longestSpan, size),
    whole: layer(1, 2 * size),
  };
}

/**
 * A sentence model as text, to be kept in a source file: int8 of matrices, with the scale of each row.
 * @param known as `SentenceModelWeights.known`
 * @param floats in the order of `build`
 */
export function packSentenceModel(sizes: SentenceModelSizes, known: Int32Array, floats: Float32Array): string {
  const parts: Uint8Array[] = [Uint8Array.of(sizes.small, sizes.size)];
  let at = 0;
  const take = (length: number): Float32Array => {
    at += length;
    return floats.subarray(at - length, at);
  };
  const addFloats = (values: Float32Array): void => {
    const view = new DataView(new ArrayBuffer(4 * values.length));
    values.forEach((value, i) => {
      view.setFloat32(4 * i, value, true);
    });
    parts.push(new Uint8Array(view.buffer));
  };
  const addRow = (row: Float32Array): void => {
    const scale = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127 || 1;
    addFloats(Float32Array.of(scale));
    parts.push(new Uint8Array(Int8Array.from(row, (value) => Math.round(value / scale)).buffer));
  };
  build(sizes, {
    known: () => {
      parts.push(Uint8Array.from([known.length, ...known].flatMap((one) => [one, one >> 8, one >> 16])));
      return known;
    },
    table: (rows, columns) => {
      addRow(take(rows * columns));
      return { values: new Int8Array(), scale: 1 };
    },
    matrix: (rows, columns) => {
      for (let r = 0; r < rows; r++) addRow(take(columns));
      return new Float32Array();
    },
    vector: (length) => {
      const values = take(length);
      addFloats(values);
      return new Float32Array(length);
    },
  });
  if (at !== floats.length) throw new Error(`${floats.length} numbers for a sentence model of ${at}`);
  return Buffer.concat(parts).toString('base64');
}

export function unpackSentenceModel(text: string): SentenceModelWeights {
  const bytes = Buffer.from(text, 'base64');
  let at = 2;
  const float = (): number => {
    at += 4;
    return bytes.readFloatLE(at - 4);
  };
  const integer = (): number => {
    at += 3;
    return bytes.readUIntLE(at - 3, 3);
  };
  return build(
    { small: bytes[0]!, size: bytes[1]! },
    {
      known: () => Int32Array.from({ length: integer() }, integer),
      table: (rows, columns) => {
        const scale = float();
        const from = bytes.byteOffset + at;
        at += rows * columns;
        return { values: new Int8Array(bytes.buffer, from, rows * columns), scale };
      },
      matrix: (rows, columns) => {
        const out = new Float32Array(rows * columns);
        for (let r = 0; r < rows; r++) {
          const scale = float();
          for (let c = 0; c < columns; c++) out[r * columns + c] = bytes.readInt8(at++) * scale;
        }
        return out;
      },
      vector: (length) => Float32Array.from({ length }, float),
    },
  );
}
