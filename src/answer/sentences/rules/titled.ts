import { analyseWords } from '../../../text/analysis/words.ts';
import { kindOfThing } from '../../../text/languages/definitions.ts';
import { nameOfTitle } from '../../../text/title-line.ts';
import { lacksMember } from '../manuals/identifiers.ts';
import type { Candidate } from '../question/candidate.ts';
import type { AskedTerm } from '../question/defined.ts';
import type { Question } from '../question/question.ts';
import { declaredIn } from '../structure/declaration-line.ts';
import { describedBy } from '../structure/headings.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: as much as a sentence gains whose subject is the term itself. */
const gain = 5;
/** `Rule Details: This rule disallows …`, `This command is meant to …` */
const begins =
  /^[^\p{L}\n]*(?:[\p{L} ]{3,40}:\s+)?this (\p{L}+) (?:(?:also|simply|just|usually|normally) )?(?:(?:will|can be used to|aims to|is (?:(?:used|meant|intended|designed|able) to|aimed at)) \p{L}|(?!(?:does|has|is|was|needs|forms|supports|accepts|ignores|fails|takes|applies|works|comes|exists|belongs|depends|starts|begins|ends) )\p{L}{3,}s )/iu;
/**
 * How much a sentence gains since it says what `this rule` does, is the first to do so in its passage, and stands below
 * the name of the rule that is asked about; else 0. Such a sentence has few words of the question.
 */
export function titledGain(question: Question, term: AskedTerm, candidate: Candidate): number {
  const kind = thisKind(textOf(candidate));
  if (!term.asksUse || kind === undefined) return 0;
  const { terms } = term;
  const asked = terms.map((j) => question.terms[j]!);
  if (term.endsWithKind && asked.pop()!.word !== kind) return 0;
  const { passage, unit, headings } = candidate;
  const isOther = passage.units.some((one) => one.start < unit.start && thisKind(textOf({ passage, unit: one })));
  if (isOther) return 0;
  const named = describedBy(passage.hit.chunk.title, headings);
  const name = lastPart(declaredIn(named.replace(bullet, ''))?.name) ?? nameOfTitle(named);
  return isNameOf(name, question, asked) && !lacksMember(question, name) ? gain : 0;
}

function thisKind(text: string): string | undefined {
  if (/[:：]\s*$/.test(text)) return undefined; // `This module has the following functions:`
  const kind = begins.exec(text)?.[1]?.toLowerCase();
  if (kind === undefined || !kindOfThing.test(kind)) return undefined;
  // what a rule requires is what it does, and not so of a function
  return kind !== 'rule' && /^\W*(?:[^:]+:)?\W*this \S+ requires /iu.test(text) ? undefined : kind;
}

/** `◆ crane.lift(load)` */
const bullet = /^[^\p{L}\p{N}_$]+/u;
/** `lift` of `crane.lift`, which the question may leave out. */
const lastPart = (name: string | undefined): string | undefined => name?.split(/[.:#]+/).at(-1);

/** Whether a heading has the words of the term and no others than those of the question. */
function isNameOf(name: string, { known }: Question, asked: Question['terms']): boolean {
  const words = analyseWords(name).filter(({ empty, word }) => !empty && !kindOfThing.test(word));
  return (
    words.every(({ term }) => known.has(term)) && asked.every(({ term }) => words.some((word) => word.term === term))
  );
}
