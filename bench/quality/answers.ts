/**
 * Quality of `ask` without a model: are the cited sentences the gold ones, and is a question refused when the collection does not hold its answer?
 * Retrieval is ibid's own hybrid search, thresholds are each index's own calibration, without labels.
 *
 *   node bench/quality/answers.ts [folder of data sets] [--only name,name] [--no-pdf] [--json] [--write]
 *
 * `report` figures are of the half of the questions that the coefficients were not learnt from; `all` are of every question.
 * `--write` keeps the figures in `bench/results/`.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { calibrate } from '../../src/answer/calibrate.ts';
import type { Answer, Calibration } from '../../src/answer/contract.ts';
import { answerExtractive } from '../../src/answer/extractive.ts';
import { collectionStatistics } from '../../src/answer/statistics.ts';
import { unitsOf } from '../../src/answer/units.ts';
import type { Span } from '../../src/core/types.ts';
import { openIndex } from '../../src/search-index.ts';
import { writeResults } from '../support/report.ts';
import {
  type AnswerQuestion,
  type AnswerSet,
  type Gold,
  goldSets,
  halfOf,
  isGold,
  loadAnswerSet,
  type OpenSet,
  openSet,
  otherSets,
} from './answer-sets.ts';
import { auroc, calibrationError } from './learn.ts';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    only: { type: 'string' },
    pdf: { type: 'boolean', default: true },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const root = resolve(positionals[0] ?? join(process.env.IBID_SHARED ?? '../shared', 'data'));
const names = [...goldSets, ...otherSets];
const wanted = flags.only?.split(',') ?? [...names, 'pdf-qa'];
const foreignPerSet = 40;

const share = (list: readonly boolean[]): number => list.filter(Boolean).length / (list.length || 1);

/** The sentences and rows a citation covers, in document offsets: what a judge would count. */
function citedUnits(answer: Answer): { uri: string; span: Span }[] {
  return answer.citations.flatMap(({ uri, span, quote }) =>
    unitsOf(quote).map((unit) => ({ uri, span: { start: span.start + unit.start, end: span.start + unit.end } })),
  );
}

