/** Messages of programs and their translations: PO of gettext, XLIFF, TMX. */
import { Parser as Htmlparser } from 'htmlparser2';
import { oneLine } from '../../text/one-line.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { localName } from '../markup/xml.ts';
import { rootStart } from '../prolog.ts';

type Context = Pick<ParseContext, 'maxTextChars'>;

/** One message: what is written for it, by label, in the order in which it is said. */
type Fields = readonly (readonly [label: string, text: string])[];

function recordText(fields: Fields): string {
  return fields.flatMap(([label, text]) => (oneLine(text) === '' ? [] : [`${label}: ${oneLine(text)}`])).join('\n');
}

const KEYWORD = /^(#~\s*)?(msgctxt|msgid_plural|msgid|msgstr)(?:\[(\d+)\])?\s*(".*)$/;
const COMMENT = /^#([.:,|]?)(?!~)\s*(.*)$/;
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '', '"': '"', '\\': '\\' };

interface Message {
  readonly parts: Map<string, string>;
  /** By the sign behind `#`. */
  readonly comments: Map<string, string[]>;
  readonly from: number;
  to: number;
  isOld: boolean;
}

/** PO: a record for each message. The first one, without a text, describes the file. Messages that are out of use are left out. */
export function parsePo(source: string, context: Context): ParsedDocument {
  const builder = new DocumentBuilder('po', context);
  let language = '';
  let old = 0;
  for (const message of messagesOf(source.replace(/\r\n?/g, '\n').split('\n'))) {
    const { parts, comments, from, to, isOld } = message;
    const said = (key: string): string => parts.get(key) ?? '';
    const noted = (sign: string): string => (comments.get(sign) ?? []).join(' ');
    if (isOld) {
      old++;
      continue;
    }
    const place = { lines: [from, to] as const };
    if (said('msgid') === '') {
      const header = said('msgstr');
      language = /^Language:[ \t]*(\S+)/m.exec(header)?.[1] ?? language;
      if (language !== '') builder.metadata.language = language;
      builder.block({ kind: 'paragraph' }, (comments.get('') ?? []).join('\n'), place);
      builder.block({ kind: 'record' }, header.trim(), place);
      continue;
    }
    const translation = language === '' ? 'Translation' : `Translation (${language})`;
    const forms = [...parts].filter(([key]) => key.startsWith('msgstr'));
    const fields: Fields = [
      ['Text', said('msgid')],
      ['Plural', said('msgid_plural')],
      ...forms.map(
        ([key, text]) =>
          [key === 'msgstr' ? translation : `${translation}, form ${Number(key.slice(7, -1)) + 1}`, text] as const,
      ),
      ['Context', said('msgctxt')],
      ['Note', [noted('.'), noted('')].filter((note) => note !== '').join(' ')],
      ['Used in', noted(':')],
      ['Flags', noted(',')],
    ];
    builder.block({ kind: 'record' }, recordText(fields), place);
  }
  if (old > 0) builder.leaveOut(old, 'MESSAGES_UNUSED', `left out what is out of use (#~): ${old}`);
  if (builder.length === 0) builder.block({ kind: 'paragraph' }, source);
  return builder.build();
}

/** An empty line ends a message, and so does a comment or a text behind a translation. */
function* messagesOf(lines: readonly string[]): Generator<Message> {
  let message: Message | undefined;
  let key = '';
  for (const [i, line] of lines.entries()) {
    const [, isOld, keyword, form, quoted] = KEYWORD.exec(line) ?? [];
    const isComment = keyword === undefined && COMMENT.test(line);
    const isNext = line.trim() === '' || isComment || keyword === 'msgctxt' || keyword === 'msgid';
    if (message && isNext && message.parts.has('msgid') && key.startsWith('msgstr')) {
      yield message;
      message = undefined;
    }
    if (line.trim() === '') continue;
    message ??= { parts: new Map(), comments: new Map(), from: i + 1, to: i + 1, isOld: false };
    message.to = i + 1;
    if (isComment) {
      const [, sign = '', text = ''] = COMMENT.exec(line) ?? [];
      const said = message.comments.get(sign);
      if (said) said.push(text);
      else message.comments.set(sign, [text]);
      continue;
    }
    if (keyword !== undefined) {
      key = form === undefined ? keyword : `${keyword}[${form}]`;
      message.isOld ||= isOld !== undefined;
    }
    const text = unquoted(quoted ?? line.replace(/^#~\s*/, ''));
    if (key !== '') message.parts.set(key, (message.parts.get(key) ?? '') + text);
  }
  if (message && message.parts.size > 0) yield message;
}

function unquoted(text: string): string {
  return (/^\s*"((?:[^"\\]|\\.)*)"?/.exec(text)?.[1] ?? '').replace(
    /\\(.)/g,
    (_, sign: string) => ESCAPED[sign] ?? sign,
  );
}

const XML = /^<(?:xliff|tmx)[\s>]/;
const LONGEST_START = 5000;
/** A message: of XLIFF 1, XLIFF 2 and TMX. */
const UNITS = /^(?:trans-unit|unit|tu)$/;

export function isTranslations(source: string): boolean {
  const start = source.slice(0, LONGEST_START);
  return XML.test(start.slice(rootStart(start)));
}

/** XLIFF and TMX: a heading for each file that is translated, a record for each message. */
export function parseTranslations(source: string, context: Context): ParsedDocument {
  const builder = new DocumentBuilder('xliff', context);
  let [from, to] = ['', ''];
  let unit: [label: string, text: string][] | undefined;
  let part = '';
  let language = '';
  let text: string | undefined;
  const labelled = (name: string, of: string): string => (of === '' ? name : `${name} (${of})`);
  const parser = new Htmlparser(
    {
      onopentag(qualified, attributes) {
        const name = localName(qualified);
        if (name === 'xliff' || name === 'file') {
          from = attributes['source-language'] ?? attributes.srcLang ?? from;
          to = attributes['target-language'] ?? attributes.trgLang ?? to;
          builder.block({ kind: 'heading', level: 1 }, attributes.original ?? '');
        }
        if (UNITS.test(name)) {
          unit = [];
          part = attributes.resname ?? attributes.name ?? attributes.id ?? attributes.tuid ?? '';
        }
        if (name === 'tuv') language = attributes['xml:lang'] ?? attributes.lang ?? '';
        if (/^(?:source|target|note|seg)$/.test(name)) text = '';
      },
      ontext(piece) {
        if (text !== undefined) text += piece;
      },
      onclosetag(qualified) {
        const name = localName(qualified);
        const said = text ?? '';
        if (name === 'source') unit?.push([labelled('Text', from), said]);
        else if (name === 'target') unit?.push([labelled('Translation', to), said]);
        else if (name === 'seg') unit?.push([labelled('Text', language), said]);
        else if (name === 'note' && unit) unit.push(['Note', said]);
        else if (name === 'note') builder.block({ kind: 'paragraph' }, said.trim());
        if (/^(?:source|target|note|seg)$/.test(name)) text = undefined;
        if (!UNITS.test(name) || !unit) return;
        builder.block({ kind: 'record' }, recordText(unit), part === '' ? undefined : { part });
        unit = undefined;
      },
    },
    { xmlMode: true, decodeEntities: true, recognizeCDATA: true },
  );
  parser.write(source);
  parser.end();
  return builder.build();
}
