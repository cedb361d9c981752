/** `Is it open on Sundays?` */
const asks = /[?？؟]$/;
const opens = /^["'“«¿(]?[\p{Lu}\p{Lo}\d]/u;
const closes = /[.!…。！।:：;,，)\]|]["'”’»]?$/u;
const itemNumber = /^\d{1,3}[.)]\s/;

/** Whether a line that stands alone reads as a title: it begins like a sentence, and asks or does not end like one. */
export function readsAsTitle(line: string, mostWords: number): boolean {
  if (!opens.test(line) || itemNumber.test(line)) return false;
  return asks.test(line) || (!closes.test(line) && line.split(/\s+/).length <= mostWords);
}
