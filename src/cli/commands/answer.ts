import { type AskFlags, askCommand } from './ask.ts';

/** `ibid ask --mode answer`. */
export async function answerCommand(question: string, flags: AskFlags, signal: AbortSignal): Promise<number> {
  return await askCommand(question, { ...flags, mode: 'answer' }, signal);
}
