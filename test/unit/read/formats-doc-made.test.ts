import CFB from 'cfb';
import { describe, expect, test } from 'vitest';
import { headings, outline, parse } from './helpers.ts';

/** Words of two and four bytes, least first. */
const u16 = (...values: readonly number[]): Buffer =>
  Buffer.concat(values.map((value) => Buffer.from([value & 255, (value >> 8) & 255])));
const u32 = (...values: readonly number[]): Buffer =>
  Buffer.concat(values.map((value) => u16(value & 0xffff, value >>> 16)));

interface Properties {
  /** End of the run, in characters. */
  readonly to: number;
  readonly list: Buffer;
  /** Number of the style of a paragraph. */
  readonly style?: number;
}

/** A page of properties: where runs end, then the offset of each list, the lists from the end of the page on. */
function pageOf(
  first: number,
  runs: readonly Properties[],
  entryBytes: number,
  wrap: (list: Buffer, style: number) => Buffer,
): Buffer {
  const page = Buffer.alloc(512);
  page[511] = runs.length;
  u32(first, ...runs.map(({ to }) => first + to * 2)).copy(page);
  let free = 510;
  for (const [i, { list, style }] of runs.entries()) {
    const bytes = wrap(list, style ?? 0);
    if (list.length === 0 && style === undefined) continue;
    free = (free - bytes.length) & ~1;
    bytes.copy(page, free);
    page[(runs.length + 1) * 4 + i * entryBytes] = free / 2;
  }
  return page;
}

/**
 * A document of Word 97 ([MS-DOC]).
 * @param stories main text, footnotes, headers, macros, comments, endnotes, text boxes
 */
function makeDoc(
  stories: readonly string[],
  {
    paragraphs = [],
    characters = [],
    sheet = Buffer.alloc(0),
  }: { paragraphs?: readonly Properties[]; characters?: readonly Properties[]; sheet?: Buffer } = {},
  data?: Buffer,
): Uint8Array {
  const text = stories.join('');
  const first = 512;
  const word = Buffer.alloc(first + Math.ceil((text.length * 2) / 512) * 512);
  word.writeUInt16LE(0xa5ec, 0);
  word.writeUInt16LE(0xc1, 2);
  word.writeUInt16LE(0x200, 10);
  for (const [i, story] of stories.entries()) word.writeUInt32LE(story.length, 0x4c + i * 4);
  word.write(text, first, 'utf16le');
  // A list of a paragraph begins with half its length and the number of its style; one of characters with its length.
  const paragraphPage = pageOf(first, paragraphs, 13, (list, style) => {
    const even = list.length % 2 === 0 ? Buffer.concat([list, Buffer.from([0])]) : list;
    return Buffer.concat([Buffer.from([(even.length + 3) / 2]), u16(style), even]);
  });
  const characterPage = pageOf(first, characters, 1, (list) => Buffer.concat([Buffer.from([list.length]), list]));
  const font = Buffer.concat([Buffer.alloc(40), Buffer.from('Symbol\0', 'utf16le')]);
  font[0] = font.length - 1;
  const end = first + text.length * 2;
  const parts: [at: number, bytes: Buffer][] = [
    [0xa2, sheet],
    [0xfa, u32(first, end, word.length / 512 + 1)],
    [0x102, u32(first, end, word.length / 512)],
    [0x112, Buffer.concat([u16(1, 0), font])],
    [0x1a2, Buffer.concat([Buffer.from([2]), u32(16), u32(0, text.length), u16(0), u32(first), u16(0)])],
  ];
  let table = Buffer.alloc(0);
  for (const [at, bytes] of parts) {
    word.writeUInt32LE(table.length, at);
    word.writeUInt32LE(bytes.length, at + 4);
    table = Buffer.concat([table, bytes]);
  }
  const file = CFB.utils.cfb_new();
  CFB.utils.cfb_add(file, '/WordDocument', Buffer.concat([word, paragraphPage, characterPage]));
  CFB.utils.cfb_add(file, '/1Table', table);
  if (data) CFB.utils.cfb_add(file, '/Data', data);
  CFB.utils.cfb_del(file, '/\u0001Sh33tJ5');
  return Buffer.from(CFB.write(file, { type: 'buffer' }) as Uint8Array);
}

