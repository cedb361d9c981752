/** Archives as folders, tables of databases, pictures and records that cost more than they weigh. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deflateSync, gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { zipOf } from '../zip.ts';
import type { Bomb } from './set.ts';

const words = 'The harbour master wrote every evening how high the water stood. ';

/** A database made by statements. */
function databaseOf(...statements: readonly string[]): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'ibid-bomb-sqlite-'));
  try {
    const path = join(folder, 'made.sqlite');
    const database = new DatabaseSync(path);
    for (const statement of statements) database.exec(statement);
    database.close();
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const counting = (rows: number): string =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})`;

/** One POSIX tar member. */
function tarMember(name: string, bytes: Uint8Array): Uint8Array {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        0ustar\x0000', 148);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}

const packed = (bytes: number): Uint8Array => gzipSync(Buffer.alloc(bytes, words));

/** A PNG that says a size and holds one line. */
function png(width: number, height: number): Uint8Array {
  const chunk = (type: string, data: Uint8Array): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const lines = deflateSync(Buffer.alloc(1000));
  return Buffer.concat([signature, chunk('IHDR', size), chunk('IDAT', lines), chunk('IEND', Buffer.alloc(0))]);
}

const bomb = (name: string, file: string, pieces: Bomb['pieces']): Bomb => ({ name, file, pieces });

export const records: readonly Bomb[] = [
  bomb('gzip: text of 1 GB', 'text.txt.gz', (size) => [packed(size(1e9))]),
  bomb('gzip: 250 MB of text in 30 layers', 'layers.txt.gz', (size) => [
    Array.from({ length: 30 }).reduce<Uint8Array>((inner) => gzipSync(inner), packed(size(2.5e8))),
  ]),
  bomb('tar in gzip: 100 files of 10 MB', 'files.tgz', (size) => {
    const member = tarMember('a.txt', Buffer.alloc(size(1e7), words));
    return [gzipSync(Buffer.concat(Array.from({ length: 100 }, () => member)))];
  }),
  bomb('tar: 500,000 files of a word', 'many.tar', function* (size) {
    const member = tarMember('a.txt', Buffer.from('word'));
    for (let i = 0; i < size(500); i++) yield Buffer.concat(Array.from({ length: 500 }, () => member));
  }),
  bomb('ZIP: 9,000 files, each of 100 kB of prose', 'folder.zip', (size) => {
    const bytes = words.repeat(1500);
    return zipOf(Array.from({ length: size(9000) }, (_, i) => ({ name: `${i}.txt`, bytes })));
  }),
  bomb('ZIP: 200 archives in archives', 'nested.zip', function* (size) {
    let inner: Uint8Array = Buffer.concat([...zipOf([{ name: 'a.txt', bytes: words.repeat(1000) }])]);
    for (let i = 0; i < size(200); i++) inner = Buffer.concat([...zipOf([{ name: 'a.zip', bytes: inner }])]);
    yield inner;
  }),
  bomb('SQLite: cell of 200 MB', 'cell.sqlite', (size) => [
    databaseOf('CREATE TABLE t (a)', `INSERT INTO t SELECT replace(hex(zeroblob(${size(1e8)})), '00', 'ab')`),
  ]),
  bomb('SQLite: 2,000,000 rows', 'rows.sqlite', (size) => [
    databaseOf('CREATE TABLE t (a)', `INSERT INTO t ${counting(size(2e6))} SELECT i FROM n`),
  ]),
  bomb('SQLite: a computed column of a gigabyte a row', 'computed.sqlite', (size) => [
    databaseOf(
      `CREATE TABLE t (a, b AS (hex(zeroblob(${size(4e8)}))))`,
      `INSERT INTO t ${counting(100)} SELECT i FROM n`,
    ),
  ]),
  bomb('SQLite: 1,500 columns, 20,000 rows', 'wide.sqlite', (size) => {
    const columns = Array.from({ length: 1500 }, (_, i) => `c${i}`);
    return [
      databaseOf(
        `CREATE TABLE t (${columns})`,
        `INSERT INTO t ${counting(size(20_000))} SELECT ${columns.map((_, i) => `i + ${i}`)} FROM n`,
      ),
    ];
  }),
  bomb('Parquet: 900,000 rows that share a cell of 1 MB', 'shared.parquet', (size) => {
    const cell = 'a'.repeat(size(1e6));
    return [
      new Uint8Array(parquetWriteBuffer({ columnData: [{ name: 'a', data: new Array(size(900_000)).fill(cell) }] })),
    ];
  }),
  bomb('Parquet: 900,000 rows of words', 'rows.parquet', (size) => {
    const data = Array.from({ length: size(900_000) }, (_, i) => `${words}${i}`);
    return [new Uint8Array(parquetWriteBuffer({ columnData: [{ name: 'a', data }] }))];
  }),
  bomb('picture: 60,000 × 60,000 dots that are not there', 'huge.png', () => [png(60_000, 60_000)]),
  bomb('calendar: description of 100 MB in folded lines', 'folded.ics', function* (size) {
    yield 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:s\r\nDESCRIPTION:endless';
    for (let i = 0; i < size(1000); i++) yield '\r\n endless'.repeat(10_000);
    yield '\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n';
  }),
  bomb('calendar: 500,000 parts in each other', 'deep.ics', function* (size) {
    yield 'BEGIN:VCALENDAR\r\n';
    for (let i = 0; i < size(500); i++) yield 'BEGIN:VEVENT\r\n'.repeat(1000);
    yield 'SUMMARY:word\r\n';
  }),
  bomb('contacts: 400,000 cards', 'cards.vcf', function* (size) {
    for (let i = 0; i < size(400_000); i++) yield `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Name ${i}\r\nEND:VCARD\r\n`;
  }),
  bomb('BibTeX: 2,000,000 braces in each other', 'braces.bib', function* (size) {
    yield '@book{a, title = ';
    yield '{'.repeat(size(2e6));
    yield 'word';
    yield '}'.repeat(size(2e6));
    yield '}\n';
  }),
  bomb('BibTeX: 300,000 entries that are never closed', 'open.bib', function* (size) {
    for (let i = 0; i < size(300); i++) yield '@book{a, title = {word\n'.repeat(1000);
  }),
];
