/** What archives hold besides plain files: members of one name, names of old systems, links, damage. */
import { describe, expect, test } from 'vitest';
import { asFileError } from '../../../src/read/parse.ts';
import { chunkDocument } from '../../../src/text/chunk/chunk.ts';
import { makeZip } from './formats-make.ts';
import { parse } from './helpers.ts';

/** The archive with bytes of the directory entry of a file changed. */
function withEntry(zip: Uint8Array, name: string, change: (entry: Buffer) => void): Buffer {
  const bytes = Buffer.from(zip);
  const at = bytes.lastIndexOf(name) - 46;
  expect(bytes.readUInt32LE(at)).toBe(0x02014b50);
  change(bytes.subarray(at));
  return bytes;
}

/** The archive with a name replaced by bytes as long, in both of its places. */
function renamed(zip: Uint8Array, name: string, bytes: Buffer): Buffer {
  expect(bytes.length).toBe(name.length);
  return Buffer.from(Buffer.from(zip).toString('latin1').replaceAll(name, bytes.toString('latin1')), 'latin1');
}

describe('zip', () => {
  test('two members of one name are both read', async () => {
    const zip = makeZip({ 'one.txt': 'The first report.', 'two.txt': 'The second report.' });
    const { text } = await parse('a.zip', renamed(zip, 'two.txt', Buffer.from('one.txt')));
    expect(text.split('\n\n')).toEqual(['one.txt', 'The first report.', 'one.txt', 'The second report.']);
  });

  test('names without UTF-8 are in the code page of DOS, and differ', async () => {
    const zip = makeZip({ '11bersicht.txt': 'one', '22bersicht.txt': 'two' });
    // 0x9a is Ü, 0x8e Ä, 0x81 ü.
    const first = renamed(zip, '11bersicht.txt', Buffer.from('\x9a\x81bersicht.txt', 'latin1'));
    const { text, warnings } = await parse(
      'a.zip',
      renamed(first, '22bersicht.txt', Buffer.from('\x8e\x81bersicht.txt', 'latin1')),
    );
    expect(text.split('\n\n')).toEqual(['Äübersicht.txt', 'two', 'Üübersicht.txt', 'one']);
    expect(warnings).toEqual([]);
  });

  // Bytes as Windows writes the names, from its code pages.
  test.each([
    ['Chinese', '中文说明', 'd6d0cec4cbb5c3f7'],
    ['Chinese of Taiwan', '會議紀錄', 'b77cc4b3acf6bffd'],
    ['Japanese', '取扱説明書', '8ee688b590e096be8f91'],
    ['Korean', '한글문서', 'c7d1b1dbb9aebcad'],
    ['Russian', 'Договор №5', '84aea3aea2aee020fc35'],
    ['French', 'Précédent élève', '507282638264656e7420826c8a7665'],
  ])('names in the code page of Windows: %s', async (_, name, hex) => {
    const bytes = Buffer.from(hex, 'hex');
    const zip = renamed(makeZip({ ['#'.repeat(bytes.length)]: 'The quay.' }), '#'.repeat(bytes.length), bytes);
    expect((await parse('a.zip', zip)).text).toBe(`${name}\n\nThe quay.`);
  });

  test('hidden files and modules of others are named as left out, files of the system are not', async () => {
    const zip = makeZip({
      'a.txt': 'The quay.',
      '.notes/b.txt': 'Hidden.',
      'node_modules/c/readme.md': 'Of others.',
      '__MACOSX/._a.txt': 'No text.',
      '.DS_Store': 'No text.',
    });
    const { text, warnings } = await parse('a.zip', zip);
    expect(text).toBe('a.txt\n\nThe quay.');
    expect(warnings).toEqual([
      {
        code: 'ENTRIES_LEFT_OUT',
        message: 'left out what is hidden or in node_modules: .notes/b.txt, node_modules/c/readme.md',
      },
    ]);
  });

  test('a symbolic link is no text', async () => {
    const zip = makeZip({ 'a.txt': 'The real file.', 'link.txt': '../../etc/passwd' });
    const linked = withEntry(zip, 'link.txt', (entry) => {
      entry[5] = 3; // Unix
      entry.writeUInt32LE(0o120777 * 0x10000, 38);
    });
    expect((await parse('a.zip', linked)).text).toBe('a.txt\n\nThe real file.');
  });

  test('bytes that are not those that were packed are told', async () => {
    const zip = makeZip({ mimetype: 'The pump is serviced in May.', 'b.txt': 'Sound.' });
    const changed = Buffer.from(Buffer.from(zip).toString('latin1').replace(' in May', ' in Jul'), 'latin1');
    const { text, warnings } = await parse('a.zip', changed);
    expect(text).toContain('Sound.');
    expect(warnings.map(({ code, message }) => `${code} ${message.split(':')[0]}`)).toEqual(['ENTRY_DAMAGED mimetype']);
    expect((await parse('a.zip', zip)).warnings).toEqual([]);
  });

  test('an archive without files is empty, not damaged', async () => {
    expect(await parse('a.zip', makeZip({})).catch(asFileError)).toMatchObject({ code: 'FILE_EMPTY' });
  });

  test('an unknown way of packing is no damage', async () => {
    const zip = withEntry(makeZip({ 'a.txt': 'Packed.' }), 'a.txt', (entry) => entry.writeUInt16LE(12, 10));
    const error = await parse('a.zip', zip).catch(asFileError);
    expect(error).toMatchObject({ code: 'FILE_UNSUPPORTED', hint: expect.stringContaining('Deflate') });
  });

  test('a file of Pages in an archive is left out alone', async () => {
    // As archives hold what is packed already: not packed again.
    const pages = makeZip({ 'Index/Document.iwa': 'snappy' });
    expect(await parse('letter.zip', pages).catch(asFileError)).toMatchObject({ code: 'FILE_UNSUPPORTED' });
    const zip = renamed(
      makeZip({ mimetype: pages, 'b.txt': 'The answer is in here.' }),
      'mimetype',
      Buffer.from('le.pages'),
    );
    const { text, warnings } = await parse('a.zip', zip);
    expect(text).toBe('b.txt\n\nThe answer is in here.');
    expect(warnings).toEqual([{ code: 'ENTRY_UNREAD', message: 'le.pages [FILE_UNSUPPORTED]' }]);
  });
});

