import CFB from 'cfb';
import { describe, expect, test } from 'vitest';
import { parse } from './helpers.ts';

/** The bytes of a text in an encoding of one byte a character, by its decoder. */
function encoded(text: string, encoding: string): Buffer {
  const decoder = new TextDecoder(encoding);
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Buffer.from(Array.from(text, (character) => bytes.get(character)!));
}

function properties(headerBytes: number, numbers: Readonly<Record<number, number>>): Buffer {
  const entries = Object.entries(numbers).map(([id, value]) => {
    const entry = Buffer.alloc(16);
    entry.writeUInt16LE(3, 0); // a whole number
    entry.writeUInt16LE(Number(id), 2);
    entry.writeUInt32LE(value, 8);
    return entry;
  });
  return Buffer.concat([Buffer.alloc(headerBytes), ...entries]);
}

function fileOf(streams: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const file = CFB.utils.cfb_new();
  for (const [path, data] of Object.entries(streams)) CFB.utils.cfb_add(file, `/${path}`, Buffer.from(data));
  CFB.utils.cfb_del(file, '/\u0001Sh33tJ5');
  return Buffer.from(CFB.write(file, { type: 'buffer' }) as Uint8Array);
}

describe('narrow texts of Outlook are in the code page that the message names', () => {
  test.each([
    [1250, 'windows-1250', 'Łódź', 'Žluťoučký kůň'],
    [1253, 'windows-1253', 'Αναφορά', 'Η αντλία'],
    [1254, 'windows-1254', 'Şişli', 'Bakım mayısta'],
    [28592, 'iso-8859-2', 'Łódź', 'Žluťoučký kůň'],
  ])('%i', async (page, encoding, subject, body) => {
    const { title, text } = await parse(
      'a.msg',
      fileOf({
        '__properties_version1.0': properties(32, { 16381: page, 16350: page }),
        '__substg1.0_0037001E': encoded(subject, encoding),
        '__substg1.0_10130102': encoded(`<p>${body}</p>`, encoding),
      }),
    );
    expect(title).toBe(subject);
    expect(text.split('\n\n')).toEqual([`Subject: ${subject}`, body]);
  });
});
