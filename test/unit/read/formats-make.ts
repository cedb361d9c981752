/** Makes small files of binary formats in memory, so that each test shows what it reads. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import type { Block } from '../../../src/core/types.ts';
import type { ParseContext, ParsedDocument } from '../../../src/read/contract.ts';

export const shared: string = resolve(process.env.IBID_SHARED ?? '../shared');
export const hasShared: boolean = existsSync(`${shared}/docs/pdf`);

export function context(name: string, limits: Partial<ParseContext> = {}): ParseContext {
  return {
    name,
    maxTextChars: 1 << 27,
    maxUnpackedBytes: 1 << 29,
    depth: 0,
    parseInner: () => Promise.reject(new Error('nothing inside was expected')),
    ...limits,
  };
}

/** Blocks as `kind: text`, the form most expectations are written in. */
export function outline(document: ParsedDocument): string[] {
  return document.blocks.map((block) => `${block.kind}${block.level ?? ''}: ${textOf(document, block)}`);
}

export function textOf(document: ParsedDocument, span: { start: number; end: number }): string {
  return document.text.slice(span.start, span.end);
}

/** The header of a table block. */
export function headerOf(document: ParsedDocument, block: Block | undefined): string | undefined {
  return block?.header && textOf(document, block.header);
}

/**
 * What is wrong with the offsets of a document; empty when blocks and locators are sorted, apart and inside the text.
 */
export function offsetFaults(document: ParsedDocument): string[] {
  const faults: string[] = [];
  for (const [name, spans] of [
    ['block', document.blocks],
    ['locator', document.locators],
  ] as const) {
    let end = 0;
    for (const span of spans) {
      if (span.start < end || span.end <= span.start || span.end > document.text.length) {
        faults.push(`${name} ${span.start}-${span.end} after ${end} of ${document.text.length}`);
      }
      end = span.end;
    }
  }
  for (const { header, start, end } of document.blocks) {
    if (header && (header.start < start || header.end > end)) faults.push(`header ${header.start}-${header.end}`);
  }
  if (/\r|\0/.test(document.text) || !document.text.isWellFormed()) faults.push('text is not clean');
  return faults;
}

/** One piece of text: left edge and baseline in points from the lower left corner. */
export function at(
  x: number,
  y: number,
  text: string,
  { size = 10, font = 'F1' }: { size?: number; font?: string } = {},
): string {
  return `BT /${font} ${size} Tf ${x} ${y} Td (${text.replace(/([()\\])/g, '\\$1')}) Tj ET`;
}

/** Lines of text below each other. */
export function column(x: number, y: number, lines: readonly string[], leading = 12, size = 10): string {
  return lines.map((line, i) => at(x, y - i * leading, line, { size })).join('\n');
}

interface PdfParts {
  /** Content stream of each page. Fonts: F1 Helvetica, F2 Helvetica-Bold. */
  readonly pages: readonly string[];
  /** More entries of the catalogue. */
  readonly catalog?: string;
  /** More entries of each page. */
  readonly page?: string;
  /** More fonts, `/F3 100 0 R`. */
  readonly fonts?: string;
  /** More objects by number, from 100. */
  readonly objects?: Readonly<Record<number, string>>;
  readonly info?: string;
}

/** A PDF of letter pages, 612 × 792 points, with a valid cross-reference table. */
export function makePdf({ pages, catalog = '', page = '', fonts = '', objects = {}, info = '' }: PdfParts): Uint8Array {
  const all = new Map<number, string>([
    [1, `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`],
    [2, `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${10 + 2 * i} 0 R`).join(' ')}] >>`],
    [3, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'],
    [4, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>'],
    [5, `<< ${info} >>`],
  ]);
  for (const [i, content] of pages.entries()) {
    const resources = `<< /Font << /F1 3 0 R /F2 4 0 R ${fonts} >> >>`;
    all.set(
      10 + 2 * i,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources ${resources} /Contents ${11 + 2 * i} 0 R ${page} >>`,
    );
    all.set(11 + 2 * i, `<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  }
  for (const [number, body] of Object.entries(objects)) all.set(Number(number), body);
  let file = '%PDF-1.7\n';
  const offsets = new Map<number, number>();
  for (const [number, body] of all) {
    offsets.set(number, file.length);
    file += `${number} 0 obj\n${body}\nendobj\n`;
  }
  const size = Math.max(...all.keys()) + 1;
  const start = file.length;
  file += `xref\n0 ${size}\n`;
  for (let i = 0; i < size; i++) {
    const offset = offsets.get(i);
    file += offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`;
  }
  file += `trailer\n<< /Size ${size} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Uint8Array.from(file, (character) => character.charCodeAt(0));
}

/** A ZIP archive, `mimetype` without compression; `flags` go into every entry (1 is encrypted). */
export function makeZip(files: Readonly<Record<string, string | Uint8Array>>, flags = 0): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const data = Buffer.from(content);
    const isStored = name === 'mimetype';
    const packed = isStored ? data : deflateRawSync(data);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(flags, 2);
    fields.writeUInt16LE(isStored ? 0 : 8, 4);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(data.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, tail, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}

/** `_rels` of a part: id → [type, target]. */
export function relationships(entries: Readonly<Record<string, readonly [type: string, target: string]>>): string {
  const base = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const lines = Object.entries(entries).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${base}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${lines.join('')}</Relationships>`;
}

/** Pages of a PDF: text, or undefined for a page with a grey picture and nothing else. */
export function scannedPdf(pages: readonly (string | undefined)[]): Uint8Array {
  const picture = `<< /Type /XObject /Subtype /Image /Width 64 /Height 32 /BitsPerComponent 8 /ColorSpace /DeviceGray /Length 2048 >>\nstream\n${'\x99'.repeat(2048)}\nendstream`;
  return makePdf({
    pages: pages.map((text) => (text === undefined ? 'q 500 0 0 600 50 50 cm /Im1 Do Q' : at(72, 700, text))),
    fonts: '>> /XObject << /Im1 100 0 R',
    objects: { 100: picture },
  });
}
