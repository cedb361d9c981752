/** The pages `messages.html`, `messages2.html`, … in which Telegram writes a chat for people to read. */
import { type HtmlElement, parseTree } from '../markup/html-tree.ts';
import { linesOf } from './attached.ts';
import type { Chat } from './chats.ts';
import { found, has, linesIn, links } from './page-parts.ts';
import { clean, type Turn } from './turns.ts';

/** Whether a page has the marks of such an export: they stand in its source as they are. */
export function isTelegramPage(source: string): boolean {
  return source.includes('class="page_body chat_page"') && /<div class="message (?:default|service)/.test(source);
}

/** @returns undefined without a message */
export function parseTelegramPage(source: string): Chat | undefined {
  const root = parseTree(source);
  const turns: Turn[] = [];
  /** What the system says has no time: it has the day of the message before, or behind a new day of the next one. */
  let waiting: string[] = [];
  let day: string | undefined;
  /** A joined message has the name of the one before. */
  let who = '';
  const release = (): void => {
    for (const text of waiting) turns.push({ day: day!, time: '', who: '', text });
    waiting = [];
  };
  for (const node of found(root, 'message')) {
    if (has(node, 'service')) {
      const text = clean(linesIn(node));
      if (/^\d{1,2} \p{L}+ \d{4}$/u.test(text)) day = undefined;
      else if (text !== '') waiting.push(text);
      if (day !== undefined) release();
      continue;
    }
    const body = found(node, 'body', 'forwarded')[0];
    const date = body && timeIn(found(body, 'date', 'forwarded')[0]);
    if (!body || !date) continue;
    day = date.day;
    release();
    const name = found(body, 'from_name', 'forwarded')[0];
    who = name ? clean(linesIn(name)) : who;
    const text = clean(textIn(body));
    if (text === '') continue;
    const [link] = found(body, 'reply_to', 'forwarded').flatMap((reply) => links(reply));
    turns.push({ ...date, who, text, id: node.attributes.id, answers: /go_to_(message\d+)$/.exec(link ?? '')?.[1] });
  }
  day ??= turns.at(-1)?.day;
  if (day !== undefined) release();
  const header = found(root, 'page_header')[0];
  const title = header ? clean(linesIn(header)).replace(/\s+/g, ' ') : '';
  return turns.length === 0 ? undefined : { title: title === '' ? 'Telegram' : title, format: 'telegram', turns };
}

/** `03.02.2024 18:05:10 UTC+01:00`, in every language. */
function timeIn(node: HtmlElement | undefined): { readonly day: string; readonly time: string } | undefined {
  const [, day, month, year, time] = /^(\d\d)\.(\d\d)\.(\d{4}) (\d\d:\d\d)/.exec(node?.attributes.title ?? '') ?? [];
  return time === undefined ? undefined : { day: `${year}-${month}-${day}`, time };
}

/** What a message says: what it forwards, its text, questions, cards and files. */
function textIn(body: HtmlElement): string {
  const forwarded = found(body, 'forwarded', 'userpic_wrap').find((node) => has(node, 'body'));
  if (forwarded) {
    const name = found(forwarded, 'from_name')[0];
    return linesOf(name ? `Forwarded from ${clean(linesIn(name))}:` : undefined, textIn(forwardedBody(forwarded)));
  }
  const media = found(body, 'media').flatMap((node) => {
    const title = found(node, 'title').map(linesIn).join(' ').trim();
    const status = found(node, 'status').map(linesIn).join(' ').trim();
    if (has(node, 'media_file') || has(node, 'media_audio_file')) return [`Attachment: ${title}`];
    return has(node, 'media_contact') || has(node, 'media_venue') || has(node, 'media_call') ? [title, status] : [];
  });
  const poll = ['question', 'answer'].flatMap((name) => found(body, name, 'details').map(linesIn));
  const parts = [...poll, ...found(body, 'text').map(linesIn), ...media];
  return linesOf(...parts.map((part) => part.trim()));
}

/** The same without its mark, so that it is read as a message is. */
function forwardedBody({ children, ...node }: HtmlElement): HtmlElement {
  return { ...node, attributes: {}, children };
}
