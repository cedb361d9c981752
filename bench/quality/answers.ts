/**
 * Quality of `ask` without a model. Is the answer the gold sentence, and first; is one among answer and related passages? Is a question refused when the collection
 * does not hold its answer? Retrieval is ibid's own hybrid search; questions in two steps are asked as `ask` does. The thresholds are each index's own calibration,
 * made without labels.
 *
 *   node bench/quality/answers.ts [folder of data sets] [--only name,name] [--no-pdf] [--json] [--write] [--out file]
 *                                 [--questions 400] [--minutes 60] [--generated 40] [--budget USD]
 *
 * `--questions` limits the questions of each set, evenly spread (default: all). A set that `--minutes` or a Ctrl-C cuts
 * short is left out. `report` figures are of the half of the questions that the coefficients were not learnt from;
 * `all` figures are of every question. `--write` keeps the figures of a whole run in `bench/results/`; a run file is
 * always written. With IBID_MESSAGES_API_KEY, a model also answers `--generated` questions of each set, within
 * `--budget` (default 1) USD in all. A service at an address of this machine is a stand-in: its answers are no figures,
 * and it is skipped.
 */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Answer, IbidError, type LanguageModel, Meter, type SupportCalibration } from '../../src/index.ts';
import {
  answerExtractive,
  answerGrounded,
  answerInParts,
  auroc,
  calibrateSupport,
  collectAnswer,
  collectionStatistics,
  serviceLanguageModel,
} from '../../src/internal.ts';
import { createMessagesService } from '../../src/wire.ts';
import { readFlags } from '../support/flags.ts';
import { givenFlags, writeResults } from '../support/report.ts';
import {
  type AnswerModeResults,
  type AnswerSetResults,
  beginRun,
  checksumsOf,
  type DataSource,
  type Skipped,
  writeRunFile,
} from '../support/run-file.ts';
import { settingsOf } from '../support/services.ts';
import { Stopped, stopAfter } from '../support/stop.ts';
import { answerFigures, type Asked as Judged, type QuestionKind, selectionFigures, share } from './answer-figures.ts';
import {
  type AnswerQuestion,
  type AnswerSet,
  type Gold,
  goldSets,
  halfOf,
  loadAnswerSet,
  type OpenSet,
  openSet,
  otherSets,
} from './answer-sets.ts';
import { calibrationError } from './learn.ts';
import { measurePdf } from './pdf-answers.ts';

const { values: flags, positionals } = readFlags(import.meta.filename, {
  allowPositionals: true,
  allowNegative: true,
  options: {
    only: { type: 'string' },
    pdf: { type: 'boolean', default: true },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    out: { type: 'string' },
    questions: { type: 'string', default: 'all' },
    minutes: { type: 'string', default: '60' },
    generated: { type: 'string', default: '40' },
    budget: { type: 'string', default: '1' },
  },
});
const root = resolve(positionals[0] ?? join(process.env.IBID_SHARED ?? '../shared', 'data'));
const names = [...goldSets, ...otherSets];
const wanted = flags.only?.split(',') ?? [...names, 'pdf-qa'];
const foreignPerSet = 40;
const goldFiles = [
  'corpus.jsonl',
  'corpus.jsonl.gz',
  'queries.jsonl',
  'qrels/test.tsv',
  'answers.jsonl',
  'spans.jsonl',
  'evidence.jsonl',
  'questions.jsonl',
];

interface Asked {
  readonly question: AnswerQuestion;
  readonly answer: Answer;
  readonly report: boolean;
}

