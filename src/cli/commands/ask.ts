import { answerToJson, IbidError, type SearchIndex } from '../../index.ts';
import {
  type AskFlags,
  askOptions,
  budgetOf,
  checkUses,
  looksAtIndex,
  looksAtWeb,
  printOptions,
} from '../ask-flags.ts';
import { reportEnd, tellIfEmpty } from '../asking.ts';
import { printJson, withIndex } from '../context.ts';
import { conversationOf } from '../conversation.ts';
import { exitCodes } from '../exit-codes.ts';
import { questionOf } from '../question.ts';
import { newRun, printRun } from '../runs.ts';
import { checkSpeakFlags, isSpoken, openSpeech } from '../speech.ts';
import { webOptions } from '../web.ts';

/** @throws IbidError INVALID_ARGUMENT without a question where there is no terminal to ask for one */
export async function askCommand(argument: string | undefined, flags: AskFlags, signal: AbortSignal): Promise<number> {
  if (flags.batch !== undefined) return await (await import('./ask-batch.ts')).askBatchCommand(argument, flags, signal);
  if (flags.cancel !== undefined) return await (await import('./resume.ts')).cancelCommand(argument, flags, signal);
  if (flags.resume !== undefined) return await (await import('./resume.ts')).resumeCommand(argument, flags, signal);
  if (flags.output !== undefined) throw new IbidError('INVALID_ARGUMENT', '--output belongs to --batch');
  if (flags.wait === false && !looksAtWeb(flags))
    throw new IbidError('INVALID_ARGUMENT', '--no-wait is for --batch, for research, and for the deep model of answer');
  checkUses(flags);
  checkSpeakFlags(flags);
  const question = await questionOf(argument, 'ask', signal);
  if (question === undefined) {
    if (process.stdout.isTTY && !flags.json && !isSpoken(flags))
      return await (await import('./chat.ts')).chatCommand(flags, signal);
    throw new IbidError('INVALID_ARGUMENT', 'there is no question', {
      hint: 'Give it as an argument: ibid ask "…". Without one, a conversation begins only on a terminal.',
    });
  }
  const web = webOptions(flags, looksAtWeb(flags));
  const ask = async (index: SearchIndex): Promise<number> => {
    const conversation = conversationOf(flags, index.address);
    const run = newRun(index.address);
    const call = {
      web,
      history: conversation.turns,
      continues: flags.continue,
      journal: run.journal,
      budget: budgetOf(flags),
      signal,
    };
    await using speech = await openSpeech(flags, call.budget, signal);
    const events = speech.follow(index.ask(question, askOptions(flags, call)));
    const answer = await printRun(events, run, { ...printOptions(flags), wait: flags.wait, signal });
    if (!answer) return exitCodes.done;
    const spoken = speech.report();
    await tellIfEmpty(index, answer);
    if (flags.json) printJson({ ...answerToJson(answer), ...(spoken && { speech: spoken }) });
    conversation.add(question, answer);
    const status = reportEnd(answer);
    speech.check();
    return status;
  };
  return await withIndex(flags, signal, ask, { create: !looksAtIndex(flags) });
}
