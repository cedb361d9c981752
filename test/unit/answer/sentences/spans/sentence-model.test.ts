import { expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { atomsOf } from '../../../../../src/answer/sentences/spans/atoms.ts';
import { chooseSpan } from '../../../../../src/answer/sentences/spans/choose-span.ts';
import { highlightOf } from '../../../../../src/answer/sentences/spans/highlight.ts';
import {
  type Layer,
  type Norm,
  SentenceModel,
  type SentenceModelWeights,
} from '../../../../../src/answer/sentences/spans/sentence-model.ts';
import {
  featuresAWord,
  longestSpan,
  partsAWord,
  partsOf,
  questionFeatures,
  type SentenceModelInput,
  sentenceModelInput,
} from '../../../../../src/answer/sentences/spans/sentence-model-input.ts';
import {
  packSentenceModel,
  unpackSentenceModel,
} from '../../../../../src/answer/sentences/spans/sentence-model-pack.ts';
import { shippedSentenceModel } from '../../../../../src/answer/sentences/spans/sentence-model-weights.ts';
import { spanCandidates } from '../../../../../src/answer/sentences/spans/spans.ts';
import { seededRandom } from '../../../../../src/eval/statistics.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const sizes = { small: 3, size: 8 };
const bridge = 'The old bridge was designed by Joseph Strauss, an engineer of many bridges, in 1933.';
/** Half of the parts of its words. */
const known = Int32Array.from(
  new Set(
    bridge
      .toLowerCase()
      .match(/[a-z0-9]+/g)!
      .flatMap((word) => partsOf(word).filter((_, i) => i % 2 === 0)),
  ),
).sort();

/** Floats of a small model in the order in which they are packed, each row's largest value an exact step of int8. */
function floats(seed: number): Float32Array {
  const random = seededRandom(seed);
  const { small, size } = sizes;
  const layer = (rows: number, columns: number): number => rows * columns + rows;
  const length =
    known.length * small +
    layer(11, 16) +
    layer(small, small) +
    layer(size, small + questionFeatures) +
    layer(2 * size, 3 * size) +
    layer(2, size) +
    layer(size, 2 * size + 16) +
    layer(size, 2 * small + featuresAWord + 3) +
    layer(size, size) +
    3 * (layer(2 * size, 3 * size) + layer(2 * size, size) + 2 * size) +
    2 * size +
    layer(3, size) +
    layer(3 * size, size) +
    2 * layer(24, size) +
    layer(longestSpan, size) +
    layer(1, 2 * size);
  return Float32Array.from({ length }, () => random() - 0.5);
}

type Row = readonly number[];
const rowsOf = (values: ArrayLike<number>, count: number): Row[] => {
  const all = Array.from(values);
  const width = all.length / count;
  return Array.from({ length: count }, (_, i) => all.slice(i * width, (i + 1) * width));
};
const plus = (a: Row, b: Row): Row => a.map((x, i) => x + b[i]!);
const inner = (a: Row, b: Row): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
const apply = ({ rows, values, bias }: Layer, row: Row): Row =>
  rowsOf(values, rows).map((weights, r) => inner(weights, row) + bias[r]!);
const softmax = (row: Row): Row => {
  const all = row.map(Math.exp);
  return all.map((x) => x / all.reduce((a, b) => a + b));
};
const mix = (shares: Row, rows: readonly Row[]): Row =>
  rows.reduce<Row>(
    (sum, row, i) =>
      plus(
        sum,
        row.map((x) => x * shares[i]!),
      ),
    rows[0]!.map(() => 0),
  );
const norm = ({ gain, shift }: Norm, row: Row): Row => {
  const mean = row.reduce((a, b) => a + b) / row.length;
  const variance = row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / row.length;
  return row.map((x, c) => ((x - mean) / Math.sqrt(variance + 1e-5)) * gain[c]! + shift[c]!);
};
const relu = (row: Row): Row => row.map((x) => Math.max(0, x));
const gate = (row: Row): Row =>
  row.slice(0, row.length / 2).map((x, c) => x / (1 + Math.exp(-row[row.length / 2 + c]!)));
const window = (rows: readonly Row[], i: number, step: number): Row =>
  [i - step, i, i + step].flatMap((k) => rows[k] ?? rows[0]!.map(() => 0));

/** The same network once more, written down as its formulas. */
function reference(
  model: SentenceModelWeights,
  { sentence, question, alike, type }: SentenceModelInput,
): { run: (i: number, j: number) => number; whole: number } {
  const table = rowsOf(
    Array.from(model.table, (x) => x * model.scale),
    known.length,
  );
  const none = new Array<number>(sizes.small).fill(0);
  const vectors = (parts: Int32Array, count: number): Row[] =>
    rowsOf(parts, count).map((hashes) => hashes.map((hash) => table[known.indexOf(hash)] ?? none).reduce(plus));
  const own = vectors(sentence.parts, sentence.count);
  const others = vectors(question.parts, question.count);
  const asked = rowsOf(question.features, question.count).map((row, k) =>
    relu(apply(model.questionIn, [...others[k]!, ...row])),
  );
  const read = asked.map((row, k) => plus(row, gate(apply(model.questionWindow, window(asked, k, 1)))));
  const pools = read.map((row) => apply(model.questionPool, row));
  const pooled = [0, 1].flatMap((head) => mix(softmax(pools.map((row) => row[head]!)), read));
  const q = apply(model.questionOut, [...pooled, ...rowsOf(model.types.values, 11)[type]!]).map(Math.tanh);
  const near = rowsOf(alike, sentence.count);
  const keys = others.map((row) => relu(apply(model.attend, row)));
  let x = rowsOf(sentence.features, sentence.count).map((features, i) => {
    const key = relu(apply(model.attend, own[i]!));
    const aligned = mix(softmax(near[i]!.map((value, k) => 4 * value + 0.2 * inner(key, keys[k]!))), others);
    const agree = (5 * inner(own[i]!, aligned)) / model.small;
    const row = [...own[i]!, ...aligned, ...features, Math.max(...near[i]!), agree, 1];
    return relu(plus(apply(model.sentenceIn, row), apply(model.questionToSentence, q)));
  });
  for (const { step, layer, asked: byQuestion, norm: before } of model.windows) {
    const rows = x.map((row) => norm(before, row));
    x = x.map((row, i) => plus(row, gate(plus(apply(layer, window(rows, i, step)), apply(byQuestion, q)))));
  }
  x = x.map((row) => norm(model.norm, row));
  const byQuestion = rowsOf(apply(model.rolesAsked, q), 3);
  const role = (i: number, k: number): number => apply(model.roles, x[i]!)[k]! + 0.2 * inner(x[i]!, byQuestion[k]!);
  const run = (i: number, j: number): number => {
    let inside = 0;
    for (let k = i; k <= j; k++) inside += role(k, 2);
    const pair = inner(apply(model.startPair, x[i]!), apply(model.endPair, x[j]!));
    return role(i, 0) + role(j, 1) + 0.2 * pair + inside / Math.sqrt(j - i + 1) + apply(model.lengths, q)[j - i]!;
  };
  const components = x[0]!.map((_, c) => x.map((row) => row[c]!));
  const pooledWords = [...components.map((values) => Math.max(...values)), ...components.map(meanOf)];
  return { run, whole: apply(model.whole, pooledWords)[0]! };
}
const meanOf = (row: Row): number => row.reduce((a, b) => a + b) / row.length;

function inputOf(text: string, sentence: string): SentenceModelInput {
  const question = analyseQuestion(text, statisticsOf([]));
  const [candidate] = candidatesOf(question, [hitOf(chunkOf(sentence))]);
  return sentenceModelInput(question, candidate!, atomsOf(question, candidate!));
}

it('reads a sentence as its formulas say', () => {
  for (let seed = 1; seed <= 5; seed++) {
    const model = unpackSentenceModel(packSentenceModel(sizes, known, floats(seed)));
    const input = inputOf('Who designed the bridge in 1933?', bridge);
    const reader = new SentenceModel(model);
    const { runs: runsOf, whole } = reader.read(input);
    reader.read(inputOf('Where was it?', 'It was in a smaller town, where nothing else stood.'));
    const runs = runsOf(); // in the memory in which another one was read
    const expected = reference(model, input);
    const { count } = input.sentence;
    expect(whole).toBeCloseTo(expected.whole, 3);
    expect(runs).toHaveLength(count * longestSpan);
    for (let i = 0; i < count; i++) {
      for (let more = 0; more < longestSpan; more++) {
        const value = runs[i * longestSpan + more]!;
        if (i + more >= count) expect(value).toBe(Number.NEGATIVE_INFINITY);
        else expect(value, `seed ${seed}, ${i} + ${more}`).toBeCloseTo(expected.run(i, i + more), 3);
      }
    }
  }
});

it('keeps a sentence model as text, each value to half a step of its row', () => {
  const values = floats(7);
  const model = unpackSentenceModel(packSentenceModel(sizes, known, values));
  expect([model.small, model.size]).toEqual([sizes.small, sizes.size]);
  expect(model.known).toEqual(known);
  const table = values.subarray(0, known.length * sizes.small);
  const step = Math.max(...table.map(Math.abs)) / 127;
  for (let i = 0; i < table.length; i += 7)
    expect(Math.abs(model.table[i]! * model.scale - table[i]!)).toBeLessThanOrEqual(step * 0.5001);
  // a bias is kept as it is
  expect([...model.whole.bias]).toEqual([...values.subarray(-1)]);
  expect(() => packSentenceModel(sizes, known, values.subarray(1))).toThrow(/numbers for a sentence model/);
});

it('knows a word by itself, its beginnings and its ends; digits are alike', () => {
  expect(partsOf('1933')).toEqual(partsOf('2048'));
  const [word, begins3, begins4, ends3] = partsOf('bridge');
  const near = partsOf('bridges');
  expect(near.slice(1, 3)).toEqual([begins3, begins4]);
  expect(near[0]).not.toBe(word);
  expect(partsOf('edge')[3]).toBe(ends3);
  for (const odd of ['', '\ud800', '𝒜', 'ß', '橋']) {
    const parts = partsOf(odd);
    expect(parts).toHaveLength(partsAWord);
    expect(parts.every((hash) => hash >= 1 && Math.fround(hash) === hash && hash < 2 ** 24)).toBe(true);
  }
});

it('marks words of the sentence, whatever the sentence and the question hold', () => {
  const sentences = [
    bridge,
    '😀 The 𝒜𝓁𝒻𝒶 bridge 🌉 was designed by Ada 𝐋ovelace 😀 in 1933.',
    '这座桥由约瑟夫·施特劳斯于1933年设计。',
    'Мост построил Иосиф Штраус в 1933 году.',
    'यह पुल 1933 में जोसेफ ने बनाया था।',
    '1933',
    'Bridge bridge bridge bridge.',
    `Joseph ${'and Ada '.repeat(200)}designed the bridge.`,
  ];
  for (const asked of [
    'Who designed the bridge?',
    'when?',
    '这座桥是谁设计的？',
    '?',
    '😀😀',
    `who ${'built '.repeat(200)}`,
  ]) {
    const question = analyseQuestion(asked, statisticsOf([]));
    for (const text of sentences) {
      for (const candidate of candidatesOf(question, [hitOf(chunkOf(text))])) {
        const atoms = atomsOf(question, candidate);
        const read = shippedSentenceModel().read(sentenceModelInput(question, candidate, atoms));
        const runs = Array.from(read.runs()).filter(
          (_, at) => Math.floor(at / longestSpan) + (at % longestSpan) < atoms.length,
        );
        expect([...runs, read.whole].every(Number.isFinite), `${asked} ${text}`).toBe(true);
        const span = highlightOf(question, candidate);
        if (span === undefined) continue;
        expect(
          atoms.some(({ start }) => start === span.start),
          `${asked} ${text}`,
        ).toBe(true);
        expect(
          atoms.some(({ end }) => end === span.end),
          `${asked} ${text}`,
        ).toBe(true);
        expect(span.start >= candidate.unit.start && span.end <= candidate.unit.end && span.start < span.end).toBe(
          true,
        );
      }
    }
  }
});

it('what a sentence model says of each run of words decides between runs that trees find alike', () => {
  const question = analyseQuestion('Who designed the bridge?', statisticsOf([]));
  const [candidate] = candidatesOf(question, [hitOf(chunkOf(bridge))]);
  const atoms = atomsOf(question, candidate!);
  const spans = spanCandidates(question, candidate!, { edges: new Map(), asking: new Map() }, atoms);
  const none = { bias: 0, roots: [], columns: new Uint8Array(), steps: new Uint8Array(), values: new Float32Array() };
  for (const wanted of [spans[0]!, spans[17]!, spans.at(-1)!]) {
    const read = new Float32Array(atoms.length * longestSpan);
    read[wanted.first * longestSpan + wanted.more] = 30;
    expect(chooseSpan(none, spans, read)).toEqual({ span: wanted.span, score: 0 });
  }
  for (const { span, first, more } of spans) {
    expect(span).toEqual({ start: atoms[first]!.start, end: atoms[first + more]!.end });
  }
});
