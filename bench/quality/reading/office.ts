/** Packages of XML: their text by plain walks over the parts that hold text, in the order of the document. */
import { membersOf } from '../../withstand/fuzz/mutate.ts';
import type { Extraction } from './formats.ts';
import { htmlText } from './html.ts';
import { attributeOf, type Element, type Walker, walkXml } from './markup.ts';

type Parts = ReadonlyMap<string, string>;

function partsOf(bytes: Buffer): Parts {
  return new Map(
    membersOf(bytes).map(({ name, bytes: part }) => [name, Buffer.from(part as Uint8Array).toString('utf8')]),
  ); // as unpacked
}

/** Collects text, and apart from it what is left out for a reason. */
class Collector implements Extraction {
  readonly pages: string[] = [''];
  readonly apart = new Map<string, string>();

  add(text: string, reason?: string): void {
    if (reason === undefined) this.pages[this.pages.length - 1] += text;
    else this.apart.set(reason, (this.apart.get(reason) ?? '') + text);
  }
}

const isIn = (above: readonly Element[], ...names: string[]): boolean => above.some(({ name }) => names.includes(name));

/** Parts whose name matches, by the number in the name. */
function named(parts: Parts, pattern: RegExp): string[] {
  const number = (name: string): number => Number(/\d+(?=\.xml$)/u.exec(name)?.[0] ?? 0);
  return [...parts.keys()].filter((name) => pattern.test(name)).sort((a, b) => number(a) - number(b));
}

/** The words of WordprocessingML: `w:t`, of drawings `a:t`. */
function wordWalker(out: Collector, apart?: string): Walker {
  let hidden = false;
  return {
    open({ name, attributes }, above) {
      if (name === 'r') hidden = false;
      const off = /val="(?:0|false)"/u.test(attributes);
      if (name === 'vanish' && above.at(-2)?.name === 'r' && !off) hidden = true;
      if (['tab', 'br', 'cr'].includes(name)) out.add(' ');
      if (name === 'nobreakhyphen') out.add('-');
    },
    text(text, above) {
      if (above.at(-1)?.name !== 't') return;
      if (isIn(above, 'fallback')) out.add(text, 'second copy of a drawing');
      else if (isIn(above, 'del', 'movefrom')) out.add(text, 'deleted or moved');
      else if (isIn(above, 'rt')) out.add(text, 'phonetic guide');
      else out.add(text, hidden ? 'hidden' : apart);
    },
    close({ name }) {
      if (name !== 'p' && name !== 'tc') return;
      out.add('\n');
      for (const reason of out.apart.keys()) out.add('\n', reason);
    },
  };
}

export function docxText(bytes: Buffer): Extraction {
  const parts = partsOf(bytes);
  const out = new Collector();
  const seen = new Set<string>();
  const order = [/word\/header\d*\.xml$/u, /word\/document\d*\.xml$/u, /word\/(?:footnotes|endnotes|comments)\.xml$/u];
  for (const pattern of [...order, /word\/(?:charts\/chart|diagrams\/data)\d*\.xml$/u, /word\/footer\d*\.xml$/u]) {
    for (const name of named(parts, pattern)) {
      const xml = parts.get(name)!;
      const running = /header|footer/u.test(name);
      for (const piece of running ? xml.split(/(?<=<\/w:p>)/u) : [xml]) {
        const words = piece.replace(/<[^>]*>/gu, '').trim();
        const repeated = running && (seen.has(words) || /^\W*(?:page)?\W*\d*\W*$/iu.test(words));
        if (running) seen.add(words);
        walkXml(piece, wordWalker(out, repeated ? 'header or footer that is there already, page number' : undefined));
      }
    }
  }
  return out;
}

const NUMBER = /type="(?:sldNum|sldImg)"/u;
const RUNNING = /type="(?:dt|ftr|hdr)"/u;