const normal = (text: string): string =>
  ` ${text
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
/** Words against words; characters against characters where no blanks are written. */
const holds = (text: string, answer: string): boolean =>
  /[\u3040-\u30ff\u4e00-\u9fff]/.test(answer)
    ? normal(text).includes(normal(answer).trim())
    : normal(text).includes(normal(answer));

interface Asked {
  readonly question: AnswerQuestion;
  readonly answer: Answer;
  readonly report: boolean;
}

async function measure(open: OpenSet, sets: ReadonlyMap<string, AnswerSet>): Promise<Record<string, unknown>> {
  const { set, snapshot } = open;
  const step = Math.max(1, Math.floor(snapshot.rows / 200));
  const sample = await snapshot.fetch(Array.from({ length: Math.ceil(snapshot.rows / step) }, (_, i) => i * step));
  let started = performance.now();
  const calibration = await calibrate(
    sample.map(({ text }) => text),
    async (question) => ({
      hits: await open.ask(question),
      statistics: await collectionStatistics(snapshot.lexical, question),
    }),
  );
  const calibrationMs = performance.now() - started;
  let answerMs = 0;
  const ask = async (text: string, without?: readonly Gold[], thresholds?: Calibration): Promise<Answer> => {
    const hits = await open.ask(text, without);
    const statistics = await collectionStatistics(snapshot.lexical, text);
    started = performance.now();
    const answer = answerExtractive(text, hits, statistics, { calibration: thresholds ?? calibration });
    answerMs += performance.now() - started;
    return answer;
  };
  const own: Asked[] = [];
  const lookAlike: Asked[] = [];
  const gone: Asked[] = [];
  for (const question of set.questions) {
    const report = halfOf(question.id) === 'report';
    (question.answerable ? own : lookAlike).push({ question, answer: await ask(question.text), report });
    if (question.answerable) gone.push({ question, answer: await ask(question.text, question.relevant), report });
  }
  const asked = own.length + lookAlike.length + gone.length;
  const msPerAnswer = answerMs / asked;
  const foreign: Answer[] = [];
  for (const [name, other] of sets) {
    if (name === set.name) continue;
    const pool = other.questions.filter(({ answerable, language }) => answerable && language === 'en');
    const every = Math.max(1, Math.floor(pool.length / foreignPerSet));
    for (let i = 0, k = 0; i < pool.length && k < foreignPerSet; i += every, k++)
      foreign.push(await ask(pool[i]!.text));
  }
  const of = (list: readonly Asked[], report: boolean): readonly Asked[] =>
    report ? list.filter((each) => each.report) : list;
  const supports = (list: readonly { answer: Answer }[]): number[] => list.map(({ answer }) => answer.support);
  const bands = (list: readonly Answer[]): Record<string, number> => ({
    refused: share(list.map(({ band }) => band === 'refused')),
    answered: share(list.map(({ band }) => band === 'answered')),
  });
  const figures = (report: boolean): Record<string, unknown> => {
    const mine = of(own, report);
    const hard = lookAlike.length > 0 ? of(lookAlike, report) : of(gone, report);
    return {
      questions: mine.length,
      ...((goldSets as readonly string[]).includes(set.name) ? selection(mine) : {}),
      auroc: {
        lookAlike: lookAlike.length > 0 ? auroc(supports(mine), supports(of(lookAlike, report))) : null,
        goldRemoved: auroc(supports(mine), supports(of(gone, report))),
        foreign: auroc(
          supports(mine),
          foreign.map(({ support }) => support),
        ),
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
  return {
    calibration,
    calibrationMs: Math.round(calibrationMs),
    msPerAnswer: Number(msPerAnswer.toFixed(2)),
    report: figures(true),
    all: figures(false),
  };
}

/** Gold among the cited sentences of the whole `ask`, refusals counting as misses, and precision, recall, F1 of what is cited. */
function selection(asked: readonly Asked[]): Record<string, number> {
  let precision = 0;
  let recall = 0;
  let f1 = 0;
  let sentences = 0;
  const any: boolean[] = [];
  const short: boolean[] = [];
  for (const { question, answer } of asked) {
    const cited = citedUnits(answer);
    sentences += cited.length;
    any.push(question.golds.some((golds) => cited.some(({ uri, span }) => isGold(uri, span, golds))));
    if (question.answers.length > 0) {
      const text = answer.citations.map(({ quote }) => quote).join('\n');
      short.push(question.answers.some((each) => holds(text, each)));
    }
    let best = { p: 0, r: 0, f: 0 };
    for (const golds of question.golds) {
      const p = share(cited.map(({ uri, span }) => isGold(uri, span, golds)));
      const r = share(golds.map((gold) => cited.some(({ uri, span }) => isGold(uri, span, [gold]))));
      const f = p + r === 0 ? 0 : (2 * p * r) / (p + r);
      if (f > best.f) best = { p, r, f };
    }
    precision += best.p;
    recall += best.r;
    f1 += best.f;
  }
  const n = asked.length || 1;
  return {
    goldCited: share(any),
    sentences: sentences / n,
    precision: precision / n,
    recall: recall / n,
    f1: f1 / n,
    ...(short.length > 0 ? { shortAnswerCited: share(short) } : {}),
  };
}

interface PdfQuestion {
  readonly file: string;
  readonly question: string;
  readonly answers: readonly string[];
  readonly kind: string;
  readonly needs_document_named: boolean;
  readonly answer_in_pdf_text: boolean;
}

/** From the PDF files to cited spans: the gold answer inside one, of the right file, with its page. */
async function measurePdf(documents: string): Promise<Record<string, unknown>> {
  const questions = readFileSync(join(root, 'pdf-qa/questions.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as PdfQuestion) // the data set's own layout, described in its README
    .filter((question) => question.answer_in_pdf_text);
  const folder = mkdtempSync(join(tmpdir(), 'ibid-bench-'));
  try {
    await using index = await openIndex(join(folder, 'index'), { create: true, base: documents });
    for await (const _ of index.ingest([...new Set(questions.map(({ file }) => join(documents, file)))])) {
      // only the index is wanted
    }
    const byKind: Record<string, { questions: number; cited: number; inPassages: number }> = {};
    let refused = 0;
    for (const { file, question, answers, kind, needs_document_named: named } of questions) {
      const answer = await index.ask(question, named ? { where: `uri = '${file}'` } : {});
      if (answer.abstained) refused++;
      const wanted = kind === 'filing-multi-span' ? 'every' : 'some';
      const cited = answers[wanted]((each) =>
        answer.citations.some(
          ({ uri, quote, place, verified }) =>
            uri === file && verified && place.page !== undefined && holds(quote, each),
        ),
      );
      const inPassages = answers[wanted]((each) =>
        answer.hits.some(({ chunk }) => chunk.uri === file && holds(chunk.text, each)),
      );
      const row = byKind[kind] ?? { questions: 0, cited: 0, inPassages: 0 };
      byKind[kind] = row;
      row.questions++;
      if (cited) row.cited++;
      if (inPassages) row.inPassages++;
    }
    const sum = (key: 'cited' | 'inPassages'): number =>
      Object.values(byKind).reduce((total, row) => total + row[key], 0);
    return {
      questions: questions.length,
      cited: sum('cited') / questions.length,
      inPassages: sum('inPassages') / questions.length,
      refused,
      byKind,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const sets = new Map<string, AnswerSet>();
for (const name of names) sets.set(name, await loadAnswerSet(root, name));
const results: Record<string, unknown> = {};
for (const [name, set] of sets) {
  if (!wanted.includes(name)) continue;
  results[name] = await measure(await openSet(set), sets);
  console.error(`${name} done`);
}
const pdfs = join(root, '../docs');
if (flags.pdf && wanted.includes('pdf-qa') && existsSync(join(pdfs, 'pdf'))) results['pdf-qa'] = await measurePdf(pdfs);

const rounded: unknown = JSON.parse(
  JSON.stringify(results, (_, value) => (typeof value === 'number' ? Number(value.toFixed(4)) : value)),
);
if (flags.write) writeResults('answers', 'node bench/quality/answers.ts --write', rounded);
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