/** The modifiers of the mark that ends a row. @param merges for each cell: 0 alone, 3 the first of several rows, 1 not */
function rowEnd(edges: readonly number[], merges: readonly number[], isHeader = false): Buffer {
  const cells = merges.map((merge) => Buffer.concat([u16(merge << 5), Buffer.alloc(18)]));
  const operand = Buffer.concat([Buffer.from([merges.length]), u16(...edges), ...cells]);
  return Buffer.concat([
    u16(0x2416),
    Buffer.from([1]),
    u16(0x2417),
    Buffer.from([1]),
    ...(isHeader ? [u16(0x3404), Buffer.from([1])] : []),
    u16(0xd608),
    u16(operand.length + 1),
    operand,
  ]);
}

/**
 * A style sheet (2.9.271): each style with its number among those of every Word (4094: an own one), the style that it is
 * based on, and its modifiers; undefined: no style of this number.
 */
function sheetOf(
  styles: readonly ({ readonly built: number; readonly base: number; readonly list: Buffer } | undefined)[],
): Buffer {
  const written = styles.map((style, i) => {
    if (!style) return u16(0);
    const name = `Style ${i}`;
    const fixed = Buffer.concat([u16(style.built, 1 | (style.base << 4), 1, 0, 0), Buffer.alloc(8)]);
    const properties = Buffer.concat([u16(2 + style.list.length, i), style.list]);
    const body = Buffer.concat([fixed, u16(name.length), Buffer.from(`${name}\0`, 'utf16le'), properties]);
    return Buffer.concat([u16(body.length), body, Buffer.alloc(body.length & 1)]);
  });
  return Buffer.concat([u16(4), u16(styles.length, 18), ...written]);
}

const none = Buffer.alloc(0);
/** Rows of cells as text, and the properties of their paragraphs. */
function rowsOf(rows: readonly { cells: readonly string[]; end: Buffer }[]): {
  text: string;
  paragraphs: Properties[];
} {
  let text = '';
  const paragraphs: Properties[] = [];
  for (const { cells, end } of rows) {
    text += cells.map((cell) => `${cell}\x07`).join('');
    paragraphs.push({ to: text.length, list: none });
    text += '\x07';
    paragraphs.push({ to: text.length, list: end });
  }
  return { text, paragraphs };
}

