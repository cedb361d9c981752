/** `winmail.dat`, byte by byte as [MS-OXTNEF] says it. */
import { expect, test } from 'vitest';
import { unwrap } from '../../../src/read/mail/tnef.ts';
import { parse, refusal } from './helpers.ts';

const int = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value, i * 4);
  return bytes;
};
const wide = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le');
/** A value of variable length, filled up to four bytes. */
const long = (value: Uint8Array): Buffer =>
  Buffer.concat([int(1, value.length), value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
const property = (tag: number, type: number, ...value: Uint8Array[]): Buffer =>
  Buffer.concat([int(tag * 65536 + type), ...value]);
const properties = (...list: Buffer[]): Buffer => Buffer.concat([int(list.length), ...list]);
const attribute = (level: number, id: number, data: Uint8Array): Buffer => {
  const sum = data.reduce((total, byte) => (total + byte) & 0xffff, 0);
  return Buffer.concat([Buffer.from([level]), int(id, data.length), data, Buffer.from([sum & 255, sum >> 8])]);
};
const stream = (...attributes: Buffer[]): Buffer =>
  Buffer.concat([int(0x223e9f78), Buffer.from([1, 0]), ...attributes]);
const attached = (title: string, data: string, ...more: Buffer[]): Buffer =>
  Buffer.concat([
    attribute(2, 0x00069002, Buffer.alloc(14)),
    attribute(2, 0x00018010, Buffer.from(`${title}\0`, 'latin1')),
    ...(data === '' ? [] : [attribute(2, 0x0006800f, Buffer.from(data))]),
    ...(more.length === 0 ? [] : [attribute(2, 0x00069005, properties(...more))]),
  ]);

const mail = (content: Uint8Array, text: string): string =>
  `From: ann@example.org\nSubject: Pump\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\n${text}\n--x\nContent-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\n${Buffer.from(content).toString('base64')}\n--x--\n`;
const textOf = async (content: Uint8Array, text = 'See below.'): Promise<string> =>
  (await parse('a.eml', mail(content, text))).text.split('\n\n').slice(1).join('\n\n');

/** A name of a property by number and one by words, a time, a small number, and a list of numbers stand before others. */
const others = [
  property(0x8005, 3, Buffer.alloc(16, 7), int(0, 0x8501), int(1)),
  property(0x8006, 0x1e, Buffer.alloc(16, 7), int(1, 6), Buffer.from('a\0b\0\0\0\0\0'), long(Buffer.from('why\0'))),
  property(0x3007, 0x40, int(1, 2)),
  property(0x0e21, 2, int(5)),
  property(0x6800, 0x1003, int(2, 8, 9)),
];

test('its attachments are attachments, with their long names', async () => {
  const content = stream(
    attribute(1, 0x00069007, int(1252, 0)),
    attribute(1, 0x0002800c, Buffer.from('The text again.\0')),
    attached('LOADS~1.CSV', 'crane;tons\nnorth;9', ...others, property(0x3707, 0x1f, long(wide('Loads of May.csv')))),
    attached('f\xfcr.txt', 'Nine tons.'),
  );
  expect(await textOf(content)).toBe(
    'See below.\n\nAttachment: Loads of May.csv\n\ncrane | tons\nnorth | 9\n\nAttachment: für.txt\n\nNine tons.',
  );
});

test('its text is read where the mail has none: HTML before RTF before plain text', async () => {
  const rtf = Buffer.from('{\\rtf1 In RTF.\\par}');
  const plain = attribute(1, 0x0002800c, Buffer.from('Plain.\0'));
  const packed = property(0x1009, 0x102, long(Buffer.concat([int(rtf.length + 12, rtf.length, 0x414c454d, 0), rtf])));
  const html = property(0x1013, 0x102, long(Buffer.from('<p>In HTML.</p>')));
  const of = (...list: Buffer[]): Buffer => stream(plain, attribute(1, 0x00069003, properties(...others, ...list)));
  expect(await textOf(of(packed, html), '')).toBe('Attachment: body.html\n\nIn HTML.');
  expect(await textOf(of(packed), '')).toBe('Attachment: body.rtf\n\nIn RTF.');
  expect(await textOf(of(), '')).toBe('Attachment: body.txt\n\nPlain.');
  expect(await textOf(of(packed))).toBe('See below.');
});

test('a mail in the mail is unwrapped too', async () => {
  const inner = stream(attribute(1, 0x0002800c, Buffer.from('Inner text.')), attached('a.txt', 'Inner file.'));
  const object = property(0x3701, 0x0d, long(Buffer.concat([Buffer.alloc(16, 1), inner])));
  expect(await textOf(stream(attached('Old mail', '', object)))).toBe(
    'See below.\n\nAttachment: body.txt\n\nInner text.\n\nAttachment: a.txt\n\nInner file.',
  );
});

test('what is cut at any byte gives what is there, and nothing else fails', () => {
  const whole = stream(attached('a.txt', 'One.', ...others), attached('b.txt', 'Two.'));
  for (let end = 0; end <= whole.length; end++) {
    const { files } = unwrap(whole.subarray(0, end), 1e6) ?? { files: [] };
    for (const { name, content } of files) expect('One.Two.').toContain(name && Buffer.from(content).toString());
  }
  expect(unwrap(whole, 1e6)?.files.map(({ name }) => name)).toEqual(['a.txt', 'b.txt']);
  // A list that says it has four thousand million values.
  const huge = stream(attached('a.txt', 'One.', property(0x6800, 0x1003, int(0xffffffff))));
  expect(unwrap(huge, 1e6)?.files).toHaveLength(1);
});

test('`winmail.dat` alone is its text and its files; an empty one is refused', async () => {
  const whole = stream(
    attribute(1, 0x0002800c, Buffer.from('The pump is back.\0', 'latin1')),
    attached('pump.txt', 'Grease it in May.'),
  );
  const document = await parse('winmail.dat', whole);
  expect(document.text).toContain('The pump is back.');
  expect(document.text).toContain('Attachment: pump.txt\n\nGrease it in May.');
  expect(await refusal('winmail.dat', stream())).toBe('FILE_EMPTY');
});

test('a text in UTF-7 is read as its header says', async () => {
  const letter = (charset: string): string =>
    `From: a@example.org\nSubject: x\nContent-Type: text/plain; charset=${charset}\n\nGr+APwA3w-e +- M+AOQ-rz +Jjo-\n`;
  expect((await parse('a.eml', letter('unicode-1-1-utf-7'))).text.split('\n\n')[1]).toBe('Grüße + März ☺');
  expect((await parse('a.eml', letter('us-ascii'))).text).toContain('Gr+APwA3w-e');
});
