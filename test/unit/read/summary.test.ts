import { expect, test } from 'vitest';
import { DocumentBuilder } from '../../../src/read/builder.ts';
import { readSummary } from '../../../src/read/office/summary.ts';

type Value = readonly [id: number, type: number, bytes: Buffer];

const u32 = (...values: readonly number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer);
const text = (bytes: Buffer): Buffer => Buffer.concat([u32(bytes.length), bytes, Buffer.alloc(-bytes.length & 3)]);
const wide = (value: string): Buffer => Buffer.concat([u32(value.length + 1), Buffer.from(`${value}\0`, 'utf16le')]);
const time = (iso: string): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(Date.parse(iso) - Date.UTC(1601, 0, 1)) * 10_000n);
  return bytes;
};

/** A stream with one set of properties ([MS-OLEPS] 2.21): its head, where each value stands, the values. */
function streamOf(values: readonly Value[]): Buffer {
  let at = 8 + values.length * 8;
  const places: number[] = [];
  for (const [id, , bytes] of values) {
    places.push(id, at);
    at += 4 + bytes.length;
  }
  const body = values.flatMap(([, type, bytes]) => [u32(type), bytes]);
  return Buffer.concat([Buffer.alloc(44), u32(48), u32(at, values.length, ...places), ...body]);
}

function read(stream: Buffer): DocumentBuilder {
  const builder = new DocumentBuilder('doc', { maxTextChars: 100 });
  readSummary(
    { names: [], has: () => false, stream: (name) => (name === '\x05SummaryInformation' ? stream : undefined) },
    builder,
  );
  return builder;
}

test('Office before 2007 says title, author and dates in the code page of the file', () => {
  const stream = streamOf([
    [1, 2, u32(1251)],
    [2, 30, text(Buffer.from([0xcf, 0xeb, 0xe0, 0xed, 0]))], // План
    [4, 31, wide('Žofie')],
    [12, 64, time('2004-05-06T07:08:09.000Z')],
    [13, 64, Buffer.alloc(8)], // never
  ]);
  const { title, metadata } = read(stream);
  expect([title, metadata]).toEqual(['План', { author: 'Žofie', created: '2004-05-06T07:08:09.000Z' }]);
});

test('titles that programs make up are no titles, and a broken set is no error', () => {
  const titleOf = (title: string): string => read(streamOf([[2, 31, wide(title)]])).title;
  const made = ['PowerPoint Presentation', 'PowerPoint-Präsentation', 'Présentation PowerPoint', 'Folie 1', 'Mappe1'];
  expect(made.map(titleOf)).toEqual(made.map(() => ''));
  const own = ['Folie 1: Kündigung', 'Documento', 'Book of Hours'];
  expect(own.map(titleOf)).toEqual(own);
  const stream = streamOf([[2, 30, text(Buffer.from('Plan\0'))]]);
  expect(read(stream).title).toBe('Plan');
  for (let length = 0; length < stream.length; length++) read(stream.subarray(0, length));
  read(Buffer.concat([stream.subarray(0, 52), u32(0xffffffff), stream.subarray(56)]));
});
