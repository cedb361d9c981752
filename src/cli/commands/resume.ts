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
import { tell } from '../say.ts';

/**
 * `ibid ask --resume [id]`: goes on with a question that an earlier command left at a service.
 * @throws IbidError INVALID_ARGUMENT when there is no such run, or a question was given as well
 */
export async function resumeCommand(
  question: string | undefined,
  flags: AskFlags,
  signal: AbortSignal,
): Promise<number> {
  if (question !== undefined)
    throw new IbidError('INVALID_ARGUMENT', 'a question and --resume were given', {
      hint: 'A run has its question in its journal.',
    });
  const given = ([...modeFlags, 'fallback', 'speak', 'play', 'voice', 'dryRun'] as const)
    .filter((name) => flags[name] !== undefined)
    .map(flagOf);
  if (given.length > 0)
    throw new IbidError('INVALID_ARGUMENT', `${given.join(', ')}: no meaning with --resume`, {
      hint: 'A run goes on as it was asked. --budget may be another.',
    });
  const id = typeof flags.resume === 'string' ? flags.resume : undefined;
  const { others, ...run } = findRun(id, locateIndex(flags).address);
  if (others.length > 0) tell(`resuming run ${run.id}; left are also ${others.join(', ')}`);
  return await withIndex(
    flags,
    signal,
    async (index) => {
      const budget = flags.budget === undefined ? undefined : budgetOf(flags);
      const events = index.resume(run.journal, { budget, signal, wait: flags.wait });
      const answer = await printRun(events, run, { ...printOptions(flags), wait: flags.wait, signal });
      if (!answer) return exitCodes.done;
      if (flags.json) printJson(answerToJson(answer));
      conversationOf(flags, index.address).add(answer.question, answer);
      return reportEnd(answer);
    },
    { create: true }, // an answer of the web has no index
  );
}
