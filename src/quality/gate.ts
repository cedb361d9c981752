import { readFileSync } from 'node:fs';
import { listOf, objectOf, optionsOf } from '../core/arguments.ts';
import { IbidError, messageOf } from '../core/errors.ts';
import { writeWhole } from '../core/files.ts';
import type { CallOptions } from '../core/types.ts';
import { bootstrapInterval, comparePaired } from '../eval/statistics.ts';
import { mean } from '../eval/summary.ts';
import { askQuestions } from './ask-questions.ts';
import { QuestionMaker } from './make-questions.ts';
import type { QualityIndex } from './quality-index.ts';
import { type JudgedQuestion, judgedQuestion, questionSetHash } from './question.ts';
import { sectionsOfChunks } from './sections.ts';

/** Both in [0, 1], higher is better. */
export type GateMetric = 'recall@10' | 'nDCG@10';
const metrics: readonly GateMetric[] = ['recall@10', 'nDCG@10'];

/** Of one question, by its id. */
export interface GateScore {
  readonly id: string;
  readonly 'recall@10': number;
  readonly 'nDCG@10': number;
}

/** The scores of an index on its questions, kept for later comparisons. */
export interface GateBaseline {
  readonly format: 1;
  /** ISO 8601. */
  readonly savedAt: string;
  readonly version: string;
  readonly embedder: string;
  readonly documents: number;
  readonly chunks: number;
  readonly questionSet: string;
  readonly questions: readonly JudgedQuestion[];
  /** One per question, by its id. */
  readonly scores: readonly GateScore[];
}

/** The scores of an index beside the scores of its baseline. */
export interface GateReport {
  /** Whether no metric was lost beyond noise. */
  readonly passed: boolean;
  readonly metrics: readonly GateComparison[];
  /** Counts of questions: asked and in the baseline; asked and new; in the baseline and not asked. */
  readonly compared: number;
  readonly added: number;
  readonly gone: number;
  /** Other differences: version, embedder, documents, chunks, question set. */
  readonly changes: readonly { readonly what: string; readonly before: string; readonly now: string }[];
  /** Questions that lost most recall, worst first. */
  readonly worst: readonly { readonly question: string; readonly before: number; readonly now: number }[];
}

/** One measure, in the baseline and in this run. */
export interface GateComparison {
  readonly name: GateMetric;
  readonly before: number;
  readonly now: number;
  readonly difference: number;
  /** 95 % bootstrap interval of the difference. */
  readonly low: number;
  readonly high: number;
  /** Two-sided paired randomisation test. */
  readonly pValue: number;
  readonly verdict: 'lost' | 'gained' | 'noise';
}

/** A paired test of fewer never falls below the level, whatever is lost. */
export const LEAST_GATE_QUESTIONS = 7;
/** Two metrics are tested. */
const ALPHA = 0.05 / metrics.length;
const WORST_SHOWN = 5;

/**
 * Questions from what an index holds; their answers are told by their words, so that an edit or a new file name
 * elsewhere moves none.
 */
export async function questionsOfIndex(
  index: Pick<QualityIndex, 'export'>,
  options: CallOptions & { readonly limit?: number | undefined } = {},
): Promise<JudgedQuestion[]> {
  objectOf(index, 'the index', 'export');
  const { limit = 200, signal } = optionsOf(options);
  const maker = new QuestionMaker();
  for await (const section of sectionsOfChunks(index.export({ signal }))) maker.add(section);
  return maker.make(limit).map(({ question, text }) => judgedQuestion(question.kind, question.question, [{ text }]));
}

/**
 * Asks an index every question with its own settings, and keeps what each reached: a baseline to save, or what to hold
 * against one.
 * @param options.version of ibid, or of whatever else may have changed; a difference is reported
 * @throws IbidError INVALID_ARGUMENT when there are too few questions for any loss to show
 */
export async function measureGate(
  index: Pick<QualityIndex, 'search' | 'status'>,
  questions: readonly JudgedQuestion[],
  options: CallOptions & { readonly version: string },
): Promise<GateBaseline> {
  objectOf(index, 'the index', 'search', 'status');
  objectOf(optionsOf(options), 'the options', 'version');
  if (listOf(questions, 'questions').length < LEAST_GATE_QUESTIONS) {
    throw new IbidError(
      'INVALID_ARGUMENT',
      `${questions.length} questions are too few to tell a loss from noise, at least ${LEAST_GATE_QUESTIONS} are needed`,
      { hint: 'Give more `questions`.' },
    );
  }
  const { scores } = await askQuestions(index, questions, {}, options.signal);
  const { documents, chunks, embedder } = await index.status({ signal: options.signal });
  return {
    format: 1,
    savedAt: new Date().toISOString(),
    version: options.version,
    embedder: embedder ?? 'none',
    documents,
    chunks,
    questionSet: questionSetHash(questions),
    questions,
    scores: questions.map(({ id }, i) => ({ id, 'recall@10': scores[i]!.recall, 'nDCG@10': scores[i]!.ndcg })),
  };
}

