import { GuardedPattern } from '../guarded-pattern.ts';

/** A name of a document, up to where the question goes on. */
const name = "([\\p{L}\\p{N}][\\p{L}\\p{N}’'._-]*(?: [\\p{L}\\p{N}][\\p{L}\\p{N}’'._-]*){0,3}?)";
const article = '(?:(?:the|our|my|your|this|that|an?) )?';

/**
 * `What does the lease say about dogs?`, `according to the lease`: what says something, in English, German, French,
 * Spanish and Italian.
 */
const patterns: readonly GuardedPattern[] = [
  `\\bwhat (?:does|do|did|would) ${article}${name} (?:say|state|tell|mention|require|allow|forbid|specify)\\b`,
  `\\b(?:does|do|did) ${article}${name} (?:say|state|mention|specify|tell)\\b`,
  `\\bwhat (?:is|are|stands|was)(?: \\w+)? (?:written|said|stated) in ${article}${name}(?= about\\b| on\\b|[?,]|$)`,
  `\\baccording to ${article}${name}(?=[?,]|$)`,
  `\\bwas (?:sagt|sagen|steht in|steht im|regelt) (?:de[rmsn] |die |das |unser\\p{L}* |mein\\p{L}* )?${name}(?= (?:über|zu|zum|zur)\\b|[?,]|$)`,
  `\\b(?:laut|gemäß) (?:de[rmsn] )?${name}(?=[?,]|$)`,
  `\\bque (?:dit|disent|prévoit) (?:l[ae]s? |l['’]|notre |mon |ma )?${name}(?= (?:sur|à propos|au sujet|des?|pour)\\b| ?[?,]|$)`,
  `\\bqué (?:dicen?|establece) (?:el |l[ao]s? |nuestr[oa] |mi )?${name}(?= (?:sobre|acerca|de|para)\\b|[?,]|$)`,
  `\\bcosa (?:dice|dicono|prevede) (?:il |lo |l[ae] |i |gli |l['’])?${name}(?= (?:su\\p{L}*|di|per)\\b|[?,]|$)`,
].map((source) => new GuardedPattern(source, 'iu'));

/** `in the office` is a place: only what is written is meant, or a short form. */
const written =
  /\b[Ii]n (?:the|our|my|your|this|that) ((?:[\p{L}\p{N}._-]+ ){0,2}(?:agreement|bylaws|changelog|contract|file|guide|handbook|invoice|lease|letter|manual|memo|minutes|notes?|plan|policy|readme|README|report|runbook|\p{Lu}{2,6}s?))(?=[?,]|$)/u;

/** The name of the document whose words a question asks for; undefined where the question names none. */
export function documentNamed(question: string): string | undefined {
  for (const pattern of [...patterns, written]) {
    const found = pattern.exec(question)?.[1];
    if (found !== undefined) return found.replace(/['’]s(?= )/g, '').trim();
  }
  return undefined;
}
