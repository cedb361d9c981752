/** Chats as Slack, Discord, Telegram, Teams and WhatsApp export them, known by their shape. */
import { isRecord } from '../../core/records.ts';
import { DISCORD_CSV, parseDiscordPackage, parseDiscordTable } from './discord-package.ts';
import { parseDiscord, parseSlack, parseTeams, parseTelegram } from './json-exports.ts';
import { firstText, type Turn } from './turns.ts';
import { parseWhatsApp } from './whatsapp.ts';

export interface Chat {
  readonly title: string;
  readonly format: 'slack' | 'discord' | 'telegram' | 'teams' | 'whatsapp';
  readonly turns: readonly Turn[];
}

/** Names that a file alone does not tell. */
export interface ChatPlace {
  /** Of the file. */
  readonly name: string;
  /** The folder that the file lies in: the channel, in an export of Slack. */
  readonly folder?: string | undefined;
  /** User id of Slack → name. */
  readonly people?: ReadonlyMap<string, string> | undefined;
  /** Name of the channel, in a data package of Discord. */
  readonly channel?: string | undefined;
  /** Who wrote all messages, in a data package of Discord. */
  readonly owner?: string | undefined;
}

/** Each shape begins in its own way; other JSON is not parsed twice. */
const JSON_SHAPES =
  /^\s*\[\s*\{[\s\S]{0,4000}?"ts"\s*:\s*"\d{9,11}\.\d+"|^\s*\{[\s\S]{0,8000}?"messages"\s*:\s*\[|^\s*\{[\s\S]{0,2000}?"(?:chats|conversations)"\s*:\s*[[{]|"createdDateTime"|^\s*\[\s*\{[^{}]{0,8000}?"Timestamp"\s*:\s*"\d{4}-\d\d-\d\d \d\d:/;
const HEAD_CHARS = 16_000;
/** A larger export is read record by record, as any other JSON. */
const MAX_CHARS = 64 * 2 ** 20;

/** @returns undefined when the content is no export that is known */
export function parseChat(content: string, place: ChatPlace): Chat | undefined {
  const text = content.replace(/^\ufeff/, '');
  if (DISCORD_CSV.test(text)) return text.length > MAX_CHARS ? undefined : parseDiscordTable(text, place);
  if (!/\.json$/i.test(place.name)) {
    const turns = parseWhatsApp(text);
    return turns && { title: place.name.replace(/\.txt$/i, ''), format: 'whatsapp', turns };
  }
  if (text.length > MAX_CHARS || !JSON_SHAPES.test(text.slice(0, HEAD_CHARS))) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return (
    parseSlack(value, place) ??
    parseDiscord(value) ??
    parseDiscordPackage(value, place) ??
    parseTeams(value, place.name) ??
    parseTelegram(value)
  );
}

/** `users.json` of an export of Slack: id → the name people see. */
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
