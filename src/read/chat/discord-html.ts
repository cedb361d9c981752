/** The pages in which DiscordChatExporter writes a channel for people to read, which it does unless told otherwise. */
import { type HtmlElement, parseTree, walk } from '../markup/html-tree.ts';
import { linesOf } from './attached.ts';
import type { Chat } from './chats.ts';
import { found, has, linesIn, links } from './page-parts.ts';
import { clean, type Turn } from './turns.ts';

/** Whether a page has the marks of such an export: they stand in its source as they are. */
export function isDiscordPage(source: string): boolean {
  return /class="?preamble[\s">]/.test(source) && /class="?chatlog__message-group[\s">]/.test(source);
}

/** @returns undefined without a message */
export function parseDiscordPage(source: string): Chat | undefined {
  // The message that a reply answers is named in a script.
  const root = parseTree(source.replace(/onclick="scrollToMessage\(event, ?'(\d+)'\)"/g, 'href="#$1"'));
  const turns: Turn[] = [];
  /** Messages of a group that follow the first have neither its name nor its day. */
  let head = { day: '', time: '', who: '' };
  for (const node of found(root, 'chatlog__message-container')) {
    const stamp = firstOf(node, 'timestamp');
    const author = firstOf(node, 'author');
    const [, day, time] = stamp ? (/^(\S+)(?: (.*))?$/u.exec(plain(stamp)) ?? []) : [];
    if (day !== undefined) head = { ...head, day, time: time ?? '' };
    if (author) head = { ...head, who: plain(author) };
    const short = found(node, 'chatlog__short-timestamp')[0];
    const text = clean(textIn(node));
    if (head.day === '' || text === '') continue;
    const id = node.attributes.id?.replace(/^chatlog__message-container-/, '');
    const reply = found(node, 'chatlog__reply', 'chatlog__content')[0];
    const answers = reply && found(reply, 'chatlog__reply-link')[0]?.attributes.href;
    turns.push({
      ...head,
      ...(stamp || !short ? {} : { time: plain(short) }),
      text,
      id,
      ...(answers === undefined ? {} : { answers: answers.slice(1), answered: answeredIn(reply!) }),
    });
  }
  const [guild = '', path = '', ...topic] = found(root, 'preamble__entry').map(plain);
  const [first] = turns;
  if (!first) return undefined;
  for (const text of topic.reverse()) if (text !== '') turns.unshift({ day: first.day, time: '', who: '', text });
  // `Text channels / general`
  const channel = path.split(' / ').at(-1)!;
  return { title: guild === '' ? `#${channel}` : `${guild}, #${channel}`, format: 'discord', turns };
}

/** In the head of a message of a person, or in one of the system. */
function firstOf(node: HtmlElement, name: string): HtmlElement | undefined {
  return found(node, `chatlog__${name}`)[0] ?? found(node, `chatlog__system-notification-${name}`)[0];
}

function plain(node: HtmlElement): string {
  return clean(linesIn(node)).replace(/\s+/g, ' ');
}

/** Whose message is answered, and what it says. */
function answeredIn(reply: HtmlElement): string {
  const parts = ['chatlog__reply-author', 'chatlog__reply-content'].flatMap((name) => found(reply, name).map(plain));
  return parts.filter((part) => part !== '').join(': ');
}

const CARD = ['author', 'title', 'description'].map((name) => `chatlog__embed-${name}`);

/** What a message says: its text or what the system says of it, its cards and its files. */
function textIn(node: HtmlElement): string {
  const said = ['chatlog__system-notification-content', 'chatlog__content'].flatMap((name) => found(node, name));
  const cards = found(node, 'chatlog__embed').flatMap((card) => [
    ...CARD.flatMap((name) => found(card, name).map(written)),
    ...found(card, 'chatlog__embed-field').map((field) =>
      ['name', 'value'].flatMap((part) => found(field, `chatlog__embed-field-${part}`).map(written)).join(': '),
    ),
    ...found(card, 'chatlog__embed-footer').map(written),
  ]);
  const files = found(node, 'chatlog__attachment').flatMap((file) => {
    const named = found(file, 'chatlog__attachment-generic-name').map(plain);
    return named.length > 0 ? named : links(file).map((link) => link.split(/[?#]/u, 1)[0]!.split('/').at(-1)!);
  });
  return linesOf(...said.map(written), ...cards, ...files.map((name) => `Attachment: ${name}`));
}

const BLOCK = /^(?:div|p|li|ul|ol|h[1-6]|pre|blockquote)$/;

/** Text with the line ends of its source, which such a page shows, and of its blocks; pictures of signs as the signs. */
function written(root: HtmlElement): string {
  let out = '';
  walk(root, {
    enter(node) {
      if (has(node, 'chatlog__edited-timestamp')) return false;
      if (node.tag === 'br' || BLOCK.test(node.tag)) out += '\n';
      if (node.tag === 'img') out += node.attributes.alt ?? '';
      return true;
    },
    text: (text) => {
      out += text;
    },
    leave({ tag }) {
      if (BLOCK.test(tag)) out += '\n';
    },
  });
  return out.replace(/\n\s*\n/g, '\n').trim();
}