/**
 * Holds a measurement against the baseline on the questions both have. A metric is lost when the paired randomisation
 * test says so at a level of 0.025, two metrics being tested.
 * @throws IbidError INVALID_ARGUMENT when they share too few
 */
export function compareWithBaseline(baseline: GateBaseline, now: GateBaseline): GateReport {
  objectOf(now, 'the measurement', 'scores');
  const before = new Map(objectOf(baseline, 'the baseline', 'scores').scores.map((score) => [score.id, score]));
  const pairs = now.scores.flatMap((score) => {
    const old = before.get(score.id);
    return old === undefined ? [] : [{ old, score }];
  });
  if (pairs.length < LEAST_GATE_QUESTIONS) {
    throw new IbidError(
      'INVALID_ARGUMENT',
      `the baseline shares ${pairs.length} questions with these, at least ${LEAST_GATE_QUESTIONS} are needed`,
      { hint: 'Ask the questions the baseline was saved with, or save a new one with `writeBaseline`.' },
    );
  }
  const compared = metrics.map((name) => compareMetric(name, pairs));
  const textOf = new Map(now.questions.map(({ id, question }) => [id, question]));
  const worst = pairs
    .filter(({ old, score }) => score['recall@10'] < old['recall@10'])
    .sort((a, b) => a.score['recall@10'] - a.old['recall@10'] - (b.score['recall@10'] - b.old['recall@10']))
    .slice(0, WORST_SHOWN)
    .map(({ old, score }) => ({
      question: textOf.get(score.id) ?? score.id,
      before: old['recall@10'],
      now: score['recall@10'],
    }));
  const changes = (['version', 'embedder', 'documents', 'chunks', 'questionSet'] as const)
    .filter((what) => baseline[what] !== now[what])
    .map((what) => ({ what, before: String(baseline[what]), now: String(now[what]) }));
  return {
    passed: compared.every(({ verdict }) => verdict !== 'lost'),
    metrics: compared,
    compared: pairs.length,
    added: now.scores.length - pairs.length,
    gone: baseline.scores.length - pairs.length,
    changes,
    worst,
  };
}

function compareMetric(
  name: GateMetric,
  pairs: readonly { readonly old: GateScore; readonly score: GateScore }[],
): GateComparison {
  const before = pairs.map(({ old }) => old[name]);
  const now = pairs.map(({ score }) => score[name]);
  const { difference, pValue } = comparePaired(before, now);
  const { low, high } = bootstrapInterval(now.map((value, i) => value - before[i]!));
  const verdict = pValue >= ALPHA ? 'noise' : difference < 0 ? 'lost' : 'gained';
  return { name, before: mean(before), now: mean(now), difference, low, high, pValue, verdict };
}

/** Whole or not at all. @throws IbidError FILE_UNREADABLE */
export function writeBaseline(path: string, baseline: GateBaseline): void {
  writeWhole(path, `${JSON.stringify(baseline)}\n`);
}

/** @throws IbidError INVALID_ARGUMENT when there is none, or the file is something else */
export function readBaseline(path: string): GateBaseline {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new IbidError('INVALID_ARGUMENT', `there is no baseline at ${path}`, {
      cause,
      hint: 'Save one with `writeBaseline` while the index is as it should be.',
    });
  }
  try {
    const value = JSON.parse(text) as GateBaseline; // what is used is looked at next
    if (value.format !== 1) throw new Error(`format ${String(value.format)}, this ibid reads 1`);
    for (const list of [value.questions, value.scores]) if (!Array.isArray(list)) throw new Error('a list is missing');
    for (const { id, ...score } of value.scores) {
      if (typeof id !== 'string' || metrics.some((name) => !Number.isFinite(score[name])))
        throw new Error('a score is not a number');
    }
    for (const { id, question, evidence } of value.questions) {
      if (typeof id !== 'string' || typeof question !== 'string' || !Array.isArray(evidence) || evidence.length === 0)
        throw new Error('a question is not complete');
    }
    return value;
  } catch (cause) {
    throw new IbidError('INVALID_ARGUMENT', `${path} is not a baseline of \`ibid gate\`: ${messageOf(cause)}`, {
      cause,
      hint: 'Save a new one with `writeBaseline`.',
    });
  }
}
