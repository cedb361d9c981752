import { type BatchSummary, fileJournal, IbidError } from '../../index.ts';
import { type AskFlags, budgetOf, modelOptions, modeOf } from '../ask-flags.ts';
import { refuseUnused } from '../ask-uses.ts';
import { openAnswers, readQuestions } from '../batch-files.ts';
import { printJson, withIndex } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { flagOf } from '../options.ts';
import { say, tell } from '../say.ts';
import { printableLine } from '../text.ts';
import { tellReport, webOptions } from '../web.ts';

/**
 * `ibid ask --batch`: answers to a file of JSON lines, and beside it the journal by which a second run goes on.
 * @throws IbidError INVALID_ARGUMENT, FILE_UNREADABLE, KEY_MISSING, BUDGET_EXCEEDED
 */
export async function askBatchCommand(
  question: string | undefined,
  flags: AskFlags,
  signal: AbortSignal,
): Promise<number> {
  checkFlags(question, flags);
  const asked = flags.batch!; // the command was chosen by it
  const output = flags.output ?? `${asked.replace(/\.jsonl?$/, '')}.answers.jsonl`;
  const questions = readQuestions(asked);
  const answers = openAnswers(output);
  const byId = new Map(questions.map((one) => [one.id, one]));
  const open = questions.filter((one) => !answers.has(one));
  const earlier = questions.length - open.length;
  if (earlier > 0) tell(`${earlier} of ${questions.length} questions are answered in ${output} already`);
  const web = webOptions(flags);
  return await withIndex(flags, signal, async (index) => {
    const { maxTokens, where, passages, wait } = flags;
    const model = modelOptions(flags, 'grounded');
    const options = { model, maxTokens, budget: budgetOf(flags), where, passages, web, wait, signal };
    let summary: BatchSummary | undefined;
    for await (const event of index.askBatch(open, { ...options, journal: fileJournal(`${output}.journal`) })) {
      if (event.type === 'planned') {
        const { known, refused, requests, maxUsd } = event;
        if (known > 0) tell(`${known} questions were sent by an earlier run; they are not sent again`);
        tell(
          `${requests} questions to send, at most ${maxUsd.toFixed(4)} USD at half price; ${refused} refused without asking`,
        );
      } else if (event.type === 'created') tell(`batch ${event.batchId}: ${event.requests} questions`);
      else if (event.type === 'waiting') tell(`waiting for batch ${event.batchId}`);
      else if (event.type === 'answer') answers.answer(event.id, event.answer);
      else if (event.type === 'failed') {
        tell(`failed ${printableLine(event.id)}: ${printableLine(event.message)} [${event.code}]`);
        answers.fail(byId.get(event.id)!, event.code, event.message);
      } else if (event.type === 'done') summary = event.summary;
    }
    if (!summary) return exitCodes.unexpected;
    const { report, ...counts } = summary;
    tellReport(report);
    const costUsd = counts.costUsd + (report?.costUsd ?? 0);
    const told = { ...counts, questions: questions.length, earlier, costUsd, output };
    if (flags.json) printJson(told);
    else {
      say(`${output}: ${summary.answered} answered, ${summary.refused} of them refused, ${costUsd.toFixed(6)} USD`);
      if (summary.failed > 0) say(`${summary.failed} failed; the same command asks those again that were not paid for`);
    }
    if (summary.pending > 0)
      tell(
        `note: ${summary.pending} questions are still being worked on; the same command fetches their answers later`,
      );
    return summary.failed > 0 ? exitCodes.someFailed : exitCodes.done;
  });
}

/** @throws IbidError INVALID_ARGUMENT for what has no meaning in a batch */
function checkFlags(question: string | undefined, flags: AskFlags): void {
  if (question !== undefined)
    throw new IbidError('INVALID_ARGUMENT', 'a question and --batch were given', {
      hint: 'Put the question into the file.',
    });
  const mode = modeOf(flags);
  if (mode !== undefined && mode !== 'grounded')
    throw new IbidError('INVALID_ARGUMENT', `a batch is answered in mode grounded, not ${mode}`);
  const meaningless = (
    [
      'history',
      'continue',
      'fallback',
      'rerank',
      'rerankModel',
      'look',
      'preset',
      'maxSteps',
      'maxTotalTokens',
      'speak',
      'play',
      'voice',
      'dryRun',
    ] as const
  )
    .filter((name) => flags[name] !== undefined)
    .map(flagOf);
  if (meaningless.length > 0)
    throw new IbidError('INVALID_ARGUMENT', `${meaningless.join(', ')}: no meaning with --batch`);
  refuseUnused(flags, ['grounded']);
}
