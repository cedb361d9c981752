/** What stands over the messages of a chat: the day, and a question over what replies to it. */
import type { Span } from '../../../core/types.ts';
import { asksAtEnd } from '../../../text/languages/question-marks.ts';

/** Formats of documents that hold messages of a chat. */
export const chats: ReadonlySet<string> = new Set(['discord', 'slack', 'teams', 'telegram', 'whatsapp']);

/** `2024-02-01`, `12.03.24`, `2025년 3월 5일`, alone in its paragraph. */
const dayLine = /^\d[^\n:]{3,24}$/;
const writer = /^[^\n:]{1,60}: /;

/**
 * A message is no heading, however short. One that asks stands over the rest of its thread, or over the next message
 * where it has no thread: what is said later may be about anything.
 */
export function chatHeadingsOver(
  text: string,
  units: readonly Span[],
  headings: readonly string[],
): { readonly paths: readonly (readonly string[])[]; readonly isHeading: readonly boolean[] } {
  let days = headings;
  let question: { readonly title: string; readonly paragraph: number; last: number } | undefined;
  let paragraph = 0;
  const isHeading: boolean[] = [];
  const paths = units.map(({ start, end }, i) => {
    const before = text.slice(units[i - 1]?.end ?? 0, start);
    if (/\n[ \t]*\n/.test(before)) paragraph++;
    const own = text.slice(start, end);
    const isAlone = (i === 0 || /\n[ \t]*\n/.test(before)) && /^[ \t]*(?:\n[ \t]*\n|$)/.test(text.slice(end));
    isHeading.push(isAlone && dayLine.test(own));
    if (isHeading[i]) {
      days = [own];
      question = undefined;
      return days;
    }
    if (question && paragraph > question.last) question = undefined;
    const path = question ? [...days, question.title] : days;
    const isMessage = writer.test(own) && (before === '' || before.includes('\n'));
    if (question && isMessage && paragraph === question.paragraph) question.last = paragraph; // it has a thread
    if (isMessage && asksAtEnd.test(own.trim())) question = { title: own, paragraph, last: paragraph + 1 };
    return path;
  });
  return { paths, isHeading };
}
