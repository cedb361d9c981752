import { describe, expect, test } from 'vitest';
import { parse } from './helpers.ts';

const lines = (...all: readonly string[]): string => all.join('\n');

describe('heads of mail', () => {
  test('a name of a field may have any sign', async () => {
    const document = await parse(
      'a.eml',
      lines('To: a@e.org', 'X-Copyright(C): 2002', 'Subject: Ropes', '', 'The body.'),
    );
    expect(document.text).toBe('To: a@e.org\nSubject: Ropes\n\nThe body.');
  });

  test('a link is no field where the empty line is missing', async () => {
    const document = await parse('a.eml', lines('To: a@e.org', 'Subject: Ropes', 'https://e.org/ropes', 'The body.'));
    expect(document.text).toBe('To: a@e.org\nSubject: Ropes\n\nhttps://e.org/ropes\nThe body.');
  });

  test('the first field may stand behind a blank', async () => {
    const document = await parse('a.eml', lines(' From: b@e.org', 'Subject: Ropes', '', 'The body.'));
    expect(document.text).toBe('From: b@e.org\nSubject: Ropes\n\nThe body.');
  });

  // "Верфь" and "Канаты" in KOI8-R
  const dock = '\xf7\xc5\xd2\xc6\xd8';
  const ropes = '\xeb\xc1\xce\xc1\xd4\xd9';
  const raw = (...all: readonly string[]): Uint8Array => Buffer.from(lines(...all), 'latin1');

  test('raw heads are in the encoding that the mail declares', async () => {
    const type = 'Content-Type: text/plain; charset=koi8-r';
    const document = await parse('a.eml', raw(`From: ${dock} <a@e.org>`, `Subject: ${ropes}`, type, '', 'The body.'));
    expect(document.text).toBe('From: Верфь <a@e.org>\nSubject: Канаты\n\nThe body.');
    const parts = ['--b', type, '', ropes, '--b--'];
    const mixed = 'Content-Type: multipart/mixed; boundary=b';
    expect((await parse('b.eml', raw(`Subject: ${ropes}`, mixed, '', ...parts))).text).toBe(
      'Subject: Канаты\n\nКанаты',
    );
  });

  test('raw heads of a mail that declares nothing are in the encoding of its text', async () => {
    // Big5: a text whose subject alone is too short to tell
    const text = Buffer.from(
      'a8cfa5cea5bba9b1aabaa8c8a4f5aabaa4e8aa6bbba1a9fab7d0bdd0ac64be5ca45ba440ad6fa4e9a141a7dab1ceb140aba7b3a8bb50b441b0f2b4eaa4d1b1b5b0b2bb43',
      'hex',
    ).toString('latin1');
    const subject = Buffer.from('a6cfbbd9', 'hex').toString('latin1');
    const document = await parse('a.eml', raw(`Subject: ${subject}`, '', text));
    const [head, body] = document.text.split('\n\n');
    expect(head).toBe(`Subject: ${new TextDecoder('big5').decode(Buffer.from(subject, 'latin1'))}`);
    expect(body).toBe(new TextDecoder('big5').decode(Buffer.from(text, 'latin1')));
  });
});
