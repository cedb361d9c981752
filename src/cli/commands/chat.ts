import { createInterface } from 'node:readline/promises';
import type { HistoryTurn } from '../../answer/grounded/request.ts';
import { IbidError } from '../../core/errors.ts';
import type { AskOptions } from '../../modes/ask.ts';
import type { SearchIndex } from '../../search-index/search-index.ts';
import { type AskFlags, askOnce, askOptions, type Printing, reportEnd } from '../asking.ts';
import { withIndex } from '../context.ts';
import type { Conversation } from '../conversation.ts';
import { exitCodes, reportError } from '../errors.ts';
import { openWeb } from '../web.ts';
import { conversationOf } from './ask.ts';

/** A conversation on the terminal, until Ctrl-D or `exit`. Ctrl-C stops the answer being written, or else the conversation. */
export async function chatCommand(flags: AskFlags, signal: AbortSignal): Promise<number> {
  const web = openWeb(flags);
  return await withIndex(flags, signal, async (index) => {
    const conversation = conversationOf(flags, index.address);
    const options = { ...askOptions(flags), web: web?.options };
    await converse(index, options, { conversation, printing: flags.stream ? 'streamed' : 'whole', signal });
    return exitCodes.done;
  });
}

interface Talk {
  readonly conversation: Conversation;
  readonly printing: Printing;
  readonly signal: AbortSignal;
  readonly input?: NodeJS.ReadableStream;
}

/** Reads questions and answers them, each knowing those before it; an error ends an answer, not the conversation. */
export async function converse(index: SearchIndex, options: AskOptions, talk: Talk): Promise<void> {
  const { conversation, printing, signal, input = process.stdin } = talk;
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
          const answer = await askOnce(
            index,
            question,
            { ...options, history, continues: true, signal: stop },
            printing,
          );
          reportEnd(answer);
          history.push({ role: 'user', text: question, hits: answer.hits }, { role: 'assistant', text: answer.answer });
          conversation.add(question, answer.answer);
        } catch (error) {
          signal.throwIfAborted();
          if (answering.signal.aborted) console.error('stopped');
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
