/**
 * Learns the linear models again, from the tune halves, and prints them with figures of sets that were left out: the
 * shortlist of sentences (`src/answer/sentences/ranking/select.ts`) and support (`src/answer/answerability/model.ts`). Support
 * also learns from training sets whose terms let weights ship and that have questions without an answer.
 *
 *   node bench/quality/train-support.ts [folder of data sets [folder of training sets]]
 */
import { join, resolve } from 'node:path';
import type { Span } from '../../src/index.ts';
import {
  analyseQuestion,
  auroc,
  candidatesOf,
  collectionStatistics,
  featureNames,
  judge,
  rank,
  supportFeatures,
  supportNames,
} from '../../src/internal.ts';
import { dataFolder } from '../support/data-folder.ts';
import { readFlags } from '../support/flags.ts';
import {
  type AnswerSet,
  goldSets,
  halfOf,
  hitLimit,
  isGold,
  loadAnswerSet,
  type OpenSet,
  openSet,
  otherSets,
} from './answer-sets.ts';
import { loadTrainingSet } from './answer-training-sets.ts';
import { type BinaryRow, type ListItem, learnLogistic, learnRanking } from './learn.ts';

type Kind = 'own' | 'look-alike' | 'gone' | 'foreign';
/** How much each kind of question counts in the support model, per set. */
const shares: Readonly<Record<Kind, number>> = { own: 1, 'look-alike': 0.5, gone: 0.4, foreign: 0.5 };
const foreignPerSet = 40;
/** Of data-train: questions of each kind, and how much a set counts beside a judged one. */
const trainingSets = ['squad2-dev-half', 'squad2-es', 'squad2-sv', 'pquad', 'heq'] as const;
const trainingQuestions = 250;
const trainingShare = 0.3;

interface Example {
  readonly kind: Kind;
  readonly half: 'tune' | 'report';
  readonly row: Float64Array;
}

const { positionals } = readFlags(import.meta.filename, { allowPositionals: true });
const root = dataFolder(import.meta.filename, positionals[0], 'data');
const trainingRoot = resolve(positionals[1] ?? join(root, '../data-train'));
const names = [...goldSets, ...otherSets];
const sets = new Map<string, AnswerSet>();
for (const name of names) sets.set(name, await loadAnswerSet(root, name));
const lists = new Map<string, { half: string; item: Omit<ListItem, 'weight'> }[]>();
const opened = new Map<string, OpenSet>();
for (const [name, set] of sets) {
  const open = await openSet(set);
  opened.set(name, open);
  const own: { half: string; item: Omit<ListItem, 'weight'> }[] = [];
  if ((goldSets as readonly string[]).includes(name)) {
    for (const { id, text, answerable, golds } of set.questions) {
      if (!answerable) continue;
      const candidates = candidatesOf(
        analyseQuestion(text, await collectionStatistics(open.snapshot.lexical, text)),
        await open.ask(text),
      );
      const gold = candidates.map(({ passage: { hit }, unit }) => {
        const span: Span = { start: hit.chunk.span.start + unit.start, end: hit.chunk.span.start + unit.end };
        return golds.some((list) => isGold(hit.chunk.uri, span, list));
      });
      own.push({ half: halfOf(id), item: { rows: candidates.map(({ features }) => features), gold } });
    }
    lists.set(name, own);
  }
  console.error(`${name} ready, ${hitLimit} hits a question`);
}

function items(chosen: readonly string[]): ListItem[] {
  return chosen.flatMap((name) => {
    const usable = (lists.get(name) ?? []).filter(({ half, item }) => half === 'tune' && item.gold.includes(true));
    return usable.map(({ item }) => ({ ...item, weight: 1 / Math.sqrt(usable.length) }));
  });
}

function print(label: string, keys: readonly string[], values: Float64Array): void {
  console.log(`${label}: { ${keys.map((key, i) => `${key}: ${Number(values[i]!.toFixed(2))}`).join(', ')} }`);
}

