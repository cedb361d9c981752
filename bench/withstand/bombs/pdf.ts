/** PDFs written object by object, with a valid cross-reference table. */
import { deflateSync } from 'node:zlib';

/** @param objects from number 1; the first is the catalogue */
export function* pdfOf(objects: Iterable<string | Uint8Array>, info = ''): Generator<Uint8Array> {
  const offsets: number[] = [];
  let at = 0;
  const out = (bytes: string | Uint8Array): Uint8Array => {
    const piece = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
    at += piece.length;
    return piece;
  };
  yield out('%PDF-1.7\n');
  for (const object of objects) {
    offsets.push(at);
    yield out(`${offsets.length} 0 obj\n`);
    yield out(object);
    yield out('\nendobj\n');
  }
  offsets.push(at);
  yield out(`${offsets.length} 0 obj\n<< ${info} >>\nendobj\n`);
  const start = at;
  yield out(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n`);
  yield out(offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join(''));
  const { length } = offsets;
  yield out(`trailer\n<< /Size ${length + 1} /Root 1 0 R /Info ${length} 0 R >>\nstartxref\n${start}\n%%EOF\n`);
}

export function stream(content: string | Uint8Array, dictionary = ''): Uint8Array {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${dictionary} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}

const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';

/** Pages of one content stream each. Objects: 1 catalogue, 2 pages, 3 font, then page and content in turn. */
export function* pages(contents: readonly (string | Uint8Array)[], page = ''): Generator<string | Uint8Array> {
  yield '<< /Type /Catalog /Pages 2 0 R >>';
  yield `<< /Type /Pages /Count ${contents.length} /Kids [${contents.map((_, i) => `${4 + 2 * i} 0 R`).join(' ')}] >>`;
  yield font;
  for (const [i, content] of contents.entries()) {
    yield `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * i} 0 R ${page} >>`;
    yield typeof content === 'string' ? stream(content) : content;
  }
}

export const shown = (text: string, x = 72, y = 700): string => `BT /F1 10 Tf ${x} ${y} Td (${text}) Tj ET`;

/** A page that draws a form, which draws the next one ten times, and so on. */
export function* drawsItself(depth: number): Generator<string | Uint8Array> {
  const resources = (n: number): string => `/Resources << /Font << /F1 3 0 R >> /XObject << /X ${n} 0 R >> >>`;
  yield '<< /Type /Catalog /Pages 2 0 R >>';
  yield '<< /Type /Pages /Count 1 /Kids [4 0 R] >>';
  yield font;
  yield `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${resources(6)} /Contents 5 0 R >>`;
  yield stream(`${shown('The page draws itself.')} /X Do`);
  for (let i = 0; i < depth; i++) {
    const next = i + 1 < depth ? 7 + i : 6; // the last one begins again
    yield stream(
      `${shown('again')} ${'/X Do '.repeat(10)}`,
      `/Type /XObject /Subtype /Form /BBox [0 0 612 792] ${resources(next)}`,
    );
  }
}

/** A content stream packed several times over: a few bytes unpack to `megabytes`. */
export function packedStream(megabytes: number): Uint8Array {
  const line = `${shown('packed words again and again')}\n`;
  const once = deflateSync(Buffer.from(line.repeat(Math.ceil((megabytes * 2 ** 20) / line.length))), { level: 9 });
  return stream(deflateSync(once, { level: 9 }), '/Filter [/FlateDecode /FlateDecode]');
}
