import type { AskFlags } from '../ask-flags.ts';
import { questionNeeded } from '../question.ts';
import { askCommand } from './ask.ts';

/** `ibid ask --mode research`. The service looks at the web itself: nothing of it is searched beside it. */
export async function researchCommand(
  question: string | undefined,
  flags: AskFlags,
  signal: AbortSignal,
): Promise<number> {
  const { web, ...rest } = flags;
  return await askCommand(
    (flags.resume ?? flags.cancel) === undefined ? await questionNeeded(question, 'research', signal) : question,
    { ...rest, mode: 'research', ownDocumentsOnly: web === false },
    signal,
  );
}
