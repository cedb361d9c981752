/** Values of tables in columns; the files are written by other libraries. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as arrow from 'apache-arrow';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { asFileError } from '../../../src/read/parse.ts';
import { tempFolder } from '../../support/temp.ts';
import { makeZip } from './formats-make.ts';
import { parse } from './helpers.ts';

type Table = Parameters<typeof parquetWriteBuffer>[0];

const parquet = (table: Table): Uint8Array => new Uint8Array(parquetWriteBuffer(table));
const rowsOf = async (name: string, bytes: Uint8Array): Promise<string[][]> =>
  (await parse(name, bytes)).text.split('\n').map((line) => line.split(' | '));

const CENTS = Array.from({ length: 200 }, (_, i) => i - 20);
const asMoney = (cents: number): string => (cents / 100).toFixed(2);

describe('Parquet', () => {
  test('a file inside an archive is read as the file alone', async () => {
    const bytes = parquet({ columnData: [{ name: 'part', data: ['Gasket', 'O-ring'], type: 'STRING' }] });
    const alone = await parse('parts.parquet', bytes);
    const inside = await parse('all.zip', makeZip({ 'a.txt': 'A first file.', 'parts.parquet': bytes }));
    expect(inside.warnings).toEqual([]);
    expect(inside.text).toContain(alone.text);
  });

  test('decimals have the digits that are stored, and times of a day are clock times', async () => {
    const schema: Table['schema'] = [
      { name: 'root', num_children: 3 },
      { name: 'price', type: 'INT32', converted_type: 'DECIMAL', scale: 2, precision: 9, repetition_type: 'OPTIONAL' },
      { name: 'at', type: 'INT64', converted_type: 'TIME_MICROS', repetition_type: 'OPTIONAL' },
      { name: 'day', type: 'INT32', converted_type: 'DATE', repetition_type: 'OPTIONAL' },
    ];
    const bytes = parquet({
      schema,
      columnData: [
        { name: 'price', data: CENTS.map((cents) => cents / 100) },
        { name: 'at', data: CENTS.map((_, i) => BigInt(i) * 60_000_000n + 500_000n) },
        { name: 'day', data: CENTS.map(() => new Date('2025-03-05')) },
      ],
    });
    const [, ...rows] = await rowsOf('prices.parquet', bytes);
    const clock = (i: number): string => new Date(i * 60_000 + 500).toISOString().slice(11, 21);
    expect(rows).toEqual(CENTS.map((cents, i) => [asMoney(cents), clock(i), '2025-03-05']));
  });

  test('bytes are no letters, also in a list', async () => {
    const picture = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xff, 0xd8);
    const schema: Table['schema'] = [
      { name: 'root', num_children: 2 },
      { name: 'raw', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
      { name: 'image', num_children: 2, repetition_type: 'OPTIONAL' },
      { name: 'bytes', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
      { name: 'path', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
    ];
    const columnData = [
      { name: 'raw', data: [picture, Buffer.from('Grüße')] },
      { name: 'image', data: [{ bytes: picture, path: 'pump.png' }, null] },
    ];
    const document = await parse('pictures.parquet', parquet({ schema, columnData }));
    expect(document.warnings).toEqual([]);
    expect(document.text.split('\n').slice(1)).toEqual([
      `(6 bytes) | ${JSON.stringify({ bytes: '(6 bytes)', path: 'pump.png' })}`,
      'Grüße',
    ]);
  });

  test('a compression that is not read is no damage', async () => {
    const bytes = parquet({
      codec: 'LZ4_RAW',
      compressors: { LZ4_RAW: (page: Uint8Array) => page },
      columnData: [{ name: 'part', data: ['Gasket'], type: 'STRING' }],
    });
    const error = await parse('parts.parquet', bytes).catch(asFileError);
    expect(error).toMatchObject({ code: 'FILE_UNSUPPORTED', message: expect.stringContaining('LZ4_RAW') });
    expect(error).toHaveProperty('hint', expect.stringContaining('Snappy'));
  });
});

describe('Arrow', () => {
  const file = (columns: Readonly<Record<string, arrow.Vector>>): Uint8Array =>
    arrow.tableToIPC(new arrow.Table({ ...columns }), 'file');

  test('decimals have the digits that are stored, in 128 and in 256 bits', async () => {
    const words = (value: number, count: number): Uint32Array =>
      Uint32Array.from({ length: count }, (_, i) => (i === 0 ? value : value < 0 ? -1 : 0));
    const bytes = file({
      price: arrow.vectorFromArray(
        CENTS.map((cents) => words(cents, 4)),
        new arrow.Decimal(2, 10, 128),
      ),
      wide: arrow.vectorFromArray(
        CENTS.map((cents) => words(cents, 8)),
        new arrow.Decimal(2, 10, 256),
      ),
    });
    const [, ...rows] = await rowsOf('prices.arrow', bytes);
    expect(rows).toEqual(CENTS.map((cents) => [asMoney(cents), asMoney(cents)]));
  });

  test('dates, times and bytes are what they are, also in lists and structures', async () => {
    const day = new Date('2025-03-05');
    const listOf = (type: arrow.DataType): arrow.List => new arrow.List(new arrow.Field('item', type));
    const bytes = file({
      clock: arrow.vectorFromArray([36_000_000_500n], new arrow.TimeMicrosecond()),
      days: arrow.vectorFromArray([[day, null]], listOf(new arrow.DateDay())),
      stay: arrow.vectorFromArray([{ from: day }], new arrow.Struct([new arrow.Field('from', new arrow.DateDay())])),
      raw: arrow.vectorFromArray([[Uint8Array.of(0, 255, 7)]], listOf(new arrow.Binary())),
    });
    const [, row] = await rowsOf('stays.arrow', bytes);
    expect(row).toEqual([
      '10:00:00.0005',
      JSON.stringify(['2025-03-05', null]),
      JSON.stringify({ from: '2025-03-05' }),
      JSON.stringify(['(3 bytes)']),
    ]);
  });
});

test('SQLite: a broken page costs the rest of its table, not the tables behind it', async () => {
  const path = join(tempFolder({}), 'parts.sqlite');
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE broken (note TEXT); CREATE TABLE sound (note TEXT)');
  const insert = database.prepare('INSERT INTO broken VALUES (?)');
  for (let i = 0; i < 200; i++) insert.run(`row ${i} ${'x'.repeat(500)}`);
  database.exec("INSERT INTO sound VALUES ('The last table is whole.')");
  database.close();
  const bytes = readFileSync(path);
  const page = Math.floor(bytes.indexOf('row 100 ') / 4096) * 4096;
  bytes.fill(0xff, page, page + 100);
  const document = await parse('parts.sqlite', bytes);
  expect(document.text).toContain('row 0 ');
  expect(document.text).toContain('sound\n\nnote\nThe last table is whole.');
  expect(document.warnings.map(({ code }) => code)).toEqual(['DATABASE_DAMAGED']);
  expect(document.blocks.filter(({ kind, header }) => kind === 'table' && header).length).toBe(2);
});

describe('CSV', () => {
  const cells = (text: string): string[][] => text.split('\n').map((line) => line.split(' | '));

  test.each([';', '\t', '|'])('decimal commas do not cut a table of %j', async (delimiter) => {
    const rows = Array.from({ length: 60 }, (_, i) => [`${i},5`, `${i + 3},25`, `${i * 7},75`, `-${i},1`, `0,${i}`]);
    const write = (table: string[][]): string => table.map((row) => row.join(delimiter)).join('\n');
    expect(cells((await parse('a.csv', write(rows))).text)).toEqual(rows);
    const titled = [['Zeit', 'T1', 'T2', 'T3', 'T4'], ...rows];
    expect(cells((await parse('a.csv', write(titled))).text)).toEqual(titled);
    const named = [['Name', 'T1', 'T2', 'T3', 'T4'], ...rows.map((row) => ['Lee, Ann', ...row.slice(1)])];
    expect(cells((await parse('a.csv', write(named))).text)).toEqual(named);
  });

  test('numbers between commas are cells', async () => {
    expect(cells((await parse('a.csv', '1,2,3\n4,5,6\n')).text)).toEqual([
      ['1', '2', '3'],
      ['4', '5', '6'],
    ]);
  });
});

test('a number of 32 bits has its own digits, in lists too', async () => {
  const values = [0.1, 16777217, 1e-7, -3.4028235e38, 0.5, 1 / 3];
  const shown = values.map((value) => String(Number(Math.fround(value).toPrecision(9))));
  const floats = arrow.makeTable({ f: Float32Array.from(values) });
  const told = (await rowsOf('a.arrow', arrow.tableToIPC(floats, 'file'))).slice(1).flat();
  expect(told.map(Number).map(Math.fround)).toEqual(values.map(Math.fround));
  expect([told[0], told[2], told[4], told[5]]).toEqual(['0.1', '1e-7', '0.5', '0.33333334']);
  for (const [i, text] of told.entries()) expect(text.length).toBeLessThanOrEqual(shown[i]!.length);
  const bytes = parquet({ columnData: [{ name: 'f', data: values.map(Math.fround), type: 'FLOAT' }] });
  expect((await rowsOf('a.parquet', bytes)).slice(1).flat()).toEqual(told);
});
