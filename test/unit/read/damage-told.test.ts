/** What is damaged or too much is told with a hint, and nothing is lost without a word. */
import { expect, test } from 'vitest';
import { IbidError } from '../../../src/core/errors.ts';
import { readLight } from '../../../src/read/light.ts';
import { asFileError } from '../../../src/read/parse.ts';
import { SurroundingsReader } from '../../../src/read/surroundings.ts';
import { makeZip } from './formats-make.ts';
import { codes, parse } from './helpers.ts';

const odt = makeZip({
  'content.xml':
    '<office:document-content xmlns:office="o" xmlns:text="t"><office:body><office:text><text:p>Rope of 40 m</text:p></office:text></office:body></office:document-content>',
});

/** The archive with another sum of its bytes in the directory. */
function withOtherSum(zip: Uint8Array): Uint8Array {
  const bytes = Buffer.from(zip);
  const directory = bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
  bytes.writeUInt32LE((bytes.readUInt32LE(directory + 16) ^ 1) >>> 0, directory + 16);
  return bytes;
}

test('a part of a package whose bytes have changed is told', async () => {
  expect(codes(await parse('a.odt', odt))).toEqual([]);
  const changed = await parse('a.odt', withOtherSum(odt));
  expect([changed.text, codes(changed)]).toEqual(['Rope of 40 m', ['ENTRY_DAMAGED']]);
});

test('each error of a damaged or empty file has a hint, and keeps its own', () => {
  for (const error of [
    new Error('no such letter'),
    new IbidError('FILE_DAMAGED', 'x'),
    new IbidError('FILE_EMPTY', 'x'),
  ])
    expect(asFileError(error).hint).toMatch(/\w{3}.*\.$/);
  expect(asFileError(new IbidError('FILE_EMPTY', 'x', { hint: 'Own.' })).hint).toBe('Own.');
  expect(asFileError(new IbidError('FILE_TIMEOUT', 'x')).hint).toBeUndefined();
});

test('a page that nests very deep goes to a process that can be stopped', async () => {
  const read = async (name: string, text: string): Promise<boolean> => {
    const limits = { maxTextChars: 1e6, maxUnpackedBytes: 1e6, maxFileBytes: 1e6 };
    return (await readLight({ name, bytes: Buffer.from(text) }, limits, new SurroundingsReader())) !== undefined;
  };
  expect(await read('a.html', `<html><body>${'<div>'.repeat(6000)}x`)).toBe(false);
  expect(await read('a.xml', `<?xml version="1.0"?>${'<a>'.repeat(6000)}x${'</a>'.repeat(6000)}`)).toBe(false);
  expect(await read('a.html', `<html><body>${'<div>x</div>'.repeat(6000)}`)).toBe(true);
});

test('tables of TeX in tables are looked through once', async () => {
  const begin = Date.now();
  const source = `${'\\begin{tabular}{l}a & b \\\\\n'.repeat(5000)}${'\\end{tabular}\n'.repeat(5000)}`;
  expect((await parse('a.tex', source)).text).toContain('a & b');
  expect(Date.now() - begin).toBeLessThan(5000);
});

test('a text that is named as a mail and begins with a number is read to its end', async () => {
  expect((await parse('a.eml', '1\n00:00:15,000 --> 00:00:17,951\nAt the left\n\n2\nSafe.\n')).text).toContain('Safe.');
});

test('a program that draws pages is no text: PostScript is refused with what to do', async () => {
  for (const start of ['%!PS-Adobe-3.0\n', '\x04%!PS-Adobe-3.0 EPSF-3.0\n']) {
    await expect(parse('page.ps', `${start}%%Pages: 1\n/F 12 selectfont (Quay) show showpage\n`)).rejects.toMatchObject(
      {
        code: 'FILE_UNSUPPORTED',
        hint: expect.stringContaining('ps2pdf'),
      },
    );
  }
  expect((await parse('notes.txt', 'A file of PostScript begins with %!PS-Adobe-3.0.')).text).toContain('begins');
});

test('what holds other files, and a workbook in binary form, are refused with what to do', async () => {
  const packed = [
    Buffer.from('BZh91AY&SY\0\0\0\0\0\0\0\0\0\0'),
    Buffer.from('Rar!\x1a\x07\x01\0\0\0\0\0\0\0\0\0', 'latin1'),
  ];
  for (const bytes of packed)
    await expect(parse('a.bin', bytes)).rejects.toMatchObject({
      code: 'FILE_UNSUPPORTED',
      hint: 'Unpack it into the folder.',
    });
  const book = makeZip({ 'xl/workbook.bin': '\x83\x01\0', '_rels/.rels': '<Relationships/>' });
  for (const name of ['a.xlsb', 'a.xlsx'])
    await expect(parse(name, book)).rejects.toMatchObject({ code: 'FILE_UNSUPPORTED', hint: 'Save it as .xlsx.' });
});
