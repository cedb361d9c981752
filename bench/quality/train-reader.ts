/**
 * Trains the small network that reads a sentence for a question (`src/answer/sentences/reader-weights.ts`), on the sets
 * that `train-spans.ts` learns from. The training itself is `train-reader.py`, which needs PyTorch
 * (`apt-get install python3-torch libopenblas0-pthread`). It works in one thread: the same seed gives the same weights.
 * The sets left out judge the words that trees and network choose together, beside those of the trees alone.
 *
 *   node bench/quality/train-reader.ts [folder of training sets] [--questions 3000] [--epochs 10] [--seed 1] [--write]
 *                                      [--without name,name] [--only judge]
 */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  answerTypes,
  atomsOf,
  chooseSpan,
  longestSpan,
  mean,
  packReader,
  partsAWord,
  questionFeatures,
  readerInput,
  SpanReader,
  shippedReader,
  spanCandidates,
  spanLexicon,
  spanTrees,
  tableRows,
  unpackReader,
  wordFeatures,
} from '../../src/internal.ts';
import { readFlags } from '../support/flags.ts';
import { judgingSets, shippingSets } from './answer-training-sets.ts';
import { type Example, examplesOf, f1Of, hasSpans, noLexicon } from './span-examples.ts';

const { values: flags, positionals } = readFlags(import.meta.filename, {
  allowPositionals: true,
  options: {
    questions: { type: 'string', default: '3000' },
    epochs: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
    without: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
  },
});
const root = resolve(positionals[0] ?? join(process.env.IBID_SHARED ?? '../shared', 'data-train'));
const sizes = { small: 24, size: 48 };
const judgedQuestions = 700;
const without = flags.without.split(',').filter((name) => name !== '');
/** English questions are few: they count more. */
const weightOf = (set: string): number => (set === 'squad2-dev-half' ? 1.5 : 1);

/** One example as `train-reader.py` reads it; undefined where no run of words comes near the answer. */
function recordOf({ question, candidate, atoms, answers }: Example, weight: number): Float32Array | undefined {
  const input = readerInput(question, candidate, atoms);
  const f1 = new Float32Array(atoms.length * longestSpan).fill(-1);
  for (const one of spanCandidates(question, candidate, noLexicon, atoms))
    f1[one.first * longestSpan + one.more] = f1Of(candidate, one, answers);
  if (Math.max(...f1) <= 0.5 || input.question.count === 0) return undefined;
  return Float32Array.from([
    ...[input.sentence.count, input.question.count, input.type, weight],
    ...input.sentence.parts,
    ...input.question.parts,
    ...input.sentence.features,
    ...input.question.features,
    ...input.alike,
    ...f1,
  ]);
}

function train(): SpanReader {
  const folder = mkdtempSync(join(tmpdir(), 'ibid-reader-'));
  try {
    const layout = {
      ...sizes,
      rows: tableRows,
      parts: partsAWord,
      longest: longestSpan,
      types: answerTypes.length,
      wordFeatures,
      questionFeatures,
    };
    writeFileSync(join(folder, 'sizes.json'), JSON.stringify(layout));
    const file = openSync(join(folder, 'examples.bin'), 'w');
    for (const name of shippingSets) {
      if (!hasSpans(name) || without.includes(name)) continue;
      const examples = examplesOf(root, name, Number(flags.questions));
      const weight = Math.sqrt(1000 / examples.length) * weightOf(name);
      for (const example of examples) {
        const record = recordOf(example, weight);
        if (record) writeSync(file, record);
      }
      console.error(`${name}: ${examples.length}`);
    }
    closeSync(file);
    const script = join(import.meta.dirname, 'train-reader.py');
    execFileSync('/usr/bin/python3', [script, folder, '--epochs', flags.epochs, '--seed', flags.seed], {
      stdio: 'inherit',
      env: { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' },
    });
    const bytes = readFileSync(join(folder, 'weights.bin'));
    const packed = packReader(sizes, new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4));
    if (flags.write) write(packed);
    return new SpanReader(unpackReader(packed));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function write(packed: string): void {
  writeFileSync(
    'src/answer/sentences/reader-weights.ts',
    `import { SpanReader } from './reader.ts';
import { unpackReader } from './reader-pack.ts';

// Written by \`node bench/quality/train-reader.ts --write\`.
const packed =
  '${packed}';

let reader: SpanReader | undefined;
/** Read with its first use: most programs never ask. */
export function shippedReader(): SpanReader {
  reader ??= new SpanReader(unpackReader(packed));
  return reader;
}
`,
  );
}

/** F1 of the chosen words in the right sentence: by the trees alone, and by trees and network. */
function judge(name: string, reader: SpanReader): void {
  let ms = 0;
  const judged = examplesOf(root, name, judgedQuestions).map(({ question, candidate, answers }) => {
    const spans = spanCandidates(question, candidate, spanLexicon());
    const started = performance.now();
    const read = reader.read(readerInput(question, candidate, atomsOf(question, candidate)));
    ms += performance.now() - started;
    const f1 = (chosen: ReturnType<typeof chooseSpan>): number => (chosen ? f1Of(candidate, chosen, answers) : 0);
    return { trees: f1(chooseSpan(spanTrees, spans)), both: f1(chooseSpan(spanTrees, spans, read)) };
  });
  const of = (pick: (one: { trees: number; both: number }) => number): string => mean(judged.map(pick)).toFixed(3);
  console.log(
    `${name.padEnd(18)} ${judged.length} questions: F1 of the trees ${of(({ trees }) => trees)}, with the network ${of(({ both }) => both)}; ${(ms / judged.length).toFixed(2)} ms to read a sentence`,
  );
}

const reader = flags.only === 'judge' ? shippedReader() : train();
for (const name of [...judgingSets, 'persianqa-test', ...without].filter(hasSpans)) judge(name, reader);
