import type { Answer, Citation } from '../answer/contract.ts';
import { answerTypeOf } from '../text/languages/answer-types.ts';
import { languageOf } from '../text/languages/detect.ts';
import { roleAsked, withPerson } from '../text/languages/roles.ts';

/** People one behind the other: the manager of the owner of the plan of …; each is a question. */
const mostSteps = 3;

/**
 * Answers a question that calls a person by a role alone (`Who is the manager of the author of the survey?`): who that is
 * is asked first, then the question with the name. The sentence that has the name stands behind the answer.
 * @param ask answers a question in one step
 * @param most sentences
 * @returns undefined where the question is no such one, or one of its steps has no plain answer
 */
export async function answerInSteps(
  question: string,
  ask: (question: string) => Promise<Answer>,
  most: number = 3,
  depth: number = 1,
): Promise<Answer | undefined> {
  const role = depth > mostSteps ? undefined : roleAsked(question);
  if (role === undefined) return undefined;
  const first = await ask(role.who);
  const name = personNamed(first);
  if (name === undefined) return undefined;
  const next = role.with(name);
  const second = (await answerInSteps(next, ask, most, depth + 1)) ?? (await askOf(next, name, ask));
  if (second === undefined) return undefined;
  return second.citations.length < most ? joined(second, first) : second;
}

/**
 * Answers a follow-up with `he`, `she` or `his` where a question before asks for a person, who is meant.
 * @param before questions that stand alone, the last one first
 */
export async function answerOfPerson(
  question: string,
  before: readonly string[],
  ask: (question: string) => Promise<Answer>,
): Promise<Answer | undefined> {
  const put = withPerson(question);
  const who = put && before.find((one) => answerTypeOf(one, languageOf(one)) === 'person');
  const name = who === undefined ? undefined : personNamed(await ask(who));
  if (put === undefined || name === undefined) return undefined;
  return await askOf(put(name), name, ask);
}

/** A plain answer that has the name, or its last word: another person's would not do. */
async function askOf(
  question: string,
  name: string,
  ask: (question: string) => Promise<Answer>,
): Promise<Answer | undefined> {
  const answer = await ask(question);
  const last = name.slice(name.lastIndexOf(' ') + 1);
  const isOfName =
    answer.answer.includes(last) || answer.citations.some(({ quote, title }) => `${title}\n${quote}`.includes(last));
  return answer.confidence === 'high' && isOfName ? answer : undefined;
}

/** The one person that a plain answer names, by what is marked in it. */
function personNamed({ confidence, citations, contradiction }: Answer): string | undefined {
  const [first] = citations;
  const mark = first?.highlight?.[0];
  if (confidence !== 'high' || contradiction !== undefined || mark === undefined) return undefined;
  const name = first!.quote
    .slice(mark.start - first!.span.start, mark.end - first!.span.start)
    .replace(/[*_`]/gu, '')
    .trim();
  return /^\p{Lu}[\p{L}.'’-]*(?: (?:(?:van|von|de|del|der|da|di|la|le) )*\p{Lu}[\p{L}.'’-]*){1,3}$/u.test(name)
    ? name
    : undefined;
}

/** An answer, and behind it the first sentence of another one. */
function joined(answer: Answer, step: Answer): Answer {
  const [cited] = step.citations;
  const known = answer.citations.some(({ reference }) => reference === cited!.reference);
  if (known) return answer;
  const n = answer.citations.length + 1;
  const from = answer.answer.length + 1;
  const said = step.answer.slice(0, cited!.answerSpan.end);
  const { start, end } = cited!.answerSpan;
  const citation: Citation = { ...cited!, n, answerSpan: { start: start + from, end: end + from } };
  const related = (answer.related ?? [])
    .filter(({ reference }) => reference !== citation.reference)
    .map((one, i) => ({ ...one, n: n + 1 + i }));
  const have = new Set(answer.hits.map(({ chunk }) => `${chunk.uri}#${chunk.position}`));
  const hits = [...answer.hits, ...step.hits.filter(({ chunk }) => !have.has(`${chunk.uri}#${chunk.position}`))];
  return {
    ...answer,
    answer: `${answer.answer} ${said} [${n}]`,
    citations: [...answer.citations, citation],
    related,
    support: Math.min(answer.support, step.support),
    hits,
  };
}
