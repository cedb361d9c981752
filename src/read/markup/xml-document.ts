import { Parser as Htmlparser } from 'htmlparser2';
import { oneLine } from '../../text/one-line.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { isWorkbookXml, parseWorkbookXml } from '../office/workbook-xml.ts';
import { isTranslations, parseTranslations } from '../records/translations.ts';
import { shownLines } from './html-values.ts';
import { isOpml, parseOpml } from './opml.ts';
import { isSvg, parseSvg } from './svg.ts';
import { localName } from './xml.ts';
import { withCharacters } from './xml-characters.ts';
import { BREAKS, isProse, parseProse } from './xml-prose.ts';
import { recordsOf } from './xml-records.ts';
import { TrackPoints } from './xml-tracks.ts';

interface Open {
  readonly name: string;
  /** Text of the element itself; blank in elements that only hold other elements. */
  text: string;
  hasChildren: boolean;
  /** Text beside child elements: prose with inline elements. */
  mixed: boolean;
  /** Length of the text up to the end of the last inline element; 0 without one. */
  inlineEnd: number;
}

/** What a workbook says of itself. */
const WORKBOOK = 'urn:schemas-microsoft-com:office:spreadsheet';
const MAX_NAMES = 6;
/** Longest inline element in prose. Without a bound, text nested n deep would be copied n times. */
const MAX_INLINE_CHARS = 10_000;
/** Root names that say nothing about the content. */
const GENERIC =
  /^(?:xml|root|data|document|doc|items?|records?|rows?|list|result|results|response|rss|feed|svg|html)$/i;
const SCRIPTS = /^(?:sub|sup|subscript|superscript|inf)$/i;
/** Elements of property lists that are a value themselves. */
const IS_VALUE = /^(?:true|false)$/;
/** Feeds of news, maps and notes of Evernote, and their fields that hold HTML as a text. */
const FEEDS = /^(?:rss|feed|RDF|kml|en-export)$/;
const HTML_FIELDS = /^(?:title|description|summary|content|encoded)$/;
const TITLES = /^(?:title|name|label|headline|subject)$/i;

/**
 * XML → one line for each element with text, `name: text`, and a record for each element below the root, or for each
 * item of a feed (`xml-records.ts`). Prose with inline elements becomes one paragraph; documents that are written in
 * XML are read as pages are. Only entities that stand for a character are resolved, others stay as written; nothing is
 * fetched. Nesting has no limit.
 */
