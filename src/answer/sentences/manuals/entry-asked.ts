import { asksDefault } from '../../../text/languages/default-values.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { optionAt, optionsIn } from '../structure/option-terms.ts';

/** What a manual has entries of by their exact names: options, codes that programs end with, variables, files. */
export interface EntryAsked {
  readonly kind: 'option' | 'code' | 'variable' | 'file';
  /** As it is written: case tells `-x` from `-X`. */
  readonly name: string;
  /** The program that has it, in lower case with hyphens for blanks: `git-clean`; absent where none is named. */
  readonly owner?: string;
}

/** `exit code 5`, `exits with 5`, `exits with status 5`; the number is the group. */
const code =
  /\b(?:exit|error|return|status)[ -](?:code|status|value|number)s?(?: of)? (\d{1,3})(?![\p{L}\p{N}.,]\p{N})|\b(?:exit|end|terminate|fail|return)(?:s|ed|ing)? with (?:an? |the )?(?:(?:exit|error|return) )?(?:(?:code|status|value) )?(?:of )?(\d{1,3})(?![\p{L}\p{N}.,]\p{N})(?! \p{L}+s\b)/iu;
const variable =
  /(?<![\p{L}\p{N}_])\$?(\p{Lu}[\p{Lu}\p{N}]*(?:_[\p{Lu}\p{N}]+)+)(?![\p{L}\p{N}_])|\benvironment variable \$?(\p{Lu}[\p{Lu}\p{N}_]+)(?![\p{L}\p{N}_])/u;
const file = /(?<![\p{L}\p{N}/:<])((?:~|\$\w+)?\/(?=[\p{L}.])[\p{L}\p{N}_.$~+/-]*[\p{L}\p{N}_/])/u;

/** `in ssh?`, `of curl mean?` */
const behind =
  /^.*\b(?:of|in|from|with|for|to|by) (?:the )?([\p{L}\p{N}_.+-]+(?: [\p{L}\p{N}_.+-]+){0,2}?)(?: (?:command|program|tool|utility))?(?: (?:mean|do|stand for))?\s*\?*$/isu;
const saysKind =
  /^(?:options?|flags?|switch(?:es)?|arguments?|parameters?|exit|error|return|status|codes?|environment|variables?|files?|directory|folder|commands?|programs?|long|short|mean|means|stand)$/iu;
/** Not by the list of function words: `git am`, `du` and `dir` are programs. */
const asksOnly =
  /^(?:what|which|how|does|do|did|is|are|was|an?|the|this|that|it|of|in|for|with|when|where|if|and|or|to|by|from|on|has|have|can|i|you|my|your)$/iu;
const mostWords = 3;

/** The entry of a manual that is asked for by its name. */
export const entryAsked: (question: Question) => EntryAsked | undefined = once(({ type, text }) =>
  (type !== 'definition' && type !== 'other') || asksDefault.test(text) ? undefined : entryIn(text),
);

/** The same of a text that is no question of its own. */
export function entryIn(text: string): EntryAsked | undefined {
  const options = optionsIn(text);
  if (options.length > 1) return undefined;
  if (options.length === 1) return withOwner(text, 'option', options[0]!, optionAt(text));
  for (const [kind, pattern] of [
    ['code', code],
    ['file', file],
    ['variable', variable],
  ] as const) {
    const found = pattern.exec(text);
    const name = found?.[1] ?? found?.[2];
    if (found !== null && name !== undefined) return withOwner(text, kind, name, found.index, found[0].length);
  }
  return undefined;
}

function withOwner(
  text: string,
  kind: EntryAsked['kind'],
  name: string,
  from: number,
  length: number = name.length,
): EntryAsked {
  const before = wordsBefore(text.slice(0, from));
  const words = before.length > 0 ? before : (behind.exec(text.slice(from + length))?.[1]?.split(' ') ?? []);
  const owner = words.filter((word) => !saysKind.test(word) && !asksOnly.test(word));
  return owner.length === 0 ? { kind, name } : { kind, name, owner: owner.join('-').toLowerCase() };
}

/** `git`, `clean` of `What does git clean` */
function wordsBefore(before: string): string[] {
  const found: string[] = [];
  for (const word of before.match(/[\p{L}\p{N}_.+-]+/gu)?.reverse() ?? []) {
    if (found.length === 0 && saysKind.test(word)) continue;
    if (found.length === mostWords || asksOnly.test(word) || saysKind.test(word)) break;
    found.unshift(word);
  }
  return found;
}
