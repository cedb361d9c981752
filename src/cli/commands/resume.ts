import { answerToJson, IbidError } from '../../index.ts';
import { type AskFlags, budgetOf, printOptions } from '../ask-flags.ts';
import { modeFlags } from '../ask-uses.ts';
import { reportEnd } from '../asking.ts';
import { printJson, withIndex } from '../context.ts';
import { conversationOf } from '../conversation.ts';
import { exitCodes } from '../exit-codes.ts';
import { locateIndex } from '../locate-index.ts';
import { flagOf } from '../options.ts';
import { findRun, printRun } from '../runs.ts';
import { say, tell } from '../say.ts';
import { printableLine } from '../text.ts';
import { usd } from './paid.ts';

/**
 * `ibid ask --resume [id]`: goes on with a question that an earlier command left at a service.
 * @throws IbidError INVALID_ARGUMENT when there is no such run, or a question was given as well
 */
export async function resumeCommand(
  question: string | undefined,
  flags: AskFlags,
  signal: AbortSignal,
): Promise<number> {
  refuseQuestion(question, 'resume');
  const given = ([...modeFlags, 'fallback', 'speak', 'play', 'voice', 'dryRun'] as const)
    .filter((name) => flags[name] !== undefined)
    .map(flagOf);
  if (given.length > 0)
    throw new IbidError('INVALID_ARGUMENT', `${given.join(', ')}: no meaning with --resume`, {
      hint: 'A run goes on as it was asked. --budget may be another.',
    });
  const { others, ...run } = runOf(flags.resume, flags);
  if (others.length > 0) tell(`resuming run ${run.id}; left are also ${others.join(', ')}`);
  return await withIndex(
    flags,
    signal,
    async (index) => {
      const conversation = conversationOf(flags, index.address);
      const budget = flags.budget === undefined ? undefined : budgetOf(flags);
      const events = index.resume(run.journal, { budget, signal, wait: flags.wait });
      const answer = await printRun(events, run, { ...printOptions(flags), wait: flags.wait, signal });
      if (!answer) return exitCodes.done;
      if (flags.json) printJson(answerToJson(answer));
      conversation.add(answer.question, answer);
      return reportEnd(answer);
    },
    { create: true }, // an answer of the web has no index
  );
}

/** `ibid ask --cancel [id]`: ends research that an earlier command left at the service. @throws IbidError as `resume` */
export async function cancelCommand(
  question: string | undefined,
  flags: AskFlags,
  signal: AbortSignal,
): Promise<number> {
  refuseQuestion(question, 'cancel');
  const { others, ...run } = runOf(flags.cancel, flags);
  if (others.length > 0) tell(`calling off run ${run.id}; left are also ${others.join(', ')}`);
  return await withIndex(
    flags,
    signal,
    async (index) => {
      const { status, costUsd, maxUsd } = await index.cancel(run.journal, { signal });
      if (flags.json) printJson({ run: run.id, status, costUsd, maxUsd });
      else if (status === 'completed') say(`run ${run.id} was over: \`ibid ask --resume ${run.id}\` prints its answer`);
      else say(`run ${run.id} is ${printableLine(status)}: ${priceOf(costUsd, maxUsd)}`);
      return exitCodes.done;
    },
    { create: true },
  );
}

const priceOf = (costUsd: number, maxUsd: number): string =>
  costUsd === maxUsd
    ? `${usd(costUsd)} in all`
    : `${usd(costUsd)} so far; the service does not say what it bills for the rest, at most ${usd(maxUsd)} in all`;

function refuseQuestion(question: string | undefined, flag: string): void {
  if (question !== undefined)
    throw new IbidError('INVALID_ARGUMENT', `a question and --${flag} were given`, {
      hint: 'A run has its question in its journal.',
    });
}

function runOf(named: string | true | undefined, flags: AskFlags): ReturnType<typeof findRun> {
  return findRun(typeof named === 'string' ? named : undefined, locateIndex(flags).address);
}
