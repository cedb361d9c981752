import { answerToJson, IbidError } from '../../index.ts';
import { type AskFlags, askOptions, budgetOf } from '../ask-flags.ts';
import { askOnce, reportEnd } from '../asking.ts';
import { printJson, withIndex } from '../context.ts';
import { conversationOf } from '../conversation.ts';
import { questionOf } from '../question.ts';
import { webOptions } from '../web.ts';

/** @throws IbidError INVALID_ARGUMENT without a question where there is no terminal to ask for one */
export async function askCommand(argument: string | undefined, flags: AskFlags, signal: AbortSignal): Promise<number> {
  if (flags.batch !== undefined) return await (await import('./ask-batch.ts')).askBatchCommand(argument, flags, signal);
  if (flags.output !== undefined || flags.wait === false)
    throw new IbidError('INVALID_ARGUMENT', '--output and --no-wait belong to --batch');
  const question = await questionOf(argument, signal);
  if (question === undefined) {
    if (process.stdout.isTTY && !flags.json) return await (await import('./chat.ts')).chatCommand(flags, signal);
    throw new IbidError('INVALID_ARGUMENT', 'there is no question', {
      hint: 'Give it as an argument: ibid ask "…". Without one, a conversation begins only on a terminal.',
    });
  }
  const web = webOptions(flags);
  return await withIndex(flags, signal, async (index) => {
    const conversation = conversationOf(flags, index.address);
    const options = askOptions(flags, { web, history: conversation.turns, budget: budgetOf(flags), signal });
    const printing = flags.json ? 'not' : flags.stream ? 'streamed' : 'whole';
    const answer = await askOnce(index, question, options, { printing, quotes: flags.quotes });
    if (flags.json) printJson(answerToJson(answer));
    conversation.add(question, answer.answer);
    return reportEnd(answer);
  });
}
