/**
 * Learns the trees of `src/answer/sentences/trees/weights.ts`: which sentence answers first, and whether another one belongs to
 * the answer. The sets are those of `../shared/data-train` whose
 * terms let weights ship; other sets of it and the judged collections are for judging alone. The same seed gives the
 * same weights.
 *
 *   node bench/quality/train-answers.ts [folder of training sets] [--questions 1000] [--seed 1] [--write]
 *                                       [--without name,name]
 *
 * `--without` leaves sets out (a language, for instance) and judges them too.
 */
import { writeFileSync } from 'node:fs';
import { firstColumns, leaf, mean, nextRow, packTrees, scoreOf, type Trees } from '../../src/internal.ts';
import { dataFolder } from '../support/data-folder.ts';
import { readFlags } from '../support/flags.ts';
import { judgingSets, shippingSets } from './answer-training-sets.ts';
import { growTrees } from './grow-trees.ts';
import { type Looked, type LookedExample, lookedExamples } from './looked-examples.ts';

const { values: flags, positionals } = readFlags(import.meta.filename, {
  allowPositionals: true,
  options: {
    questions: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
    without: { type: 'string', default: '' },
  },
});
const root = dataFolder(import.meta.filename, positionals[0], 'data-train');
const seed = Number(flags.seed);
const most = Number(flags.questions);
const without = flags.without.split(',').filter((name) => name !== '');
/** English sets whose questions are people's own, or hard: they count more, and more of them are read. */
const weighty: Readonly<Record<string, number>> = { selqa: 4, 'squad2-dev-half': 2 };
const firstCandidates = 14;
/** Of the loss of the first sentence: that a right one stands before the others. The rest is that of probabilities. */
const orderShare = 0.3;
/** Trees of this many seeds, their mean: one alone has a point or two of luck. */
const bags = 3;
const nextCandidates = 9;

/** More questions are read of the sets that count more. */
const examplesOf = (name: string): Promise<LookedExample[]> =>
  lookedExamples(root, name, name in weighty ? 2 * most : most);

/** Rows with what they are worth, in [0, 1], and how much they count. */
class Rows {
  readonly rows: Float32Array[] = [];
  readonly #targets: number[] = [];
  readonly #weights: number[] = [];
  /** Where each question begins. */
  readonly #starts: number[] = [];

  begin(): void {
    this.#starts.push(this.rows.length);
  }

  add(row: Float32Array, target: number, weight: number): void {
    this.rows.push(row);
    this.#targets.push(target);
    this.#weights.push(weight);
  }

  /** Trees whose logistic function is the mean of the targets, as far as their order within a question is not wanted. */
  fit({ order = 0, ...options }: FitOptions): Trees {
    const columns = this.rows[0]!.length;
    const values = new Float32Array(this.rows.length * columns);
    this.rows.forEach((row, i) => {
      values.set(row, i * columns);
    });
    return growTrees(
      { values, columns },
      (scores, gradient, hessian) => {
        scores.forEach((score, i) => {
          const p = 1 / (1 + Math.exp(-score));
          gradient[i] = (1 - order) * this.#weights[i]! * (p - this.#targets[i]!);
          hessian[i] = (1 - order) * this.#weights[i]! * Math.max(p * (1 - p), 1e-3);
        });
        if (order > 0) this.#addOrder(2 * order, scores, gradient, hessian);
      },
      { seed, rate: 0.1, least: 10, ...options },
    );
  }

  /** Adds the loss of a choice among the rows of a question: minus the logarithm of what the right ones have together. */
  #addOrder(share: number, scores: Float64Array, gradient: Float64Array, hessian: Float64Array): void {
    this.#starts.forEach((from, question) => {
      const to = this.#starts[question + 1] ?? scores.length;
      const most = scores.subarray(from, to).reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
      let all = 0;
      let right = 0;
      for (let i = from; i < to; i++) {
        all += Math.exp(scores[i]! - most);
        if (this.#targets[i] === 1) right += Math.exp(scores[i]! - most);
      }
      if (right === 0) return;
      for (let i = from; i < to; i++) {
        const e = Math.exp(scores[i]! - most);
        const p = e / all;
        gradient[i]! += share * this.#weights[i]! * (p - (this.#targets[i] === 1 ? e / right : 0));
        hessian[i]! += share * this.#weights[i]! * Math.max(p * (1 - p), 1e-3);
      }
    });
  }
}

