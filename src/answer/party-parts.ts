import type { Hit, StoredChunk } from '../core/types.ts';

/** A question with the part that a party has in a contract in place of its name. */
export interface PartyQuestion {
  readonly contract: StoredChunk;
  readonly question: string;
  /** The names that it has no longer. */
  readonly names: readonly string[];
}

/** `(the “Sublessee”)`, `(nachfolgend „Mieter“ genannt)`, `(ci-après « le Bailleur »)`. */
const called =
  /\((?:[^()"„“”«»]{0,40})["„“”«][ \u00a0]?(?:(?:the|der|die|das|den|le|la|les|el|il|lo) |l['’])?(?<part>\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)?)[ \u00a0]?["“”»][^()"„“”«»]{0,30}\)/gu;
/** How far the name stands before its part. */
const nameWithin = 200;
/** Between the name that is asked for and the part: the rest of the name, and what kind of company it is. */
const restOfName =
  /^(?:['’&.-][\p{L}\p{N}.&'’-]*)?(?:,? (?:\p{Lu}[\p{L}\p{N}.&'’-]*|d\/b\/a|of|de|du|des|von|und|and|et|y|e|&))*(?:,? (?:[Aa]n?|eine?|une?|una|with|mit|avec|con|now known as|formerly)(?!\p{L})[^()]{0,120})?[,\s]*$/u;
/** Before a place in what is called so: `a company of` before Maine. */
const ofPlace = /(?<!\p{L})(?:of|at|in|near|von|aus|bei|de|du|à|di|en)\s+(?:(?:\p{Lu}\p{L}*|\p{N}+)\s+){0,3}$/u;
/** Names in a question stand behind its first word. */
const names = /(?<=\s["“„«'‘]?)\p{Lu}[\p{L}\p{N}&-]*(?: (?:(?:of|de|von|&) )?\p{Lu}[\p{L}\p{N}&-]*\.?)*/gu;
/** A document that has another part for the same party is asked again. */
const mostParts = 2;

/** Parts of parties in one text, in order: what is called so ends where the part begins. */
function partsIn(text: string): { part: string; before: string }[] {
  let after = 0;
  return [...text.matchAll(called)].map(({ 0: all, index, groups }) => {
    const before = text.slice(Math.max(after, index - nameWithin), index).replace(/\s+/gu, ' ');
    after = index + all.length;
    return { part: groups!.part!, before };
  });
}

function isCalled(name: string, before: string): boolean {
  const at = before.toLowerCase().lastIndexOf(name.toLowerCase());
  const first = before.slice(0, at);
  if (at < 0 || /[\p{L}\p{N}]$/u.test(first) || ofPlace.test(first)) return false;
  return restOfName.test(before.slice(at + name.length));
}

/**
 * Questions that ask a contract in its own words: `May the Tenant keep a dog?` for `May Nora Pell keep a dog?`, where a
 * passage of it says `Nora Pell (the “Tenant”)`. Elsewhere a contract names its parties by their parts alone.
 * @param hits what was found for the question
 */
export function byPart(question: string, hits: readonly Hit[]): readonly PartyQuestion[] {
  const named = [...question.matchAll(names)].map(({ 0: name, index }) => ({ name, index }));
  if (named.length === 0) return [];
  const contracts = Map.groupBy(hits, ({ chunk }) => chunk.uri);
  const asked = [...contracts.values()].flatMap((own) => {
    const parts = own.flatMap(({ chunk }) => partsIn(chunk.text));
    const found = named.map(({ name }) => [
      ...new Set(parts.flatMap(({ part, before }) => (isCalled(name, before) ? [part] : []))),
    ]);
    const most = Math.min(mostParts, Math.max(...found.map(({ length }) => length)));
    return Array.from({ length: most }, (_, i) => {
      const given = named.flatMap((one, k) => {
        const part = found[k]!.at(Math.min(i, found[k]!.length - 1));
        return part === undefined ? [] : [{ ...one, part }];
      });
      const text = given.reduceRight(
        (rest, { name, index, part }) => rest.slice(0, index) + part + rest.slice(index + name.length),
        question,
      );
      return { contract: own[0]!.chunk, question: text, names: given.map(({ name }) => name) };
    });
  });
  const most = Math.max(...asked.map((one) => one.names.length));
  return asked.filter((one) => one.names.length === most); // another contract may have one of two parties
}
