import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { openIndex } from '../../../src/index.ts';
import { createReader } from '../../../src/read/reader.ts';
import { fakeEmbedder } from '../../../src/testing.ts';
import { tempFolder } from '../../support/temp.ts';

/** A database that a program has open: its first row is in the file, the others in the log alone. */
function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  onTestFinished(() => database.close());
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE pumps (name TEXT); INSERT INTO pumps VALUES ('bilge pump')");
  database.exec("PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO pumps VALUES ('fire pump')");
  return database;
}

const stateOf = (folder: string): unknown =>
  readdirSync(folder).map((name) => {
    const { size, mtimeMs } = statSync(join(folder, name));
    return [name, size, mtimeMs];
  });

it('rows that only stand in the log beside a database are read and followed; nothing is written there', async () => {
  const base = tempFolder({ 'docs/note.md': 'The pumps.' });
  const database = openDatabase(join(base, 'docs/pumps.db'));
  const before = stateOf(join(base, 'docs'));
  const index = await openIndex(join(base, 'index'), { create: true, base, embedder: fakeEmbedder() });
  onTestFinished(() => index.close());
  const ingest = async () => await index.ingest(join(base, 'docs'));
  const text = async () => (await index.document('docs/pumps.db'))!.text;
  await ingest();
  expect(stateOf(join(base, 'docs'))).toEqual(before);
  expect(await text()).toMatch(/bilge pump[\s\S]*fire pump/);
  expect((await index.status()).warnings).toEqual([]);

  database.exec("INSERT INTO pumps VALUES ('ballast pump')"); // into the log: the database keeps its size and time
  await ingest();
  expect(await text()).toContain('ballast pump');
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  await ingest();
  expect(await text()).toContain('ballast pump');

  database.exec("DELETE FROM pumps WHERE name = 'bilge pump'; PRAGMA wal_checkpoint(TRUNCATE)");
  await ingest();
  expect(await text()).not.toContain('bilge pump');
});

it('a log that cannot be read, or does not belong to the bytes, is said to be left out', async () => {
  const folder = tempFolder({});
  openDatabase(join(folder, 'pumps.db'));
  const bytes = readFileSync(join(folder, 'pumps.db'));
  await using reader = createReader();
  const read = async (of: Uint8Array) =>
    await reader.read({ bytes: of, uri: 'pumps.db', from: join(folder, 'pumps.db') });
  expect((await read(bytes)).text).toContain('fire pump');

  const other = Buffer.from(bytes);
  other.write('BILGE', other.indexOf('bilge'));
  const { text, warnings } = await read(other);
  expect(text).toContain('BILGE pump');
  expect(text).not.toContain('fire pump');
  expect(warnings.map(({ code }) => code)).toEqual(['DATABASE_LOG_UNREAD']);

  // without write-ahead logging a file of that name is none of the database, and a device is no log
  const plain = Buffer.from(bytes);
  plain.fill(1, 18, 20);
  expect(await read(plain)).toMatchObject({ warnings: [], metadata: { rows: 1 } });
  writeFileSync(join(folder, 'away.db'), bytes);
  symlinkSync('/dev/zero', join(folder, 'away.db-wal'));
  const away = await reader.read({ path: join(folder, 'away.db'), uri: 'away.db' });
  expect(away).toMatchObject({ warnings: [], metadata: { rows: 1 } });
});
