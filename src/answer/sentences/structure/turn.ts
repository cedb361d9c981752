import type { Locator } from '../../../core/types.ts';
import { firstPerson } from '../../../text/languages/pronouns.ts';
import type { Placed } from './unit-text.ts';

/** Documents that consist of messages, in the order in which they were sent. */
const ofMessages: ReadonlySet<string> = new Set(['discord', 'mbox', 'slack', 'teams', 'telegram', 'whatsapp']);

/** The place of the message that a sentence stands in; undefined outside of messages. */
function turnOf({ passage: { hit }, unit }: Placed): Locator | undefined {
  const { format, locators, span } = hit.chunk;
  if (!ofMessages.has(format)) return undefined;
  const at = span.start + unit.start;
  return locators.find(({ start, end, part }) => part !== undefined && start <= at && at < end);
}

/**
 * Who wrote the message of a chat, where a sentence is not its first, which has the name itself; who sent the mail in
 * which somebody speaks of himself; else undefined.
 */
export function writerOf(placed: Placed): string | undefined {
  if (placed.passage.hit.chunk.format === 'eml') return senderOf(placed);
  const turn = turnOf(placed);
  const { chunk } = placed.passage.hit;
  if (turn === undefined || chunk.format === 'mbox') return undefined;
  const before = chunk.text.slice(turn.start - chunk.span.start, placed.unit.start);
  const name = /^([^\n:]{1,60}): /.exec(before)?.[1];
  return name !== undefined && turn.part!.endsWith(name) ? name : undefined;
}

/** `Ann Moor` of `From: "Ann Moor" <ann@example.com>` above `I can start in May.`, but not above what she quotes. */
function senderOf({ passage: { hit }, unit }: Placed): string | undefined {
  const { text, position } = hit.chunk;
  const line = text.slice(text.lastIndexOf('\n', unit.start - 1) + 1, unit.end);
  if (position > 0 || line.startsWith('>') || !firstPerson.test(line)) return undefined;
  const before = text.slice(0, unit.start);
  if (/\n>|\bwrote:|^-{3,}/m.test(before)) return undefined;
  return /^From: "?([^"<>@\n]{2,60}?)"? *</.exec(before)?.[1];
}

/** When a mail was sent, by its head, in milliseconds; undefined where the chunk does not have it. */
function sentAt({ passage: { hit } }: Placed, turn: Locator): number | undefined {
  const { text, span } = hit.chunk;
  const date = /^Date: (.{6,60})$/m.exec(text.slice(Math.max(0, turn.start - span.start), turn.end - span.start))?.[1];
  const ms = Date.parse(date ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}

/** Whether a sentence stands in a later message of the same document: one sent later, else one further down. */
export function isOfLaterMessage(later: Placed, earlier: Placed): boolean {
  const [a, b] = [turnOf(later), turnOf(earlier)];
  if (a === undefined || b === undefined || a.part === b.part) return false;
  if (later.passage.hit.chunk.uri !== earlier.passage.hit.chunk.uri) return false;
  const [x, y] = [sentAt(later, a), sentAt(earlier, b)];
  return x !== undefined && y !== undefined ? x > y : a.start > b.start;
}
