import type { Span } from '../../../core/types.ts';
import { trailingParticle } from '../../../text/languages/particles.ts';
import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { isClaim } from '../rules/findings.ts';
import { partyNamed } from '../rules/named-party.ts';
import { valueAsked } from '../rules/row-settles.ts';
import { chooseSpan } from './choose-span.ts';
import { labelledValue } from './labelled-value.ts';
import { readingOf } from './reading.ts';
import { spanLexicon, spanTrees } from './span-weights.ts';
import { spanCandidates } from './spans.ts';

/** Questions that a whole sentence answers. */
const wholeSentence: ReadonlySet<Question['type']> = new Set(['steps', 'choice']);
/** The logit from which words are marked: of sets left out of training, 1 right sentence in 70 is below, with F1 .34. */
const markedFrom = -1;

/**
 * The words of a sentence, or the cell of a row, that are what was asked for, in offsets of the chunk's text.
 * @returns undefined where the question wants more than a few words, is a claim to check, or none stand out
 */
export function highlightOf(question: Question, candidate: Candidate): Span | undefined {
  if (wholeSentence.has(question.type)) return undefined;
  if (candidate.unit.kind === 'row') return valueAsked(question, candidate) ?? labelledValue(question, candidate);
  if (question.language === 'en' && isClaim(question)) return undefined; // other languages' requests look alike
  const party = partyNamed(question, candidate);
  if (party) return party;
  const value = labelledValue(question, candidate);
  if (value) return value;
  const { atoms, runs } = readingOf(question, candidate);
  const chosen = chooseSpan(spanTrees, spanCandidates(question, candidate, spanLexicon(), atoms), runs());
  return chosen && chosen.score > markedFrom ? withoutParticle(candidate, chosen.span) : undefined;
}

/** `512MB` of `512MB보다` */
function withoutParticle({ passage }: Candidate, { start, end }: Span): Span {
  const words = passage.hit.chunk.text.slice(start, end);
  return { start, end: start + words.replace(trailingParticle, '').length };
}
