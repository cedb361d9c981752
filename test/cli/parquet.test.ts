import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector as pgvector } from '@electric-sql/pglite-pgvector';
import { connect } from '@lancedb/lancedb';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { beforeAll, describe, expect, test } from 'vitest';
import { cliEntry, runCli } from '../support/cli.ts';
import { copyIndex, demo } from '../support/made-index.ts';
import { makeTempFolder, tempFolder } from '../support/temp.ts';

interface Line {
  readonly uri: string;
  readonly span: { readonly start: number; readonly end: number };
  readonly text: string;
  readonly title: string;
  readonly heading?: string;
  readonly format?: string;
  readonly metadata?: object;
  readonly vector: readonly number[];
}

const placeOf = ({ uri, title, span, text, heading, format, metadata, vector, ...place }: Line) =>
  Object.keys(place).length > 0 ? place : null;

interface Row {
  readonly id: string;
  readonly uri: string;
  readonly text: string;
  readonly heading?: string;
  readonly place?: object;
  readonly metadata?: object;
  readonly vector: readonly number[];
}

describe('export as Parquet', () => {
  const cwd = makeTempFolder();
  const run = (...args: string[]) => runCli(args, { cwd });
  let lines: readonly Line[];
  let rows: readonly Row[];

  beforeAll(async () => {
    await copyIndex(demo, join(cwd, '.ibid'));
    lines = (await run('export', '--vectors', '--metadata')).stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
    expect((await run('export', '--vectors', '--metadata', '--parquet', 'chunks.parquet')).status).toBe(0);
    const file = await asyncBufferFromFile(join(cwd, 'chunks.parquet'));
    rows = (await parquetReadObjects({ file })) as unknown as Row[];
  }, 60_000);

  test('takes the place of no device, pipe or folder', async () => {
    const pipe = join(cwd, 'pipe');
    spawnSync('mkfifo', [pipe]);
    expect((await run('export', '--parquet', '')).stderr).toContain('the path of a file to write is empty');
    const { status, stderr } = await run('export', '--parquet', pipe);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `error[FILE_UNREADABLE]: ${pipe} cannot be written: it is no regular file\nhint: Name another file.\n`,
    });
    expect(statSync(pipe).isFIFO()).toBe(true);
    const saved = await run('gate', '--save', '--baseline', pipe);
    expect(saved.stderr).toContain('no regular file');
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  test.skipIf(!existsSync('/dev/full'))('says that the disk is full', async () => {
    const { status, stderr } = spawnSync('sh', ['-c', '"$0" "$1" export > /dev/full', process.execPath, cliEntry], {
      cwd,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^error\[FILE_UNREADABLE\]: the output cannot be written: ENOSPC\nhint: .+\n$/),
    });
  });

  test('rows say what the lines say', () => {
    expect(rows.length).toBeGreaterThan(6);
    expect(rows.map(({ id, text }) => [id, text])).toEqual(
      lines.map(({ uri, span, text }) => [`${uri}#${span.start}-${span.end}`, text]),
    );
    expect(rows.map(({ metadata }) => metadata)).toEqual(lines.map(({ metadata }) => metadata));
    expect(rows.map(({ place }) => place)).toEqual(lines.map(placeOf));
    expect(rows.map(({ heading }) => heading ?? undefined)).toEqual(lines.map(({ heading }) => heading));
  });

  test('the id of a row is a reference, whatever its file is called', async () => {
    const folder = tempFolder({ 'a%20b #1.md': 'A quokka naps.' });
    await runCli(['ingest', '.', '--quiet'], { cwd: folder });
    await runCli(['export', '--parquet', 'chunks.parquet'], { cwd: folder });
    const file = await asyncBufferFromFile(join(folder, 'chunks.parquet'));
    const [row] = (await parquetReadObjects({ file })) as unknown as Row[];
    const shown = await runCli(['show', row!.id, '--json'], { cwd: folder });
    expect(JSON.parse(shown.stdout)).toMatchObject({ uri: 'a%20b #1.md', quote: 'A quokka naps.', reference: row!.id });
  });

  test('vectors have length 1 and the direction of the int8 components', () => {
    for (const [i, { vector }] of rows.entries()) {
      const int8 = lines[i]!.vector;
      const norm = Math.sqrt(int8.reduce((sum, component) => sum + component * component, 0));
      expect(vector).toHaveLength(int8.length);
      for (const [k, component] of vector.entries()) expect(component).toBeCloseTo(int8[k]! / norm, 6);
    }
  });

  test('a vector that has no direction is none: search engines refuse zeros under a cosine', async () => {
    const folder = tempFolder({ 'a.md': 'A quokka naps.' }); // one document: no word tells it from another
    await runCli(['ingest', '.', '--quiet'], { cwd: folder });
    const { stdout } = await runCli(['export', '--vectors'], { cwd: folder });
    expect(new Set((JSON.parse(stdout) as Line).vector)).toEqual(new Set([0]));
    await runCli(['export', '--vectors', '--parquet', 'chunks.parquet'], { cwd: folder });
    const file = await asyncBufferFromFile(join(folder, 'chunks.parquet'));
    const [row] = (await parquetReadObjects({ file })) as unknown as (Row | undefined)[];
    expect(row!.text).toBe('A quokka naps.');
    expect(row!.vector ?? null).toBeNull();
  });

  /** The five chunks nearest to a vector, by the cosine of their int8 components. */
  const nearestByHand = (query: readonly number[]): string[] => {
    const cosine = ({ vector }: Line) =>
      vector.reduce((sum, component, k) => sum + component * query[k]!, 0) / Math.hypot(...vector);
    return lines
      .toSorted((a, b) => cosine(b) - cosine(a))
      .map(({ uri, span }) => `${uri}#${span.start}-${span.end}`)
      .slice(0, 5);
  };

  test('LanceDB loads the file and finds the same neighbours', async () => {
    const database = await connect(join(cwd, 'moved'));
    const table = await database.createTable(
      'chunks',
      rows.map(({ id, vector }) => ({ id, vector: [...vector] })),
    );
    const query = lines[3]!.vector;
    const found = await table
      .vectorSearch([...query])
      .distanceType('cosine')
      .limit(5)
      .toArray();
    expect(found.map(({ id }: { id: string }) => id)).toEqual(nearestByHand(query));
  });

  test('a Postgres with pgvector loads the rows and finds the same neighbours, its graph too', async () => {
    await using database = await PGlite.create({ extensions: { vector: pgvector } });
    const query = lines[3]!.vector;
    await database.exec(`CREATE EXTENSION vector;
      CREATE TABLE chunks (id text PRIMARY KEY, text text NOT NULL, metadata jsonb, embedding vector(${query.length}));`);
    for (const { id, text, metadata, vector } of rows)
      await database.query('INSERT INTO chunks VALUES ($1, $2, $3, $4)', [
        ...[id, text, metadata ?? null],
        JSON.stringify([...vector]),
      ]);
    const nearest = 'SELECT id FROM chunks ORDER BY embedding <=> $1 LIMIT 5';
    const ask = async (): Promise<string[]> =>
      (await database.query<{ id: string }>(nearest, [JSON.stringify(query)])).rows.map(({ id }) => id);
    expect(await ask()).toEqual(nearestByHand(query));
    await database.exec('CREATE INDEX ON chunks USING hnsw (embedding vector_cosine_ops); SET enable_seqscan = off');
    expect(await ask()).toEqual(nearestByHand(query));
  }, 60_000);

  test('standard output takes the same bytes as a file', async () => {
    const flags = ['export', '--vectors', '--metadata', '--format', 'parquet'];
    const { status, stdout } = spawnSync(process.execPath, [cliEntry, ...flags], { cwd, maxBuffer: 2 ** 26 });
    expect(status).toBe(0);
    expect(stdout.equals(readFileSync(join(cwd, 'chunks.parquet')))).toBe(true);
    const refused = await run('export', '--format', 'parquet', '--json');
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('--parquet chunks.parquet');
    expect((await run('export', '--format', 'jsonl', '--parquet', 'x.parquet')).status).toBe(2);
    expect((await run('export', '--format', 'jsonl')).stdout).toBe((await run('export')).stdout);
  });

  test('without vectors and metadata these columns are not there', async () => {
    await run('export', '--parquet', 'plain.parquet');
    const [row] = await parquetReadObjects({ file: await asyncBufferFromFile(join(cwd, 'plain.parquet')) });
    expect(Object.keys(row!)).toEqual(['id', 'uri', 'span_start', 'span_end', 'title', 'heading', 'text', 'place']);
  });

  test('a file that cannot be written is told, and nothing is left', async () => {
    const { status, stderr } = await run('export', '--parquet', 'no-such-folder/x.parquet');
    expect(status).toBe(1);
    expect(stderr).toContain('FILE_UNREADABLE');
    const before = readFileSync(join(cwd, 'chunks.parquet'));
    await run('export', '--parquet', 'chunks.parquet', '--index', 'nowhere');
    expect(readFileSync(join(cwd, 'chunks.parquet'))).toEqual(before);
    expect(readdirSync(cwd).filter((name) => name.endsWith('.new'))).toEqual([]);
    expect(existsSync(join(cwd, 'no-such-folder'))).toBe(false);
  });
});
