/** Documents made of known words by small writers: the reader must give these words, in order. */

import { docx, epub, odp, ods, odsCell, odt, paragraph, pptx, xlsx } from '../bombs/office.ts';
import { pages, pdfOf, shown } from '../bombs/pdf.ts';
import type { Chance } from '../chance.ts';

export interface RoundTrip {
  readonly name: string;
  readonly bytes: Buffer;
  readonly words: readonly string[];
}

const ascii = [
  'harbour',
  'ledger',
  'June',
  'turbine',
  'seven',
  'keeper',
  'orchard',
  'glacier',
  'window',
  'Tuesday',
  'x1',
  '42',
];
const others = [
  'naïve',
  'Straße',
  'čas',
  'Ωμέγα',
  'дерево',
  'שלום',
  '港口',
  'ありがとう',
  '👩‍👩‍👧',
  'e\u0301te\u0301',
  'ｆｕｌｌ',
];

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const join = (pieces: Iterable<Uint8Array>): Buffer => Buffer.concat([...pieces]);

type Writer = (paragraphs: readonly string[]) => string | Buffer;

function mail(encode: (text: string) => string, encoding: string): Writer {
  const head = `Subject: letter\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;
  return (paragraphs) => head + encode(paragraphs.join('\r\n\r\n'));
}

function quoted(text: string): string {
  const bytes = Array.from(Buffer.from(text), (byte) =>
    (byte > 126 || byte === 61 || byte < 32) && byte !== 13 && byte !== 10
      ? `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
      : String.fromCharCode(byte),
  );
  const lines: string[] = [''];
  for (const piece of bytes) {
    if (piece === '\n') lines.push('');
    else {
      if (lines.at(-1)!.length > 70 && piece !== '\r') {
        lines[lines.length - 1] += '=\r';
        lines.push('');
      }
      lines[lines.length - 1] += piece;
    }
  }
  return lines.join('\n');
}

const rtf: Writer = (paragraphs) => {
  const units = (text: string): string =>
    Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))
      .map((unit) => (unit < 128 ? String.fromCharCode(unit) : `\\u${unit > 32767 ? unit - 65536 : unit}?`))
      .join('');
  return `{\\rtf1\\ansi ${paragraphs.map((text) => `${units(text)}\\par`).join('\n')}}`;
};

const writers: Readonly<Record<string, Writer>> = {
  'a.txt': (paragraphs) => paragraphs.join('\n\n'),
  'a-utf16.txt': (paragraphs) => Buffer.from(`\ufeff${paragraphs.join('\n\n')}`, 'utf16le'),
  'a.md': (paragraphs) => paragraphs.join('\n\n'),
  'a.html': (paragraphs) =>
    `<meta charset=utf-8><main>${paragraphs.map((text) => `<p>${escaped(text)}</p>`).join('')}</main>`,
  'a.csv': (paragraphs) => paragraphs.map((text) => `"${text}"`).join('\n'),
  'a.json': (paragraphs) => JSON.stringify(paragraphs),
  'a.xml': (paragraphs) =>
    `<?xml version="1.0"?><a>${paragraphs.map((text) => `<b>${escaped(text)}</b>`).join('')}</a>`,
  'a.docx': (paragraphs) => join(docx({ text: paragraphs.map((text) => paragraph(escaped(text))).join('') })),
  'a.pptx': (paragraphs) =>
    join(pptx({ text: paragraphs.map((text) => `<a:p><a:r><a:t>${escaped(text)}</a:t></a:r></a:p>`).join('') })),
  'a.odt': (paragraphs) => join(odt({ text: paragraphs.map((text) => `<text:p>${escaped(text)}</text:p>`).join('') })),
  'a.odp': (paragraphs) => join(odp({ text: paragraphs.map((text) => `<text:p>${escaped(text)}</text:p>`).join('') })),
  'a.ods': (paragraphs) =>
    join(
      ods({
        text: paragraphs.map((text) => `<table:table-row>${odsCell(escaped(text))}</table:table-row>`).join(''),
      }),
    ),
  'a.xlsx': (paragraphs) =>
    join(
      xlsx({ text: paragraphs.map((_, i) => `<row><c t="s"><v>${i}</v></c></row>`).join('') }, paragraphs.map(escaped)),
    ),
  'a.epub': (paragraphs) => join(epub({ text: paragraphs.map((text) => `<p>${escaped(text)}</p>`).join('') }, 'book')),
  'a.rtf': rtf,
  'a-plain.eml': mail((text) => text, '8bit'),
  'a-base64.eml': mail((text) => Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n'), 'base64'),
  'a-quoted.eml': mail(quoted, 'quoted-printable'),
  'a.srt': (paragraphs) =>
    paragraphs.map((text, i) => `${i + 1}\n00:00:0${i},000 --> 00:00:0${i},900\n${text}\n`).join('\n'),
  'a.ipynb': (paragraphs) =>
    JSON.stringify({
      nbformat: 4,
      metadata: {},
      cells: paragraphs.map((text) => ({ cell_type: 'markdown', metadata: {}, source: [text] })),
    }),
  'a.pdf': (paragraphs) => join(pdfOf(pages([paragraphs.map((text, i) => shown(text, 72, 720 - 30 * i)).join('\n')]))),
};

const names = Object.keys(writers);

export function roundTrip(chance: Chance): RoundTrip {
  const name = chance.of(names);
  const pool = name === 'a.pdf' ? ascii : [...ascii, ...others]; // its font has Latin letters only
  const paragraphs = Array.from({ length: 1 + chance.below(8) }, () =>
    Array.from({ length: 4 + chance.below(9) }, () => chance.of(pool)).join(' '),
  );
  return { name, bytes: Buffer.from(writers[name]!(paragraphs)), words: paragraphs.flatMap((text) => text.split(' ')) };
}

/** What of the words is missing, or stands in another order; undefined when all are there. */
export function missing(words: readonly string[], text: string): string | undefined {
  const plain = text.normalize('NFC');
  let at = 0;
  for (const [i, word] of words.entries()) {
    const found = plain.indexOf(word.normalize('NFC'), at);
    if (found < 0) return `word ${i}, "${word}", is not there after ${at} characters`;
    at = found + word.normalize('NFC').length;
  }
  return undefined;
}