describe('Word before 2007, made here', () => {
  test('a cell over several rows is said in each, and one over several columns keeps the next in place', async () => {
    const edges = [0, 1000, 2000, 3000];
    const { text, paragraphs } = rowsOf([
      { cells: ['Port', 'Crane', 'Ships'], end: rowEnd(edges, [0, 0, 0]) },
      { cells: ['North', 'K1', '3'], end: rowEnd(edges, [3, 0, 0]) },
      { cells: ['', 'K2', '4'], end: rowEnd([0, 1010, 2000, 3000], [1, 0, 0]) },
      { cells: ['Total', '7'], end: rowEnd([0, 2000, 3000], [0, 0]) },
    ]);
    const document = await parse('a.doc', makeDoc([`${text}After it.\r`], { paragraphs }));
    expect(outline(document)).toEqual([
      ['table', 'Port | Crane | Ships\nNorth | K1 | 3\nNorth | K2 | 4\nTotal |  | 7'],
      ['paragraph', 'After it.'],
    ]);
  });

  test('headings are told by the styles of Word, by an outline level, and by what a style is based on', async () => {
    const level = (number: number): Buffer => Buffer.concat([u16(0x2640), Buffer.from([number])]);
    const sheet = sheetOf([
      { built: 0, base: 0xfff, list: none }, // 0: text of the body
      { built: 1, base: 0, list: none }, // 1: Heading 1
      { built: 2, base: 0, list: none }, // 2: Heading 2
      undefined,
      { built: 4094, base: 2, list: none }, // 4: an own style, as Heading 2
      { built: 4094, base: 0, list: level(2) }, // 5: an own style of the third level
      { built: 0x3e, base: 0, list: none }, // 6: Title
    ]);
    const written: readonly [text: string, style: number, list?: Buffer][] = [
      ['Harbour book', 6],
      ['Fees', 1],
      ['They are due on Monday.', 0],
      ['Guests', 4],
      ['Twelve a night.', 0],
      ['Electricity', 5],
      ['It is included.', 0],
      ['Contact', 0, level(0)],
      ['Call the warden.', 2, level(9)],
    ];
    let to = 0;
    const paragraphs = written.map(([text, style, list = none]) => {
      to += text.length + 1;
      return { to, list, style };
    });
    const text = written.map(([line]) => `${line}\r`).join('');
    const document = await parse('a.doc', makeDoc([text], { paragraphs, sheet }));
    expect(document.title).toBe('Harbour book');
    expect(headings(document)).toEqual([
      [1, 'Harbour book'],
      [1, 'Fees'],
      [2, 'Guests'],
      [3, 'Electricity'],
      [1, 'Contact'],
    ]);
    expect(outline(document).filter(([kind]) => kind === 'paragraph')).toEqual(
      ['They are due on Monday.', 'Twelve a night.', 'It is included.', 'Call the warden.'].map((said) => [
        'paragraph',
        said,
      ]),
    );
    for (let bytes = 0; bytes < sheet.length; bytes += 3) {
      const cut = await parse('a.doc', makeDoc([text], { paragraphs, sheet: sheet.subarray(0, bytes) }));
      expect(cut.text).toBe(document.text);
    }
  });

  test('tables are two where an empty paragraph or a new header stands between', async () => {
    const end = rowEnd([0, 1000, 2000], [0, 0]);
    const head = rowEnd([0, 1000, 2000], [0, 0], true);
    const rooms = (first: Buffer): ReturnType<typeof rowsOf> =>
      rowsOf([
        { cells: ['City', 'Rooms'], end: first },
        { cells: ['Oslo', '12'], end },
      ]);
    for (const between of ['', '\r']) {
      const [upper, lower] = between === '' ? [rooms(end), rooms(head)] : [rooms(end), rooms(end)];
      const at = upper.text.length + between.length;
      const paragraphs = [
        ...upper.paragraphs,
        ...(between === '' ? [] : [{ to: at, list: none }]),
        ...lower.paragraphs.map((one) => ({ ...one, to: one.to + at })),
      ];
      const document = await parse(
        'a.doc',
        makeDoc([`${upper.text}${between}${lower.text}After it.\r`], { paragraphs }),
      );
      const table = ['table', 'City | Rooms\nOslo | 12'];
      expect(outline(document)).toEqual([table, table, ['paragraph', 'After it.']]);
    }
  });

  test('a first cell of several paragraphs stays in its row', async () => {
    const inTable = Buffer.concat([u16(0x2416), Buffer.from([1])]);
    const end = rowEnd([0, 1000, 2000], [0, 0]);
    const rows = [
      ['Port', 'Crane'],
      ['North\rof the pier', 'K1'],
      ['South', 'K2'],
    ];
    let text = 'Before it.\r';
    const paragraphs: Properties[] = [{ to: text.length, list: none }];
    for (const cells of rows) {
      for (const line of cells.join('\x07').split(/(?<=[\r\x07])/)) {
        text += line.endsWith('\r') ? line : `${line.replace('\x07', '')}\x07`;
        paragraphs.push({ to: text.length, list: inTable });
      }
      text += '\x07';
      paragraphs.push({ to: text.length, list: end });
    }
    const document = await parse('a.doc', makeDoc([`${text}After it.\r`], { paragraphs }));
    expect(outline(document)).toEqual([
      ['paragraph', 'Before it.'],
      ['table', 'Port | Crane\nNorth of the pier | K1\nSouth | K2'],
      ['paragraph', 'After it.'],
    ]);
  });

  test('a wide row, whose properties stand elsewhere, ends where it ends', async () => {
    const edges = Array.from({ length: 24 }, (_, i) => i * 400);
    const end = rowEnd(
      edges,
      edges.slice(1).map(() => 0),
    );
    const data = Buffer.concat([Buffer.alloc(8), u16(end.length), end]);
    const elsewhere = Buffer.concat([u16(0x6646), u32(8)]);
    const cells = (name: string): string[] => edges.slice(1).map((_, i) => (i % 5 === 4 ? '' : `${name}${i}`));
    const { text, paragraphs } = rowsOf(['a', 'b'].map((name) => ({ cells: cells(name), end: elsewhere })));
    const document = await parse('a.doc', makeDoc([text], { paragraphs }, data));
    expect(document.text).toBe(`${cells('a').join(' | ')}\n${cells('b').join(' | ')}`);
  });

  test('deleted and hidden text is not said, and a character of a symbol font is what it shows', async () => {
    const pieces: [string, Buffer][] = [
      ['The fee is ', none],
      ['50 ', Buffer.concat([u16(0x0800), Buffer.from([1])])],
      ['60 euros', none],
      [' (secret)', Buffer.concat([u16(0x083c), Buffer.from([1])])],
      [' for 3 ', none],
      ['(', Buffer.concat([u16(0x6a09), u16(0), u16(0xf06d)])],
      ['g.\r', none],
    ];
    let to = 0;
    const characters = pieces.map(([text, list]) => {
      to += text.length;
      return { to, list };
    });
    const document = await parse('a.doc', makeDoc([pieces.map(([text]) => text).join('')], { characters }));
    expect(document.text).toBe('The fee is 60 euros for 3 μg.');
  });

  test('reads text boxes and comments, and headers once, without the numbers of pages', async () => {
    const headers = 'Harbour Board\r\rPage \x13 PAGE \x140\x15\rHarbour Board\r';
    const stories = ['Main.\r', 'A note.\r', headers, '', 'Which crane?\r', 'The end.\r', 'In a box.\r'];
    const document = await parse('a.doc', makeDoc(stories));
    expect(document.text.split('\n\n')).toEqual([
      'Main.',
      'A note.',
      'The end.',
      'In a box.',
      'Which crane?',
      'Harbour Board',
    ]);
  });

  test('a table in the headers of several sections is said once', async () => {
    const row = rowsOf([{ cells: ['Harbour', 'Board'], end: rowEnd([0, 1000, 2000], [0, 0]) }]);
    const headers = `${row.text}\r${row.text}\r`;
    const moved = (paragraphs: readonly Properties[], by: number): Properties[] =>
      paragraphs.map(({ to, list }) => ({ to: to + by, list }));
    const main = 'Main.\r';
    const paragraphs = [
      { to: main.length, list: none },
      ...moved(row.paragraphs, main.length),
      { to: main.length + row.text.length + 1, list: none },
      ...moved(row.paragraphs, main.length + row.text.length + 1),
    ];
    const document = await parse('a.doc', makeDoc([main, '', headers], { paragraphs }));
    expect(document.text).toBe('Main.\n\nHarbour | Board');
  });

  test('fields that set text show it: characters without their reading, fractions, marks', async () => {
    const field = (said: string): string => `\x13 EQ ${said}\x15`;
    const reading = field('\\* jc2 \\* "Font:MS Mincho" \\* hps10 \\o\\ad(\\s\\up 9(とうきょう),東京)');
    const link = '\x13 HYPERLINK "x" \x14link\x15 \x13 IF \x13 EQ \\f(1,2)\x15 = 1 \x14\x15';
    const document = await parse('a.doc', makeDoc([`In ${reading}, ${field('\\f(3,4)')} of ${link}.\r`]));
    expect(document.text).toBe('In 東京, 3/4 of link .');
  });
});
