import { type Chat, parseChat as parse } from '../../src/read/chat/chats.ts';
import { chatDocument as documentOf } from '../../src/read/chat/document.ts';

export const parseChat = (
  content: string,
  name: string,
  folder: string,
  people: ReadonlyMap<string, string>,
): Chat | undefined => parse(content, { name, folder, people });
export const chatDocument = (chat: Chat): ReturnType<typeof documentOf> => documentOf(chat, { maxTextChars: 1e8 });
export const nobody: ReadonlyMap<string, string> = new Map();

/** Each turn as `day|time|who|text`. */
export const told = (chat: Chat | undefined): string[] | undefined =>
  chat?.turns.map(({ day, time, who, text }) => `${day}|${time}|${who}|${text}`);
