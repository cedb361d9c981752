/** Smallest archives that ibid reads as a document of each office format. */
import { type ZipMember, zipOf } from '../zip.ts';

const head = '<?xml version="1.0" encoding="UTF-8"?>';
const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const sheet = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const relations = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';
const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Something that stands many times in a member of an archive. */
export interface Filling {
  readonly text: string;
  readonly repeat?: number;
}

/** One member: text, filling any number of times, text. */
function* filled(name: string, before: string, { text, repeat = 1 }: Filling, after: string): Generator<ZipMember> {
  yield { name, bytes: before + text.repeat(repeat) + after };
}

function core(title: string): ZipMember[] {
  if (title === '') return [];
  const names = 'xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"';
  const dc = 'xmlns:dc="http://purl.org/dc/elements/1.1/"';
  const bytes = `${head}<cp:coreProperties ${names} ${dc}><dc:title>${title}</dc:title></cp:coreProperties>`;
  return [{ name: 'docProps/core.xml', bytes }];
}

export function docx(body: Filling, title = ''): Iterable<Uint8Array> {
  return zipOf([
    { name: '[Content_Types].xml', bytes: `${head}<Types/>` },
    ...core(title),
    ...filled('word/document.xml', `${head}<w:document ${word}><w:body>`, body, '</w:body></w:document>'),
  ]);
}

export const paragraph = (text: string, style = ''): string =>
  `<w:p>${style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;

export function xlsx(rows: Filling, strings: readonly string[] = [], title = ''): Iterable<Uint8Array> {
  return zipOf([
    ...core(title),
    {
      name: 'xl/workbook.xml',
      bytes: `${head}<workbook ${sheet} xmlns:r="${types}"><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      bytes: `${head}<Relationships ${relations}><Relationship Id="rId1" Type="${types}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${types}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    },
    {
      name: 'xl/sharedStrings.xml',
      bytes: `${head}<sst ${sheet}>${strings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    },
    ...filled('xl/worksheets/sheet1.xml', `${head}<worksheet ${sheet}><sheetData>`, rows, '</sheetData></worksheet>'),
  ]);
}

export function pptx(paragraphs: Filling, title = ''): Iterable<Uint8Array> {
  const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/main';
  const show = `xmlns:a="${drawing}" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="${types}"`;
  const shape = `<p:sld ${show}><p:cSld><p:spTree><p:sp><p:txBody>`;
  return zipOf([
    ...core(title),
    {
      name: 'ppt/presentation.xml',
      bytes: `${head}<p:presentation ${show}><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst></p:presentation>`,
    },
    {
      name: 'ppt/_rels/presentation.xml.rels',
      bytes: `${head}<Relationships ${relations}><Relationship Id="rId1" Type="${types}/slide" Target="slides/slide1.xml"/></Relationships>`,
    },
    ...filled('ppt/slides/slide1.xml', head + shape, paragraphs, '</p:txBody></p:sp></p:spTree></p:cSld></p:sld>'),
  ]);
}

const odfNames = ['office', 'text', 'table', 'draw', 'meta']
  .map(
    (prefix) => `xmlns:${prefix}="urn:oasis:names:tc:opendocument:xmlns:${prefix === 'draw' ? 'drawing' : prefix}:1.0"`,
  )
  .join(' ');

function openDocument(kind: string, start: string, body: Filling, end: string, title: string): Iterable<Uint8Array> {
  const office = `${odfNames} xmlns:dc="http://purl.org/dc/elements/1.1/"`;
  return zipOf([
    { name: 'mimetype', bytes: `application/vnd.oasis.opendocument.${kind}`, stored: true },
    {
      name: 'meta.xml',
      bytes: `${head}<office:document-meta ${office}><office:meta><dc:title>${title}</dc:title></office:meta></office:document-meta>`,
    },
    ...filled(
      'content.xml',
      `${head}<office:document-content ${office}><office:body><office:${kind}>${start}`,
      body,
      `${end}</office:${kind}></office:body></office:document-content>`,
    ),
  ]);
}

export function odt(body: Filling, title = ''): Iterable<Uint8Array> {
  return openDocument('text', '', body, '', title);
}

/** @param rows of one sheet */
export function ods(rows: Filling, title = ''): Iterable<Uint8Array> {
  return openDocument('spreadsheet', '<table:table table:name="Sheet">', rows, '</table:table>', title);
}

/** @param paragraphs of one box of one slide */
export function odp(paragraphs: Filling, title = ''): Iterable<Uint8Array> {
  const end = '</draw:text-box></draw:frame></draw:page>';
  return openDocument('presentation', '<draw:page><draw:frame><draw:text-box>', paragraphs, end, title);
}

/** A cell of a spreadsheet of OpenDocument. */
export function odsCell(text: string, repeats = 1): string {
  return `<table:table-cell table:number-columns-repeated="${repeats}"><text:p>${text}</text:p></table:table-cell>`;
}

export function epub(body: Filling, title: string, chapters = 1): Iterable<Uint8Array> {
  const container = 'urn:oasis:names:tc:opendocument:xmlns:container';
  const numbers = [...Array(chapters).keys()];
  const page = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>c</title></head><body>';
  return zipOf([
    { name: 'mimetype', bytes: 'application/epub+zip', stored: true },
    {
      name: 'META-INF/container.xml',
      bytes: `${head}<container xmlns="${container}"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    },
    {
      name: 'book.opf',
      bytes: `${head}<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title></metadata><manifest>${numbers.map((i) => `<item id="c${i}" href="c${i}.xhtml" media-type="application/xhtml+xml"/>`).join('')}</manifest><spine>${numbers.map((i) => `<itemref idref="c${i}"/>`).join('')}</spine></package>`,
    },
    ...numbers.flatMap((i) => [...filled(`c${i}.xhtml`, page, body, '</body></html>')]),
  ]);
}

/** An archive whose main member unpacks to `megabytes` of one letter. */
export function zipBomb(main: string, megabytes: number): Iterable<Uint8Array> {
  return zipOf([{ name: main, bytes: 'a'.repeat(2 ** 20), repeat: megabytes }]);
}