function found(name: string, w: Float64Array, all: boolean): string {
  const list = lists.get(name)!.filter(({ half }) => all || half === 'report');
  const hits = [0, 0, 0];
  for (const { item } of list) {
    const order = item.rows
      .map((row, i) => ({ i, score: w.reduce((sum, x, d) => sum + x * row[d]!, 0) }))
      .sort((a, b) => b.score - a.score || a.i - b.i);
    for (let k = 0; k < 3; k++) if (order.slice(0, k + 1).some(({ i }) => item.gold[i])) hits[k]!++;
  }
  return hits.map((count) => ((100 * count) / list.length).toFixed(1).padStart(5)).join(' ');
}

const selection = learnRanking(items([...lists.keys()]), featureNames.length);
print('selectionWeights', featureNames, selection);
console.log('\ngold sentence among the first 1, 2, 3 (%): report half | all questions, learnt without the set');
for (const name of lists.keys()) {
  const without = learnRanking(items([...lists.keys()].filter((other) => other !== name)), featureNames.length);
  console.log(`  ${name.padEnd(16)} ${found(name, selection, false)} | ${found(name, without, true)}`);
}

// The support model stands on the selection model as it is in src/answer/sentences/ranking/select.ts: copy the first, run
// again, copy the second.
const examples = new Map<string, Example[]>();
async function examplesOf(
  open: OpenSet,
  foreign: readonly AnswerSet[],
  half: (id: string) => Example['half'],
): Promise<void> {
  const list: Example[] = [];
  const add = async (kind: Kind, id: string, text: string, without?: Parameters<OpenSet['ask']>[1]): Promise<void> => {
    const question = analyseQuestion(text, await collectionStatistics(open.snapshot.lexical, text));
    const ranked = rank(candidatesOf(question, await open.ask(text, without)));
    const row = supportFeatures(question, ranked, judge(question, ranked));
    if (row) list.push({ kind, half: half(id), row });
  };
  for (const { id, text, answerable, relevant } of open.set.questions) {
    await add(answerable ? 'own' : 'look-alike', id, text);
    if (answerable) await add('gone', id, text, relevant);
  }
  for (const other of foreign) {
    const pool = other.questions.filter(({ answerable, language }) => answerable && language === 'en');
    const step = Math.max(1, Math.floor(pool.length / foreignPerSet));
    for (let i = 0, k = 0; i < pool.length && k < foreignPerSet; i += step, k++)
      await add('foreign', `${other.name}/${pool[i]!.id}`, pool[i]!.text);
  }
  examples.set(open.set.name, list);
}
for (const [name, open] of opened)
  await examplesOf(
    open,
    names.flatMap((other) => (other === name ? [] : [sets.get(other)!])),
    halfOf,
  );
for (const name of trainingSets) {
  const limits = { answerable: trainingQuestions, unanswerable: trainingQuestions };
  await examplesOf(await openSet(loadTrainingSet(trainingRoot, name, limits)), [], () => 'tune');
}

/** Rows of some judged collections, their tune halves or all, and of the training sets. */
function binary(chosen: readonly string[], all: boolean): BinaryRow[] {
  return [...chosen, ...trainingSets].flatMap((name) => {
    const list = examples.get(name)!.filter(({ half }) => all || half === 'tune');
    const share = chosen.includes(name) ? 1 : trainingShare;
    return list.map(({ kind, row }) => ({
      row,
      positive: kind === 'own',
      weight: (share * shares[kind]) / list.filter((other) => other.kind === kind).length,
    }));
  });
}

function judged(name: string, w: Float64Array, all: boolean): string {
  const list = examples.get(name)!.filter(({ half }) => all || half === 'report');
  const scores = (kind: Kind): number[] =>
    list.flatMap((each) => (each.kind === kind ? [each.row.reduce((sum, x, d) => sum + x * w[d]!, 0)] : []));
  const own = scores('own');
  return (['look-alike', 'gone', 'foreign'] as const)
    .map((kind) => auroc(own, scores(kind))?.toFixed(3) ?? '   – ')
    .join(' ');
}

const support = learnLogistic(binary(names, false), supportNames.length);
console.log();
print('supportWeights', [...supportNames, 'bias'], support);
console.log(
  '\nAUROC of own questions against look-alike, gold removed, foreign: report half | all, learnt without the set',
);
for (const name of names) {
  const without = learnLogistic(
    binary(
      names.filter((other) => other !== name),
      true,
    ),
    supportNames.length,
  );
  console.log(`  ${name.padEnd(16)} ${judged(name, support, false)} | ${judged(name, without, true)}`);
}
