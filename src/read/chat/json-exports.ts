import { isRecord } from '../../core/records.ts';
import { attachedInDiscord, attachedInSlack, attachedInTeams, attachedInTelegram, linesOf } from './attached.ts';
import type { Chat, ChatPlace } from './chats.ts';
import { clean, firstText, recordsOf, type Turn } from './turns.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Day and time of an ISO 8601 time, as it is written; undefined for another. */
function timeOf(value: unknown): { readonly day: string; readonly time: string } | undefined {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(typeof value === 'string' ? value : '');
  return match ? { day: match[1]!, time: match[2]! } : undefined;
}

/** A number of seconds, or a time of ISO 8601, in milliseconds. */
function instantOf(time: unknown): number {
  if (typeof time !== 'string') return Number.NaN;
  return /^\d+(?:\.\d+)?$/.test(time) ? 1000 * Number(time) : Date.parse(time);
}

/**
 * Programs give the oldest message first, Microsoft's the newest, and some as they were told: they are put in the order of
 * their times. A message without a time stays behind the one before it.
 */
function oldestFirst(messages: readonly Fields[], timeOfMessage: (message: Fields) => unknown): readonly Fields[] {
  const times = messages.map((message) => instantOf(timeOfMessage(message))).filter((time) => !Number.isNaN(time));
  const isTurned = times.length > 1 && times[0]! > times.at(-1)!;
  let time = Number.NEGATIVE_INFINITY;
  const timed = (isTurned ? messages.toReversed() : messages).map((message) => {
    const own = instantOf(timeOfMessage(message));
    if (!Number.isNaN(own)) time = own;
    return { message, time };
  });
  return timed.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)).map(({ message }) => message);
}

/** A day of a channel: a list of `{ type: "message", ts: "1700000000.000100", user, text, thread_ts }`. */
export function parseSlack(value: unknown, { name, folder, people = new Map() }: ChatPlace): Chat | undefined {
  const given = recordsOf(value).filter(({ type, ts }) => type === 'message' && typeof ts === 'string');
  const messages = oldestFirst(given, ({ ts }) => ts);
  const users = new Map(people);
  for (const { user, user_profile: profile } of messages) {
    const shown = isRecord(profile) ? firstText(profile.display_name, profile.real_name, profile.name) : undefined;
    if (typeof user === 'string' && shown !== undefined && !users.has(user)) users.set(user, shown);
  }
  const turns: Turn[] = [];
  for (const message of messages) {
    const { ts, thread_ts: thread, user, text, username, bot_profile: bot } = message;
    const at = new Date(Number(ts) * 1000);
    const said = clean(readSlackMarks(linesOf(firstText(text), attachedInSlack(message)), users));
    if (said === '' || Number.isNaN(at.getTime())) continue;
    const known = typeof user === 'string' ? users.get(user) : undefined;
    turns.push({
      day: at.toISOString().slice(0, 10),
      time: at.toISOString().slice(11, 16),
      who: clean(known ?? firstText(username, isRecord(bot) ? bot.name : undefined, user) ?? ''),
      text: said,
      id: String(ts),
      answers: typeof thread === 'string' ? thread : undefined,
      answered: answeredInSlack(message, users),
    });
  }
  if (turns.length === 0) return undefined;
  const day = name.replace(/\.json$/i, '');
  return { title: folder === undefined ? day : `#${folder}, ${day}`, format: 'slack', turns };
}

/** Whose message begins the thread of a reply, when it was written, and its text where the reply has it. */
function answeredInSlack(
  { thread_ts: thread, parent_user_id: author, root }: Fields,
  users: ReadonlyMap<string, string>,
): string | undefined {
  const at = new Date(Number(thread) * 1000);
  if (typeof thread !== 'string' || Number.isNaN(at.getTime())) return undefined;
  const first = isRecord(root) ? root : {};
  const id = firstText(author, first.user);
  const who = id === undefined ? undefined : clean(users.get(id) ?? id);
  const text = clean(readSlackMarks(firstText(first.text) ?? '', users)).replace(/\s+/g, ' ');
  const when = at.toISOString().slice(0, 16).replace('T', ' ');
  return `${who === undefined ? 'the message of ' : `${who}, `}${when}${text === '' ? '' : `: ${text}`}`;
}