async function measure(
  open: OpenSet,
  sets: ReadonlyMap<string, AnswerSet>,
): Promise<{ readonly record: Record<string, unknown>; readonly modes: AnswerModeResults[] }> {
  const { set, snapshot } = open;
  const step = Math.max(1, Math.floor(snapshot.rows / 200));
  const sample = await snapshot.fetch(Array.from({ length: Math.ceil(snapshot.rows / step) }, (_, i) => i * step));
  let started = performance.now();
  const calibration = await calibrateSupport(
    sample.map(({ text }) => text),
    async (question) => ({
      hits: await open.ask(question),
      statistics: await collectionStatistics(snapshot.lexical, question),
    }),
  );
  const calibrationMs = performance.now() - started;
  let answerMs = 0;
  let answers = 0;
  // the time is that of one answer; a question that another one is part of needs two or more
  const ask = async (asked: string, without?: readonly Gold[], thresholds?: SupportCalibration): Promise<Answer> => {
    const answerOf = async (text: string): Promise<Answer> => {
      await stop.check();
      const hits = await open.ask(text, without);
      const statistics = await collectionStatistics(snapshot.lexical, text);
      started = performance.now();
      const answer = answerExtractive(text, hits, statistics, { calibration: thresholds ?? calibration });
      answerMs += performance.now() - started;
      answers++;
      return answer;
    };
    return (await answerInParts(asked, answerOf)) ?? (await answerOf(asked));
  };
  const own: Asked[] = [];
  const lookAlike: Asked[] = [];
  const gone: Asked[] = [];
  for (const question of spread(set.questions)) {
    const report = halfOf(question.id) === 'report';
    (question.answerable ? own : lookAlike).push({ question, answer: await ask(question.text), report });
    if (question.answerable) gone.push({ question, answer: await ask(question.text, question.relevant), report });
  }
  const msPerAnswer = answerMs / answers;
  const foreign: Answer[] = [];
  const foreignIds: string[] = [];
  for (const [name, other] of sets) {
    if (name === set.name) continue;
    const pool = other.questions.filter(({ answerable, language }) => answerable && language === 'en');
    const every = Math.max(1, Math.floor(pool.length / foreignPerSet));
    for (let i = 0, k = 0; i < pool.length && k < foreignPerSet; i += every, k++) {
      foreign.push(await ask(pool[i]!.text));
      foreignIds.push(`${name}/${pool[i]!.id}`);
    }
  }
  const texts = new Map(set.documents.map(({ uri, chunks }) => [uri, chunks.map(({ text }) => text).join('')]));
  const kinds = (list: readonly Asked[], kind: QuestionKind): Judged[] => list.map((each) => ({ ...each, kind }));
  const judged: Judged[] = [
    ...kinds(own, 'own'),
    ...kinds(lookAlike, 'look-alike'),
    ...kinds(gone, 'gold removed'),
    ...foreign.map(
      (answer, i): Judged => ({ kind: 'foreign', question: { id: foreignIds[i]!, golds: [], answers: [] }, answer }),
    ),
  ];
  const modes: AnswerModeResults[] = [{ mode: 'extractive', figures: answerFigures(judged, (uri) => texts.get(uri)) }];
  const written = await generated(
    kinds([...own, ...lookAlike], 'own').map((one, i) => ({ ...one, kind: i < own.length ? 'own' : 'look-alike' })),
  );
  if (written)
    modes.push({
      mode: `generated: ${written.model}`,
      figures: answerFigures(written.judged, (uri) => texts.get(uri)),
    });
  const of = (list: readonly Asked[], report: boolean): readonly Asked[] =>
    report ? list.filter((each) => each.report) : list;
  const supports = (list: readonly { answer: Answer }[]): number[] => list.map(({ answer }) => answer.support);
  const bands = (list: readonly Answer[]): Record<string, number> => ({
    refused: share(list.map(({ confidence }) => confidence === 'none')),
    answered: share(list.map(({ confidence }) => confidence === 'high')),
  });
  const figures = (report: boolean): Record<string, unknown> => {
    const mine = of(own, report);
    const hard = lookAlike.length > 0 ? of(lookAlike, report) : of(gone, report);
    return {
      questions: mine.length,
      ...((goldSets as readonly string[]).includes(set.name) ? selectionFigures(mine) : {}),
      auroc: {
        lookAlike: auroc(supports(mine), supports(of(lookAlike, report))) ?? null,
        goldRemoved: auroc(supports(mine), supports(of(gone, report))) ?? null,
        foreign:
          auroc(
            supports(mine),
            foreign.map(({ support }) => support),
          ) ?? null,
      },
      calibrationError: calibrationError([
        ...mine.map(({ answer }) => ({ p: answer.support, positive: true })),
        ...hard.map(({ answer }) => ({ p: answer.support, positive: false })),
      ]),
      own: bands(mine.map(({ answer }) => answer)),
      ...(lookAlike.length > 0 ? { lookAlike: bands(of(lookAlike, report).map(({ answer }) => answer)) } : {}),
      goldRemoved: bands(of(gone, report).map(({ answer }) => answer)),
      foreign: bands(foreign),
    };
  };
  const record = {
    calibration,
    calibrationMs: Math.round(calibrationMs),
    msPerAnswer: Number(msPerAnswer.toFixed(2)),
    report: figures(true),
    all: figures(false),
  };
  return { record, modes };
}

/** At most as many as are wanted of a set, evenly over its list. */
function spread(questions: readonly AnswerQuestion[]): readonly AnswerQuestion[] {
  const most = flags.questions === 'all' ? questions.length : Number(flags.questions);
  const step = Math.max(1, questions.length / most);
  return questions.filter((_, i) => i === 0 || Math.floor(i / step) !== Math.floor((i - 1) / step));
}

/** The same questions and hits, answered by the model there is a key for; evenly spread over the list. */
async function generated(asked: readonly Judged[]): Promise<{ model: string; judged: Judged[] } | undefined> {
  if (model === undefined) return undefined;
  const step = Math.max(1, asked.length / Number(flags.generated));
  const judged: Judged[] = [];
  for (const [i, one] of asked.entries()) {
    if (i > 0 && Math.floor(i / step) === Math.floor((i - 1) / step)) continue;
    const { question: text, hits, support, confidence } = one.answer;
    try {
      const answer = await collectAnswer(answerGrounded(text, hits, { support, confidence }, model, { meter }));
      judged.push({ ...one, answer });
    } catch (error) {
      if (!(error instanceof IbidError) || error.code !== 'BUDGET_EXCEEDED') throw error;
      skipped.push({ what: `generated, from question ${judged.length + 1} of a set on`, reason: error.message });
      break;
    }
  }
  return judged.length === 0 ? undefined : { model: model.id, judged };
}

