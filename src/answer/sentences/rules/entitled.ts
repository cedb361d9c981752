import { agentBehind, asksWhoActs, entitles, mayOnly } from '../../../text/languages/acting-roles.ts';
import { isCommonWord } from '../../../text/languages/common-words.ts';
import { actAskedBy } from '../question/act-asked.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { holdsTerm, type Question, relatedWord, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: rules name somebody by an office, and not by a name. */
const gain = 5;

const actAsked = actAskedBy(asksWhoActs);

/**
 * How much a sentence gains since it says who does something, or may do it, by an office: `The keys are kept by the
 * mate`, `The only people that may open it are the mates`, `Any member may open it`. It has the act, and all other words
 * of the question stand in it, half of them at least, or around it.
 */
export function entitledGain(question: Question, candidate: Candidate): number {
  const act = question.type === 'person' ? actAsked(question) : -1;
  const { match, titleMatch, tokens, unit, passage } = candidate;
  if (act < 0 || unit.kind === 'row' || match[act]! < sameWord) return 0;
  const others = question.terms.flatMap(({ word }, j) => (j === act || isCommonWord(word) ? [] : [j]));
  const own = others.filter((j) => match[j]! >= sameWord);
  if (own.length === 0 || own.length * 2 < others.length) return 0;
  if (others.some((j) => Math.max(match[j]!, titleMatch[j]!, passage.match[j]!) < sameWord)) return 0;
  const text = textOf(candidate);
  const isAct = (token: Candidate['tokens'][number]): boolean => holdsTerm(question, token, act);
  const isOther = (token: Candidate['tokens'][number]): boolean => own.some((j) => holdsTerm(question, token, j));
  const says = tokens.some((token, i) => {
    if (!isAct(token)) return false;
    const [before, behind] = [text.slice(0, token.start - unit.start), text.slice(token.end - unit.start)];
    if (mayOnly(before, behind) || entitles.test(before)) return true;
    // `The lamp is owned by Quay and Sons` says nothing of who owns the quay
    return tokens.slice(0, i).some(isOther) && agentBehind(before, behind);
  });
  return says ? gain : 0;
}

/** Whether the act is the next word: not in `Qui n'a pas d'esclave ?` */
const isActNext = once(({ text, tokens }: Question): boolean => {
  const asked = asksWhoActs.exec(text);
  if (asked === null) return false;
  const next = tokens.find(({ start }) => start === asked.index + asked[0].length);
  return next?.empty === false && !next.word.includes("'");
});

/** Whether it is asked who does something, and a sentence says nothing of the act. */
export function lacksAct(question: Question, { match, unit }: Candidate): boolean {
  const act = question.type === 'person' && isActNext(question) ? actAsked(question) : -1;
  return act >= 0 && unit.kind === 'sentence' && match[act]! < relatedWord && !isCommonWord(question.terms[act]!.word);
}
