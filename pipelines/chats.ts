import { type Block, type Document, type Locator, normaliseText } from '../src/index.ts'; // in a copy: from 'ibid'

/** One message of a chat. */
export interface Turn {
  /** As the export writes it: the order of day and month differs by the phone's language, so it is not guessed. */
  readonly day: string;
  readonly time: string;
  /** '' for messages of the system. */
  readonly who: string;
  readonly text: string;
}

export interface Chat {
  readonly title: string;
  readonly format: 'slack' | 'telegram' | 'whatsapp';
  readonly turns: readonly Turn[];
}

/**
 * @param name file name
 * @param folder name of the folder it lies in: the channel, in a Slack export
 * @param users Slack user id → name
 * @returns `undefined` when the content is no export this knows
 */
export function parseChat(
  content: string,
  name: string,
  folder: string,
  users: ReadonlyMap<string, string>,
): Chat | undefined {
  if (!name.toLowerCase().endsWith('.json')) return parseWhatsApp(content, name);
  let value: unknown;
  try {
    value = JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
  return parseSlack(value, name, folder, users) ?? parseTelegram(value);
}

/** A heading per day, a paragraph per message, and a locator that says when and by whom. */
export function chatDocument(uri: string, { title, format, turns }: Chat): Document {
  const blocks: Block[] = [];
  const locators: Locator[] = [];
  let text = '';
  let day: string | undefined;
  for (const turn of turns) {
    if (turn.day !== day) {
      day = turn.day;
      if (text !== '') text += '\n';
      blocks.push({ kind: 'heading', level: 1, start: text.length, end: text.length + day.length });
      text += `${day}\n\n`;
    }
    const line = turn.who === '' ? turn.text : `${turn.who}: ${turn.text}`;
    const span = { start: text.length, end: text.length + line.length };
    blocks.push({ kind: 'cue', ...span });
    locators.push({ ...span, part: [turn.day, turn.time, turn.who].filter((word) => word !== '').join(' ') });
    text += `${line}\n`;
  }
  return { uri, title, text, format, blocks, locators, metadata: { messages: turns.length }, warnings: [] };
}

/** `users.json` of a Slack export: id → the name people see. */
export function parseSlackUsers(content: string): ReadonlyMap<string, string> {
  const users = new Map<string, string>();
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return users;
  }
  for (const user of Array.isArray(value) ? value : []) {
    if (!isRecord(user) || typeof user.id !== 'string') continue;
    const profile = isRecord(user.profile) ? user.profile : {};
    users.set(user.id, firstText(profile.display_name, profile.real_name, user.real_name, user.name) ?? user.id);
  }
  return users;
}

/** A day of a channel: a list of `{ type: "message", ts: "1700000000.000100", user, text }`. */
function parseSlack(
  value: unknown,
  name: string,
  channel: string,
  users: ReadonlyMap<string, string>,
): Chat | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const messages = value.filter(isRecord).filter(({ type, ts }) => type === 'message' && typeof ts === 'string');
  if (messages.length === 0) return undefined;
  const turns: Turn[] = [];
  for (const { ts, user, text, user_profile: profile, username } of messages) {
    const at = new Date(Number(ts) * 1000);
    const said = clean(typeof text === 'string' ? readSlackMarks(text, users) : '');
    if (said === '' || Number.isNaN(at.getTime())) continue;
    const known = typeof user === 'string' ? users.get(user) : undefined;
    const shown = isRecord(profile) ? firstText(profile.display_name, profile.real_name) : undefined;
    const iso = at.toISOString();
    turns.push({
      day: iso.slice(0, 10),
      time: iso.slice(11, 16),
      who: clean(known ?? shown ?? firstText(username, user) ?? ''),
      text: said,
    });
  }
  if (turns.length === 0) return undefined;
  return { title: `#${channel}, ${name.replace(/\.json$/i, '')}`, format: 'slack', turns };
}

