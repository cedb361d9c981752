import type { Span } from '../../../core/types.ts';
import {
  beforeReason,
  counterBehind,
  leadingParticle,
  numberCut,
  trailingParticle,
  trailingVerb,
} from '../../../text/languages/particles.ts';
import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { isClaim } from '../rules/findings.ts';
import { lifeMark } from '../rules/life-dates.ts';
import { partyNamed } from '../rules/named-party.ts';
import { hasReasonBehind } from '../rules/reason-behind.ts';
import { valueAsked } from '../rules/row-settles.ts';
import { numberedAt, wantsSteps } from '../rules/steps-told.ts';
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
  if (wantsSteps(question) && numberedAt(candidate) !== undefined) return undefined;
  if (candidate.unit.kind === 'row') return valueAsked(question, candidate) ?? labelledValue(question, candidate);
  if (question.language === 'en' && isClaim(question)) return undefined; // other languages' requests look alike
  if (question.language !== 'en' && hasReasonBehind(question, candidate)) return undefined; // the next one says it
  const party = partyNamed(question, candidate);
  if (party) return party;
  const value = lifeMark(question, candidate) ?? labelledValue(question, candidate);
  if (value) return value;
  const { atoms, runs } = readingOf(question, candidate);
  const chosen = chooseSpan(spanTrees, spanCandidates(question, candidate, spanLexicon(), atoms), runs());
  return chosen && chosen.score > markedFrom ? withoutParticle(question, candidate, chosen.span) : undefined;
}

/** Questions that a noun answers, without what is done. */
const named: ReadonlySet<Question['type']> = new Set(['number', 'date', 'person', 'place']);

/** `−40` for `40`, and not in `20-40`. */
const signed = /^(?:[\s([:=]?[−-]\p{Nd})$/u;

/** `512MB` of `512MB보다`, `約50分` of `は約50分`; `35万円` for `35万`; `三万二千名` for `二千名` */
function withoutParticle({ type }: Question, { passage, unit }: Candidate, { start, end }: Span): Span {
  const { text } = passage.hit.chunk;
  const words = text.slice(start, end);
  const before = type === 'reason' ? beforeReason : leadingParticle;
  const behind = start + (before.exec(words)?.[0].length ?? 0);
  const cut = behind - numberCut(text.slice(unit.start, behind), text.slice(behind, end));
  const from = cut - (signed.test(text.slice(Math.max(unit.start, cut - 2), cut + 1)) ? 1 : 0);
  counterBehind.lastIndex = end;
  const counter = counterBehind.exec(text.slice(0, unit.end))?.[0].length ?? 0;
  const to =
    counter > 0
      ? end + counter
      : start + words.replace(named.has(type) ? trailingVerb : '', '').replace(trailingParticle, '').length;
  return from < to ? { start: from, end: to } : { start, end };
}