export function pptxText(bytes: Buffer): Extraction {
  const parts = partsOf(bytes);
  const out = new Collector();
  const seen = new Set<string>();
  for (const slide of named(parts, /^ppt\/slides\/slide\d+\.xml$/u)) {
    const relations = parts.get(slide.replace('slides/', 'slides/_rels/').concat('.rels')) ?? '';
    const related = [...relations.matchAll(/Target="\.\.\/((?:notesSlides|charts|diagrams|comments)\/[^"]+)"/gu)]
      .map(([, target]) => `ppt/${target}`)
      .filter((name) => !/\/(?:layout|quickStyle|colors|drawing)/u.test(name));
    for (const name of [slide, ...related]) {
      let apart: string | undefined;
      let running = false;
      walkXml(parts.get(name) ?? '', {
        open({ name: tag, attributes }) {
          if (tag === 'sp' || tag === 'graphicframe') {
            apart = undefined;
            running = false;
          }
          if (tag === 'ph' && NUMBER.test(attributes)) apart = 'number of a slide';
          running ||= tag === 'ph' && RUNNING.test(attributes);
          if (tag === 'br' || tag === 'tab') out.add(' ');
        },
        text(text, above) {
          const tag = above.at(-1)?.name;
          const chart = name.includes('chart') && tag === 'v';
          if (tag !== 't' && !chart && !(name.includes('comment') && tag === 'text')) return;
          const again = running && seen.has(text) ? 'date or footer of a slide that is there already' : apart;
          if (running) seen.add(text);
          out.add(chart ? `${text} ` : text, isIn(above, 'fallback') ? 'second copy of a drawing' : again);
        },
        close({ name: tag }) {
          if (tag === 'p') out.add('\n', apart);
          if (tag === 'p' || tag === 'text') out.add('\n');
        },
      });
    }
    out.pages.push('');
  }
  out.pages.pop();
  return out;
}

/** Strings of the cells; a number is shown in its format, so that its digits are not compared. */
export function xlsxText(bytes: Buffer): Extraction {
  const parts = partsOf(bytes);
  const out = new Collector();
  const strings: string[] = [];
  walkXml(parts.get('xl/sharedStrings.xml') ?? '', {
    open({ name }) {
      if (name === 'si') strings.push('');
    },
    text(text, above) {
      if (above.at(-1)?.name === 't' && !isIn(above, 'rph')) strings[strings.length - 1] += text;
    },
  });
  for (const name of named(parts, /^xl\/worksheets\/sheet\d+\.xml$/u)) {
    walkXml(parts.get(name)!, {
      text(text, above) {
        const cell = above.find((element) => element.name === 'c');
        const tag = above.at(-1)?.name;
        if (/^(?:odd|even|first)(?:header|footer)$/u.test(tag ?? ''))
          out.add(`${text.replace(/&"[^"]*"|&K[\dA-F]{6}|&\d+|&[A-Z]/giu, ' ')}\n`);
        if (!cell || (tag !== 'v' && tag !== 't')) return;
        const type = attributeOf(cell, 't');
        if (type === 's') out.add(strings[Number(text)] ?? '');
        else if (type === 'str' || type === 'inlineStr') out.add(text);
        else out.add(text, 'number or date, shown in its format');
      },
      close({ name: tag }) {
        if (tag !== 'c') return;
        out.add('\n');
        out.add('\n', 'number or date, shown in its format');
      },
    });
  }
  for (const name of named(parts, /^xl\/(?:comments\d*|drawings\/drawing\d+|charts\/chart\d+)\.xml$/u)) {
    walkXml(parts.get(name)!, {
      text(text, above) {
        if (above.at(-1)?.name === 't') out.add(text);
      },
      close({ name: tag }) {
        if (tag === 'p' || tag === 'comment') out.add('\n');
      },
    });
  }
  return out;
}

/** The paragraphs below an element of OpenDocument. @param apart why the text of these elements may be absent */
function paragraphWalker(
  out: Collector,
  root: string,
  apart: (above: readonly Element[]) => string | undefined,
): Walker {
  return {
    open({ name }) {
      if (['s', 'tab', 'line-break'].includes(name)) out.add(' ');
    },
    text(text, above) {
      if (!isIn(above, root) || !isIn(above, 'p', 'h')) return;
      const counted = isIn(above, 'page-number', 'page-count') ? 'number of a page' : undefined;
      out.add(text, counted ?? apart(above));
    },
    close({ name }) {
      if (name !== 'p' && name !== 'h') return;
      out.add('\n');
      for (const reason of out.apart.keys()) out.add('\n', reason);
    },
  };
}

