import type { AnalysedWord } from '../../../text/analysis/words.ts';
import { asksAmount, asksForThings, paidFor } from '../../../text/languages/counting.ts';
import { unitsSaid } from '../../../text/languages/measures.ts';
import { once } from './once.ts';
import type { Question } from './question.ts';
import { unitAsked } from './wanted.ts';

const behindCurrency = /(?:[$€£¥₹]|(?<!\p{L})(?:CAD|CHF|EUR|GBP|JPY|USD))\s?$/u;
const beforeCurrency = /^\s?(?:[$€£¥₹]|(?:CAD|CHF|EUR|GBP|JPY|USD)(?!\p{L}))/u;

/** A sum where things are counted, days or metres where a price is asked for, and days where an amount is. */
export function isOfOtherUnit(
  question: Question,
  tokens: readonly AnalysedWord[],
  at: number,
  text: string,
  from: number,
): boolean {
  if (unitAsked(question) === 'money') {
    const [next = '', behind = ''] = [tokens[at + 1]?.word, tokens[at + 2]?.word];
    return (unitsSaid.time!.test(next) && !paidFor.test(behind)) || unitsSaid.length!.test(next);
  }
  if (asksAmount.test(question.text) && unitsSaid.time!.test(tokens[at + 1]?.word ?? '')) return true;
  if (!asksForThings.test(question.text) || unitsSaid.money!.test(question.text)) return false;
  const next = tokens[at + 1];
  if (next !== undefined && !question.known.has(next.term) && timeUnit.test(next.word) && !countsTime(question))
    return true;
  return isOfMoney(text, tokens[at]!.start - from, tokens[at]!.end - from);
}

/** `How many holidays …?` is answered in days. */
const countsTime = once(
  (question: Question) => unitAsked(question) === 'time' || asksForTime.test(question.text.toLowerCase()),
);
const asksForTime =
  /(?<!\p{L})(?:time|holidays?|leave|vacation|off|notice|probation|zeit|urlaub|ferien|temps|congés?|vacances|tiempo|vacaciones|tempo|ferie)(?!\p{L})/u;
/** `two weeks`, where people are counted */
const timeUnit = /^(?:minutes?|hours?|days?|nights?|weeks?|months?|minuten?|stunden?|tagen?|wochen?|monaten?)$/u;

/** `USD 2000` is no year. */
export function isOfMoney(text: string, start: number, end: number): boolean {
  return (
    behindCurrency.test(text.slice(Math.max(0, start - 5), start)) || beforeCurrency.test(text.slice(end, end + 5))
  );
}
