/** HTML in a value of another format: an item of a feed, a cell of a shop's export, a field of JSON. */
import type { BlockKind } from '../../core/types.ts';
import type { ParseContext } from '../contract.ts';
import { parseHtml } from './html.ts';

type Context = Pick<ParseContext, 'maxTextChars'>;

/** What a text for readers is written with. Other elements are XML, or parts of a program. */
const TEXT_TAGS: ReadonlySet<string> = new Set(
  (
    'a abbr article audio b big blockquote br caption center cite code col colgroup dd del details dfn div dl dt em embed ' +
    'figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i iframe img ins kbd li main mark nav object ol p picture pre q s ' +
    'samp section small source span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var video wbr'
  ).split(' '),
);
const TAG = /<\/?([a-z][\w:-]*)(?=[\s/>])/gi;
const ENTITY =
  /&(?:amp|nbsp|[lr][sd]quo|[nm]dash|hellip|szlig|euro|[a-z](?:uml|acute|grave|circ|tilde|cedil)|#\d{2,6}|#x[\da-f]{2,5});/i;
const CLOSED = /<(?:br|hr|img)\b|<\/[a-z]/i;
/** A text of several lines in HTML begins with one of these; others may be Markdown with some HTML in it. */
const BEGINS = /^\s*<(?:p|div|h[1-6]|ul|ol|dl|table|article|section|blockquote|pre|figure|span|center|font)[\s>]/i;

/** Whether a value is a text in HTML: it has elements of text alone, one of which ends. */
export function isHtmlValue(value: string): boolean {
  const isTagged = value.includes('<');
  if (!isTagged && !value.includes('&')) return false;
  if (value.includes('\n') ? !BEGINS.test(value) || !/>\s*$/.test(value.slice(-100)) : value.includes('`'))
    return false;
  if (!isTagged) return ENTITY.test(value);
  if (!CLOSED.test(value)) return false;
  let tags = 0;
  for (const [, name] of value.matchAll(TAG)) {
    if (!TEXT_TAGS.has(name!.toLowerCase())) return false;
    tags++;
  }
  return tags > 0;
}

function blocksOf(html: string, context: Context): readonly { readonly kind: BlockKind; readonly said: string }[] {
  const surroundings = { isWhole: true } as ParseContext['surroundings'];
  const { text, blocks } = parseHtml(`<body>${html}`, { ...context, surroundings });
  return blocks.map(({ kind, start, end }) => ({ kind, said: text.slice(start, end) }));
}

/** What HTML shows: paragraphs in one line, items of lists and rows of tables in lines of their own. */
export function shownLines(html: string, context: Context): string[] {
  const lines: string[] = [];
  let isOpen = false;
  for (const { kind, said } of blocksOf(html, context)) {
    const isPart = kind !== 'paragraph' && kind !== 'heading' && kind !== 'quote';
    if (isPart) lines.push(...said.split('\n'));
    else if (isOpen) lines.push(`${lines.pop()} ${said}`);
    else lines.push(said);
    isOpen = !isPart;
  }
  return lines;
}

/** A value as it is shown: of HTML a line for each paragraph, item and row; another value, and a picture alone, as it is. */
export function shownValue(value: string, context: Context): string {
  if (!isHtmlValue(value)) return value;
  const shown = blocksOf(value, context).map(({ said }) => said);
  return shown.length === 0 ? value : shown.join('\n');
}
