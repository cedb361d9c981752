import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { nameOf, readLayout, shardFolder, shardOf } from '../../src/store/shards/layout.ts';
import { runCli } from '../support/cli.ts';
import { notes } from '../support/sea-notes.ts';
import { tempFolder } from '../support/temp.ts';

const SHARDS = 3;
const LOST = 1;

/** A folder with an index of three shards, and the folder of the one that a test takes away or damages. */
async function made(): Promise<{ readonly cwd: string; readonly shard: string; readonly left: readonly string[] }> {
  const files = notes(0, 24);
  const cwd = tempFolder(files);
  expect((await runCli(['ingest', 'docs', '--shards', `${SHARDS}`, '--quiet'], { cwd })).status).toBe(0);
  const address = join(cwd, '.ibid');
  const left = Object.keys(files).filter((uri) => shardOf(uri, SHARDS) !== LOST);
  expect(left.length).toBeLessThan(24);
  return { cwd, shard: shardFolder(address, readLayout(address)!.set, LOST), left: left.sort() };
}

/** Changes one byte of the rows of a shard. */
function damage(shard: string): void {
  const folder = join(shard, 'lance/chunks_1.lance/data');
  const path = join(folder, readdirSync(folder)[0]!);
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(path, bytes);
}

describe.each([
  ['is gone', 'INDEX_NOT_FOUND', (shard: string) => rmSync(shard, { recursive: true }), 'Bring this folder back, or'],
  ['is damaged', 'INDEX_DAMAGED', damage, 'Remove <shard>, and'],
] as const)('an index of which a shard %s', (_, code, harm, wayOut) => {
  it('is told by status and doctor, with the way out for that', async () => {
    const { cwd, shard, left } = await made();
    expect((await runCli(['status'], { cwd })).stdout).toContain(` on ${SHARDS} shards, `);
    harm(shard);
    expect((await runCli(['status'], { cwd })).stdout).toContain(`\n${left.length} documents, `);
    const { status, stderr } = await runCli(['doctor'], { cwd });
    expect(status).toBe(1);
    expect(stderr.match(/^hint: .*/gm)).toEqual([
      `hint: ${wayOut.replace('<shard>', shard)} ingest the same folders: the documents of this shard are read again.`,
    ]);
  });

  it('is exported when the user says so, and then names what is missing', async () => {
    const { cwd, shard, left } = await made();
    harm(shard);
    const refused = await runCli(['export'], { cwd });
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toContain(`error[${code}]: shard ${nameOf(LOST)} cannot be exported`);
    expect(refused.stderr).toContain('add `--partial`');

    const { status, stdout, stderr } = await runCli(['export', '--partial'], { cwd });
    expect(status).toBe(3);
    expect(stderr).toContain(`note: without shard ${nameOf(LOST)}`);
    const uris = stdout.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { uri: string }).uri]));
    expect([...new Set(uris)]).toEqual(left);

    const parquet = await runCli(['export', '--partial', '--parquet', 'x.parquet', '--json'], { cwd });
    const told = { file: 'x.parquet', chunks: uris.length, missing: [{ name: nameOf(LOST), code }] };
    expect([parquet.status, JSON.parse(parquet.stdout)]).toEqual([3, told]);
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(join(cwd, 'x.parquet')) });
    expect(rows.map(({ uri }) => uri)).toEqual(uris);
  });
});

it('a dry run over an index with a damaged shard says what the run would', async () => {
  const { cwd, shard } = await made();
  damage(shard);
  for (const dry of [['--dry-run'], []]) {
    const { status, stderr } = await runCli(['ingest', 'docs', '--quiet', ...dry], { cwd });
    expect(status).toBe(1);
    expect(stderr).toContain('error[INDEX_DAMAGED]');
    expect(stderr).toContain(`Remove ${shard}`);
  }
});

it.each([
  [64, false],
  [65, true],
])('%i shards for a small folder: that many are work is told before they are made: %s', async (shards, isTold) => {
  const cwd = tempFolder(notes(0, 3));
  const { status, stderr } = await runCli(['ingest', 'docs', '--dry-run', '--shards', `${shards}`], { cwd });
  expect(status).toBe(0);
  expect(stderr.includes(`note: each of ${shards} shards is an index`)).toBe(isTold);
});

it('another number of shards is refused with the command that makes it', async () => {
  const { cwd } = await made();
  const { status, stderr } = await runCli(['ingest', 'docs', '--shards', '2'], { cwd });
  expect(status).toBe(1);
  expect(stderr).toContain('hint: For the other number, run `ibid ingest --rebuild`; else leave it out.');
});
