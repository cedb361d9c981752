import { askedAround, contrasts, lacksAsked, person } from './asked-near.ts';
import { lookCloser } from './closer.ts';
import type { Candidate } from './features.ts';
import type { Question } from './question.ts';
import { type Judged, judgeEach, type Scored } from './rank.ts';
import { goesOn } from './section.ts';
import { textOf } from './unit-text.ts';
import { holdsWanted } from './wanted.ts';

/** The header of a row, where a date is asked for and stands there alone: `| 2019 | 2018` over `Fees | 242 | 545`. */
function datesOver(question: Question, ranked: readonly Scored[], { candidate: row }: Judged): Judged[] {
  const hasDate = ({ holds }: Candidate): boolean => holds.years + holds.dates > 0;
  if (question.type !== 'date' || !row.unit.header || hasDate(row)) return [];
  const { start } = row.unit.header;
  const header = ranked.filter(({ candidate: { passage, unit } }) => passage === row.passage && unit.start === start);
  return judgeEach(
    lookCloser(
      question,
      ranked,
      header.filter(({ candidate }) => hasDate(candidate)),
    ),
  );
}

/** The sentence behind `No.`, which says what is the case. */
function afterShort(question: Question, ranked: readonly Scored[], { candidate: short }: Judged): Judged[] {
  if (!goesOn(short)) return [];
  const next = ranked.filter(
    ({ candidate: { passage, index, headings } }) =>
      passage === short.passage && index === short.index + 1 && headings.at(-1) === short.headings.at(-1),
  );
  return judgeEach(lookCloser(question, ranked, next));
}

/** Logits behind the likeliest sentence within which the one behind it dates it. */
const datesWithin = 4;

/**
 * The next sentence of the same paragraph, where a name or a date is asked for, and only that one has it. Of twelve
 * dates that stand so (six sets that no tree has seen) seven were right; of the sentences before them one was.
 */
function askedFollows(
  question: Question,
  ranked: readonly Scored[],
  { candidate: first, score }: Judged,
  judged: readonly Judged[],
): Judged[] {
  if (!lacksAsked(question, first)) return [];
  if (question.type === 'person' && person.test(textOf(first))) return []; // who it is was said before
  const { text } = first.passage.hit.chunk;
  const next = ranked.filter(
    ({ candidate: { passage, index, unit, holds } }) =>
      passage === first.passage &&
      index === first.index + 1 &&
      unit.kind === 'sentence' &&
      !/\n\s*\n/.test(text.slice(first.unit.end, unit.start)) &&
      !contrasts.test(text.slice(unit.start, unit.end)) &&
      holdsWanted(question, holds) === 1,
  );
  if (question.type !== 'date') return judgeEach(lookCloser(question, ranked, next));
  return judged.filter((one) => one.candidate === next[0]?.candidate && one.score > score - datesWithin);
}

/** `had fallen asleep`: what was so before. */
const before =
  /\bhad (?:(?:not|been|just|only|never|already) )*(?:\p{L}+(?:ed|en|wn|lt|nt)|become|come|run|begun|gone|done|made|lost|left|put|set)\b/iu;
const asksWhy =
  /\b(?:asks?|asked|wonders?|wondered|fragte?|demandée?|preguntó)\b[^.?!]*\b(?:why|warum|pourquoi|por qué)\b/iu;
/** Sentences behind it. */
const reasonWithin = 2;

/**
 * The sentence of the same paragraph that gives the reason, where the likeliest one says what happened and gives none: it
 * has a word for a reason, says what had been before, or follows the question why.
 */
function reasonFollows(question: Question, ranked: readonly Scored[], { candidate: first }: Judged): Judged[] {
  if (question.type !== 'reason' || first.unit.kind === 'row' || first.holds.reason) return [];
  const own = textOf(first);
  const isQuestion = asksWhy.test(own);
  if (before.test(own) && !isQuestion) return [];
  const { text } = first.passage.hit.chunk;
  const next = ranked
    .filter(({ candidate: { passage, index, unit } }) => {
      const distance = index - first.index;
      if (passage !== first.passage || unit.kind !== 'sentence' || distance < 1 || distance > reasonWithin)
        return false;
      return !/\n\s*\n/.test(text.slice(first.unit.end, unit.start));
    })
    .sort((a, b) => a.candidate.index - b.candidate.index)
    .find(({ candidate }) => isQuestion || candidate.holds.reason || before.test(textOf(candidate)));
  return next === undefined ? [] : judgeEach(lookCloser(question, ranked, [next]));
}

/** What a sentence is not understood without, or what goes on where it stops short. */
export function completing(
  question: Question,
  ranked: readonly Scored[],
  first: Judged,
  judged: readonly Judged[],
): Judged[] {
  const needed = [
    ...datesOver(question, ranked, first),
    ...afterShort(question, ranked, first),
    ...reasonFollows(question, ranked, first),
  ];
  if (needed.length > 0) return needed;
  const follows = askedFollows(question, ranked, first, judged);
  return follows.length > 0 ? follows : askedAround(question, ranked, first);
}
