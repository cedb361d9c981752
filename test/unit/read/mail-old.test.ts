/** What old and careless mail programs write. */
import { describe, expect, test } from 'vitest';
import { decodeBytes } from '../../../src/read/encoding.ts';
import { parse } from './helpers.ts';

const HEAD = 'From: ann@example.org\nSubject: Pump\n';
const bodyOf = async (mail: string): Promise<string> =>
  (await parse('a.eml', mail)).text.split('\n\n').slice(1).join('\n\n');
const attached = (headers: string, content: string): string =>
  `${HEAD}Content-Type: multipart/mixed; boundary=x\n\n--x\n\nSee below.\n--x\n${headers}\n\n${content}\n--x--\n`;

describe('transfer encodings', () => {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');

  test('base64 in several pieces with padding each is read to its end', async () => {
    const pieces = ['Oil', ' and ', 'water', ' do not', ' mix.'];
    const mail = `${HEAD}Content-Transfer-Encoding: base64\n\n${pieces.map(base64).join('\n')}\n`;
    expect(await bodyOf(mail)).toBe(pieces.join(''));
  });

  test('blanks behind a soft line break are no part of it', async () => {
    const mail = `${HEAD}Content-Transfer-Encoding: quoted-printable\n\nThe pu= \t\nmp = 3=3D3 =\t\r\nof =\nthem=`;
    expect(await bodyOf(mail)).toBe('The pump = 3=3 of them=');
  });

  test.each(['uuencode', 'x-uuencode'])('%s', async (encoding) => {
    const text = 'The pump is serviced in May, the crane in June; neither of them on a Friday.\n'.repeat(3);
    const lines = text.match(/[\s\S]{1,45}/g)!.map((part) => {
      const bytes = [...Buffer.from(part)];
      const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
      const sixes = bits.padEnd(Math.ceil(bits.length / 24) * 24, '0').match(/.{6}/g)!;
      return [part.length, ...sixes.map((six) => Number.parseInt(six, 2))]
        .map((six) => String.fromCharCode(six === 0 ? 96 : six + 32))
        .join('');
    });
    const headers = `Content-Disposition: attachment; filename=a.txt\nContent-Transfer-Encoding: ${encoding}`;
    const mail = attached(headers, ['begin 644 a.txt', ...lines, '`', 'end'].join('\n'));
    expect(await bodyOf(mail)).toBe(`See below.\n\nAttachment: a.txt\n\n${text.trim()}`);
  });
});

test('a name with blanks and without quotes is whole, so that the attachment is read as what it is', async () => {
  const headers = 'Content-Type: application/octet-stream; name=my report.csv\nContent-Disposition: attachment';
  expect(await bodyOf(attached(headers, 'a;b\n1;2'))).toBe('See below.\n\nAttachment: my report.csv\n\na | b\n1 | 2');
});

test('what Outlook wraps a mail in is named as unread, however short it is', async () => {
  // The signature and the key of a TNEF stream.
  const content = Buffer.from([0x78, 0x9f, 0x3e, 0x22, 0x01, 0x00, 0x00, 0x00]).toString('base64');
  const headers =
    'Content-Type: application/ms-tnef; name=winmail.dat\nContent-Disposition: attachment\nContent-Transfer-Encoding: base64';
  const { text, warnings } = await parse('a.eml', attached(headers, content));
  expect(text.split('\n\n').at(-1)).toBe('Attachment: winmail.dat (application/ms-tnef, 8 bytes)');
  expect(warnings.map(({ code }) => code)).toEqual(['ATTACHMENT_UNREAD']);
});