const command =
  `node bench/quality/answers.ts ${givenFlags(process.argv.slice(2).filter((arg) => arg !== positionals[0]))}`.trim();
const run = beginRun({ kind: 'answers', command });
const skipped: Skipped[] = [];
const stop = stopAfter(Number(flags.minutes));
const meter = new Meter(Number(flags.budget));
const settings = settingsOf('messages');
await using messages = settings && createMessagesService(settings);
const model = languageModel();
const sets = new Map<string, AnswerSet>();
for (const name of names) {
  if (existsSync(join(root, name))) sets.set(name, await loadAnswerSet(root, name));
  else skipped.push({ what: name, reason: `not there: ${root} has no such folder` });
}
const results: Record<string, unknown> = {};
const measured: AnswerSetResults[] = [];
const data: DataSource[] = [];
/** One set; what goes wrong with it is told, and costs the others nothing. */
async function add(
  name: string,
  measureSet: () => Promise<{ readonly record: Record<string, unknown>; readonly modes: AnswerModeResults[] }>,
  size: (record: Record<string, unknown>) => Pick<DataSource, 'documents' | 'queries'>,
): Promise<void> {
  try {
    await stop.check();
    const { record, modes } = await measureSet();
    results[name] = record;
    measured.push({ name, modes });
    data.push({ name, sha256: checksumsOf(join(root, name), goldFiles), ...size(record) });
    console.error(`${name} done`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    skipped.push({ what: name, reason });
    if (error instanceof Stopped) return;
    failed.push(name);
    console.error(`${name}: Error: ${reason}`);
  }
}
const failed: string[] = [];
for (const [name, set] of sets) {
  if (!wanted.includes(name)) continue;
  await add(
    name,
    async () => measure(await openSet(set), sets),
    () => ({ documents: set.documents.length, queries: set.questions.length }),
  );
}
const pdfs = join(root, '../docs');
if (flags.pdf && wanted.includes('pdf-qa')) {
  if (existsSync(join(pdfs, 'pdf')) && existsSync(join(root, 'pdf-qa'))) {
    await add(
      'pdf-qa',
      () => measurePdf(join(root, 'pdf-qa/questions.jsonl'), pdfs),
      ({ questions }) => ({ documents: 8, queries: Number(questions) }),
    );
  } else skipped.push({ what: 'pdf-qa', reason: `not there: ${root} has no pdf-qa, or ${pdfs} no pdf` });
}
const path = writeRunFile(run.finish({ data, results: { sets: measured, skipped } }), flags.out);
console.error(path);
if (failed.length > 0) process.exitCode = 1;
if (stop.interrupted) process.exitCode = 130;

function languageModel(): LanguageModel | undefined {
  const what = 'generated answers';
  if (messages === undefined) {
    skipped.push({ what, reason: 'no key: IBID_MESSAGES_API_KEY and IBID_MESSAGES_BASE_URL are not set' });
    return undefined;
  }
  if (/^(localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(new URL(process.env.IBID_MESSAGES_BASE_URL ?? '').hostname)) {
    skipped.push({ what, reason: 'the address is this machine’s own: a stand-in, whose answers are no figure' });
    return undefined;
  }
  return serviceLanguageModel(messages);
}

const rounded: unknown = JSON.parse(
  JSON.stringify(results, (_, value) => (typeof value === 'number' ? Number(value.toFixed(4)) : value)),
);
for (const { what, reason } of skipped) console.error(`skipped: ${what}: ${reason}`);
const absent = skipped.filter(({ reason }) => reason.startsWith('not there')).map(({ what }) => what);
const left = [stop.reason, ...failed.map((name) => `${name} failed`), ...absent.map((name) => `${name} is not there`)];
const why = left.filter((reason) => reason !== undefined).join(', ');
if (flags.write && why === '') writeResults('answers', command, rounded);
else if (flags.write) console.error(`not kept, for ${why}`);
if (flags.json) console.log(JSON.stringify(rounded, null, 2));
else
  for (const [name, result] of Object.entries(results)) {
    console.log(`\n${name}`);
    print(result, '  ');
  }

function print(value: unknown, indent: string): void {
  for (const [key, each] of Object.entries(value as Record<string, unknown>)) {
    if (
      typeof each === 'object' &&
      each !== null &&
      Object.values(each).some((inner) => typeof inner === 'object' && inner !== null)
    ) {
      console.log(`${indent}${key}`);
      print(each, `${indent}  `);
    } else if (typeof each === 'object' && each !== null) {
      console.log(
        `${indent}${key.padEnd(18)}${Object.entries(each)
          .map(([k, v]) => `${k} ${show(v)}`)
          .join(', ')}`,
      );
    } else console.log(`${indent}${key.padEnd(18)}${show(each)}`);
  }
}

function show(value: unknown): string {
  return typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(3) : String(value);
}
