import { expect, it } from 'vitest';
import { learnLexicon } from '../../../../../bench/quality/span-lexicon.ts';
import type { Candidate } from '../../../../../src/answer/sentences/question/candidate.ts';
import { analyseQuestion, type Question } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { atomsOf } from '../../../../../src/answer/sentences/spans/atoms.ts';
import { chooseSpan, overlapF1 } from '../../../../../src/answer/sentences/spans/choose-span.ts';
import { highlightOf } from '../../../../../src/answer/sentences/spans/highlight.ts';
import {
  edgeKey,
  edgeValues,
  packLexicon,
  shapeValues,
  unpackLexicon,
  type WholeLexicon,
} from '../../../../../src/answer/sentences/spans/span-lexicon.ts';
import { spanNames } from '../../../../../src/answer/sentences/spans/span-rows.ts';
import { type SpanCandidate, spanCandidates } from '../../../../../src/answer/sentences/spans/spans.ts';
import { leaf, type Trees } from '../../../../../src/answer/sentences/trees/trees.ts';
import { seededRandom } from '../../../../../src/eval/statistics.ts';
import { answerTypes, askingWord } from '../../../../../src/text/languages/answer-types.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const noLexicon: WholeLexicon = { edges: new Map(), asking: new Map() };

function asked(text: string, sentence: string): { question: Question; candidate: Candidate } {
  const question = analyseQuestion(text, statisticsOf([]));
  const [candidate] = candidatesOf(question, [hitOf(chunkOf(sentence))]);
  return { question, candidate: candidate! };
}

const bridge = 'The old bridge was designed by Joseph Strauss, an engineer, in 1933.';

it('counts what stands around a span', () => {
  const { question, candidate } = asked('Who designed the bridge?', bridge);
  const spans = spanCandidates(question, candidate, noLexicon);
  const found = spans.find(({ span }) => bridge.slice(span.start, span.end) === 'Joseph Strauss')!;
  const row = Object.fromEntries(spanNames.map((name, i) => [name, found.row[i]]));
  // The(0) old(1) bridge(2) was(3) designed(4) by(5) Joseph(6) Strauss(7) an(8) engineer(9) in(10) 1933(11)
  expect(row).toMatchObject({
    type: answerTypes.indexOf('person'),
    sentence: 12,
    covered: 1,
    numberCount: 1,
    dateCount: 1,
    capitalCount: 0, // the first word of a sentence is capital anyway
    atoms: 2,
    chars: 14,
    capitals: 1,
    matched: 0,
    emptyBefore: 1,
    capitalBefore: 0,
    gapBefore: 0,
    gapBehind: 1,
    nearBefore: 6 - 4,
    nearBehind: 40,
    weightBefore2: 0.5, // two words of the question, both in no chunk: half of its weight each
    sideBefore: 1, // "designed" stands just behind "who"
    leftWeight: 1,
    rightWeight: 0,
    proximity: 0.5 / (6 - 4) + 0.5 / (6 - 2),
    focus: 4 - 6,
    toLast: 2 - 6,
    clauseWeight: 1, // up to the comma
    from: 0.5,
    toEnd: 11 - 7,
  });
});

it.each([
  ['Who designed the bridge?', bridge],
  [
    'Wann wurde die Brücke gebaut?',
    'Die Brücke (ein Werk von J. Strauss) wurde 1933 gebaut; sie ist rot, lang und alt.',
  ],
])(
  'offers every run of at most ten words that no mark parts and that ends with a word that says something: %s',
  (text, sentence) => {
    const { question, candidate } = asked(text, sentence);
    const empty = new Set(candidate.tokens.filter((token) => token.empty).map(({ word }) => word));
    const words = [...sentence.matchAll(/[\p{L}\p{N}]+/gu)];
    const runs: string[] = [];
    words.forEach(({ index }, i) => {
      words.slice(i, i + 10).forEach((last) => {
        const run = sentence.slice(index, last.index + last[0].length);
        if (!/[.;()]/.test(run) && !empty.has(last[0].toLowerCase())) runs.push(run);
      });
    });
    const given = spanCandidates(question, candidate, noLexicon).map(({ span }) =>
      sentence.slice(span.start, span.end),
    );
    expect(given).toEqual(runs);
  },
);

