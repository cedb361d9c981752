import { isCommonWord } from '../../../text/languages/common-words.ts';
import { officeOtherwise } from '../../../text/languages/office-letters.ts';
import { besideName, isHeldBy, otherOffice } from '../../../text/languages/offices.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const gain = 5;

const asked = once(({ text, type }: Question) => (type === 'person' ? officeOtherwise(text) : undefined));
const name = /\p{Lu}[\p{L}.'’-]+ \p{Lu}[\p{L}'’-]+/gu;
/** Between a name and the office behind it. */
const takes =
  /^(?:,| is| was| became| as| serves as| has been)?(?: (?:the|our|its|their|a|an|new|current|also|now)){0,3} $/iu;

/**
 * How much a sentence gains since it names who has the office that is asked for in another form: `The chief executive is
 * Ann Moor`, asked who the CEO is. The other words of the question stand in its passage or over it.
 */
export function officeLettersGain(question: Question, { passage, titleMatch, unit }: Candidate): number {
  const found = asked(question);
  if (found === undefined || unit.kind === 'row') return 0;
  const [office, other] = found;
  const text = textOf({ passage, unit });
  const said = other.exec(text);
  if (said === null) return 0;
  const isElsewhere = question.terms.some(
    ({ word }, j) =>
      !office.includes(word) && !isCommonWord(word) && Math.max(passage.match[j]!, titleMatch[j]!) < sameWord,
  );
  if (isElsewhere) return 0;
  const before = text.slice(0, said.index);
  if (otherOffice.test(before)) return 0;
  const behind = text.slice(said.index + said[0].length);
  const isNext = [...behind.matchAll(name)].some(({ index }) => {
    const between = behind.slice(0, index);
    return isHeldBy.test(between) || besideName.test(between);
  });
  if (isNext) return gain;
  const holder = [...before.matchAll(name)].at(-1);
  return holder !== undefined && takes.test(before.slice(holder.index + holder[0].length)) ? gain : 0;
}