test('a name in a tar of old systems keeps its letters', async () => {
  const tar = Buffer.alloc(512 * 4);
  Buffer.from('Übersicht.txt', 'latin1').copy(tar);
  tar.write('00000000003\0', 124, 'latin1');
  tar.write('0', 156, 'latin1');
  tar.write('ustar  ', 257, 'latin1');
  tar.write('abc', 512);
  expect((await parse('a.tar', tar)).text).toBe('Übersicht.txt\n\nabc');
});

test('each file has chunks of its own, under its own headings, also in an archive in an archive', async () => {
  const event = 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Dry dock\r\nLOCATION:Dock 4\r\nEND:VEVENT\r\nEND:VCALENDAR';
  const inner = makeZip({ 'deep/list.csv': 'part,torque\nbolt,85 Nm\n', 'deep/valve.txt': 'It opens at 8.5 bar.' });
  const zip = makeZip({ 'cal.ics': event, 'inner.zip': inner, 'readme.txt': 'All of the yard.' });
  const document = await parse('outer.zip', zip);
  const chunks = chunkDocument({ ...document, uri: 'outer.zip' });
  expect(chunks.map(({ headings, text }) => [headings, text.trim().split('\n').at(-1)])).toEqual([
    [['cal.ics', 'Dry dock'], 'Place: Dock 4'],
    [['inner.zip', 'deep/list.csv'], 'bolt | 85 Nm'],
    [['inner.zip', 'deep/valve.txt'], 'It opens at 8.5 bar.'],
    [['readme.txt'], 'All of the yard.'],
  ]);
});
