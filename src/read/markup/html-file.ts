import { isDiscordPage, parseDiscordPage } from '../chat/discord-html.ts';
import { chatDocument } from '../chat/document.ts';
import { isTelegramPage, parseTelegramPage } from '../chat/telegram-html.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { isBookmarks, parseBookmarks } from './bookmarks.ts';
import { parseHtml } from './html.ts';

/** A file of HTML: an exported chat, the bookmarks of a browser, or a page. */
export function parseHtmlFile(
  source: string,
  context: Pick<ParseContext, 'maxTextChars' | 'surroundings'>,
): ParsedDocument {
  if (isBookmarks(source)) return parseBookmarks(source, context);
  const chat = isTelegramPage(source)
    ? parseTelegramPage(source)
    : isDiscordPage(source)
      ? parseDiscordPage(source)
      : undefined;
  return chat ? chatDocument(chat, context) : parseHtml(source, context);
}