interface FitOptions {
  readonly trees: number;
  readonly leaves: number;
  readonly seed?: number;
  readonly l2?: number;
  readonly order?: number;
}

/** One sum whose value is the mean of several. */
function meanOf(list: readonly Trees[]): Trees {
  const values = list.flatMap((trees) =>
    Array.from(trees.values, (value, i) => (trees.columns[i] === leaf ? value / list.length : value)),
  );
  let at = 0;
  const roots = list.flatMap((trees) => {
    const from = at;
    at += trees.columns.length;
    return trees.roots.map((root) => from + root);
  });
  return {
    bias: mean(list.map(({ bias }) => bias)),
    roots,
    columns: Uint8Array.from(list.flatMap(({ columns }) => Array.from(columns))),
    steps: Uint8Array.from(list.flatMap(({ steps }) => Array.from(steps))),
    values: Float32Array.from(values),
  };
}

function weightsOf(examples: readonly LookedExample[]): (example: LookedExample) => number {
  const counts = new Map<string, number>();
  for (const { set } of examples) counts.set(set, (counts.get(set) ?? 0) + 1);
  return ({ set }) => Math.sqrt(500 / counts.get(set)!) * (weighty[set] ?? 1);
}

function learnFirst(examples: readonly LookedExample[]): Trees {
  const weight = weightsOf(examples);
  const rows = new Rows();
  for (const example of examples) {
    rows.begin();
    example.looked.slice(0, firstCandidates).forEach(({ row }, i) => {
      rows.add(row, example.gold[i] ? 1 : 0, weight(example));
    });
  }
  return meanOf(
    Array.from({ length: bags }, (_, bag) =>
      rows.fit({ trees: 160, leaves: 12, l2: 20, order: orderShare, seed: seed + bag }),
    ),
  );
}

/** The candidates in the order of the first trees, with their scores. */
function ordered({ looked, gold }: LookedExample, first: Trees): { one: Looked; score: number; gold: boolean }[] {
  return looked
    .map((one, i) => ({ one, score: scoreOf(first, one.row), gold: gold[i]! }))
    .sort((a, b) => b.score - a.score);
}

function learnNext(examples: readonly LookedExample[], first: Trees): Trees {
  const weight = weightsOf(examples);
  const rows = new Rows();
  for (const example of examples) {
    const [top, ...rest] = ordered(example, first);
    if (top === undefined) continue;
    const chosen = [{ candidate: top.one.scored.candidate, score: top.score }];
    for (const { one, score, gold } of rest.slice(0, nextCandidates))
      rows.add(nextRow(example.question, one, score, chosen), gold ? 1 : 0, weight(example));
  }
  return rows.fit({ trees: 80, leaves: 10 });
}

interface Learned {
  readonly first: Trees;
  readonly next: Trees;
}

function learn(examples: readonly LookedExample[]): Learned {
  const first = learnFirst(examples);
  console.error(`first: ${first.columns.length} nodes`);
  const next = learnNext(examples, first);
  console.error(`next: ${next.columns.length} nodes`);
  return { first, next };
}

/** First sentence right by the linear model and by the trees. */
function judge(name: string, examples: readonly LookedExample[], { first }: Learned): void {
  const share = (right: readonly LookedExample[]): string => (right.length / (examples.length || 1)).toFixed(3);
  const linear = examples.filter(({ gold }) => gold[0]);
  const trees = examples.filter((example) => ordered(example, first)[0]?.gold);
  console.log(`${name.padEnd(18)} first right: linear ${share(linear)}, trees ${share(trees)}`);
}

const learning = shippingSets.filter((name) => !without.includes(name));
const examples: LookedExample[] = [];
for (const name of learning) examples.push(...(await examplesOf(name)));
console.error(`${examples.length} questions, ${firstColumns} features of a sentence`);
const learned = learn(examples);
if (flags.write) {
  writeFileSync(
    'src/answer/sentences/trees/weights.ts',
    `import { type Trees, unpackTrees } from './trees.ts';

// Written by \`node bench/quality/train-answers.ts --write\`.
const first =
  '${packTrees(learned.first)}';
const next =
  '${packTrees(learned.next)}';

/** The logit that a sentence answers, as the first. */
export const firstTrees: Trees = unpackTrees(first);
/** The logit that a sentence belongs to the answer after those before it. */
export const nextTrees: Trees = unpackTrees(next);
`,
  );
}
examples.length = 0;
for (const name of [...judgingSets, ...without]) judge(name, await examplesOf(name), learned);