/** `<@U1>` → @name, `<#C1|name>` → #name, `<address|label>` → label (address). */
function readSlackMarks(text: string, users: ReadonlyMap<string, string>): string {
  return text
    .replace(/<@([A-Z0-9]+)(?:\|[^>]*)?>/g, (_, id: string) => `@${users.get(id) ?? id}`)
    .replace(/<#[A-Z0-9]+\|([^>]*)>/g, '#$1')
    .replace(/<((?:https?|mailto):[^|>]+)\|([^>]+)>/g, '$2 ($1)')
    .replace(/<((?:https?|mailto):[^>]+)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** `result.json`: one chat, or all of an account under `chats.list`. */
function parseTelegram(value: unknown): Chat | undefined {
  if (!isRecord(value)) return undefined;
  const account = isRecord(value.chats) && Array.isArray(value.chats.list) ? value.chats.list : undefined;
  const chats = (account ?? [value]).filter(isRecord);
  const turns: Turn[] = [];
  for (const { name, messages } of chats) {
    for (const message of Array.isArray(messages) ? messages.filter(isRecord) : []) {
      if (message.type !== 'message' || typeof message.date !== 'string') continue;
      const text = clean(readTelegramText(message.text));
      if (text === '') continue;
      const [date = '', time = ''] = message.date.split('T');
      const day = account === undefined ? date : `${clean(firstText(name) ?? 'chat')}, ${date}`;
      turns.push({ day, time: time.slice(0, 5), who: clean(firstText(message.from) ?? ''), text });
    }
  }
  if (turns.length === 0) return undefined;
  const title = account === undefined ? clean(firstText(value.name) ?? '') : '';
  return { title: title === '' ? 'Telegram' : title, format: 'telegram', turns };
}

/** Text is a string, or a list of strings and of parts with a `text`. */
function readTelegramText(text: unknown): string {
  if (typeof text === 'string') return text;
  if (!Array.isArray(text)) return '';
  return text.map((part) => (isRecord(part) ? readTelegramText(part.text) : readTelegramText(part))).join('');
}

/**
 * `[05/03/2025, 10:14:33] Name: text` (iOS) or `05.03.2025, 10:14 - Name: text` (Android); other lines go on with the
 * message.
 */
const whatsAppLine =
  /^\u200e?(?:\[(?<day1>[\d./-]{6,10}),? (?<time1>[\d:.]{4,8}(?:\s?[ap]\.?\s?m\.?)?)\]|(?<day2>[\d./-]{6,10}),? (?<time2>[\d:.]{4,8}(?:\s?[ap]\.?\s?m\.?)?) -) (?<rest>.*)$/iu;

function parseWhatsApp(content: string, name: string): Chat | undefined {
  const turns: { day: string; time: string; who: string; text: string }[] = [];
  for (const line of content.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const groups = whatsAppLine.exec(line)?.groups;
    const last = turns.at(-1);
    if (groups) {
      const [, who = '', said] = /^([^:]{1,80}): (.*)$/u.exec(groups.rest!) ?? [];
      const text = clean(said ?? groups.rest!);
      turns.push({ day: groups.day1 ?? groups.day2!, time: groups.time1 ?? groups.time2!, who: clean(who), text });
    } else if (last) {
      last.text = `${last.text}\n${clean(line)}`;
    } else if (line.trim() !== '') return undefined; // an export begins with a message
  }
  const said = turns.map((turn) => ({ ...turn, text: turn.text.trim() })).filter(({ text }) => text !== '');
  return said.length === 0 ? undefined : { title: name.replace(/\.txt$/i, ''), format: 'whatsapp', turns: said };
}

function firstText(...candidates: readonly unknown[]): string | undefined {
  return candidates.find((candidate): candidate is string => typeof candidate === 'string' && candidate !== '');
}

/** Without the direction marks that exports sprinkle in. */
function clean(text: string): string {
  return normaliseText(text)
    .replace(/[\u200e\u200f]/g, '')
    .trim();
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
