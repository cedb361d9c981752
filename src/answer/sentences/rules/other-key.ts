import { analyseWords } from '../../../text/analysis/words.ts';
import type { AnalysedPassage, Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { isProgram } from '../structure/code.ts';
import { namesOver, textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: a key of the same name stands below each. */
const loss = -4;
/** `lint:` over its settings, `[worker]`, `- name: search`; the name is the group. */
const keyOfPart =
  /^[ \t]*(?:- +)?(?:\[+([\p{L}\p{N}_.-]+)\]+|["']?([\p{L}\p{N}_.-]+)["']?:|(?<=- +)(?:name|id|key):[ \t]+["']?([\p{L}\p{N}_.@/-]+)["']?)[ \t]*$/gmu;

interface Keys {
  /** The terms of each key over other settings that the question names, and of each item. */
  readonly named: readonly (readonly string[])[];
  readonly namedItems: readonly (readonly string[])[];
  /** Of all items, as some are named. */
  readonly items: readonly (readonly string[])[];
}

/** The keys of each passage. */
const keysOf = once((question) => {
  const known = new WeakMap<AnalysedPassage, Keys>();
  const isNamed = (terms: readonly string[]): boolean => terms.every((term) => question.known.has(term));
  return (passage: AnalysedPassage): Keys => {
    let found = known.get(passage);
    if (found === undefined) {
      const all = [...passage.hit.chunk.text.matchAll(keyOfPart)].map(([, section, key, item]) => ({
        isItem: item !== undefined,
        terms: termsOf(section ?? key ?? item!),
      }));
      const said = all.filter(({ terms }) => terms.length > 0);
      const items = said.filter(({ isItem }) => isItem).map(({ terms }) => terms);
      const named = said.filter(({ isItem, terms }) => !isItem && isNamed(terms)).map(({ terms }) => terms);
      found = { named, namedItems: items.filter(isNamed), items };
      known.set(passage, found);
    }
    return found;
  };
});

const termsOf = (text: string): string[] =>
  analyseWords(text)
    .filter(({ empty }) => !empty)
    .map(({ term }) => term);

/** Whether settings stand below another key than the one that the question names: the timeout of `test` for that of `lint`. */
export function isOfOtherKey(question: Question, candidate: Candidate): boolean {
  const { passage } = candidate;
  if (!isProgram(passage.hit.chunk.format)) return false;
  const { named, namedItems, items } = keysOf(question)(passage);
  if (named.length + namedItems.length === 0) return false;
  const own = new Set(termsOf([textOf(candidate), ...namesOver(candidate)].join('\n')));
  const isOwn = (terms: readonly string[]): boolean => terms.some((term) => own.has(term));
  // what stands in no item may be of all
  return !named.every(isOwn) || (!namedItems.every(isOwn) && items.some(isOwn));
}

/** What such a setting loses. */
export function otherKeyLoss(question: Question, candidate: Candidate): number {
  return isOfOtherKey(question, candidate) ? loss : 0;
}
