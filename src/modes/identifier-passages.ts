import { identifiersIn } from '../answer/sentences/manuals/identifiers.ts';
import type { CallOptions, Hit } from '../core/types.ts';
import { alongside } from './alongside.ts';
import type { QuestionSearch } from './question-search.ts';

/** `express.json`, `max_load`, `crane::lift`; words that a hyphen joins are seldom names. */
const joined = /^\p{L}[\p{L}\p{N}]+(?:[._:/]+[\p{L}\p{N}]{2,})+$/u;
const mostIdentifiers = 2;
const passages = 5;

/**
 * Passages that have an identifier of a question as it stands, where no passage has it that was found: the words of
 * `express.json` are those of `a JSON expression` too.
 * @param found those that are there already
 */
export async function passagesOfIdentifiers(
  search: QuestionSearch,
  question: string,
  found: readonly Hit[],
  options: CallOptions,
): Promise<readonly Hit[]> {
  const lacking = identifiersIn(question).filter((one) => joined.test(one) && !found.some((hit) => holds(hit, one)));
  const out: Hit[] = [];
  for (const identifier of lacking.slice(0, mostIdentifiers)) {
    const hits = await search.search(`"${identifier}"`, { limit: passages, ...options });
    out.push(...hits.filter((hit) => holds(hit, identifier)));
  }
  return alongside(found, out);
}

const holds = ({ chunk }: Hit, identifier: string): boolean => identifiersIn(chunk.text).includes(identifier);
