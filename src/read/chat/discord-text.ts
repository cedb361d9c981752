/** A channel that DiscordChatExporter writes as plain text. */
import { linesOf } from './attached.ts';
import type { Chat } from './chats.ts';
import { clean, type Turn } from './turns.ts';

const RULE = /^={20,}$/;
const BEGINNING = /^={20,}\r?\nGuild: .*\r?\nChannel: /;
const MESSAGE = /^\[([^\]\s]+)(?: ([^\]]*))?\] (.+)$/;
const PART = /^\{(Attachments|Embed|Stickers|Reactions|Forwarded Message)\}$/;

export function isDiscordText(source: string): boolean {
  return BEGINNING.test(source.slice(0, 1000));
}

/** @returns undefined without a message */
export function parseDiscordText(source: string): Chat | undefined {
  const lines = source.split(/\r?\n/);
  const end = lines.findIndex((line, i) => i > 0 && RULE.test(line));
  const head = lines.slice(1, Math.max(1, end));
  const field = (name: string): string => clean(head.find((line) => line.startsWith(name))?.slice(name.length) ?? '');
  const turns: { day: string; time: string; who: string; text: string }[] = [];
  let part = '';
  for (let at = end + 1; at < lines.length && !RULE.test(lines[at]!); at++) {
    const line = lines[at]!;
    const [, day, time = '', name = ''] = (lines[at - 1]!.trim() === '' && MESSAGE.exec(line)) || [];
    const last = turns.at(-1);
    if (day !== undefined) {
      turns.push({ day, time, who: clean(name.replace(/ \(pinned\)$/, '')), text: '' });
      part = '';
    } else if (PART.test(line)) part = PART.exec(line)![1]!;
    else if (last && part !== 'Reactions' && line.trim() !== '') last.text = linesOf(last.text, said(line, part));
  }
  const read = turns.filter(({ text }) => text !== '');
  const [first] = read;
  if (!first) return undefined;
  // What the channel is about, in several lines perhaps, and which days were asked for.
  const topic = clean(
    head
      .slice(2)
      .join('\n')
      .replace(/^Topic: /, ''),
  );
  const about: Turn[] = topic === '' ? [] : [{ day: first.day, time: '', who: '', text: topic }];
  const channel = field('Channel: ').split(' / ').at(-1)!;
  return { title: `${field('Guild: ')}, #${channel}`, format: 'discord', turns: [...about, ...read] };
}

function said(line: string, part: string): string {
  if (part !== 'Attachments') return clean(line);
  return `Attachment: ${line.split(/[?#]/, 1)[0]!.split('/').at(-1)!}`;
}
