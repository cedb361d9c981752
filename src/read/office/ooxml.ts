/** Common parts of DOCX, PPTX and XLSX: package, relationships, properties; tables of all office formats. */

import { IbidError } from '../../core/errors.ts';
import type { Place } from '../../core/types.ts';
import { oneLine } from '../../text/one-line.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext } from '../contract.ts';
import { joinCells } from '../join-cells.ts';
import { isMadeTitle } from '../made-title.ts';
import { readXml, type XmlHandler } from '../markup/xml.ts';
import { openZip, type ZipArchive } from '../zip.ts';

export interface Relationship {
  /** Last segment of the type address: `footnotes`, `slide`, `worksheet`, … */
  readonly type: string;
  /** Part name inside the package; '' for external targets, which are never opened. */
  readonly target: string;
}

const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/**
 * Opens an Office package.
 * @throws IbidError FILE_EMPTY, FILE_ENCRYPTED, FILE_UNSUPPORTED (the binary formats before 2007), FILE_DAMAGED
 */
export function openPackage(bytes: Uint8Array, context: ParseContext, builder: DocumentBuilder): ZipArchive {
  if (bytes.length === 0) throw new IbidError('FILE_EMPTY', 'the file holds no bytes');
  if (COMPOUND_FILE.every((byte, i) => bytes[i] === byte)) throw compoundFile(bytes);
  const zip = openZip(bytes, context);
  zip.onChanged = (name) => builder.warn('ENTRY_DAMAGED', `${name}: its bytes are not those that were packed`);
  return zip;
}

/** The error for a compound file. An encrypted package has a stream `EncryptedPackage`; others are .doc, .xls, .ppt. */
function compoundFile(bytes: Uint8Array): IbidError {
  if (
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(Buffer.from('EncryptedPackage', 'utf16le'))
  ) {
    return new IbidError('FILE_ENCRYPTED', 'the file needs a password', {
      hint: 'Save a copy without a password and ingest that.',
    });
  }
  return new IbidError('FILE_UNSUPPORTED', 'an Office file from before 2007 (.doc, .xls, .ppt)', {
    hint: 'Save it as .docx, .xlsx or .pptx.',
  });
}

/**
 * Reads the XML of a part. A missing part is skipped; a damaged one gives a warning.
 * @returns whether the part exists
 */
export function readPart(
  zip: Pick<ZipArchive, 'read'>,
  part: string,
  builder: DocumentBuilder,
  handler: XmlHandler,
): boolean {
  const bytes = zip.read(part);
  if (!bytes) return false;
  const problem = readXml(bytes, handler);
  if (problem !== undefined) builder.warn('XML_BROKEN', `${part}: ${problem}`);
  return true;
}

/** Relationships of a part by id; `''` is the package itself. */
export function readRelationships(zip: ZipArchive, part: string): Map<string, Relationship> {
  const slash = part.lastIndexOf('/') + 1;
  const bytes = zip.read(`${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`);
  const found = new Map<string, Relationship>();
  if (!bytes) return found;
  readXml(bytes, {
    open(name, attributes) {
      if (name !== 'Relationship') return;
      const external = attributes.TargetMode === 'External';
      found.set(attributes.Id ?? '', {
        type: (attributes.Type ?? '').split('/').at(-1) ?? '',
        target: external ? '' : resolvePart(part, attributes.Target ?? ''),
      });
    },
  });
  return found;
}

/** Resolves a target relative to the part that names it; `..` above the root stays at the root. */
export function resolvePart(from: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1);
  const path = from.split('/').slice(0, -1);
  for (const step of target.split('/')) {
    if (step === '..') path.pop();
    else if (step !== '.' && step !== '') path.push(step);
  }
  return path.join('/');
}

/** The main part of the package: by relationship, else by its usual name. @throws IbidError FILE_DAMAGED */
function mainPart(zip: ZipArchive, usual: string): string {
  for (const { type, target } of readRelationships(zip, '').values()) {
    if (type === 'officeDocument' && zip.has(target)) return target;
  }
  if (zip.has(usual)) return usual;
  throw new IbidError('FILE_DAMAGED', `the package has no ${usual}`, {
    hint: 'It may be another kind of file: check its extension.',
  });
}