/** `<@U1>` → @name, `<#C1|name>` → #name, `<#C1>` → #C1, `<!here>` → @here, `<address|label>` → label (address). */
function readSlackMarks(text: string, users: ReadonlyMap<string, string>): string {
  return text
    .replace(/<@([A-Z0-9]+)(?:\|[^>]*)?>/g, (_, id: string) => `@${users.get(id) ?? id}`)
    .replace(/<#([A-Z0-9]+)(?:\|([^>]*))?>/g, (_, id: string, label: string | undefined) => `#${label || id}`)
    .replace(/<!(here|channel|everyone)(?:\|[^>]*)?>/g, '@$1')
    .replace(/<!(?:subteam|date)\^[^|>]*\|([^>]*)>/g, '$1')
    .replace(/<((?:https?|mailto):[^|>]+)\|([^>]+)>/g, '$2 ($1)')
    .replace(/<((?:https?|mailto):[^>]+)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** One channel of DiscordChatExporter: `{ guild, channel, messages: [{ id, timestamp, author, content }] }`. */
export function parseDiscord(value: unknown): Chat | undefined {
  if (!isRecord(value) || !isRecord(value.channel)) return undefined;
  const messages = oldestFirst(recordsOf(value.messages), ({ timestamp }) => timestamp);
  const turns = messages.flatMap((message): Turn[] => {
    const { id, timestamp, author, content, reference } = message;
    const at = timeOf(timestamp);
    const text = clean(linesOf(firstText(content), attachedInDiscord(message)));
    if (!at || text === '') return [];
    const who = isRecord(author) ? clean(firstText(author.nickname, author.name) ?? '') : '';
    const answers = isRecord(reference) ? firstText(reference.messageId) : undefined;
    return [{ ...at, who, text, id: firstText(id), answers }];
  });
  if (turns.length === 0) return undefined;
  const channel = clean(firstText(value.channel.name) ?? 'channel');
  const guild = isRecord(value.guild) ? clean(firstText(value.guild.name) ?? '') : '';
  return { title: guild === '' ? `#${channel}` : `${guild}, #${channel}`, format: 'discord', turns };
}

/**
 * Teams: messages as Microsoft Graph gives them (`createdDateTime`, `body`, `replyToId`, perhaps `replies`), or the
 * conversations of a personal account (`conversations[].MessageList[]`).
 */
export function parseTeams(value: unknown, name: string): Chat | undefined {
  const inOrder = (list: unknown): readonly Fields[] =>
    oldestFirst(recordsOf(list), (message) => message.createdDateTime);
  const graph = inOrder(isRecord(value) ? (value.value ?? value.messages) : value);
  const turns = graph.flatMap((message) => [message, ...inOrder(message.replies)]).flatMap(graphTurn);
  if (turns.length > 0) return { title: name.replace(/\.json$/i, ''), format: 'teams', turns };
  for (const { displayName, MessageList } of recordsOf(isRecord(value) ? value.conversations : [])) {
    const chat = clean(firstText(displayName) ?? '');
    const messages = oldestFirst(recordsOf(MessageList), ({ originalarrivaltime }) => originalarrivaltime);
    const said = messages.flatMap((message): Turn[] => {
      const at = timeOf(message.originalarrivaltime);
      const text = clean(plainHtml(firstText(message.content) ?? ''));
      if (!at || text === '' || !/^(?:RichText(?:\/Html)?|Text)$/i.test(String(message.messagetype))) return [];
      const who = clean(firstText(message.displayName, message.from) ?? '');
      return [{ ...at, day: chat === '' ? at.day : `${chat}, ${at.day}`, who, text }];
    });
    turns.push(...said);
  }
  return turns.length === 0 ? undefined : { title: 'Teams', format: 'teams', turns };
}

function graphTurn(message: Fields): Turn[] {
  const { id, createdDateTime, subject, from, body, replyToId } = message;
  const at = timeOf(createdDateTime);
  const content = isRecord(body) ? (firstText(body.content) ?? '') : '';
  const isHtml = isRecord(body) && body.contentType === 'html';
  const said = (isHtml ? plainHtml(content) : content).trim();
  const text = clean(linesOf(firstText(subject), said, attachedInTeams(message)));
  if (!at || text === '') return [];
  const user = isRecord(from) ? (from.user ?? from.application) : undefined;
  const who = isRecord(user) ? clean(firstText(user.displayName) ?? '') : '';
  return [{ ...at, who, text, id: firstText(id), answers: firstText(replyToId) }];
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', apos: "'" };

function plainHtml(html: string): string {
  return html
    .replace(/<\/t[dh]>\s*<(?=t[dh][\s>])/gi, ' | <')
    .replace(/<(?:br\s*\/?|\/(?:p|div|li|tr|table|h[1-6]|pre|blockquote|codeblock))>/gi, '\n')
    .replace(/<emoji\s(?:[^<>]*\s)?alt="([^"<>]*)"[^<>]*>/gi, '$1')
    .replace(/<[a-z/!][^<>]*>/gi, '')
    .replace(/&(?:(amp|lt|gt|quot|nbsp|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi, (whole, name, decimal, hex) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()]!;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .replace(/\n\s*\n+/g, '\n');
}

/** `result.json`: one chat, or all of an account under `chats.list` and `left_chats.list`. */
export function parseTelegram(value: unknown): Chat | undefined {
  if (!isRecord(value)) return undefined;
  const lists = [value.chats, value.left_chats].flatMap((part) => (isRecord(part) ? recordsOf(part.list) : []));
  const account = lists.length > 0 ? lists : undefined;
  const turns: Turn[] = [];
  for (const [chat, { name, messages }] of recordsOf(account ?? [value]).entries()) {
    for (const message of recordsOf(messages)) {
      const isOfSystem = message.type === 'service';
      if ((message.type !== 'message' && !isOfSystem) || typeof message.date !== 'string') continue;
      const from = clean(firstText(message.forwarded_from) ?? '');
      const said = linesOf(from === '' ? undefined : `Forwarded from ${from}:`, readTelegramText(message.text));
      const text = isOfSystem
        ? clean(serviceText(message))
        : clean(linesOf(said, attachedInTelegram(message, readTelegramText)));
      if (text === '' || text === `Forwarded from ${from}:`) continue;
      const [date = '', time = ''] = message.date.split('T');
      const day = account === undefined ? date : `${clean(firstText(name) ?? 'chat')}, ${date}`;
      const idOf = (id: unknown): string | undefined => (typeof id === 'number' ? `${chat} ${id}` : undefined);
      // Who has left has no name any more, as in the application.
      const gone = message.from === null && message.from_id !== undefined ? 'Deleted Account' : '';
      const who = clean(firstText(message.from) ?? gone);
      turns.push({
        day,
        time: time.slice(0, 5),
        who,
        text,
        id: idOf(message.id),
        answers: idOf(message.reply_to_message_id),
      });
    }
  }
  if (turns.length === 0) return undefined;
  const title = account === undefined ? clean(firstText(value.name) ?? '') : '';
  return { title: title === '' ? 'Telegram' : title, format: 'telegram', turns };
}

/** Who did what to what is named: `Ann: create group: Ferry crew, Ann, Bo`; '' where nothing is. */
function serviceText({ actor, action, title, new_title: renamed, members }: Fields): string {
  const people = Array.isArray(members) ? members : [];
  const named = [title, renamed, ...people].filter((name) => typeof name === 'string' && name !== '');
  if (named.length === 0) return '';
  return [firstText(actor), firstText(action)?.replaceAll('_', ' '), named.join(', ')]
    .filter((part) => part !== undefined)
    .join(': ');
}

/** Text is a string, a part with a `text`, or a list of both. */
function readTelegramText(text: unknown): string {
  if (typeof text === 'string') return text;
  if (Array.isArray(text)) return text.map(readTelegramText).join('');
  return isRecord(text) ? readTelegramText(text.text) : '';
}
