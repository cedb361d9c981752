import { join, resolve } from 'node:path';
import {
  compareWithBaseline,
  type GateBaseline,
  type GateReport,
  type JudgedQuestion,
  measureGate,
  questionsOfIndex,
  readBaseline,
  readQuestionFile,
  writeBaseline,
} from '../../eval.ts';
import { IbidError, type SearchIndex } from '../../index.ts';
import { isRemoteAddress } from '../config/remote.ts';
import { type CommonFlags, printJson, withIndex } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { checkWritable } from '../files.ts';
import { locateIndex } from '../locate-index.ts';
import { say, tell } from '../say.ts';
import { counted, signed, snippet } from '../text.ts';
import { version } from '../version.ts';

export interface GateFlags extends CommonFlags {
  readonly questions?: string;
  readonly baseline?: string;
  readonly save?: boolean;
}

/** @returns 1 only when something was lost; what keeps the gate from measuring is an error */
export async function gateCommand(flags: GateFlags, signal: AbortSignal): Promise<number> {
  const path = baselinePath(flags);
  const given = flags.questions === undefined ? undefined : readQuestionFile(resolve(flags.questions));
  if (flags.save) checkWritable(path);
  const baseline = flags.save ? undefined : readBaseline(path);
  return await withIndex(flags, signal, async (index) => {
    const questions = given ?? baseline?.questions ?? (await questionsOfIndex(index, { signal }));
    if (given) await tellLost(given, index, signal);
    const now = await measureGate(index, questions, { signal, version: version() });
    if (baseline === undefined) {
      signal.throwIfAborted();
      writeBaseline(path, now);
      if (flags.json) printJson({ saved: path, ...summary(now) });
      else printSaved(path, now);
      return exitCodes.done;
    }
    const report = compareWithBaseline(baseline, now);
    if (flags.json) printJson({ baseline: path, savedAt: baseline.savedAt, ...report });
    else printReport(report, baseline);
    return report.passed ? exitCodes.done : exitCodes.unexpected;
  });
}

/** A question whose answer cannot be found has nothing to lose: the gate would pass whatever happens. */
async function tellLost(questions: readonly JudgedQuestion[], index: SearchIndex, signal: AbortSignal): Promise<void> {
  const missing = new Set(questions.flatMap(({ evidence }) => evidence.map(({ uri }) => uri)));
  for await (const { uri } of index.documents({ signal })) missing.delete(uri);
  const lost = questions.filter(({ evidence }) => evidence.every(({ uri }) => uri !== undefined && missing.has(uri)));
  if (lost.length > 0)
    tell(`questions about documents that are not in the index, and count as not found: ${lost.length}`);
}

function baselinePath(flags: GateFlags): string {
  const { baseline } = flags;
  if (baseline !== undefined) return resolve(baseline);
  const { address } = locateIndex(flags);
  if (!isRemoteAddress(address)) return join(address, 'gate.json');
  throw new IbidError('INVALID_ARGUMENT', 'an index that is not a folder here needs a place for its baseline', {
    hint: 'Name one with --baseline gate.json.',
  });
}

function summary({ questions, questionSet, scores }: GateBaseline): Record<string, unknown> {
  return {
    questions: questions.length,
    questionSet,
    metrics: {
      'recall@10': meanOf(scores, 'recall@10'),
      'nDCG@10': meanOf(scores, 'nDCG@10'),
    },
  };
}

function meanOf(scores: GateBaseline['scores'], name: 'recall@10' | 'nDCG@10'): number {
  return scores.reduce((sum, score) => sum + score[name], 0) / scores.length; // there is no baseline without questions
}

function printSaved(path: string, { questions, scores }: GateBaseline): void {
  say(`saved ${path}: ${counted(questions.length, 'question')}`);
  for (const name of ['recall@10', 'nDCG@10'] as const) {
    say(`  ${name.padEnd(10)} ${meanOf(scores, name).toFixed(3)}`);
  }
}

function printReport(report: GateReport, baseline: GateBaseline): void {
  const { compared, added, gone } = report;
  say(`${counted(compared, 'question')}, held against the baseline of ${baseline.savedAt.slice(0, 10)}`);
  if (added > 0) say(`  ${counted(added, 'more question')} than before: asked, but not compared`);
  if (gone > 0) say(`  ${counted(gone, 'question')} of the baseline ${gone === 1 ? 'was' : 'were'} not asked`);
  for (const { what, before, now } of report.changes) {
    if (what !== 'questionSet') say(`  ${what}: ${before} → ${now}`);
  }
  for (const { name, before, now, difference, low, high, pValue, verdict } of report.metrics) {
    say(
      `  ${name.padEnd(10)} ${before.toFixed(3)} → ${now.toFixed(3)}  ${signed(difference)} [${signed(low)}, ${signed(high)}]  ` +
        `${pValue < 0.001 ? 'p < 0.001' : `p = ${pValue.toFixed(3)}`}  ${verdict}`,
    );
  }
  if (!report.passed) {
    for (const { question, before, now } of report.worst) {
      say(`  lost: ${snippet(question, 70)}  recall ${before.toFixed(2)} → ${now.toFixed(2)}`);
    }
  }
  say(report.passed ? 'passed' : 'failed: recall was lost beyond noise');
}
