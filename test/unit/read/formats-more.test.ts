/** Formats of records, tables and containers; the files are made by other programs and libraries. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync } from 'node:zlib';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { parquetWriteBuffer } from 'hyparquet-writer';
import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';
import { SharedStrings } from '../../../src/read/office/xls-strings.ts';
import { tempFolder } from '../../support/temp.ts';
import { makeZip } from './formats-make.ts';
import { codes, headings, outline, parse, placeOf, refusal } from './helpers.ts';

const has = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

describe('calendars and contacts, written by ical.js', () => {
  const calendar = (): string => {
    const component = new ICAL.Component('vcalendar');
    component.addPropertyWithValue('x-wr-calname', 'Station');
    const event = new ICAL.Component('vevent');
    event.addPropertyWithValue('summary', 'Pump, large: yearly service');
    event.addPropertyWithValue('dtstart', ICAL.Time.fromString('2024-05-17T09:30:00Z', undefined as never));
    event.addPropertyWithValue('location', 'Engine room; deck 2');
    event.addPropertyWithValue('description', `First line\nsecond line. ${'Long text that is folded. '.repeat(8)}`);
    const attendee = event.addPropertyWithValue('attendee', 'mailto:ada@example.org');
    attendee.setParameter('cn', 'Ada Lovelace');
    const alarm = new ICAL.Component('valarm');
    alarm.addPropertyWithValue('description', 'Reminder text');
    event.addSubcomponent(alarm);
    component.addSubcomponent(event);
    const task = new ICAL.Component('vtodo');
    task.addPropertyWithValue('summary', 'Order gaskets');
    component.addSubcomponent(task);
    return component.toString();
  };

  test('an event is a heading with times, place and people, and its description', async () => {
    const document = await parse('station.ics', calendar());
    expect([document.format, document.title, document.metadata.entries]).toEqual(['ics', 'Station', 2]);
    expect(document.text).toContain('Pump, large: yearly service\n\nStart: 2024-05-17 09:30 UTC');
    expect(document.text).toContain('Place: Engine room; deck 2');
    expect(document.text).toContain('Attendee: Ada Lovelace <ada@example.org>');
    expect(document.text).toContain(`First line\nsecond line. ${'Long text that is folded. '.repeat(8)}`.trim());
    expect(document.text).not.toContain('Reminder text');
    const lines = calendar().split('\r\n');
    const place = placeOf(document, 'Order gaskets') as { lines: [number, number] };
    expect(lines[place.lines[0] - 1]).toBe('BEGIN:VTODO');
  });

  test('a cut calendar keeps what it has, with a warning', async () => {
    const document = await parse('station.ics', calendar().slice(0, 300));
    expect(document.text).toContain('yearly service');
    expect(codes(document)).toContain('CALENDAR_CUT');
  });

  test('a contact is a heading with what the card says', async () => {
    const card = new ICAL.Component(['vcard', [], []]);
    card.addPropertyWithValue('fn', 'Grace Hopper');
    card.addPropertyWithValue('email', 'grace@example.org');
    const phone = card.addPropertyWithValue('tel', 'tel:+1-555-0100');
    phone.setParameter('type', 'work');
    card.addPropertyWithValue('note', 'Found the moth; kept it.');
    const old =
      'BEGIN:VCARD\r\nVERSION:2.1\r\nN:K\u00f6nig;Eva\r\nTEL;HOME:030 1\r\nNOTE;ENCODING=QUOTED-PRINTABLE:gr=C3=BC=\r\n=C3=9Fe\r\nitem1.ORG:Acme;Pumps\r\nPHOTO;ENCODING=b:AAAA\r\nEND:VCARD\r\n';
    const document = await parse('people.vcf', `${card.toString()}\r\n${old}`);
    expect(document.text).toBe(
      'Grace Hopper\n\nPhone (work): +1-555-0100\nEmail: grace@example.org\n\nFound the moth; kept it.\n\nEva K\u00f6nig\n\nWorks at (organisation): Acme, Pumps\nPhone (home, private): 030 1\n\ngr\u00fc\u00dfe',
    );
    expect(document.metadata.contacts).toBe(2);
    expect(codes(await parse('a.vcf', card.toString().slice(0, 60)))).toEqual(['CONTACTS_CUT']);
  });
});

describe('BibTeX', () => {
  const source = String.raw`Some words outside.
@string{jacm = "Journal of the {ACM}"}
@Article{knuth:74,
  author = {Donald E. Knuth and Kurt G{\"o}del},
  title = "The {\TeX} of G{\"o}del: 50\% more",
  journal = jacm # { (reprint)}, year = 1974,
  abstract = {Words of
     the abstract.}
}
@comment{ignored, title={Nothing}}
@book{second, title = {Second book}, publisher = {Caf\'e Press}}
`;

  test('entries are headings with their fields', async () => {
    const document = await parse('refs.bib', source);
    expect(headings(document).length).toBe(2);
    expect(document.text).toBe(
      'The TeX of G\u00f6del: 50% more\n\nknuth:74 (article)\nauthor: Donald E. Knuth and Kurt G\u00f6del\nyear: 1974\njournal: Journal of the ACM (reprint)\n\nWords of the abstract.\n\nSecond book\n\nsecond (book)\npublisher: Caf\u00e9 Press',
    );
    expect(placeOf(document, 'Second book')).toEqual({ lines: [11, 11] });
  });

  test('a cut entry keeps its fields, what is no BibTeX stays text, and no bracket takes long', async () => {
    const document = await parse('refs.bib', '@book{a, title = {Open\n@book{b, title = {Closed}}');
    expect(codes(document)).not.toEqual([]);
    expect(document.text).toContain('Open');
    expect((await parse('refs.bib', 'just words')).text).toBe('just words');
    const startedAt = performance.now();
    for (const pattern of ['@a{', '{', '@a{x = ', '@a{b,c="', '# ', '\\"{', '@'])
      await parse('refs.bib', pattern.repeat(Math.ceil(200_000 / pattern.length))).catch(() => {});
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });
});

describe('tables', () => {
  test('a long cell is whole; data without a space are cut and told', async () => {
    const path = join(tempFolder(), 'cells.sqlite');
    const database = new DatabaseSync(path);
    database.exec('CREATE TABLE t (a)');
    const insert = database.prepare('INSERT INTO t VALUES (?)');
    for (const cell of [`${'prose '.repeat(10_000)}END`, `${'x'.repeat(20_001)} AFTER`]) insert.run(cell);
    database.close();
    const { text, warnings } = await parse('cells.sqlite', readFileSync(path));
    expect(text).toContain('prose END');
    expect(text).toMatch(/\nx{20000} AFTER$/);
    expect(warnings).toMatchObject([{ code: 'CELL_CUT', message: expect.stringContaining('of 1 cell') }]);
  });

  test('texts that full-text tables keep, and text in bytes, are read', async () => {
    const path = join(tempFolder(), 'words.sqlite');
    const database = new DatabaseSync(path);
    database.exec(`CREATE VIRTUAL TABLE notes USING fts5(title, "the body", note UNINDEXED, tokenize = 'porter ascii');
      INSERT INTO notes VALUES ('Cranes', 'Two of three are open.', 'k7');
      CREATE TABLE bytes (a, b); INSERT INTO bytes VALUES (CAST('Grüße aus Kiel' AS BLOB), x'00ff10')`);
    database.close();
    const document = await parse('words.sqlite', readFileSync(path));
    expect(document.text).toBe(
      'bytes\n\na | b\nGrüße aus Kiel | (3 bytes)\n\nnotes\n\nid | title | the body | note\n1 | Cranes | Two of three are open. | k7',
    );
  });

  test.skipIf(!has('sqlite3'))('SQLite, written by sqlite3 (skipped without it): tables as rows', async () => {
    const folder = tempFolder();
    const path = join(folder, 'station.db');
    execFileSync(
      'sqlite3',
      [
        path,
        `pragma journal_mode=wal; create table "pump parts"(id integer primary key, name text, price real, made blob);
       insert into "pump parts" values (1,'Gasket',1.5,x'00ff'),(9007199254740993,'O-ring; large',null,null);
       create table empty(a); create view seen as select name from "pump parts";
       create virtual table words using fts5(body); insert into words values('full text words');
       create table zebra(note text); insert into zebra values('last table');`,
      ],
      { stdio: 'ignore' },
    );
    const document = await parse('station.db', readFileSync(path));
    expect(document.text).toBe(
      'pump parts\n\nid | name | price | made\n1 | Gasket | 1.5 | (2 bytes)\n9007199254740993 | O-ring; large\n\nwords\n\nid | body\n1 | full text words\n\nzebra\n\nnote\nlast table\n\nseen\n\nname\nGasket\nO-ring; large',
    );
    expect(placeOf(document, 'O-ring')).toEqual({ part: 'pump parts', rows: [2, 2] });
    expect(document.metadata).toEqual({ tables: 4, rows: 4 });
    const damaged = Buffer.from(readFileSync(path));
    damaged.fill(0x5a, 4096);
    expect(await refusal('station.db', damaged)).toMatch(/^FILE_|pump/);
    expect(await refusal('station.db', Buffer.from('SQLite format 3\0 and then words'.repeat(20)))).toMatch(
      /^FILE_(?:DAMAGED|ENCRYPTED)$/,
    );
    expect(await refusal('notes.sqlite', 'plain words, no database')).toBe('FILE_UNSUPPORTED');
  });

  test('Parquet, written by hyparquet-writer', async () => {
    const bytes = new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: 'id', data: Array.from({ length: 2500 }, (_, i) => i), type: 'INT32' },
          { name: 'name', data: Array.from({ length: 2500 }, (_, i) => `pump ${i}`), type: 'STRING' },
          { name: 'at', data: Array.from({ length: 2500 }, () => new Date('2024-05-17T09:30:00Z')), type: 'TIMESTAMP' },
        ],
      }),
    );
    const document = await parse('pumps.parquet', bytes);
    const lines = document.text.split('\n');
    expect([lines.length, lines[0], lines[2400]]).toEqual([
      2501,
      'id | name | at',
      '2399 | pump 2399 | 2024-05-17T09:30:00.000Z',
    ]);
    expect(placeOf(document, 'pump 2399')).toEqual({ rows: [2400, 2400] });
    expect(document.blocks[0]).toMatchObject({ kind: 'table', header: { start: 0, end: 14 } });
    expect(await refusal('pumps.parquet', bytes.subarray(0, bytes.length >> 1))).toBe('FILE_DAMAGED');
    const wrong = Buffer.from(bytes);
    wrong.fill(0xff, bytes.length - 200, bytes.length - 8);
    expect(await refusal('pumps.parquet', wrong)).toBe('FILE_DAMAGED');
  });

  test('Arrow files and streams, written by apache-arrow', async () => {
    const table = tableFromArrays({
      id: Int32Array.of(1, 2),
      name: ['Gasket', 'O-ring'],
      at: [new Date(0), new Date(864e5)],
    });
    for (const [name, kind] of [
      ['a.arrow', 'file'],
      ['a.arrows', 'stream'],
    ] as const) {
      const bytes = tableToIPC(table, kind);
      const document = await parse(name, bytes);
      expect(document.text).toBe('id | name | at\n1 | Gasket | 1970-01-01\n2 | O-ring | 1970-01-02');
      expect(placeOf(document, 'O-ring')).toEqual({ rows: [2, 2] });
      expect(await refusal(name, bytes.subarray(0, 90))).toMatch(/^FILE_/);
    }
  });

  test('Excel 97, written by SheetJS 0.18.5', async () => {
    const bytes = gunzipSync(Buffer.from(sheets.join(''), 'base64'));
    const document = await parse('costs.xls', bytes);
    expect(outline(document).slice(0, 2)).toEqual([
      ['heading', 'Costs'],
      [
        'table',
        'Item | Price | Bought | Share | OK\nPump, large | 1249.5 | 2023-05-17 | 12.5% | TRUE\nGr\u00fc\u00dfe aus K\u00f6ln \u2013 \u65e5\u672c | -3 |  |  | FALSE\nSum | 1246.5',
      ],
    ]);
    expect(document.text).toContain('Notes & more\n\nSecond sheet');
    expect(document.text).toMatch(/x{50}(?: long text ?){300}end of it$/);
    expect(placeOf(document, 'Sum')).toEqual({ sheet: 'Costs', rows: [4, 4] });
    expect((await parse('wrong.doc', bytes)).format).toBe('xls');
    expect(await refusal('costs.xls', bytes.subarray(0, 1500))).toBe('FILE_DAMAGED');
  });
});

test('a shared string of Excel 97 goes on in the next record, there perhaps in wide characters', () => {
  const strings = new SharedStrings();
  const head = Buffer.alloc(8);
  head.writeUInt32LE(2, 4);
  strings.add(Buffer.concat([head, Buffer.from([9, 0, 0]), Buffer.from('Pump')]));
  strings.add(
    Buffer.concat([
      Buffer.from([1]),
      Buffer.from(' Köln', 'utf16le'),
      Buffer.from([2, 0, 8, 1, 0]),
      Buffer.from('ok....'),
    ]),
  );
  expect(strings.read()).toEqual(['Pump Köln', 'ok']);
});

describe('archives', () => {
  const files = {
    'notes/pump.md': '# Pump\n\nServiced in May.',
    'data.csv': 'a,b\n1,2\n',
    '.hidden': 'x',
    'empty.txt': '',
  };
  const folder = (): string => {
    const path = tempFolder(files);
    mkdirSync(join(path, 'void'));
    return path;
  };
  const check = async (name: string, bytes: Uint8Array): Promise<void> => {
    const document = await parse(name, bytes);
    expect(document.format).toBe('archive');
    expect(document.text).toContain('Serviced in May.');
    expect(document.text).toContain('a | b\n1 | 2');
    expect(placeOf(document, 'Serviced')).toMatchObject({ part: 'notes/pump.md' });
    expect(placeOf(document, '1 | 2')).toMatchObject({ part: 'data.csv', rows: [2, 2] });
    expect(headings(document).map(([level]) => level)).toContain(2);
    expect(document.metadata.files).toBe(3);
  };

  test.skipIf(!has('tar'))('tar and tar.gz, packed by tar (skipped without it), with a long name', async () => {
    const path = folder();
    await check(
      'a.tar',
      execFileSync('tar', ['-C', path, '-cf', '-', 'notes', 'data.csv', '.hidden', 'empty.txt', 'void']),
    );
    await check('a.tgz', execFileSync('tar', ['-C', path, '-czf', '-', 'notes', 'data.csv', 'empty.txt']));
    await check(
      'a.tar.gz',
      gzipSync(execFileSync('tar', ['-C', path, '--format=pax', '-cf', '-', 'notes', 'data.csv', 'empty.txt'])),
    );
    const long = `${'deep/'.repeat(36)}note.md`;
    const other = tempFolder({ [long]: 'Found at the end of a long path.' });
    for (const format of ['gnu', 'pax', 'ustar'])
      expect(
        placeOf(
          await parse('a.tar', execFileSync('tar', ['-C', other, `--format=${format}`, '-cf', '-', 'deep'])),
          'Found',
        ),
      ).toEqual({ part: long });
    const cut = execFileSync('tar', ['-C', path, '-cf', '-', 'notes', 'data.csv']).subarray(0, 2050);
    expect(codes(await parse('a.tar', cut))).toEqual(['ARCHIVE_DAMAGED']);
  });

  test.skipIf(!has('zip'))('zip, packed by zip (skipped without it)', async () => {
    const path = folder();
    const bytes = execFileSync('zip', ['-r', '-q', '-', 'notes', 'data.csv', '.hidden', 'empty.txt', 'void'], {
      cwd: path,
    });
    await check('a.zip', bytes);
    expect(await refusal('a.zip', bytes.subarray(0, 150))).toBe('FILE_DAMAGED');
  });

  test('archives in archives end at a depth, paths lead nowhere, unread files are named', async () => {
    let nested = makeZip({ 'a.md': 'The innermost words' });
    expect((await parse('a.zip', makeZip({ '../../up.md': 'Up', 'x.bin': '\0\x01\x02'.repeat(50) }))).text).toBe(
      'up.md\n\nUp',
    );
    const two = await parse('a.zip', makeZip({ 'x.bin': '\0\x01\x02'.repeat(50), 'b.md': 'b' }));
    expect(two.warnings).toEqual([{ code: 'ENTRY_UNREAD', message: 'x.bin [FILE_UNSUPPORTED]' }]);
    for (let depth = 0; depth < 3; depth++) nested = makeZip({ 'inner.zip': nested });
    expect((await parse('a.zip', nested)).text).toContain('The innermost words');
    for (let depth = 0; depth < 3; depth++) nested = makeZip({ 'inner.zip': nested });
    expect(await refusal('a.zip', nested)).toBe('FILE_UNSUPPORTED');
  });

  test('bombs are too large', async () => {
    const bomb = makeZip({ 'a.txt': Buffer.alloc(60_000_000, 32) });
    expect(await refusal('a.zip', bomb)).toBe('FILE_TOO_LARGE');
    expect(await refusal('a.gz', gzipSync(Buffer.alloc(120_000_000, 32)))).toBe('FILE_TOO_LARGE');
  });

  test('a gzip file is the file in it; iWork and documents in disguise are told', async () => {
    expect(await parse('notes.md.gz', gzipSync('# Title\n\nWords'))).toMatchObject({
      format: 'markdown',
      title: 'Title',
    });
    expect(await refusal('a.pages', makeZip({ 'Index/Document.iwa': 'x', 'preview.jpg': 'x' }))).toBe(
      'FILE_UNSUPPORTED',
    );
    expect(await refusal('a.key', makeZip({ 'Index/Document.iwa': 'x' }))).toBe('FILE_UNSUPPORTED');
  });
});

/** Two sheets: text, numbers, a date, a share, truth values, a long string. */
const sheets: readonly string[] = [
  'H4sIAAAAAAACA+2az28TRxTHPzNeOxsnThybA0mlsLXUIvEbIiAHAm6o1BTUgOJDLxWQkI0dJWaR7UjACfGjpyIhod64cOwJuIBU9WD+ANSKYy',
  '+FSu2hJyohTkmM5u06cVJFClB+iXnWjHY+++bNeGe8Y+n7fvu15/Gtu31PWGUHibHYaCfRwhSgm4102DZlsdFoNHHD2gdlC41GYzEqDhAHWfM2',
  'wAXagSTQAXQCKaAL6A63AD1ABshG+8AWW2z5cMoYr2cOcdV8l6h19tkA5JfOlAIlBhigxhH2vvT4GbSMr6OzZ/3zDu1bAirMMEFAwMwrj9+09f',
  'SJAcGn/G/2suO3WrubhkScicrDtva6ItEGT9DccR7IWf8n8B1nzXlQKA0M1I4UeCs2LHMYV2YOdQVDykGhuYmmh16ZW0bqrNS3xfMXqYfkRIJT',
  'lfqXg9Eue6by4ndN6pzUXWgU96XP70J208dT6XE92sxx9QUVphlnln5nL4NsROVIjo4UdtIxOlLwyFGiRI7hqRxlyuRIjOWoUiXHo/Pmfr/Tyw',
  'GSqPOEn+3iuJ1JJul3UgzhoHaxg118xmP5gcCzVYtp+dvlqy3kB9bgQ//hp2RjXSXDj/3hVjpMQJUaVa7iccIztFONElDDp4rH53iU5ZXk84PZ',
  'FCjm+acvGf0Nc1Bfi3OZOOq4bM3T+CRQwwTMUaREzdwzr9VxiaNRxzhKh/Gfo8xZtuExK3eL+GRRX1Fhnj/w8RhnTqZylOfMcgaPrOfxl7+tGD',
  'NRTYROc+FzmoAzTOJRpYSPT41NKXWON/8x8zeDF/HkcZyjhmeppZZaaqmlllpqqaWWWmqppZZaaqmlllpqqaWWWmrpO6d+JCAFTOExTU1UrlCU',
  'Tq8QpVMi1naimaRbrntEsk3jMv/Tv4++mTh+6KTwLcK3Sn1JyEVJZQrtsvArYSKb7mpJBjCpTwsyfpja1Gwp0pLmFrY0aekbtmKkRc5fiNS5tM',
  'QyLSVRTMyY7hIdL4zJ9zfyIdGSPGX0w78jEouEa6gfimsXJRGVxAu/ayKKp5fj4daNrxbfcOyY+LZFvrFl3ws38gd1hnuS1Zdv0Sp/VikjGi4L',
  'lEU3S9FtzVkQQbzkbqbkrkxlkEfktABHWu9iIfVSnuLyQrorFsTks631CD4xwuZaauyrPhC1tMOSvIe2f8++PVj7aO0F7rFe2gAsAAA=',
];
