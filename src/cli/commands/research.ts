import { type AskFlags, askCommand } from './ask.ts';

/** `ibid ask --mode research`. The service looks at the web itself: nothing of it is searched beside it. */
export async function researchCommand(question: string, flags: AskFlags, signal: AbortSignal): Promise<number> {
  const { web, ...rest } = flags;
  return await askCommand(question, { ...rest, mode: 'research', ownDocumentsOnly: web === false }, signal);
}
