/**
 * Trains the small network that reads a sentence for a question (`src/answer/sentences/spans/sentence-model-weights.ts`): which
 * sentence answers, beside what the trees say of it, and which of its words do. A question has its right sentence and the
 * likeliest wrong ones. The training itself is `train-sentence-model.py`, which needs PyTorch
 * (`apt-get install python3-torch libopenblas0-pthread`). It works in one thread: the same seed gives the same weights.
 * The sets left out judge what trees and network choose together, beside what the trees choose alone.
 *
 *   node bench/quality/train-sentence-model.ts [folder of training sets] [--questions 6000] [--epochs 8] [--seed 1] [--write]
 *                                      [--without name,name] [--only judge]
 */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  answerTypes,
  atomsOf,
  chooseSpan,
  featuresAWord,
  firstTrees,
  longestSpan,
  mean,
  mostRead,
  packSentenceModel,
  partsAWord,
  questionFeatures,
  type Reading,
  readingWeight,
  SentenceModel,
  scoreOf,
  sentenceModelInput,
  shippedSentenceModel,
  spanCandidates,
  spanLexicon,
  spanTrees,
  unpackSentenceModel,
} from '../../src/internal.ts';
import { dataFolder } from '../support/data-folder.ts';
import { readFlags } from '../support/flags.ts';
import { judgingSets, shippingSets } from './answer-training-sets.ts';
import { type LookedExample, lookedExamples } from './looked-examples.ts';
import { type Candidate, examplesOf, f1Of, hasSpans, noLexicon } from './span-examples.ts';

