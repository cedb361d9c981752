import type { AskFlags } from '../ask-flags.ts';
import { questionNeeded } from '../question.ts';
import { askCommand } from './ask.ts';

/** `ibid ask --mode answer`. */
export async function answerCommand(
  question: string | undefined,
  flags: AskFlags,
  signal: AbortSignal,
): Promise<number> {
  return await askCommand(
    (flags.resume ?? flags.cancel) === undefined ? await questionNeeded(question, 'answer', signal) : question,
    { ...flags, mode: 'answer' },
    signal,
  );
}