export function parseXml(written: string, context: Pick<ParseContext, 'maxTextChars'>): ParsedDocument {
  const source = withCharacters(written);
  if (source.slice(0, 5000).includes(WORKBOOK) && isWorkbookXml(source)) return parseWorkbookXml(source, context);
  if (isSvg(source)) return parseSvg(source, context);
  if (isOpml(source)) return parseOpml(source, context);
  if (isTranslations(source)) return parseTranslations(source, context);
  if (isProse(source)) return parseProse(source, context);
  const builder = new DocumentBuilder('xml', context);
  const stack: Open[] = [];
  const records = recordsOf(source);
  const tracks = new TrackPoints();
  const isRecord = (name: string, depth: number): boolean =>
    depth === records.depth && (records.names?.has(localName(name)) ?? true);
  let lines: string[] = [];
  let item = 0;
  let root = '';
  const flush = (part: string | undefined, name = ''): void => {
    if (lines.length > 1 && name !== '') lines.unshift(name);
    if (lines.length > 0)
      builder.block({ kind: 'record' }, lines.join('\n'), part === undefined ? undefined : { part });
    lines = [];
  };
  const emit = (name: string, text: string): void => {
    const clean = oneLine(text);
    if (clean !== '') lines.push(name === '' ? clean : `${name}: ${clean}`);
  };
  const parser = new Htmlparser(
    {
      onopentag(name, attributes) {
        const parent = stack.at(-1);
        if (parent) {
          if (/\S/.test(parent.text)) parent.mixed = true;
          parent.hasChildren = true;
          // TEI says `break="no"` inside a word.
          if (BREAKS.test(localName(name)) && attributes.break !== 'no') parent.text += ' ';
        } else {
          root = localName(name);
          if (!GENERIC.test(root)) builder.block({ kind: 'heading', level: 1, label: root }, root);
        }
        // What stands before a record is none of it.
        if (records.depth > 1 && isRecord(name, stack.length)) flush(undefined, localName(parent?.name ?? ''));
        stack.push({ name, text: '', hasChildren: false, mixed: false, inlineEnd: 0 });
        const isText = tracks.open(name);
        for (const [key, value] of Object.entries(attributes)) {
          if (isText && !/^(?:xmlns|xsi|xml:)/.test(key) && value.length < 2000)
            emit(`${pathOf(stack, records.depth)}@${key}`, value);
        }
      },
      ontext(text) {
        const top = stack.at(-1);
        if (top) top.text += text;
      },
      onclosetag() {
        const top = stack.pop();
        if (top && IS_VALUE.test(top.name) && !top.hasChildren && top.text === '') top.text = top.name;
        const parent = stack.at(-1);
        if (!top) return;
        const path = pathOf(stack, records.depth, top);
        for (const [name, text] of tracks.endTrack(top.name)) emit(path === '' ? name : `${path}.${name}`, text);
        const isText = tracks.close(top.name, top.text);
        if (isText && parent && isInline(top, parent)) addInline(top, parent);
        else if (isText) {
          const isFirst = item === 0 && stack.length <= 2 && lines.every((line) => line.startsWith('@'));
          if (isFirst && builder.title === '' && TITLES.test(localName(top.name))) {
            builder.title = top.text.trim().slice(0, 200);
          }
          const isHtml = FEEDS.test(root) && HTML_FIELDS.test(localName(top.name));
          const [first = '', ...rest] = isHtml ? shown(top.text, context) : [top.text];
          emit(top.mixed ? '' : path, first);
          for (const line of rest) emit('', line);
        }
        if (isRecord(top.name, stack.length) || stack.length === 1) {
          item++;
          flush(`${localName(top.name)} ${item}`, localName(top.name));
        }
      },
    },
    { xmlMode: true, decodeEntities: true, recognizeCDATA: true },
  );
  parser.write(source);
  parser.end();
  flush(undefined);
  tracks.finish(builder);
  if (root !== '') builder.metadata.root = root.slice(0, 100);
  return builder.build();
}

function shown(text: string, context: Pick<ParseContext, 'maxTextChars'>): string[] {
  return /<\/?[a-z][^<>]*>|&#?\w+;/i.test(text) ? shownLines(text, context) : [text];
}

function isInline({ text }: Open, parent: Open): boolean {
  return text.length < MAX_INLINE_CHARS && text.trim() !== '' && (parent.mixed || /\S/.test(parent.text));
}

/** An inline element in prose. Two with nothing between them are two words, but for H₂O. */
function addInline({ name, text }: Open, parent: Open): void {
  const isBeside = parent.inlineEnd > 0 && parent.inlineEnd === parent.text.length;
  if (isBeside && !SCRIPTS.test(localName(name)) && areApart(parent.text, text)) parent.text += ' ';
  parent.text += text;
  parent.inlineEnd = parent.text.length;
  parent.mixed = true;
}

/** Whether two texts, one after the other, are words: no white space or bracket joins them, and no point or comma. */
function areApart(before: string, after: string): boolean {
  return /[^\s([{«„“"'’-]$/u.test(before.slice(-2)) && /^[\p{L}\p{N}([{«„“"]/u.test(after);
}

/** Names below the record, outermost first: `country/leader` of factbook → `leader`. */
function pathOf(stack: readonly Open[], depth: number, last?: Open): string {
  // A record below others has its name above its lines; what stands beside it, its name alone.
  const around = depth === 1 || stack.length > depth ? depth + 1 : depth;
  const open = stack.slice(Math.max(around, stack.length - MAX_NAMES));
  if (last !== undefined && stack.length >= Math.min(2, around)) open.push(last);
  return open.map(({ name }) => localName(name)).join('.');
}
