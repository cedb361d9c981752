import { asksAtEnd } from './languages/question-marks.ts';

const opens = /^["'“«¿(]?[\p{Lu}\p{Lo}\d]/u;
const closes = /[.!…。！।:：;,，)\]|]["'”’»]?$/u;
/** `Directors: Joan Abara and` goes on in the next line. */
const goesOn = /\s(?:and|or|of|the|und|oder|et|ou|y|ed?)$/u;
const itemNumber = /^\d{1,3}[.)]\s/;

/** Whether a line that stands alone reads as a title: it begins like a sentence, and asks or does not end like one. */
export function readsAsTitle(line: string, mostWords: number): boolean {
  if (!opens.test(line) || itemNumber.test(line)) return false;
  return asksAtEnd.test(line) || (!closes.test(line) && !goesOn.test(line) && line.split(/\s+/).length <= mostWords);
}

/** What stands behind it says of which site or which book a page is, or which of several things of one name. */
const origin = /\s+[-–—|·•]\s+|\s+[([]|\s+::\s+/u;

/** What a title calls its page: `Hoist` of `Hoist (Crane API)` and of `Hoist - Crane manual`. */
export function nameOfTitle(title: string): string {
  return title.split(origin)[0]!;
}
