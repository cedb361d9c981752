import { memberIn } from '../answer/sentences/manuals/member-asked.ts';
import { endsInEntry } from '../answer/sentences/manuals/member-entry.ts';
import type { CallOptions, Hit, StoredChunk } from '../core/types.ts';
import { alongside, hitsOf } from './alongside.ts';
import type { QuestionSearch } from './question-search.ts';

/** An entry goes on over so many passages at most. */
const mostFollowing = 3;
const mostEntries = 3;

/**
 * The passages that go on with the entry of a function of which a question asks a part (`What does Crane.lift() return?`):
 * what stands at its end has few words of the question.
 */
export async function passagesOfMember(
  search: QuestionSearch,
  question: string,
  found: readonly Hit[],
  { signal }: CallOptions,
): Promise<readonly Hit[]> {
  const asked = memberIn(question);
  if (asked === undefined || !asked.isProgram || asked.part === 'does') return [];
  const open = found
    .filter(({ chunk, origin }) => origin === 'local' && endsInEntry(asked, chunk))
    .slice(0, mostEntries);
  const more: StoredChunk[] = [];
  for (const { chunk } of open) {
    signal?.throwIfAborted();
    const behind = `position > ${chunk.position} AND position <= ${chunk.position + mostFollowing}`;
    more.push(...(await search.passagesBeside(chunk, mostFollowing, behind)));
  }
  return alongside(found, hitsOf(more));
}