test.each([
  [
    'Your program shows no HTML.',
    '<p>Berth 7 costs 5 euros</p>',
    ['Your program shows no HTML.', 'Berth 7 costs 5 euros'],
  ],
  ['Berth 7 costs 5 euros.', '<p>Berth <b>7</b> costs 5&nbsp;euros.</p>', ['Berth 7 costs 5 euros.']],
  ['港口明天\n关闭。', '<p>港口明天关闭。</p>', ['港口明天\n关闭。']],
  ['Größe prüfen!', '<p>Gr&ouml;&szlig;e<br>pr&uuml;fen!</p>', ['Größe prüfen!']],
  ['Berth 7 costs 5 euros.', '<img src=a>', ['Berth 7 costs 5 euros.']],
  // The plain form leaves out a table.
  [
    'The berths cost:',
    '<p>The berths cost:</p><table><tr><th>Berth<th>Fee<tr><td>North<td>5</table>',
    ['The berths cost:', 'Berth | Fee\nNorth | 5'],
  ],
])('a short plain form and HTML that says something else are both read: %s', async (plain, html, expected) => {
  const type = (name: string): string => `--b\nContent-Type: text/${name}; charset=utf-8\n\n`;
  const mail = `${HEAD}Content-Type: multipart/alternative; boundary=b\n\n${type('plain')}${plain}\n${type('html')}${html}\n--b--\n`;
  expect((await bodyOf(mail)).split('\n\n')).toEqual(expected);
});

test('parts beyond the limit are said to be left out', async () => {
  const inner = `Content-Type: multipart/mixed; boundary=y\n\n${'--y\n\nInside.\n'.repeat(10)}--y--\n`;
  const mail = `${HEAD}Content-Type: multipart/mixed; boundary=x\n\n${'--x\n\nText.\n'.repeat(1995)}--x\n${inner}${'--x\n\nText.\n'.repeat(5)}--x--\n`;
  const { text, warnings } = await parse('a.eml', mail);
  // The limit counts the message and its parts with parts, too.
  expect([text.match(/Text\./g)?.length, text.match(/Inside\./g)?.length]).toEqual([1995, 3]);
  expect(warnings.map(({ message }) => /; (\d+) are left out/.exec(message)?.[1])).toEqual(['5', '7']);
});

describe('mailboxes', () => {
  const box = ['One', 'Two']
    .map(
      (name) =>
        `From ann@example.org Mon Jan  1 10:00:00 2024\nFrom: ann@example.org\nSubject: ${name}\n\nBody of ${name}.\n\n`,
    )
    .join('');

  test.each([
    ['with a byte order mark', `\ufeff${box}`],
    ['with the line ends of old Macs', box.replaceAll('\n', '\r')],
    ['without its first line', box.slice(box.indexOf('\n') + 1)],
  ])('%s has all messages', async (_, text) => {
    const document = await parse('a.mbox', text);
    expect(document.metadata.messages).toBe(2);
    expect(document.text.match(/Body of \w+/g)).toEqual(['Body of One', 'Body of Two']);
  });
});

describe('a declared East Asian encoding', () => {
  // 0xc4 0xa3 is 模 in GBK, and ģ in UTF-8.
  const bytes = Uint8Array.of(0xc4, 0xa3);

  test('counts for bytes that may be UTF-8 by accident', async () => {
    expect(decodeBytes(bytes, 'gb2312').text).toBe('模');
    expect(decodeBytes(bytes).text).toBe('ģ');
    const word = `=?gb2312?B?${Buffer.from(bytes).toString('base64')}?=`;
    expect((await parse('a.eml', `From: ${word} <a@example.org>\nSubject: x\n\nbody`)).text).toContain('From: 模 <a');
  });

  test.each(['Müller und Łukasz', '模型', 'plain'])('does not count for %j in UTF-8', (text) => {
    expect(decodeBytes(Buffer.from(text), 'gb2312').text).toBe(text);
  });
});

describe('files that programs before MIME put into the text', () => {
  test('are attachments, and the text around them stays', async () => {
    // `Cat` in three bytes: 43 61 74 → 010000 110110 000101 110100 → 0 V % T after 32 is added.
    const text = 'Before.\n\nbegin 644 notes.txt\n#0V%T\n`\nend\nAfter; we begin 3 days later.';
    expect(await bodyOf(`${HEAD}\n${text}\n`)).toBe(
      'Before.\n\nAfter; we begin 3 days later.\n\nAttachment: notes.txt\n\nCat',
    );
  });
});

