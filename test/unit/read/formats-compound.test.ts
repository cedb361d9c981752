/** Old Office files and messages of Outlook; the files are made by other programs and libraries. */
import CFB from 'cfb';
import { describe, expect, test } from 'vitest';
import { parse, placeOf, refusal } from './helpers.ts';

describe('Outlook messages and old slides, in compound files written by cfb', () => {
  const text = (value: string): Buffer => Buffer.from(value, 'utf16le');
  const fileOf = (streams: Readonly<Record<string, Uint8Array>>): Uint8Array => {
    const file = CFB.utils.cfb_new();
    for (const [path, data] of Object.entries(streams)) CFB.utils.cfb_add(file, `/${path}`, Buffer.from(data));
    CFB.utils.cfb_del(file, '/\u0001Sh33tJ5');
    return Buffer.from(CFB.write(file, { type: 'buffer' }) as Uint8Array);
  };
  const sent = Buffer.alloc(16);
  sent.writeUInt16LE(0x40, 0);
  sent.writeUInt16LE(0x39, 2);
  sent.writeBigUInt64LE((BigInt(Date.parse('2024-05-17T09:30:00Z')) + 11_644_473_600_000n) * 10_000n, 8);
  const properties = (bytes: number): Buffer => Buffer.concat([Buffer.alloc(bytes), sent]);

  test('sender, receivers, date, text, attachments, and messages in messages', async () => {
    const document = await parse(
      'offer.msg',
      fileOf({
        '__properties_version1.0': properties(32),
        '__substg1.0_0037001F': text('Offer for the pump'),
        '__substg1.0_0C1A001F': text('Ada Lovelace'),
        '__substg1.0_5D01001F': text('ada@example.org'),
        '__substg1.0_0E04001F': text('Grace Hopper'),
        '__substg1.0_1000001F': text('Dear Grace,\r\n\r\nthe pump costs 1,249 EUR.'),
        '__attach_version1.0_#00000000/__substg1.0_3707001F': text('terms.md'),
        '__attach_version1.0_#00000000/__substg1.0_37010102': Buffer.from('# Terms\n\nThirty days net.'),
        '__attach_version1.0_#00000001/__substg1.0_3701000D/__properties_version1.0': properties(24),
        '__attach_version1.0_#00000001/__substg1.0_3701000D/__substg1.0_0037001F': text('The request'),
        '__attach_version1.0_#00000001/__substg1.0_3701000D/__substg1.0_10130102': Buffer.from(
          '<p>How much is <b>it</b>?</p>',
        ),
      }),
    );
    expect(document.metadata).toEqual({
      subject: 'Offer for the pump',
      from: 'Ada Lovelace <ada@example.org>',
      to: 'Grace Hopper',
      date: '2024-05-17T09:30:00.000Z',
      sentAt: '2024-05-17T09:30:00.000Z',
    });
    expect(document.title).toBe('Offer for the pump');
    expect(document.text).toContain('Dear Grace,\n\nthe pump costs 1,249 EUR.');
    expect(placeOf(document, 'Thirty days')).toEqual({ part: 'terms.md' });
    expect(placeOf(document, 'How much is it?')).toEqual({ part: 'The request' });
  });

  test('a text that is only there as compressed RTF; the sample of [MS-OXRTFCP], 3.1.1', async () => {
    const sample = Buffer.from(
      '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0',
      'hex',
    );
    const document = await parse(
      'rtf.msg',
      fileOf({ '__properties_version1.0': properties(32), '__substg1.0_10090102': sample }),
    );
    expect(document.text).toContain('hello world');
  });

  test('slides in their order, with title, boxes and notes', async () => {
    const atom = (type: number, data: Uint8Array, instance = 0, container = false): Buffer => {
      const head = Buffer.alloc(8);
      head.writeUInt16LE((instance << 4) | (container ? 15 : 0), 0);
      head.writeUInt16LE(type, 2);
      head.writeUInt32LE(data.length, 4);
      return Buffer.concat([head, data]);
    };
    const numbers = (...values: number[]): Buffer => {
      const data = Buffer.alloc(values.length * 4);
      for (const [i, value] of values.entries()) data.writeUInt32LE(value, i * 4);
      return data;
    };
    const box = (kind: number, words: string, style?: Buffer): Buffer => {
      const parts = [atom(0xf9f, numbers(kind)), atom(0xfa8, Buffer.from(words, 'latin1'))];
      return atom(0xf00d, Buffer.concat([...parts, ...(style ? [atom(0xfa1, style)] : [])]), 0, true);
    };
    const slide = (words: string, kind = 4, style?: Buffer): Buffer =>
      atom(0x3ee, atom(0x40c, atom(0xf004, box(kind, words, style), 0, true), 0, true), 0, true);
    /** A run of paragraphs: its characters, its depth, whether it has a bullet; with a margin and stops of tabs. */
    const run = (characters: number, level: number, bullet: boolean): Buffer => {
      const data = Buffer.alloc(10 + 2 + 2 + 2 + 4);
      data.writeUInt32LE(characters, 0);
      data.writeUInt16LE(level, 4);
      data.writeUInt32LE(0x100101, 6);
      data.writeUInt16LE(bullet ? 1 : 0, 10);
      data.writeUInt16LE(1, 14);
      return data;
    };
    const notes = atom(
      0x3f0,
      Buffer.concat([
        atom(0x3f1, numbers(256, 0)),
        atom(
          0x40c,
          Buffer.concat([
            // The number of the page, for which the file holds a sign.
            atom(
              0xf00d,
              Buffer.concat([atom(0xf9f, numbers(4)), atom(0xfa8, Buffer.from('*')), atom(0xfd8, numbers(0))]),
              0,
              true,
            ),
            box(2, 'Say it slowly'),
            box(4, 'Keys are with Ada*'),
          ]),
          0,
          true,
        ),
      ]),
      0,
      true,
    );
    const reference = (persist: number, id: number): Buffer => atom(0x3f3, numbers(persist, 0, 0, id, 0));
    const title = (words: string): Buffer => Buffer.concat([atom(0xf9f, numbers(0)), atom(0xfa0, text(words))]);
    const document_ = atom(
      0x3e8,
      Buffer.concat([
        atom(
          0xff0,
          Buffer.concat([
            ...[reference(3, 257), title('Second made, first shown'), reference(2, 256), title('Pumps')],
            ...[reference(5, 258), title('Lists'), reference(6, 259)],
          ]),
          0,
          true,
        ),
        atom(0xff0, reference(4, 300), 2, true),
        // Slides show the written date and the footer, not the header; each is said once.
        atom(
          0xfd9,
          Buffer.concat([
            atom(0xfda, Buffer.from([0, 0, 4 | 16 | 32, 0])),
            ...[text('5 May 2024'), text('Kept off slides'), text('In confidence')].map((words, i) =>
              atom(0xfba, words, i),
            ),
          ]),
          3,
          true,
        ),
      ]),
      0,
      true,
    );
    const objects = [document_, slide('Box of the first made'), slide('Box\rof two lines'), notes];
    objects.push(
      slide(
        'Seals\rof rubber\vand of felt\rnot a point',
        1,
        Buffer.concat([run(6, 0, true), run(22, 1, true), run(12, 0, false)]),
      ),
      slide('Oil\rWater', 7),
    );
    const offsets = objects.map((_, i) => objects.slice(0, i).reduce((sum, { length }) => sum + length, 0));
    const directoryAt = Buffer.concat(objects).length;
    const directory = atom(0x1772, numbers((6 << 20) | 1, ...offsets));
    const edit = atom(0xff5, numbers(0, 0, 0, directoryAt, 1, 5, 0));
    const stream = Buffer.concat([...objects, directory, edit]);
    const user = atom(0xff6, numbers(20, 0xe391c05f, directoryAt + directory.length, 0, 0));
    const bytes = fileOf({ 'PowerPoint Document': stream, 'Current User': user });
    const document = await parse('talk.ppt', bytes);
    expect(document.text).toBe(
      'Second made, first shown\n\nBox\nof two lines\n\n5 May 2024\n\nIn confidence\n\nPumps\n\nBox of the first made\n\nSay it slowly\n\nKeys are with Ada*\n\nLists\n\n- Seals\n  - of rubber\nand of felt\n\nnot a point\n\n- Oil\n- Water',
    );
    expect(placeOf(document, 'Say it')).toEqual({ page: 2 });
    expect(await refusal('talk.ppt', fileOf({ 'PowerPoint Document': stream.subarray(0, 30) }))).toBe('FILE_DAMAGED');
    // Of a file for PowerPoint 95 and for later ones, the part of the later ones is read.
    const old = { 'PowerPoint Document': Buffer.from('slides of 95'), Text_Content: text('Say it slowly') };
    const both = { 'PP97_DUALSTORAGE/PowerPoint Document': stream, 'PP97_DUALSTORAGE/Current User': user };
    expect((await parse('talk.ppt', fileOf({ ...old, ...both }))).text).toBe(document.text);
    expect(await refusal('talk.ppt', fileOf(old))).toBe('FILE_UNSUPPORTED');
  });
});
