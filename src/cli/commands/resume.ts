import { answerToJson, IbidError } from '../../index.ts';
import { type AskFlags, budgetOf, printOptions } from '../ask-flags.ts';
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
  const given = settled.filter((name) => flags[name] !== undefined).map(flagOf);
  if (given.length > 0)
    throw new IbidError('INVALID_ARGUMENT', `${given.join(', ')}: no meaning with --resume`, {
      hint: 'A run goes on as it was asked. --budget may be another.',
    });
  const id = typeof flags.resume === 'string' ? flags.resume : undefined;
  const { others, ...run } = findRun(id, locateIndex(flags.index));
  if (others.length > 0) tell(`resuming run ${run.id}; left are also ${others.join(', ')}`);
  return await withIndex(flags, signal, async (index) => {
    const budget = flags.budget === undefined ? undefined : budgetOf(flags);
    const events = index.resume(run.journal, { budget, signal, wait: flags.wait });
    const answer = await printRun(events, run, { ...printOptions(flags), wait: flags.wait, signal });
    if (!answer) return exitCodes.done;
    if (flags.json) printJson(answerToJson(answer));
    conversationOf(flags, index.address).add(answer.question, answer);
    return reportEnd(answer);
  });
}

/** What a run was begun with. */
const settled = [
  ...(['preset', 'maxSteps', 'model', 'effort', 'maxTokens', 'where', 'rerank', 'sandbox', 'fallback'] as const),
  ...(['contextSize', 'images', 'relatedQuestions', 'passages', 'thinking'] as const),
  ...(['webDomain', 'webRecency', 'webAfter', 'webBefore', 'webUpdatedAfter', 'webUpdatedBefore'] as const),
  ...(['webLanguage', 'webCountry', 'webQuery', 'webFetch', 'webDeadline'] as const),
];
