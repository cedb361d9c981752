import type { Answer } from '../answer/contract.ts';
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
  const name = nameIn(first, role.isThing);
  if (name === undefined) return undefined;
  const next = role.with(name);
  const second = (await answerInSteps(next, ask, most, depth + 1)) ?? (await askOf(next, name, ask));
  if (second !== undefined) return second.citations.length < most ? joined(second, first) : second;
  return depth === 1 ? unsure(await ask(question), first, await ask(next)) : undefined;
}

/** The answer with the name, which is not plain, where the question itself only finds who has the role. */
function unsure(whole: Answer, step: Answer, next: Answer): Answer | undefined {
  if (next.confidence === 'high' || whole.citations[0]?.reference !== step.citations[0]!.reference) return undefined;
  return next.abstained && whole.confidence !== 'high' ? undefined : next;
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
  const name = who === undefined ? undefined : nameIn(await ask(who), false);
  if (put === undefined || name === undefined) return undefined;
  return await askOf(put(name), name, ask);
}

/** A plain answer that has the name, or its last word: that of another person or thing would not do. */
export async function askOf(
  question: string,
  name: string,
  ask: (question: string) => Promise<Answer>,
): Promise<Answer | undefined> {
  const answer = await ask(question);
  const last = name.slice(name.lastIndexOf(' ') + 1).toLowerCase();
  const said = [answer.answer, ...answer.citations.map(({ quote, title }) => `${title}\n${quote}`)];
  const isOfName = said.some((text) => text.toLowerCase().includes(last));
  return answer.confidence === 'high' && isOfName ? answer : undefined;
}

const fullName = /^\p{Lu}[\p{L}.'’-]*(?: (?:(?:van|von|de|del|der|da|di|la|le) )*\p{Lu}[\p{L}.'’-]*){1,3}$/u;

/** The one person or thing that a plain answer names, by what is marked in it. */
function nameIn({ confidence, citations, contradiction }: Answer, isThing: boolean): string | undefined {
  const [first] = citations;
  const mark = first?.highlight?.[0];
  if (confidence !== 'high' || contradiction !== undefined || mark === undefined) return undefined;
  const { quote, span } = first!;
  const [start, end] = [mark.start - span.start, mark.end - span.start];
  if (!isThing && /(?<!\p{L})(?:the|a|an|der|die|das|den|dem|le|la|el)\s+$/iu.test(quote.slice(0, start)))
    return undefined;
  // a mark may end within a name
  const rest = /^(?: \p{Lu}[\p{L}'’-]+)+/u.exec(quote.slice(end))?.[0] ?? '';
  const name = `${quote.slice(start, end)}${rest}`.replace(/[*_`]/gu, '').trim();
  return fullName.test(name) || (isThing && /^\p{Lu}[\p{L}\p{N}’'-]*$/u.test(name)) ? name : undefined;
}

/** An answer, and behind it what another one cites first. @param most citations in all */
export function joined(answer: Answer, step: Answer, most: number = answer.citations.length + 1): Answer {
  const known = new Set(answer.citations.map(({ reference }) => reference));
  let { answer: text, citations } = answer;
  let from = 0;
  for (const { answerSpan, ...cited } of step.citations) {
    const said = step.answer.slice(from, answerSpan.end); // with its title or heading before it
    const lead = answerSpan.start - from;
    from = answerSpan.end + ` [${cited.n}] `.length;
    if (citations.length >= most) break;
    if (known.has(cited.reference)) continue;
    const end = text.length + 1 + said.length;
    const n = citations.length + 1;
    text += ` ${said} [${n}]`;
    citations = [...citations, { ...cited, n, answerSpan: { start: end - said.length + lead, end } }];
    known.add(cited.reference);
  }
  const related = (answer.related ?? [])
    .filter(({ reference }) => !known.has(reference))
    .map((one, i) => ({ ...one, n: citations.length + 1 + i }));
  const have = new Set(answer.hits.map(({ chunk }) => `${chunk.uri}#${chunk.position}`));
  const hits = [...answer.hits, ...step.hits.filter(({ chunk }) => !have.has(`${chunk.uri}#${chunk.position}`))];
  return { ...answer, answer: text, citations, related, support: Math.min(answer.support, step.support), hits };
}
