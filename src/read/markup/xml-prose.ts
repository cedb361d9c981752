/** Documents that are written in XML (DocBook, JATS, TEI, DITA, FictionBook, Mallard), read as pages of HTML are. */
import { Parser as Htmlparser } from 'htmlparser2';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { rootStart } from '../prolog.ts';
import { parseHtml } from './html.ts';
import { localName } from './xml.ts';
import { authorsIn } from './xml-authors.ts';
import { withMarkedItems } from './xml-items.ts';
import { XmlParts } from './xml-parts.ts';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const SECTIONS = words(
  'set book article part chapter appendix preface section sect1 sect2 sect3 sect4 sect5 simplesect refentry refsection ' +
    'refsect1 refsect2 refsect3 refsynopsisdiv glossary bibliography sec abstract ack app ref-list glossdiv TEI body div div1 ' +
    'div2 div3 div4 topic concept task reference troubleshooting example prereq context result FictionBook page',
);
const HEADINGS = words('title head article-title refname book-title');
/** What holds the title of the element around it. */
const ABOUT = words(
  'info articleinfo bookinfo chapterinfo sectioninfo title-group article-meta front refnamediv title-info teiHeader fileDesc titleStmt titlepage description',
);
/** Each is a paragraph, with all that stands in it. */
const PARAGRAPHS = words('contrib aff ref pub-date');
/** What a book of FictionBook says of its file, not of itself. */
const ABOUT_FILES = words('genre lang src-lang id version program-used src-ocr');
const INFO = /^(?:src-)?title-info$|^document-info$/;
const isAboutFile = (name: string, parent: string): boolean => ABOUT_FILES.has(name) && INFO.test(parent);
/** Lists with other numbers than 1, 2, 3: those of DocBook and of JATS. */
const COUNTED: ReadonlyMap<string, string> = new Map([
  ['loweralpha', 'a'],
  ['upperalpha', 'A'],
  ['lowerroman', 'i'],
  ['upperroman', 'I'],
  ['alpha-lower', 'a'],
  ['alpha-upper', 'A'],
  ['roman-lower', 'i'],
  ['roman-upper', 'I'],
]);
const LEFT_OUT = words('binary colspec processing-meta custom-meta indexterm');

/** Elements → those of HTML with the same meaning. */
const TAGS: ReadonlyMap<string, string> = new Map(
  (
    'para p simpara p p p ab p subtitle p v p l p shortdesc p cmd p itemizedlist ul simplelist ul ul ul steps ol substeps ol ' +
    'orderedlist ol procedure ol ol ol steps-unordered ul listitem li step li substep li item li li li list-item li member li ' +
    'variablelist dl def-list dl dl dl glosslist dl term dt glossterm dt dt dt def dd glossdef dd dd dd programlisting pre ' +
    'screen pre literallayout pre codeblock pre screenblock pre preformat pre eg pre pre pre blockquote blockquote ' +
    'disp-quote blockquote lq blockquote cite blockquote epigraph blockquote thead thead tbody tbody tfoot tfoot row tr tr tr ' +
    'strow tr sthead tr entry td td td th th cell td stentry td subscript sub superscript sup sub sub sup sup inf sub ' +
    'caption caption'
  )
    .split(' ')
    .flatMap((name, i, all) => (i % 2 === 0 ? [[name, all[i + 1]!] as const] : [])),
);
/** They stand in a line of text, wherever they are. */
const INLINE = words(
  'emphasis literal code command filename option varname function link ulink xref email firstterm quote citetitle hi ref ext-link ' +
    'italic bold monospace uri ph codeph b i u strong a cite-inline surname given-names firstname personname persName forename ' +
    'day month year acronym abbrev replaceable userinput computeroutput guilabel keycap type parameter classname sc named-content institution country ' +
    'app cmd em file gui guiseq input key keyseq link output span sys var',
);
/** What is nested deeper is words between spaces. */
const DEEPEST = 200;
const PICTURES = words('image graphic imagedata inline-graphic');
/** Empty elements that end a line or a page, so that the words around them are two, unless `break` says `no`. */
export const BREAKS: RegExp = /^(?:br|lb|pb|cb|tab|break|line-?break|newline)$/i;
const NOTES = words('footnote fn');
/** What of a page of Mallard is not shown. */
const OF_PAGES = words('info comment');
const MALLARD = 'projectmallard.org/1.0';
/** What stands between the parts of keys that are pressed together, and between the steps through a menu. */
const JOINED: ReadonlyMap<string, string> = new Map([
  ['keyseq', '+'],
  ['keycombo', '+'],
  ['guiseq', ' → '],
  ['menuchoice', ' → '],
  ['menucascade', ' → '],
]);