/** Reads title, author and dates of `docProps/core.xml`. */
function readProperties(zip: ZipArchive, builder: DocumentBuilder): void {
  const bytes = zip.read('docProps/core.xml');
  if (!bytes) return;
  const values = new Map<string, string>();
  let field = '';
  readXml(bytes, {
    open: (name) => {
      field = name;
    },
    text: (text) => {
      if (field !== '') values.set(field, (values.get(field) ?? '') + text);
    },
    close: () => {
      field = '';
    },
  });
  takeProperties(builder, { ...Object.fromEntries(values), author: values.get('creator') });
}

/** What a file says of itself; dates as `Date.parse` reads them. */
export interface Properties {
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  readonly created?: string | undefined;
  readonly modified?: string | undefined;
}

/** Takes what is said, without titles that programs make up. */
export function takeProperties(builder: DocumentBuilder, said: Properties): void {
  const title = said.title?.trim() ?? '';
  const author = said.author?.trim() ?? '';
  if (title !== '' && !isMadeTitle(title)) builder.title = title;
  if (author !== '') builder.metadata.author = author;
  for (const name of ['created', 'modified'] as const) {
    const time = Date.parse(said[name] ?? '');
    if (!Number.isNaN(time)) builder.metadata[name] = new Date(time).toISOString();
  }
}

/** The text of a cell or comment of Excel, which writes characters that XML cannot hold as `_x000D_`. */
export function unescapeCell(text: string): string {
  return text.replace(/_x([\dA-F]{4})_/giu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** One row of a table as text: blanks collapsed, empty cells at the end left out. */
export function rowText(cells: readonly string[]): string {
  return joinCells(cells.map(oneLine));
}

/**
 * Writes a table as one block, a line for each row.
 * @param headerRows number of header rows
 * @param place of the table, or of each row
 */
export function writeTable(
  builder: DocumentBuilder,
  rows: readonly (readonly string[])[],
  headerRows: number,
  place?: Place | readonly Place[],
): void {
  const lines = rows.map(rowText);
  const text = lines.filter((line) => line !== '').join('\n');
  if (text === '') return;
  const header = lines
    .slice(0, headerRows)
    .filter((line) => line !== '')
    .join('\n');
  if (builder.length > 0) builder.append('\n\n');
  const span = builder.append(text);
  const shape = header === '' ? {} : { header: { start: span.start, end: span.start + header.length } };
  builder.mark(span, { kind: 'table', ...shape });
  if (!Array.isArray(place)) {
    if (place) builder.locate(span, place as Place);
    return;
  }
  let start = span.start;
  for (const [row, line] of lines.entries()) {
    if (line === '') continue;
    builder.locate({ start, end: start + line.length }, place[row]);
    start += line.length + 1;
  }
}

/** Returns 1 if the first of several rows looks like a header: at least two cells, no numbers. Else 0. */
export function guessHeaderRows(rows: readonly (readonly string[])[]): number {
  const first = rows[0]?.map((cell) => cell.trim()) ?? [];
  const filled = first.filter((cell) => cell !== '');
  if (rows.length < 2 || filled.length < 2 || filled.length < first.length - 1) return 0;
  if (isForm(first) && isForm(rows[1]!.map((cell) => cell.trim()))) return 0;
  return filled.every((cell) => cell.length <= 80 && !/^[-+$€£]?\d[\d.,]*%?$/u.test(cell)) ? 1 : 0;
}

/** Whether each second cell is the value of the label before it: `Vessel: | Elrin | Date: | 3 May`. */
function isForm(cells: readonly string[]): boolean {
  const said = cells.filter((cell) => cell !== '');
  return said.length % 2 === 0 && said.every((cell, i) => cell.endsWith(':') === (i % 2 === 0));
}

/** Opens a Word, PowerPoint or Excel file: its main part with relationships, its title and author. */
export function openOffice(
  bytes: Uint8Array,
  context: ParseContext,
  format: string,
  usualMain: string,
): { zip: ZipArchive; builder: DocumentBuilder; main: string; relations: Map<string, Relationship> } {
  const builder = new DocumentBuilder(format, context);
  const zip = openPackage(bytes, context, builder);
  const main = mainPart(zip, usualMain);
  readProperties(zip, builder);
  return { zip, builder, main, relations: readRelationships(zip, main) };
}

/** Adds a table inside a cell to the text of that cell. @returns whether there is such a cell */
export function foldTable(rows: readonly (readonly string[])[], outer: string[] | undefined): boolean {
  if (outer === undefined || outer.length === 0) return false;
  outer[outer.length - 1] = `${outer.at(-1)!} ${foldedRows(rows)}`.trim();
  return true;
}

/** A table in one line. */
export function foldedRows(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.filter((cell) => cell !== '').join(', ')).join('; ');
}
