import { DocumentBuilder } from '../builder.ts';
import type { ParsedDocument } from '../contract.ts';
import type { Chat } from './chats.ts';
import { type Turn, threadsOf } from './turns.ts';

/** People that are named in the metadata. */
const MOST_PEOPLE = 100;

/**
 * A heading for each day, and a block for each thread, so that a question and its answers stay together. Locators say
 * when and by whom.
 */
export function chatDocument(
  { title, format, turns }: Chat,
  limits: { readonly maxTextChars: number },
): ParsedDocument {
  const builder = new DocumentBuilder(format, limits);
  builder.title = title;
  let day: string | undefined;
  for (const thread of threadsOf(turns)) {
    const [first] = thread;
    if (first!.day !== day) {
      day = first!.day;
      builder.block({ kind: 'heading', level: 1 }, day);
    }
    if (builder.length > 0) builder.append('\n\n');
    const start = builder.length;
    // The beginning of this thread is not in the file.
    if (first!.answered !== undefined && first!.answers !== first!.id) {
      builder.locate(builder.append(`In reply to ${first!.answered}`), { part: partOf(first!) });
    }
    for (const turn of thread) {
      if (builder.length > start) builder.append('\n');
      builder.locate(builder.append(lineOf(turn)), { part: partOf(turn) });
    }
    builder.mark({ start, end: builder.length }, { kind: 'cue' });
  }
  const people = [...new Set(turns.map(({ who }) => who).filter((who) => who !== ''))];
  builder.metadata.messages = turns.length;
  if (people.length > 0) builder.metadata.from = people.slice(0, MOST_PEOPLE).join(', ');
  const days = turns.flatMap((turn) => /\d{4}-\d\d-\d\d$/.exec(turn.day)?.[0] ?? []).sort();
  if (days.length > 0) Object.assign(builder.metadata, { firstDay: days[0]!, lastDay: days.at(-1)! });
  return builder.build();
}

function lineOf({ who, text }: Turn): string {
  return who === '' ? text : `${who}: ${text}`;
}

function partOf({ day, time, who }: Turn): string {
  return [day, time, who].filter((word) => word !== '').join(' ');
}