const PARAGRAPH = /<text:p[ >](?:(?!<\/text:p>).)*<\/text:p>/gsu;

function addRunning(out: Collector, parts: Parts): void {
  const fields = (above: readonly Element[]): string | undefined =>
    isIn(above, 'sheet-name', 'file-name', 'title', 'date', 'time') ? 'field of a header or footer' : undefined;
  // "Page 3 of 9" is a number of a page as a whole.
  const xml = (parts.get('styles.xml') ?? '').replace(PARAGRAPH, (paragraph) => {
    const words = paragraph.replace(/<[^>]*>/gu, ' ');
    if (!/^(?:page|of|\P{L})*$/iu.test(words)) return paragraph;
    out.add(`${words}\n`, 'number of a page');
    return '';
  });
  for (const root of ['header', 'footer']) walkXml(xml, paragraphWalker(out, root, fields));
}

export function odtText(bytes: Buffer): Extraction {
  const parts = partsOf(bytes);
  const out = new Collector();
  const apart = (above: readonly Element[]): string | undefined =>
    isIn(above, 'tracked-changes') ? 'deleted' : isIn(above, 'note-citation') ? 'mark of a note' : undefined;
  walkXml(parts.get('content.xml') ?? '', paragraphWalker(out, 'body', apart));
  addRunning(out, parts);
  return out;
}

/** The objects that an element of OpenDocument shows, such as charts. @param data why their numbers may be absent */
function addObjects(out: Collector, parts: Parts, xml: string, data: string | undefined): void {
  const apart = (above: readonly Element[]): string | undefined => (isIn(above, 'table') ? data : undefined);
  for (const [, folder] of xml.matchAll(/<draw:object [^>]*href="\.?\/?([^"]+)"/gu))
    walkXml(parts.get(`${folder}/content.xml`) ?? '', paragraphWalker(out, 'body', apart));
}

/** Strings of the cells; a number is shown in its format, as that of Excel. */
export function odsText(bytes: Buffer): Extraction {
  const parts = partsOf(bytes);
  const out = new Collector();
  const apart = (above: readonly Element[]): string | undefined => {
    const cell = above.find(({ name }) => name === 'table-cell' || name === 'covered-table-cell');
    const type = (cell && /office:value-type="(\w+)"/u.exec(cell.attributes)?.[1]) ?? 'string';
    if (isIn(above, 'annotation') || type === 'string') return undefined;
    return 'number or date, shown in its format';
  };
  // A copy of a sheet of another file says so in its first element.
  const xml = (parts.get('content.xml') ?? '').replace(
    /<table:table [^>]*>\s*<table:table-source.*?<\/table:table>/gsu,
    '',
  );
  walkXml(xml, paragraphWalker(out, 'body', apart));
  addObjects(out, parts, xml, 'numbers of a chart, which stand in cells');
  addRunning(out, parts);
  return out;
}

export function odpText(bytes: Buffer): Extraction {
  const parts = partsOf(bytes);
  const out = new Collector();
  for (const slide of (parts.get('content.xml') ?? '').split(/(?=<draw:page )/u).slice(1)) {
    walkXml(
      `<page>${slide}`,
      paragraphWalker(out, 'page', () => undefined),
    );
    addObjects(out, parts, slide, undefined);
    out.pages.push('');
  }
  out.pages.pop();
  return out;
}

/** The chapters in the order of the spine. */
export function epubText(bytes: Buffer): Extraction {
  const parts = partsOf(bytes);
  const out = new Collector();
  const opf = [...parts.keys()].find((name) => name.endsWith('.opf')) ?? '';
  const hrefs = new Map<string, string>();
  walkXml(parts.get(opf) ?? '', {
    open(element) {
      if (element.name === 'item') hrefs.set(attributeOf(element, 'id') ?? '', attributeOf(element, 'href') ?? '');
      if (element.name !== 'itemref') return;
      const href = hrefs.get(attributeOf(element, 'idref') ?? '') ?? '';
      const chapter = parts.get(`${opf.replace(/[^/]*$/u, '')}${decodeURIComponent(href)}`);
      if (chapter === undefined) return;
      const { pages, apart } = htmlText(chapter);
      out.add(pages.join('\n'));
      for (const [reason, text] of apart) out.add(text, reason);
    },
    text() {},
  });
  return out;
}