it.each([
  '这座桥由约瑟夫于1933年在旧金山设计。',
  'สะพานนี้ออกแบบโดยโจเซฟในปี 1933',
  'この橋は1933年にサンフランシスコで設計された。',
])('cuts scripts without blanks into words, and loses no letter: %s', (sentence) => {
  const { question, candidate } = asked('谁设计了这座桥？', sentence);
  const atoms = atomsOf(question, candidate);
  expect(atoms.map(({ start, end }) => sentence.slice(start, end)).join('')).toBe(sentence.replace(/[。\s]/g, ''));
  expect(atoms.some(({ start, end }) => end - start > 1)).toBe(true);
  expect(atoms.length).toBeLessThan(sentence.length);
});

it('takes a Chinese word for one of the question only if all of it is there', () => {
  const { question, candidate } = asked('谁设计了金门大桥？', '设计金门大桥的是约瑟夫。');
  const matched = atomsOf(question, candidate).flatMap(({ word, weight }) => (weight > 0 ? [word] : []));
  expect(matched.join('')).toBe('设计金门大桥');
});

it.each([
  ['What year did it open?', 'What'],
  ['In welchem Jahr wurde sie gebaut?', 'welchem'],
  ['¿Quién la construyó?', 'Quién'],
  ['В каком году её построили?', 'каком'],
  ['من صمم الجسر؟', 'من'],
  ['पुल का निर्माण किसने किया?', 'किसने'],
  ['这座桥是什么时候建成的？', '什么'],
  ['The somewhat whole bridge', undefined],
])('finds the asking word: %s', (question, word) => {
  const found = askingWord(question);
  expect(found && question.slice(found.start, found.end)).toBe(word);
});

/** One tree: the logit is the value of column 0. */
function logits(values: readonly number[]): { trees: Trees; rows: Float32Array[] } {
  // A chain of comparisons: up to i goes to the leaf of i, else further.
  const columns: number[] = [];
  const steps: number[] = [];
  const out: number[] = [];
  values.forEach((value, i) => {
    columns.push(0, leaf);
    steps.push(2, 0);
    out.push(i, value);
  });
  columns.push(leaf);
  steps.push(0);
  out.push(0);
  const trees = {
    bias: 0,
    roots: [0],
    columns: Uint8Array.from(columns),
    steps: Uint8Array.from(steps),
    values: Float32Array.from(out),
  };
  return { trees, rows: values.map((_, i) => Float32Array.of(i)) };
}

it('chooses the span with the highest expected overlap', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const random = seededRandom(seed);
    const spans = Array.from({ length: 15 }, () => {
      const start = Math.floor(30 * random());
      return { start, end: start + 1 + Math.floor(10 * random()) };
    });
    const { trees, rows } = logits(spans.map(() => Math.fround(3 * random() - 2)));
    const values = spans.map((_, i) => trees.values[2 * i + 1]!);
    const letters = ({ start, end }: { start: number; end: number }): Set<number> =>
      new Set(Array.from({ length: end - start }, (_, i) => start + i));
    const expected = spans.map((one) => {
      const mine = letters(one);
      return spans.reduce((sum, other, k) => {
        const others = letters(other);
        const shared = [...mine].filter((i) => others.has(i)).length;
        return sum + (Math.exp(3 * values[k]!) * 2 * shared) / (mine.size + others.size);
      }, 0);
    });
    const chosen = chooseSpan(
      trees,
      spans.map((span, i): SpanCandidate => ({ span, first: i, more: 0, row: rows[i]! })),
    )!;
    expect(chosen.score, `seed ${seed}`).toBe(Math.max(...values));
    const at = spans.findIndex(({ start, end }) => start === chosen.span.start && end === chosen.span.end);
    expect(expected[at], `seed ${seed}`).toBeCloseTo(Math.max(...expected), 9);
  }
  expect(chooseSpan(logits([1]).trees, [])).toBeUndefined();
  expect(overlapF1({ start: 0, end: 4 }, { start: 2, end: 8 })).toBe((2 * 2) / (4 + 6));
  expect(overlapF1({ start: 0, end: 4 }, { start: 4, end: 8 })).toBe(0);
});

