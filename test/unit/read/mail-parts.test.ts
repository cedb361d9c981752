import { describe, expect, test } from 'vitest';
import { codes, parse } from './helpers.ts';

const mixed = (...parts: readonly (readonly string[])[]): string =>
  [
    'Subject: Ropes',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    ...parts.flatMap((part) => ['--b', ...part]),
    '--b--',
  ].join('\n');
const TEXT = ['Content-Type: text/plain', '', 'The text.'];

describe('parts of mail', () => {
  test('a file behind the text keeps its name and its format, also where it is called inline', async () => {
    const table = [
      'Content-Type: text/plain',
      'Content-Disposition: inline; filename=ropes.csv',
      '',
      'rope,metres',
      'bow,12',
      'stern,9',
    ];
    const document = await parse('a.eml', mixed(TEXT, table));
    expect(document.text).toBe(
      'Subject: Ropes\n\nThe text.\n\nAttachment: ropes.csv\n\nrope | metres\nbow | 12\nstern | 9',
    );
  });

  test('a text that has a name itself is the text', async () => {
    const named = ['Content-Type: text/plain', 'Content-Disposition: inline; filename=body.txt', '', 'The text.'];
    expect((await parse('a.eml', mixed(named))).text).toBe('Subject: Ropes\n\nThe text.');
  });

  test('reports of any kind are read', async () => {
    const report = (type: string): string[] => [`Content-Type: message/${type}`, '', 'Action: failed'];
    const document = await parse('a.eml', mixed(TEXT, report('disposition-notification'), report('feedback-report')));
    expect(document.text.match(/Action: failed/g)).toHaveLength(2);
  });

  test('a message with addresses in UTF-8 is a message', async () => {
    const document = await parse(
      'a.eml',
      mixed(TEXT, ['Content-Type: message/global', '', 'Subject: Käse', '', 'Inside.']),
    );
    expect(document.text).toBe('Subject: Ropes\n\nThe text.\n\nKäse\n\nSubject: Käse\n\nInside.');
  });

  test('the first piece of a long message has its text', async () => {
    const piece = (number: number, ...lines: readonly string[]): string =>
      [
        `Subject: Ropes (${number}/2)`,
        `Content-Type: message/partial; id="a"; number=${number}; total=2`,
        '',
        ...lines,
      ].join('\n');
    const first = await parse(
      'a.eml',
      piece(1, 'Subject: Ropes', 'Content-Type: multipart/mixed; boundary=b', '', '--b', ...TEXT),
    );
    expect(first.text).toBe('Subject: Ropes (1/2)\n\nRopes\n\nSubject: Ropes\n\nThe text.');
    expect((await parse('b.eml', piece(2, 'bm90aGluZw=='))).text).toContain('message/partial');
  });

  test('words that nobody encoded are no base64', async () => {
    const words = 'The ropes of the harbour are new and twelve metres long each';
    const document = await parse(
      'a.eml',
      mixed(['Content-Type: text/plain', 'Content-Transfer-Encoding: base64', '', words]),
    );
    expect(document.text).toBe(`Subject: Ropes\n\n${words}`);
    expect(codes(document)).toEqual(['MAIL_DAMAGED']);
  });

  test.each([
    ['directly', '\n'],
    ['behind an empty line', '\n\nHarbour\n'],
  ])('what a mailing list writes behind base64 is a text: %s', async (_, between) => {
    const text = 'Die Taue im Hafen sind neu, und sie messen zwölf Meter.';
    const base64 = Buffer.from(text)
      .toString('base64')
      .replace(/(.{48})/g, '$1\n');
    const list = `_______________________\nHarbour mailing list\nharbour@example.org`;
    const type = ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: base64'];
    const document = await parse('a.eml', ['Subject: Ropes', ...type, '', `${base64}${between}${list}`].join('\n'));
    expect(document.text).toBe(`Subject: Ropes\n\n${text}${between}${list}`);
    expect(codes(document)).toEqual([]);
  });
});
