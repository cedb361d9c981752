import type { Span } from '../../../core/types.ts';

/** `-x`, `--dry-run`, `--[no-]verify` */
const option = /(?<![\p{L}\p{N}_\-/.)\]])-{1,2}(?:\[no-\])?[\p{L}\p{N}?#@][\p{L}\p{N}_-]*/gu;
/** Terms of an entry, in front of what the option does: `-j njobs, --jobs=njobs: Run so many at once.` */
const termsBefore =
  /^[\s>]*(?:[-*+•]\s+)?[*_`|\s]{0,5}(-{1,2}[^\s:](?:[^\n:]|:(?=\S)){0,140}?)[*_`\]]{0,3}(?:[ \t]*[:：|–—]\s|\s-{1,2}\s|\t| {2,}|\n\s*)(?=\S)/u;
/** Terms that stand in a line of their own, with the mark of reStructuredText before them or not. */
export const termsAlone: RegExp =
  /^[ \t]*(?:\.\. (?:\w+:)?option::[ \t]+)?[*`]{0,2}(-{1,2}[\p{L}\p{N}?#@[](?:(?!: )[^\n])*)(?<![.!?:;,])$/u;

/** The options that a text names, as they are written: case tells `-x` from `-X`. */
export function optionsIn(text: string): string[] {
  return Array.from(text.matchAll(option), ([one]) => one);
}

/** Where the first option of a text stands: `-a` of `crane-add -a` is not in the name. -1 without one. */
export function optionAt(text: string): number {
  return text.search(new RegExp(option.source, 'u'));
}

/** Whether the terms of an entry have an option: `--[no-]brake` is `--brake` and `--no-brake`. */
export function listsOption(terms: string, asked: string): boolean {
  return optionsIn(terms).some((one) => {
    const plain = one.replace('[no-]', '');
    return plain === asked || (plain !== one && one.replace(/[[\]]/g, '') === asked);
  });
}

/** The terms of an entry that a line begins, or that it has alone. */
export function optionTermsOf(line: string): string | undefined {
  return (termsBefore.exec(line) ?? termsAlone.exec(line))?.[1];
}

/** The terms of the entry that a unit of a text begins, or that stand above it. */
export function optionTermsAt(text: string, { start, end }: Span): string | undefined {
  return termsBefore.exec(text.slice(start, end))?.[1] ?? optionTermsAbove(text.slice(0, start));
}

/** The terms in the line straight above a sentence, which begins a line: a heading or the term of a definition. */
export function optionTermsAbove(before: string): string | undefined {
  if (before !== '' && !/\n[ \t]*$/.test(before)) return undefined;
  return termsAlone.exec(before.trimEnd().split('\n').at(-1)!)?.[1];
}