it('learns from counts which words stand at the edges of short answers, and what asking words ask for', () => {
  const { question, candidate } = asked('Who designed the bridge?', bridge);
  const atoms = atomsOf(question, candidate);
  const samples = Array.from({ length: 20 }, () => ({ question, atoms, from: 6, to: 7 }));
  const lexicon = learnLexicon(samples);
  // "by" stands before all 20 answers of 20 times, one word of 12 does; ten more at that rate are the prior
  const rate = 1 / 12;
  expect(lexicon.edges.get('by')?.get(edgeKey(0, undefined))).toBeCloseTo(
    Math.log((20 + 10 * rate) / (20 + 10) / rate),
    9,
  );
  expect(lexicon.edges.get('joseph')?.get(edgeKey(0, undefined))).toBeCloseTo(
    Math.log((10 * rate) / (20 + 10) / rate),
    9,
  );
  expect(lexicon.edges.get('an')?.get(edgeKey(3, undefined))).toBeGreaterThan(0);
  // no answer differs from the others
  expect(shapeValues(lexicon, question).every((value) => Math.abs(value) < 1e-9)).toBe(true);
  const dated = { ...asked('When was the bridge designed?', bridge), atoms, from: 11, to: 11 };
  const [number, date, capital] = learnLexicon([...samples, ...samples.map(() => dated)]).asking.get('when')!;
  // of 40 answers half hold a number, half a date, half capitals; all 20 of "when" do, and none capitals
  expect([number, date, capital]).toEqual([0.5, 0.5, -0.5].map((mean) => expect.closeTo((20 * mean) / (20 + 10), 9)));
});

it('keeps a lexicon as text, in tenths', () => {
  const lexicon: WholeLexicon = {
    edges: new Map([
      [
        'by',
        new Map([
          [edgeKey(0, undefined), 1.5],
          [edgeKey(2, 1), -0.01],
        ]),
      ],
      ["o'neill=", new Map([[edgeKey(1, 2), -0.3]])],
    ]),
    asking: new Map([['what year', [0.5, 0, -1, 0.2]]]),
  };
  const { edges, asking } = unpackLexicon(packLexicon(lexicon));
  for (let again = 0; again < 2; again++) {
    expect(edges.get("o'neill=")).toEqual(lexicon.edges.get("o'neill="));
    expect([...edges.get('by')!.values()]).toEqual([1.5, 0]);
    expect(asking.get('what year')).toEqual([0.5, 0, -1, 0.2]);
  }
  expect([edges.get('b'), edges.get(''), asking.get('what')]).toEqual([undefined, undefined, undefined]);
  expect(unpackLexicon(packLexicon(noLexicon)).edges.get('by')).toBeUndefined();
});

it('tells an edge for any question from those for each type', () => {
  const keys = [undefined, ...answerTypes.keys()].flatMap((type) => [edgeKey(0, type), edgeKey(1, type)]);
  expect(new Set(keys).size).toBe(keys.length);
});

it('takes the value for the type of a question before the one for any', () => {
  const { question } = asked('Who designed the bridge?', bridge);
  const by = new Map([
    [edgeKey(0, undefined), 1],
    [edgeKey(0, answerTypes.indexOf('person')), 2],
    [edgeKey(3, undefined), -1],
  ]);
  const known = new Map([
    ['by', by],
    ['0000', new Map([[edgeKey(1, undefined), 0.5]])],
  ]);
  expect(edgeValues({ edges: known, asking: new Map() }, question, 'by')).toEqual([2, 0, 0, -1]);
  expect(edgeValues({ edges: known, asking: new Map() }, question, '1933')).toEqual([0, 0.5, 0, 0]);
});

it.each([
  ['Who designed the bridge?', 'Joseph Strauss'],
  ['In what year was the bridge designed?', '1933'],
])('marks the words that were asked for: %s', (text, words) => {
  const { question, candidate } = asked(text, bridge);
  const span = highlightOf(question, candidate)!;
  expect(bridge.slice(span.start, span.end)).toBe(words);
});

it('marks the sign of a negative number with it', () => {
  const text = 'The density of water is 0, that of air −1000.';
  const { question, candidate } = asked('What is the density of air?', text);
  const span = highlightOf(question, candidate);
  expect(span && text.slice(span.start, span.end)).toBe('−1000');
});

it('marks no mark of a note', () => {
  const text =
    'As the bridge grew, the town added keepers of the bridge: seven in 1807, nine in 1837, and ten in 1863.[68]';
  const { question, candidate } = asked('How many keepers did the bridge have in 1863?', text);
  const span = highlightOf(question, candidate);
  expect(span && text.slice(span.start, span.end)).not.toContain('68');
});

it('marks nothing where a whole sentence or a row is the answer', () => {
  const steps = asked('How do I open the bridge?', 'Turn the key of the bridge in 1933 steps.');
  expect(highlightOf(steps.question, steps.candidate)).toBeUndefined();
  const row = asked('How many seats are there?', 'Name | Seats\n--- | ---\nHall | 300\nRoom | 20');
  expect(row.candidate.unit.kind).toBe('row');
  expect(highlightOf(row.question, row.candidate)).toBeUndefined();
});
