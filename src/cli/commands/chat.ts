import { createInterface } from 'node:readline/promises';
import { type AskOptions, type HistoryTurn, IbidError, type SearchIndex } from '../../index.ts';
import { type AskCall, type AskFlags, askOptions, budgetOf, looksAtWeb } from '../ask-flags.ts';
import { askOnce, type PrintOptions, reportEnd } from '../asking.ts';
import { withIndex } from '../context.ts';
import { type Conversation, conversationOf } from '../conversation.ts';
import { reportError } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';
import { tell } from '../say.ts';
import { webOptions } from '../web.ts';

/**
 * A conversation on the terminal, until Ctrl-D or `exit`. Ctrl-C stops the answer being written, or else the
 * conversation.
 */
export async function chatCommand(flags: AskFlags, signal: AbortSignal): Promise<number> {
  const web = webOptions(flags, looksAtWeb(flags));
  const budget = budgetOf(flags);
  return await withIndex(flags, signal, async (index) => {
    const conversation = conversationOf(flags, index.address);
    const optionsOf: OptionsOf = (call) => askOptions(flags, { ...call, web, budget });
    await converse(index, optionsOf, {
      conversation,
      printing: flags.stream ? 'streamed' : 'whole',
      quotes: flags.quotes,
      settings: flags.settings,
      signal,
    });
    return exitCodes.done;
  });
}

/** The options of a question, with what the conversation says of it. */
type OptionsOf = (call: Pick<AskCall, 'history' | 'continues' | 'signal'>) => AskOptions;

interface Talk extends PrintOptions {
  readonly conversation: Conversation;
  readonly signal: AbortSignal;
  readonly input?: NodeJS.ReadableStream;
}

/** Reads questions and answers them, each knowing those before it; an error ends an answer, not the conversation. */
export async function converse(index: SearchIndex, optionsOf: OptionsOf, talk: Talk): Promise<void> {
  const { conversation, printing, quotes, settings, signal, input = process.stdin } = talk;
  const lines = createInterface({ input, output: process.stderr, prompt: '? ', terminal: input === process.stdin });
  let answering: AbortController | undefined;
  lines.on('SIGINT', () => {
    if (answering) answering.abort(new Error('interrupted'));
    else lines.close();
  });
  signal.addEventListener('abort', () => lines.close(), { once: true });
  let isOpen = true;
  lines.on('close', () => {
    isOpen = false; // what was read before is still answered
  });
  const history: HistoryTurn[] = [...conversation.turns];
  try {
    lines.prompt();
    for await (const line of lines) {
      const question = line.trim();
      if (question === 'exit') break;
      if (question !== '') {
        answering = new AbortController();
        const stop = AbortSignal.any([signal, answering.signal]);
        try {
          const answer = await askOnce(index, question, optionsOf({ history, continues: true, signal: stop }), {
            printing,
            quotes,
            settings,
          });
          reportEnd(answer);
          const { hits, grounding } = answer;
          history.push(
            { role: 'user', text: question, hits, looked: grounding?.looked },
            { role: 'assistant', text: answer.answer },
          );
          conversation.add(question, answer);
        } catch (error) {
          signal.throwIfAborted();
          if (answering.signal.aborted) tell('stopped');
          else if (error instanceof IbidError) reportError(error, signal);
          else throw error;
        } finally {
          answering = undefined;
        }
      }
      if (isOpen) lines.prompt();
    }
  } finally {
    lines.close();
  }
}
