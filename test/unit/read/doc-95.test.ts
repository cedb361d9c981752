/** Word 6 and 95: files made by hand, byte by byte. */
import CFB from 'cfb';
import { expect, test } from 'vitest';
import { outline, parse, refusal } from './helpers.ts';

const FIRST = 768;
const u16 = (value: number): number[] => [value & 255, value >> 8];
const u32 = (value: number): number[] => [...u16(value & 0xffff), ...u16(value >>> 16)];

interface Paragraph {
  /** With the mark that ends it; each character is one byte. */
  readonly text: string;
  readonly style?: number;
  readonly modifiers?: readonly number[];
}

/** A page of properties: where paragraphs end, an entry of seven bytes for each, their modifiers from the end on. */
function pageOf(paragraphs: readonly Paragraph[]): Buffer {
  const page = Buffer.alloc(512);
  page[511] = paragraphs.length;
  let end = FIRST;
  let free = 510;
  Buffer.from(u32(end)).copy(page);
  for (const [i, { text, style = 0, modifiers = [] }] of paragraphs.entries()) {
    end += text.length;
    Buffer.from(u32(end)).copy(page, (i + 1) * 4);
    const words = Math.ceil((modifiers.length + 3) / 2);
    free -= words * 2;
    Buffer.from([words, ...u16(style), ...modifiers]).copy(page, free);
    page[(paragraphs.length + 1) * 4 + i * 7] = free / 2;
  }
  return page;
}

/** Styles by their number among those of every Word: 0 is the text of the body, 1 a heading of the first level. */
const styles = Buffer.from([...u16(2), ...u16(2), ...[0, 2].flatMap((built) => [...u16(4), ...u16(built), 0, 0])]);

/** Properties of the document that name a code page. */
function properties(page: number): Buffer {
  const set = Buffer.from([...u32(24), ...u32(1), ...u32(1), ...u32(16), ...u32(2), ...u32(page)]);
  return Buffer.concat([Buffer.alloc(44), Buffer.from(u32(48)), set]);
}

interface Made {
  readonly ident?: number;
  /** Characters of the main text and of the footnotes; the others have none. */
  readonly counts?: readonly [number, number];
  /** Offset and length of pieces of text, in the order of reading. */
  readonly pieces?: readonly (readonly [offset: number, length: number])[];
  readonly page?: number;
}

function makeDoc(paragraphs: readonly Paragraph[], { ident = 0xa5dc, counts, pieces, page }: Made = {}): Uint8Array {
  const text = Buffer.from(paragraphs.map((one) => one.text).join(''), 'latin1');
  const word = Buffer.alloc(2048);
  text.copy(word, FIRST);
  pageOf(paragraphs).copy(word, 1024);
  styles.copy(word, 1536);
  let positions: number[] = [];
  const starts = [0];
  for (const [, length] of pieces ?? []) starts.push(starts.at(-1)! + length);
  if (pieces) {
    const table = [
      ...starts.flatMap(u32),
      ...pieces.flatMap(([offset]) => [...u16(0), ...u32(FIRST + offset), ...u16(0)]),
    ];
    positions = [2, ...u32(table.length), ...table];
  }
  const end = FIRST + text.length;
  const written: [number, number[]][] = [
    [0, u16(ident)],
    [2, u16(104)],
    [10, u16(pieces ? 4 : 0)],
    [0x18, [...u32(FIRST), ...u32(end)]],
    [0x34, (counts ?? [text.length, 0]).flatMap(u32)],
    [0x60, [...u32(1536), ...u32(styles.length)]],
    [0xc0, [...u32(1600), ...u32(10)]],
    [1600, [...u32(FIRST), ...u32(end), ...u16(2)]],
    [0x160, [...u32(1700), ...u32(positions.length)]],
    [1700, positions],
  ];
  for (const [at, bytes] of written) Buffer.from(bytes).copy(word, at);
  const file = CFB.utils.cfb_new();
  CFB.utils.cfb_add(file, '/WordDocument', word);
  if (page !== undefined) CFB.utils.cfb_add(file, '/\u0005SummaryInformation', properties(page));
  CFB.utils.cfb_del(file, '/\u0001Sh33tJ5');
  return Buffer.from(CFB.write(file, { type: 'buffer' }) as Uint8Array);
}

const inTable = [24, 1];
/** With the edges of cells after it, in which a modifier of the same number may seem to stand. */
const endsRow = [24, 1, 25, 1, 190, 5, 0, 24, 0, 24, 0];

test('headings, paragraphs, and rows with an empty cell at their end', async () => {
  const document = await parse(
    'pumps.doc',
    makeDoc([
      { text: 'Pumps\r', style: 1 },
      { text: 'They run at \x93night\x94.\r', modifiers: [5, 1, 17, ...u16(0x0118)] },
      { text: 'Pump\x07', modifiers: inTable },
      { text: 'Flow\x07', modifiers: [5, 1, ...inTable] },
      { text: '\x07', modifiers: endsRow },
      { text: 'P1\x07', modifiers: inTable },
      { text: '\x07', modifiers: inTable },
      { text: '\x07', modifiers: endsRow },
      { text: 'The end.\r' },
    ]),
  );
  expect(outline(document)).toEqual([
    ['heading', 'Pumps'],
    ['paragraph', 'They run at \u201cnight\u201d.'],
    ['table', 'Pump | Flow\nP1'],
    ['paragraph', 'The end.'],
  ]);
});

test('the text of a file that was saved by changes stands in pieces; notes come after it', async () => {
  const paragraphs = [{ text: 'second.\rA note.\r' }, { text: 'First, ' }];
  const pieces = [
    [16, 7],
    [0, 8],
    [8, 8],
  ] as const;
  const document = await parse('parts.doc', makeDoc(paragraphs, { pieces, counts: [15, 8] }));
  expect(document.text).toBe('First, second.\n\nA note.');
});

test('bytes are of the code page of the properties, if it has one byte for a character', async () => {
  const text = [{ text: '\xcd\xe0\xf1\xee\xf1 \r' }];
  expect((await parse('pump.doc', makeDoc(text, { page: 1251 }))).text).toBe('Насос');
  expect((await parse('pump.doc', makeDoc(text, { page: 65_001 }))).text).toBe('\u00cd\u00e0\u00f1\u00ee\u00f1');
  expect((await parse('pump.doc', makeDoc(text, { page: 932 }))).text).toBe('\u00cd\u00e0\u00f1\u00ee\u00f1');
});

test('what is no such file is refused', async () => {
  expect(await refusal('a.doc', makeDoc([{ text: 'x\r' }], { ident: 0xa699 }))).toBe('FILE_UNSUPPORTED');
  expect(await refusal('a.doc', makeDoc([{ text: 'x\r' }], { ident: 0x1234 }))).toBe('FILE_DAMAGED');
  expect(await refusal('a.doc', makeDoc([{ text: 'x\r' }], { pieces: [[4000, 2]] }))).toBe('FILE_DAMAGED');
});
