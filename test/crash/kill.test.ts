import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openIndex } from '../../src/index.ts';
import { runCli } from '../support/cli.ts';
import { tempFolder, writeFiles } from '../support/temp.ts';

const child = join(import.meta.dirname, 'ingest-child.ts');
const KILLS = 7;
const SEED = 20261120;

interface ExportedChunk {
  readonly uri: string;
  readonly span: { readonly start: number; readonly end: number };
  readonly text: string;
  readonly vector: readonly number[];
}

async function ibid(cwd: string, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await runCli(args, { cwd });
  expect(status, stderr).toBe(0);
  return stdout;
}

async function exported(cwd: string): Promise<ExportedChunk[]> {
  await using index = await openIndex(join(cwd, '.ibid'));
  return (await Array.fromAsync(index.export({ vectors: true }))).map((chunk) => ({ ...chunk, vector: chunk.vector! }));
}

const ingestWhole = (cwd: string, ...args: string[]): string =>
  execFileSync(process.execPath, [child, ...args], { cwd, encoding: 'utf8' });

/** Starts an ingest and kills it, with no chance to clean up, after `afterMs`; says how many commits it had made. */
async function killedIngest(cwd: string, afterMs: number, ...args: string[]): Promise<number> {
  const run = spawn(process.execPath, [child, ...args], { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
  let commits = 0;
  run.stdout.on('data', (data: Buffer) => {
    commits += data.length;
  });
  const exit = once(run, 'exit');
  await Promise.race([exit, sleep(afterMs)]);
  run.kill('SIGKILL');
  await exit;
  return commits;
}

/** A linear congruential generator: the moments are the same on every run of the test. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
}

const words =
  'tide turbine blade harbour winch cable gearbox salinity current mooring survey diver buoy sonar keel anchor'.split(
    ' ',
  );

function library(version: number, documents: number): Record<string, string> {
  const random = randomFrom(version * 7919);
  return Object.fromEntries(
    Array.from({ length: documents }, (_, i) => {
      const paragraphs = Array.from({ length: 12 }, (_, p) => {
        const sentence = Array.from({ length: 60 }, () => words[Math.floor(random() * words.length)]).join(' ');
        return `Version ${version} of document ${i}, paragraph ${p}: ${sentence}.`;
      });
      return [`docs/${i % 7}/document-${i}.md`, `# Document ${i}\n\n${paragraphs.join('\n\n')}`];
    }),
  );
}

/** Every document of an index is one version, whole. */
function assertWhole(chunks: readonly ExportedChunk[], sources: readonly Readonly<Record<string, string>>[]): void {
  const texts = new Map<string, string>();
  for (const { uri, span, text } of chunks) {
    const before = texts.get(uri) ?? '';
    expect(span.start, `${uri} has a gap or an overlap`).toBe(before.length);
    texts.set(uri, before + text);
  }
  for (const [uri, text] of texts) {
    const wanted = sources.flatMap((source) => (source[uri] === undefined ? [] : [source[uri]]));
    expect(wanted.includes(text), `${uri} is neither its old nor its new version`).toBe(true);
  }
}

describe('an ingest killed at any instant', () => {
  it(`leaves whole documents, and the next run ends as if nothing had happened (${KILLS} kills, seed ${SEED})`, async () => {
    const random = randomFrom(SEED);
    const old = library(1, 30);
    const fresh = library(2, 33);
    delete fresh['docs/3/document-3.md'];
    const root = tempFolder(old);
    const reference = tempFolder(fresh);
    await ibid(root, 'ingest', 'docs', '--quiet');
    const startedAt = performance.now();
    const wholeCommits = ingestWhole(reference).length;
    const runMs = performance.now() - startedAt;
    for (const uri of Object.keys(old)) if (fresh[uri] === undefined) rmSync(join(root, uri));
    writeFiles(root, fresh);
    let midway = 0;
    // on a busy machine kills fall where nothing is committed: then there are more of them
    for (let kill = 0; kill < KILLS || (midway <= 2 && kill < 4 * KILLS); kill++) {
      const commits = await killedIngest(root, runMs * (0.2 + random() * 0.85));
      if (commits > 0 && commits < wholeCommits) midway++;
      assertWhole(await exported(root), [old, fresh]);
      // change direction: there is always work to kill
      if (kill % 2 === 1) writeFiles(root, kill % 4 === 1 ? old : fresh);
    }
    expect(midway, 'no kill fell between two commits, so the test has shown nothing').toBeGreaterThan(2);
    for (const uri of Object.keys(old)) if (fresh[uri] === undefined) rmSync(join(root, uri), { force: true });
    writeFiles(root, fresh);
    ingestWhole(root);
    const ended = await exported(root);
    assertWhole(ended, [fresh]);
    expect(ended.map(({ uri, span, text }) => ({ uri, span, text }))).toEqual(
      (await exported(reference)).map(({ uri, span, text }) => ({ uri, span, text })),
    );
    const found = JSON.parse(await ibid(root, 'search', 'document 32 paragraph 7', '--json')) as {
      hits: { uri: string }[];
    };
    expect(found.hits.map(({ uri }) => uri)).toContain('docs/4/document-32.md');
    expect(await ibid(root, 'doctor')).not.toContain('BAD');
  }, 600_000);

  it('makes the same index from nothing, vectors included, as a run that was left alone', async () => {
    const random = randomFrom(SEED + 1);
    const files = library(3, 30);
    const root = tempFolder(files);
    const reference = tempFolder(files);
    const startedAt = performance.now();
    ingestWhole(reference);
    const runMs = performance.now() - startedAt;
    for (let kill = 0; kill < KILLS - 3; kill++) await killedIngest(root, runMs * (0.3 + random() * 0.6));
    ingestWhole(root);
    expect(await exported(root)).toEqual(await exported(reference));
  }, 600_000);

  it('of shards leaves whole documents, and the next run makes the index of a run that was left alone', async () => {
    const random = randomFrom(SEED + 2);
    const [old, fresh] = [library(6, 30), library(7, 31)];
    const root = tempFolder(old);
    const reference = tempFolder(fresh);
    const startedAt = performance.now();
    ingestWhole(reference);
    const runMs = performance.now() - startedAt;
    for (let kill = 0; kill < KILLS; kill++) {
      await killedIngest(root, runMs * (0.3 + random() * 1.2), '3');
      if (existsSync(join(root, '.ibid', 'shards.json'))) assertWhole(await exported(root), [old, fresh]);
      if (kill % 2 === 1) writeFiles(root, kill % 4 === 1 ? fresh : old);
    }
    for (const uri of Object.keys(fresh)) rmSync(join(root, uri), { force: true });
    writeFiles(root, fresh);
    ingestWhole(root, '3');
    const texts = async (cwd: string) => (await exported(cwd)).map(({ uri, span, text }) => ({ uri, span, text }));
    expect(await texts(root)).toEqual(await texts(reference));
    expect(await ibid(root, 'doctor')).not.toContain('BAD');
  }, 600_000);

  it('shows a reader whole documents at every moment of a run', async () => {
    const [old, fresh] = [library(4, 30), library(5, 30)];
    const root = tempFolder(old);
    ingestWhole(root);
    await using index = await openIndex(join(root, '.ibid'));
    const seen = new Set<number>();
    for (const next of [fresh, old, fresh, old]) {
      writeFiles(root, next);
      const run = spawn(process.execPath, [child], { cwd: root, stdio: 'ignore' });
      const exit = once(run, 'exit');
      while (run.exitCode === null) {
        const chunks: ExportedChunk[] = [];
        for await (const chunk of index.export()) chunks.push({ ...chunk, vector: [] });
        assertWhole(chunks, [old, fresh]);
        seen.add(chunks.filter(({ text }) => text.includes('Version 5')).length);
      }
      await exit;
      if (seen.size > 3) break;
    }
    expect(seen.size, 'the reader never saw the run half done, so the test has shown nothing').toBeGreaterThan(2);
  }, 120_000);
});