const { values: flags, positionals } = readFlags(import.meta.filename, {
  allowPositionals: true,
  options: {
    questions: { type: 'string', default: '6000' },
    epochs: { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
    without: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
  },
});
const root = dataFolder(import.meta.filename, positionals[0], 'data-train');
const sizes = { small: 24, size: 56 };
/** Word parts that have a vector. */
const knownParts = 4095;
const judgedQuestions = 700;
const wrongSentences = 3;
/** How far the logits of the trees are believed: they have learned from these questions, and are surer of them. */
const treesShare = 0.6;
/** Words of a sentence that are read. */
const mostAtoms = 120;
/** Its questions do not name what they are about: a search finds nothing. */
const nameless = 'policyqa';
const without = flags.without.split(',').filter((name) => name !== '');
/** English questions are few: they count more. */
const weightOf = (set: string): number => (set === 'squad2-dev-half' ? 1.5 : 1);

/** The right sentence of a question and the likeliest wrong ones, as `train-sentence-model.py` reads them. */
function recordOf(example: LookedExample, weight: number): Float32Array | undefined {
  const ordered = orderedByTrees(example);
  const right = ordered.find(({ gold }) => gold);
  const chosen = [...(right ? [right] : []), ...ordered.filter(({ gold }) => !gold).slice(0, wrongSentences)];
  const sentences = chosen.map((one) => sentenceOf(example, one)).filter((values) => values !== undefined);
  return sentences.length === 0 ? undefined : Float32Array.from([sentences.length, weight, ...sentences.flat()]);
}

interface Ordered {
  readonly candidate: Candidate;
  readonly score: number;
  readonly gold: boolean;
}

function orderedByTrees({ looked, gold }: LookedExample): Ordered[] {
  return looked
    .map(({ scored: { candidate }, row }, i) => ({ candidate, score: scoreOf(firstTrees, row), gold: gold[i]! }))
    .sort((a, b) => b.score - a.score);
}

/** With the F1 of each run of its words, where it answers in few of them. */
function sentenceOf(
  { set, question, answers }: LookedExample,
  { candidate, score, gold }: Ordered,
): number[] | undefined {
  const atoms = atomsOf(question, candidate).slice(0, mostAtoms);
  const input = sentenceModelInput(question, candidate, atoms);
  if (atoms.length === 0 || input.question.count === 0) return undefined;
  const runs = gold && hasSpans(set) ? runsOf(question, candidate, atoms, answers) : [];
  return [
    ...[
      input.sentence.count,
      input.question.count,
      input.type,
      treesShare * score,
      Number(gold),
      Number(runs.length > 0),
    ],
    ...input.sentence.parts,
    ...input.question.parts,
    ...input.sentence.features,
    ...input.question.features,
    ...input.alike,
    ...runs,
  ];
}

/** F1 of each run of words, -1 where it is none; empty where no run comes near the answer. */
function runsOf(
  question: LookedExample['question'],
  candidate: Candidate,
  atoms: ReturnType<typeof atomsOf>,
  answers: readonly string[],
): number[] {
  const f1 = new Array<number>(atoms.length * longestSpan).fill(-1);
  for (const one of spanCandidates(question, candidate, noLexicon, atoms))
    f1[one.first * longestSpan + one.more] = f1Of(candidate, one, answers);
  return Math.max(...f1) > 0.5 ? f1 : [];
}

async function train(): Promise<SentenceModel> {
  const folder = mkdtempSync(join(tmpdir(), 'ibid-sentence-model-'));
  try {
    const layout = {
      ...sizes,
      known: knownParts,
      parts: partsAWord,
      longest: longestSpan,
      types: answerTypes.length,
      featuresAWord,
      questionFeatures,
    };
    writeFileSync(join(folder, 'sizes.json'), JSON.stringify(layout));
    const file = openSync(join(folder, 'examples.bin'), 'w');
    for (const name of shippingSets) {
      if (name === nameless || without.includes(name)) continue;
      const examples = await lookedExamples(root, name, Number(flags.questions));
      const weight = Math.sqrt(1000 / examples.length) * weightOf(name);
      for (const example of examples) {
        const record = recordOf(example, weight);
        if (record) writeSync(file, record);
      }
    }
    closeSync(file);
    const script = join(import.meta.dirname, 'train-sentence-model.py');
    execFileSync('/usr/bin/python3', [script, folder, '--epochs', flags.epochs, '--seed', flags.seed], {
      stdio: 'inherit',
      env: { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' },
    });
    const bytesOf = (name: string): ArrayBuffer => Uint8Array.from(readFileSync(join(folder, name))).buffer;
    const known = new Int32Array(bytesOf('known.bin'));
    const packed = packSentenceModel(sizes, known, new Float32Array(bytesOf('weights.bin')));
    if (flags.write) write(packed);
    return new SentenceModel(unpackSentenceModel(packed));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function write(packed: string): void {
  writeFileSync(
    'src/answer/sentences/spans/sentence-model-weights.ts',
    `import { SentenceModel } from './sentence-model.ts';
import { unpackSentenceModel } from './sentence-model-pack.ts';

// Written by \`node bench/quality/train-sentence-model.ts --write\`.
const packed =
  '${packed}';

let model: SentenceModel | undefined;
/** Read with its first use: most programs never ask. */
export function shippedSentenceModel(): SentenceModel {
  model ??= new SentenceModel(unpackSentenceModel(packed));
  return model;
}
`,
  );
}

/** First sentence right, and F1 of the chosen words in the right sentence: by the trees alone, and with the network. */
async function judge(name: string, model: SentenceModel): Promise<void> {
  const read = (question: LookedExample['question'], candidate: Candidate): Reading =>
    model.read(sentenceModelInput(question, candidate, atomsOf(question, candidate)));
  const first = (await lookedExamples(root, name, judgedQuestions)).map((example) => {
    const ordered = orderedByTrees(example);
    const scored = ordered.slice(0, mostRead).map((one) => ({
      ...one,
      score: one.score + readingWeight * read(example.question, one.candidate).whole,
    }));
    const best = scored.sort((a, b) => b.score - a.score)[0];
    return { trees: Number(ordered[0]?.gold ?? false), both: Number(best?.gold ?? false) };
  });
  tell(`${name}, ${first.length} questions: first sentence right`, first);
  if (!hasSpans(name)) return;
  const words = examplesOf(root, name, judgedQuestions).map(({ question, candidate, answers }) => {
    const spans = spanCandidates(question, candidate, spanLexicon());
    const f1 = (chosen: ReturnType<typeof chooseSpan>): number => (chosen ? f1Of(candidate, chosen, answers) : 0);
    const both = chooseSpan(spanTrees, spans, read(question, candidate).runs());
    return { trees: f1(chooseSpan(spanTrees, spans)), both: f1(both) };
  });
  tell(`${name}, ${words.length} right sentences: F1 of the words`, words);
}

function tell(what: string, judged: readonly { readonly trees: number; readonly both: number }[]): void {
  const of = (pick: (one: { trees: number; both: number }) => number): string => mean(judged.map(pick)).toFixed(3);
  console.log(`${what} by the trees ${of(({ trees }) => trees)}, with the network ${of(({ both }) => both)}`);
}

const model = flags.only === 'judge' ? shippedSentenceModel() : await train();
for (const name of [...judgingSets, 'persianqa-test', ...without]) if (name !== 'subjqa') await judge(name, model);