test('text/enriched is read without its commands', async () => {
  const mail = `${HEAD}Content-Type: text/enriched\n\n<bold>Pump</bold> two\nis <color><param>red</param>hot</color>: 5 << 7.\n\nStop it.\n`;
  expect(await bodyOf(mail)).toBe('Pump two is hot: 5 < 7.\n\nStop it.');
});

describe('mail that is signed or encrypted as a whole', () => {
  const MESSAGE = 'Content-Type: text/plain\r\n\r\nThe crane is sold.\r\n';
  const element = (tag: number, ...inner: Uint8Array[]): Buffer => {
    const content = Buffer.concat(inner);
    return Buffer.concat([Buffer.from([tag, 0x82, content.length >> 8, content.length & 255]), content]);
  };
  const openEnded = (tag: number, ...inner: Uint8Array[]): Buffer =>
    Buffer.concat([Buffer.from([tag, 0x80]), ...inner, Buffer.from([0, 0])]);
  const object = (hex: string): Buffer =>
    Buffer.from(`06${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`, 'hex');
  const NUMBER = Buffer.from([2, 1, 1]);
  const NO_DIGESTS = Buffer.from([0x31, 0]);
  const DATA = object('2a864886f70d010701');
  const sealed = (content: Uint8Array, name = 'smime.p7m'): string =>
    `${HEAD}Content-Type: application/pkcs7-mime; name=${name}\nContent-Transfer-Encoding: base64\n\n${Buffer.from(content).toString('base64')}\n`;
  const asMail = Buffer.from(MESSAGE);

  test.each([
    [
      'lengths that are said',
      element(
        0x30,
        object('2a864886f70d010702'),
        element(0xa0, element(0x30, NUMBER, NO_DIGESTS, element(0x30, DATA, element(0xa0, element(4, asMail))))),
      ),
    ],
    [
      'lengths that are open, and the text in pieces',
      openEnded(
        0x30,
        object('2a864886f70d010702'),
        openEnded(
          0xa0,
          openEnded(
            0x30,
            NUMBER,
            NO_DIGESTS,
            openEnded(
              0x30,
              DATA,
              openEnded(0xa0, openEnded(0x24, element(4, asMail.subarray(0, 30)), element(4, asMail.subarray(30)))),
            ),
          ),
        ),
      ),
    ],
  ])('the text is read: %s', async (_, content) => {
    expect(await bodyOf(sealed(content))).toBe('The crane is sold.');
  });

  test.each([
    ['application/pkcs7-mime', element(0x30, object('2a864886f70d010703'), element(0xa0, asMail))],
    ['application/octet-stream', Buffer.from('-----BEGIN PGP MESSAGE-----\n\nhQEMA7x\n-----END PGP MESSAGE-----\n')],
  ])('what is encrypted is named as unread: %s', async (type, content) => {
    const base64 = content.toString('base64');
    const document = await parse(
      'a.eml',
      attached(`Content-Type: ${type}; name=a.asc\nContent-Transfer-Encoding: base64`, base64),
    );
    expect(document.text).toContain(`Attachment: a.asc (${type}, ${content.length} bytes)`);
    expect(document.warnings).toEqual([{ code: 'ATTACHMENT_UNREAD', message: 'a.asc: it is encrypted' }]);
  });
});

test('a page that was saved as a mail leaves out its styles and scripts', async () => {
  const part = (type: string, text: string): string => `--m\nContent-Type: ${type}\nContent-Location: x:1\n\n${text}\n`;
  const page = `From: <Saved>\nSubject: Page\nContent-Type: multipart/related; boundary=m\n\n${part('text/html', '<p>Berth seven is free.</p>')}${part('text/css', 'p { color: red }')}${part('application/javascript', 'go()')}--m--\n`;
  expect((await parse('a.mhtml', page)).text).toMatch(/\n\nBerth seven is free\.$/);
});