/** Whether a file of XML is such a document. */
export function isProse(source: string): boolean {
  const head = source.slice(0, 20_000);
  const root = /^<([\w:.-]+)(?=[\s/>])/.exec(head.slice(rootStart(head)))?.[1];
  if (root === undefined) return false;
  const has = (names: string): boolean => new RegExp(`<(?:\\w+:)?(?:${names})[\\s/>]`).test(head);
  const name = localName(root);
  if (/^(?:TEI|TEI\.2)$/.test(name)) return has('text');
  if (name === 'FictionBook') return has('body');
  if (name === 'page') return head.includes(MALLARD);
  if (/^(?:topic|concept|task|reference|troubleshooting)$/.test(name))
    return has('body|conbody|taskbody|refbody|shortdesc');
  if (/^(?:article|book|chapter|part|appendix|preface|section|refentry|set|sect[1-5])$/.test(name))
    return /DTD DocBook|docbook\.org\/ns/.test(head) || has('para|simpara|sec|article-meta');
  return false;
}

interface Open {
  readonly name: string;
  readonly tag: string | undefined;
  /** What ends it, where that is not the end of its tag. */
  readonly end: string | undefined;
  /** Text is written as it stands; other elements are words between spaces. */
  readonly isFlat: boolean;
  isTitled: boolean;
  readonly columns: string[];
  /** What its elements say that are put together when it ends. */
  readonly parts: XmlParts;
  /** Where its content begins. */
  readonly from: number;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

export function parseProse(source: string, context: Pick<ParseContext, 'maxTextChars'>): ParsedDocument {
  const { html, isWhole } = asHtml(source);
  const document = parseHtml(html, { ...context, surroundings: { isWhole: true } as ParseContext['surroundings'] });
  const warning = { code: 'XML_BROKEN', message: 'the file is cut short: an element does not end' };
  const author = authorsIn(source);
  const metadata = author === '' ? document.metadata : { ...document.metadata, author };
  return {
    ...document,
    metadata,
    format: 'xml',
    warnings: isWhole ? document.warnings : [...document.warnings, warning],
  };
}

function asHtml(source: string): { readonly html: string; readonly isWhole: boolean } {
  const out: string[] = [];
  const open: Open[] = [];
  let hidden = 0;
  const parser = new Htmlparser(
    {
      onopentag(qualified, attributes) {
        const name = localName(qualified);
        const isOfPage = OF_PAGES.has(name) && open[0]?.name === 'page';
        if (hidden > 0 || isOfPage || LEFT_OUT.has(name) || isAboutFile(name, open.at(-1)?.name ?? '')) {
          hidden++;
          if (name === 'colspec')
            open.findLast(({ name: above }) => above === 'tgroup')?.columns.push(attributes.colname ?? '');
          return;
        }
        const above = open.at(-1);
        if (above) joinParts(out, above);
        const isFlat = above?.isFlat === true || open.length > DEEPEST;
        const shown = isFlat ? undefined : shownAs(name, attributes, open);
        const gap = INLINE.has(name) || BREAKS.test(name) || out.at(-1)?.endsWith('(') ? '' : ' ';
        out.push(isFlat ? gap : (shown?.begin ?? ''));
        open.push({
          name,
          tag: shown?.tag,
          end: shown?.end,
          isFlat: isFlat || shown?.isFlat === true,
          isTitled: false,
          columns: [],
          parts: new XmlParts(name, attributes, above?.parts),
          from: out.length,
        });
        if (BREAKS.test(name) && attributes.break !== 'no') out.push(' ');
        if (PICTURES.has(name)) out.push(escaped(` ${attributes.alt ?? attributes.title ?? ''} `));
      },
      ontext(text) {
        if (hidden === 0 && open.length > 0) out.push(escaped(text));
      },
      onclosetag(qualified) {
        if (hidden > 0) {
          hidden--;
          return;
        }
        const closed = open.pop();
        const { name, tag, from } = closed ?? { name: localName(qualified), tag: undefined, from: 0 };
        closed?.parts.close(out, from, open.at(-1)?.parts);
        const isEmpty = /^h\d$/.test(tag ?? '') && out.slice(from).every((piece) => piece.trim() === '');
        const untitled = isEmpty && open.findLast(({ isTitled }) => isTitled);
        if (untitled) untitled.isTitled = false;
        if (NOTES.has(name) && tag === undefined) out.push(')');
        else if (closed?.end !== undefined) out.push(closed.end);
        else if (tag !== undefined) out.push(`</${tag}>`);
      },
    },
    { xmlMode: true, decodeEntities: true, recognizeCDATA: true },
  );
  parser.write(source);
  const isWhole = open.length === 0;
  parser.end();
  const isBook = /<FictionBook[\s>]/.test(source.slice(0, 20_000));
  const body = isBook ? withMarkedItems(out.join('')) : out.join('');
  return { html: `<html><body>${body}</body></html>`, isWhole };
}

/** Another part of a combination begins. */
function joinParts(out: string[], { name, from }: Open): void {
  const sign = JOINED.get(name);
  if (sign === undefined || out.slice(from).every((piece) => piece.trim() === '')) return;
  while (out.at(-1)!.trim() === '') out.pop();
  out.push(`${out.pop()!.trimEnd()}${sign}`);
}

interface Shown {
  readonly begin: string;
  readonly tag: string | undefined;
  readonly end?: string;
  readonly isFlat?: boolean;
}

function shownAs(name: string, attributes: Readonly<Record<string, string>>, open: readonly Open[]): Shown {
  const parent = open.at(-1)?.name ?? '';
  const as = (tag: string, extra = '', isFlat = false): Shown => ({ begin: `<${tag}${extra}>`, tag, isFlat });
  const isInText = open.some(({ tag }) => tag === 'p' || tag === 'dt');
  if (NOTES.has(name) || (name === 'note' && isInText)) return { begin: ' (', tag: undefined, isFlat: true };
  if (open.some(({ name: above }) => above === 'ref')) return { begin: '', tag: undefined };
  if (parent === 'author' && INFO.test(open.at(-2)?.name ?? '')) return { begin: ' ', tag: undefined };
  const isTerm = name === 'title' && parent === 'item' && open.at(-2)?.name === 'terms';
  if (isTerm) return { begin: '<dt>', tag: 'dt', end: '</dt><dd>', isFlat: true };
  if (name === 'title' && parent === 'table' && open[0]?.name === 'page') return as('caption', '', true);
  if (name === 'terms') return as('dl');
  if (name === 'item' && parent === 'terms') return { begin: '', tag: 'dd' };
  if (HEADINGS.has(name)) {
    const around = open.findLast(({ name: holder }) => !ABOUT.has(holder));
    if (around && SECTIONS.has(around.name) && (!around.isTitled || name !== 'refname')) {
      around.isTitled = true;
      const level = open.filter((each) => each.isTitled).length;
      return as(`h${Math.min(6, level)}`, '', true);
    }
    return as('p', '', true);
  }
  if (name === 'tgroup' || name === 'simpletable') return as('table');
  if (name === 'table') return as(parent === 'table-wrap' || attributes.rows ? 'table' : tableTag(open));
  if (name === 'math') return as('math', '');
  if (open.some(({ tag: above }) => above === 'math')) return as(name);
  if (name === 'quote' && isInText && !open[0]?.name.startsWith('TEI')) return as('q');
  if (name === 'label' && parent === 'list-item') return { begin: '', tag: undefined };
  if (PARAGRAPHS.has(name) || (name === 'author' && INFO.test(parent))) return as('p');
  if (name === 'p' && open.at(-1)?.parts.takeLabel()) return { begin: ' ', tag: undefined };
  const counted = COUNTED.get(attributes.numeration ?? attributes['list-type'] ?? '');
  const start = Number(attributes.startingnumber) > 0 ? ` start="${Number(attributes.startingnumber)}"` : '';
  if (counted !== undefined || start !== '') return as('ol', ` type="${counted ?? '1'}"${start}`);
  if (name === 'list')
    return as(
      /^(?:order|ordered|number|alpha|roman)/.test(attributes['list-type'] ?? attributes.type ?? '') ? 'ol' : 'ul',
    );
  if (name === 'listitem' && parent === 'varlistentry') return as('dd');
  if (name === 'code' && !isInText) return as('pre');
  if (name === 'caption' && parent !== 'table') return as('div');
  if (name === 'l' && parent !== 'lg') return as('p');
  const tag = TAGS.get(name);
  if (tag === 'td') {
    const isName =
      open.some(({ tag: above }) => above === 'thead') || parent === 'sthead' || attributes.role === 'label';
    const group = open.findLast(({ name: above }) => above === 'tgroup')?.columns ?? [];
    const columns = group.indexOf(attributes.nameend ?? '') - group.indexOf(attributes.namest ?? '') + 1;
    const across = Number(attributes.colspan ?? attributes.cols) || (attributes.namest && columns > 1 ? columns : 1);
    const down = Number(attributes.rowspan) || (Number(attributes.morerows) || 0) + 1;
    return as(isName ? 'th' : 'td', ` colspan="${across}" rowspan="${down}"`);
  }
  if (tag === 'blockquote' && isInText) return { begin: ' ', tag: undefined };
  if (tag !== undefined) return as(tag);
  if (INLINE.has(name) || BREAKS.test(name) || isInText) return { begin: '', tag: undefined };
  return as('div');
}

/** DocBook and DITA have the rows in a `tgroup` in it. */
function tableTag(open: readonly Open[]): string {
  return /^(?:TEI|FictionBook|page$)/.test(open[0]?.name ?? '') ? 'table' : 'div';
}
