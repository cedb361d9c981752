/** The data that Discord gives to a person: all that this person wrote, by channel. What others answered is not in it. */
import { isRecord } from '../../core/records.ts';
import { csvRows } from '../data/csv-rows.ts';
import { linesOf } from './attached.ts';
import type { Chat, ChatPlace } from './chats.ts';
import { clean, firstText, recordsOf, type Turn } from './turns.ts';

interface Message {
  readonly id: string;
  readonly at: unknown;
  readonly said: unknown;
  /** Addresses of files, with blanks between. */
  readonly files: unknown;
}

/** `messages.json`: a list of `{ ID, Timestamp: "2024-05-01 21:00:30", Contents, Attachments }`. */
export function parseDiscordPackage(value: unknown, place: ChatPlace): Chat | undefined {
  const messages = recordsOf(value).map(({ ID, Timestamp, Contents, Attachments }) => {
    return { id: String(ID), at: Timestamp, said: Contents, files: Attachments };
  });
  return chatOf(messages, place);
}

/** How `messages.csv` of older packages begins. */
export const DISCORD_CSV: RegExp = /^\ufeff?ID,Timestamp,Contents,Attachments\r?\n/;

/** `messages.csv`: the same as a table. @returns undefined for another dialect, which is read as any table */
export function parseDiscordTable(source: string, place: ChatPlace): Chat | undefined {
  let isRight = true;
  const onOpenQuote = (): void => {
    isRight = false;
  };
  const rows = [...csvRows(source.replace(/\r\n?/g, '\n'), ',', onOpenQuote)];
  const messages = rows.slice(1).map(({ cells: [id = '', at, said, files] }): Message => ({ id, at, said, files }));
  return isRight ? chatOf(messages, place) : undefined;
}

/** The newest message stands first, or the oldest. */
function chatOf(messages: readonly Message[], { folder, channel, owner }: ChatPlace): Chat | undefined {
  const turns = messages.flatMap(({ at, said, files }): Turn[] => {
    const [, day, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)/.exec(typeof at === 'string' ? at : '') ?? [];
    const text = clean(linesOf(firstText(said), ...filesIn(files)));
    return day === undefined || time === undefined || text === '' ? [] : [{ day, time, who: owner ?? '', text }];
  });
  const [first] = turns;
  const last = turns.at(-1);
  if (!first || !last) return undefined;
  const isNewestFirst = `${first.day} ${first.time}` > `${last.day} ${last.time}`;
  const title = channel ?? folder ?? 'Discord';
  return { title, format: 'discord', turns: isNewestFirst ? turns.toReversed() : turns };
}

function filesIn(addresses: unknown): string[] {
  if (typeof addresses !== 'string') return [];
  return addresses
    .split(/[\s,]+/)
    .filter((address) => address !== '')
    .map((address) => `Attachment: ${nameIn(address)}`);
}

function nameIn(address: string): string {
  const name = address.replace(/[?#].*$/, '').replace(/^.*\//, '');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** What `channel.json` and `index.json` call a channel; undefined for a conversation that only the index can name. */
export function discordChannel(channel: string | undefined, index: string | undefined): string | undefined {
  const said = parsed(channel);
  const guild = isRecord(said?.guild) ? firstText(said.guild.name) : undefined;
  const name = firstText(said?.name);
  if (name !== undefined && guild !== undefined) return clean(`${guild}, #${name}`);
  const listed = firstText(parsed(index)?.[String(said?.id ?? '')]);
  const shown = listed ?? (name === undefined ? undefined : `#${name}`);
  return shown === undefined ? undefined : clean(shown);
}

/** Whose data it is, as `user.json` says. */
export function discordOwner(user: string | undefined): string | undefined {
  const said = parsed(user);
  const name = firstText(said?.global_name, said?.username);
  return name === undefined || said?.id === undefined ? undefined : clean(name);
}

function parsed(content: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (content === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(content);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
