/**
 * Learns which words of a sentence are what was asked for (`src/answer/sentences/spans/span-weights.ts`): a lexicon of the
 * words at the edges of short answers, and trees that judge runs of words. The sets are those of `../shared/data-train`
 * that have short answers and whose terms let weights ship; others judge. A question is asked of the sentence that
 * answers it. The same seed gives the same weights.
 *
 *   node bench/quality/train-spans.ts [folder of training sets] [--questions 1500] [--seed 1] [--write]
 *                                     [--without name,name]
 *
 * `--without` leaves sets out (a language, for instance) and judges them too.
 */
import { writeFileSync } from 'node:fs';
import {
  chooseSpan,
  mean,
  packLexicon,
  packTrees,
  type SpanLexicon,
  seededRandom,
  spanCandidates,
  spanNames,
  type Trees,
  unpackLexicon,
} from '../../src/internal.ts';
import { dataFolder } from '../support/data-folder.ts';
import { readFlags } from '../support/flags.ts';
import { judgingSets, shippingSets } from './answer-training-sets.ts';
import { growTrees } from './grow-trees.ts';
import { type Example, examplesOf, f1Of, folds, hasSpans, noLexicon } from './span-examples.ts';
import { learnLexicon } from './span-lexicon.ts';

const { values: flags, positionals } = readFlags(import.meta.filename, {
  allowPositionals: true,
  options: {
    questions: { type: 'string', default: '1500' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
    without: { type: 'string', default: '' },
  },
});
const root = dataFolder(import.meta.filename, positionals[0], 'data-train');
const seed = Number(flags.seed);
const most = Number(flags.questions);
const judgedQuestions = 400;
const without = flags.without.split(',').filter((name) => name !== '');
/** English questions are few: all are read, and they count more. */
const weightOf = (set: string): number => (set === 'squad2-dev-half' ? 1.5 : 1);
/** Share of the questions that see no lexicon, as those of a language without one. */
const wordless = 0.15;
const spansASentence = 24;

interface Learned {
  readonly packed: ReturnType<typeof packLexicon>;
  readonly lexicon: SpanLexicon;
  readonly trees: Trees;
}

function learn(examples: readonly Example[]): Learned {
  // Rounded as they ship.
  const learned = (list: readonly Example[]): SpanLexicon => unpackLexicon(packLexicon(learnLexicon(list)));
  const whole = learnLexicon(examples);
  const packed = packLexicon(whole);
  const others = Array.from({ length: folds }, (_, fold) => learned(examples.filter((one) => one.fold !== fold)));
  const counts = new Map<string, number>();
  for (const { set } of examples) counts.set(set, (counts.get(set) ?? 0) + 1);
  const random = seededRandom(seed);
  const rows: Float32Array[] = [];
  const targets: number[] = [];
  const weights: number[] = [];
  for (const { set, fold, question, candidate, answers } of examples) {
    const spans = spanCandidates(question, candidate, random() < wordless ? noLexicon : others[fold]!);
    const values = spans.map((span) => f1Of(candidate, span, answers));
    const best = Math.max(...values);
    if (best <= 0.5) continue;
    const keep = spansASentence / spans.length;
    spans.forEach(({ row }, i) => {
      const f1 = values[i]!;
      if (f1 < best && random() > (f1 >= 0.5 ? 2 * keep : keep)) return;
      rows.push(row);
      targets.push(f1 * f1);
      weights.push(Math.sqrt(500 / counts.get(set)!) * weightOf(set));
    });
  }
  const columns = spanNames.length;
  console.error(`${rows.length} spans, ${columns} features, ${whole.edges.size} words at edges`);
  const values = new Float32Array(rows.length * columns);
  rows.forEach((row, i) => {
    values.set(row, i * columns);
  });
  const trees = growTrees(
    { values, columns },
    (scores, gradient, hessian) => {
      scores.forEach((score, i) => {
        const p = 1 / (1 + Math.exp(-score));
        gradient[i] = weights[i]! * (p - targets[i]!);
        hessian[i] = weights[i]! * Math.max(p * (1 - p), 1e-3);
      });
    },
    { seed, trees: 220, leaves: 20, rate: 0.11, least: 10, l2: 10 },
  );
  return { packed, lexicon: unpackLexicon(packed), trees };
}

/** F1 of the chosen words in the right sentence; the best there is among the runs of words; F1 by the logit. */
function judge(name: string, { lexicon, trees }: Learned): void {
  const judged = examplesOf(root, name, judgedQuestions).map(({ question, candidate, answers }) => {
    const spans = spanCandidates(question, candidate, lexicon);
    const chosen = chooseSpan(trees, spans);
    return {
      score: chosen?.score ?? Number.NEGATIVE_INFINITY,
      f1: chosen ? f1Of(candidate, chosen, answers) : 0,
      most: Math.max(0, ...spans.map((span) => f1Of(candidate, span, answers))),
    };
  });
  const figures = (list: readonly { f1: number }[]): string =>
    list.length === 0 ? '–' : `${mean(list.map(({ f1 }) => f1)).toFixed(3)} (${list.length})`;
  const bands = [-9, -2, -1.5, -1, -0.5, 0, 9].slice(0, -1).map((from, i, all) => {
    const to = all[i + 1] ?? 9;
    return `from ${from}: ${figures(judged.filter(({ score }) => score >= from && score < to))}`;
  });
  console.log(
    `${name.padEnd(18)} F1 ${figures(judged)}, at best ${mean(judged.map((one) => one.most)).toFixed(3)}; ${bands.join(', ')}`,
  );
}

const examples = shippingSets
  .filter((name) => hasSpans(name) && !without.includes(name))
  .flatMap((name) => examplesOf(root, name, name === 'squad2-dev-half' ? 2 * most : most));
console.error(`${examples.length} questions`);
const learned = learn(examples);
if (flags.write) {
  const { edges, asking } = learned.packed;
  writeFileSync(
    'src/answer/sentences/spans/span-weights.ts',
    `import { type Trees, unpackTrees } from '../trees/trees.ts';
import { type SpanLexicon, unpackLexicon } from './span-lexicon.ts';

// Written by \`node bench/quality/train-spans.ts --write\`.
const spans =
  '${packTrees(learned.trees)}';
const edges =
  ${JSON.stringify(edges)};
const asking =
  ${JSON.stringify(asking)};

/** The logit of how well words of a sentence are what was asked for. */
export const spanTrees: Trees = unpackTrees(spans);

let lexicon: SpanLexicon | undefined;
/** Read with its first use: most programs never ask. */
export function spanLexicon(): SpanLexicon {
  lexicon ??= unpackLexicon({ edges, asking });
  return lexicon;
}
`,
  );
}
for (const name of [...judgingSets, ...without].filter(hasSpans)) judge(name, learned);
