import { describe, expect, it } from 'vitest';
import { headings, parse } from './helpers.ts';

const separator = 'From ann@example.org Mon Jan  1 10:00:00 2024';
/** What a body may hold that looks like another message. */
const pasted = `${separator}\nSubject: Pasted\n\nNo message of its own.`;

const subjects = async (box: string): Promise<string[]> =>
  headings(await parse('a.mbox', box)).map(([, label]) => String(label));

describe('a mailbox', () => {
  it.each([
    [0, 'a line'],
    [1, 'a quoted line'],
    [2, 'a quoted quote'],
  ])('gives %i marks back as they were written: %s', async (depth) => {
    const written = `${'>'.repeat(depth)}From here on.`;
    const box = (type: string, body: string): string =>
      `${separator}\nSubject: One\n${type}\n${body}\n\n${separator}\nSubject: Two\n\nBye.\n`;
    expect((await parse('a.mbox', box('', `Hello.\n>${written}`))).text).toContain(`Hello.\n${written}`);
    const page = `<p>Hello.</p>\n<pre>\n>${written}\n</pre>`;
    expect((await parse('a.mbox', box('Content-Type: text/html\n', page))).text).toMatch(
      new RegExp(`Hello\\.\\s+${written}`),
    );
  });

  it('is cut where its lengths say, whatever lines a message holds', async () => {
    const message = (subject: string, body: string): string =>
      `${separator}\nSubject: ${subject}\nContent-Length: ${Buffer.byteLength(body)}\n\n${body}\n\n`;
    const box = message('One', `Før:\n\n${pasted}\n`) + message('Two', 'Bye.\n');
    expect(await subjects(box)).toEqual(['One', 'Two']);
    expect((await parse('a.mbox', box)).text).toContain('From ann@example.org');
    expect(await subjects(box.replaceAll('\n', '\r\n').replaceAll(/Content-Length: \d+\r\n/g, ''))).toHaveLength(3);
    // lengths of another time are not believed
    expect(await subjects(box.replaceAll(/Length: \d+/g, 'Length: 1'))).toEqual(['One', 'Pasted', 'Two']);
    expect(await subjects(box.replaceAll(/Length: \d+/g, 'Length: 999999'))).toEqual(['One', 'Pasted', 'Two']);
  });

  it.each([
    ['a word and a colon', `\n\n${separator}\nRemember: the key.`],
    ['text before it, where the other messages have an empty line', `\n${pasted}`],
  ])('is not cut at a line with %s', async (_, tail) => {
    const one = (subject: string): string => `${separator}\nSubject: ${subject}\n\nHello.`;
    const box = `${one('One')}${tail}\n\n${one('Two')}\n\n${one('Three')}\n`;
    for (const ends of [box, box.replaceAll('\n', '\r\n')]) {
      expect(await subjects(ends)).toEqual(['One', 'Two', 'Three']);
      expect((await parse('a.mbox', ends)).text).toContain(separator);
    }
  });

  it.each([
    ['without empty lines between them', '\n'],
    ['with empty lines', '\n\n'],
  ])('has all messages %s, whatever field they begin with', async (_, between) => {
    const first = [
      'Subject: a',
      'X-Mozilla-Status: 0001',
      'Return-Path: <a@b>',
      'ARC-Seal: i=1;\n a=rsa\nReceived: by c',
    ];
    const box = first.map((field) => `${separator}\n${field}\n\nHello.`).join(between);
    expect((await parse('a.mbox', box)).metadata.messages).toBe(first.length);
  });

  it.each(['From ', 'From - '])('of Thunderbird is cut at lines that say neither sender nor time: %j', async (line) => {
    const one = (subject: string): string =>
      `${line}\nX-Mozilla-Status: 0001\nSubject: ${subject}\n\nGreetings\nFrom \nAnn`;
    const box = `${one('One')}\n\n${one('Two')}\n`;
    for (const ends of [box, box.replaceAll('\n', '\r\n')]) expect(await subjects(ends)).toEqual(['One', 'Two']);
    expect((await parse('Inbox', box)).format).toBe('mbox');
  });

  it('is read without the index that Thunderbird keeps beside it', async () => {
    const index = '// <!-- <mdb:mork:z v="1.4"/> -->\n< <(a=c)> // (f=iso-8859-1)\n  (B8=threadSubject)(B9=junkscore)>';
    await expect(parse('Inbox.msf', index)).rejects.toMatchObject({ code: 'FILE_UNSUPPORTED' });
  });

  it('is cut at what a system has delivered, also where the empty line is missing', async () => {
    const one = (subject: string): string => `${separator}\nReceived: by c\nSubject: ${subject}\n\nHello.`;
    const box = `${one('One')}\n\n${one('Two')}\n${one('Three')}\n\n${one('Four')}\n`;
    expect(await subjects(box)).toEqual(['One', 'Two', 'Three', 'Four']);
  });
});

describe('format=flowed', () => {
  const read = async (...lines: readonly string[]): Promise<string> =>
    (await parse('a.eml', ['Content-Type: text/plain; format=flowed', '', ...lines].join('\r\n'))).text;

  it('joins lines of one depth of quotation, and no others', async () => {
    expect(await read('> Is the crane ', '> free in May?', '>> Who ', '>> asks? ', '> I do.', 'Yes ', '> no')).toBe(
      '> Is the crane free in May?\n>> Who asks? \n> I do.\nYes \n> no',
    );
    expect(await read('> > Who ', '> > asks?', '> I do.')).toBe('>> Who asks?\n> I do.');
  });

  it('takes the blank away that protects a line', async () => {
    expect(await read('It came ', ' From the harbour.', ' > no quote')).toBe('It came From the harbour.\n> no quote');
  });

  it('joins neither the signature nor the next paragraph', async () => {
    expect(await read('Yes. ', '', 'So be it. ', '-- ', 'Ann')).toBe('Yes.\n\nSo be it. \n-- \nAnn');
  });
});
