import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { tempFolder, writeFiles } from '../support/temp.ts';

const main = join(import.meta.dirname, '../../src/cli/main.ts');
const KILLS = 10;
const SEED = 20261120;

interface ExportedChunk {
  readonly uri: string;
  readonly span: { readonly start: number; readonly end: number };
  readonly text: string;
  readonly vector: readonly number[];
}

const ibid = (cwd: string, ...args: string[]): string =>
  execFileSync(process.execPath, [main, ...args], { cwd, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'pipe'] });

function exported(cwd: string): ExportedChunk[] {
  const lines = ibid(cwd, 'export', '--vectors').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as ExportedChunk); // our own export
}

/** Starts an ingest and kills it, with no chance to clean up, after `afterMs`; says whether it had already ended. */
async function killedIngest(cwd: string, afterMs: number): Promise<boolean> {
  const child = spawn(process.execPath, [main, 'ingest', 'docs', '--quiet', '--force'], { cwd, stdio: 'ignore' });
  const exit = once(child, 'exit');
  const ended = await Promise.race([exit.then(() => true), sleep(afterMs, false)]);
  child.kill('SIGKILL');
  await exit;
  return ended;
}

/** A linear congruential generator: the moments are the same on every run of the test. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
}

const words = 'tide turbine blade harbour winch cable gearbox salinity current mooring survey diver buoy sonar keel anchor'.split(' ');

function library(version: number, documents: number): Record<string, string> {
  const random = randomFrom(version * 7919);
  return Object.fromEntries(
    Array.from({ length: documents }, (_, i) => {
      const paragraphs = Array.from({ length: 12 }, (_, p) => {
        const sentence = Array.from({ length: 60 }, () => words[Math.floor(random() * words.length)]).join(' ');
        return `Version ${version} of document ${i}, paragraph ${p}: ${sentence}.`;
      });
      return [`docs/${i % 7}/document-${i}.md`, `# Document ${i}\n\n${paragraphs.join('\n\n')}\n`];
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
    const old = library(1, 60);
    const fresh = library(2, 66);
    delete fresh['docs/3/document-3.md'];
    const root = tempFolder(old);
    const reference = tempFolder(fresh);
    ibid(root, 'ingest', 'docs', '--quiet');
    const startedAt = performance.now();
    ibid(reference, 'ingest', 'docs', '--quiet');
    const runMs = performance.now() - startedAt;
    for (const uri of Object.keys(old)) if (fresh[uri] === undefined) rmSync(join(root, uri));
    writeFiles(root, fresh);
    for (let kill = 0; kill < KILLS; kill++) {
      await killedIngest(root, random() * runMs * 1.1);
      assertWhole(exported(root), [old, fresh]);
      if (kill % 4 === 3) writeFiles(root, kill % 8 === 3 ? old : fresh); // change direction: there is always work to kill
    }
    for (const uri of Object.keys(old)) if (fresh[uri] === undefined) rmSync(join(root, uri), { force: true });
    writeFiles(root, fresh);
    ibid(root, 'ingest', 'docs', '--quiet', '--force');
    const ended = exported(root);
    assertWhole(ended, [fresh]);
    expect(ended.map(({ uri, span, text }) => ({ uri, span, text }))).toEqual(
      exported(reference).map(({ uri, span, text }) => ({ uri, span, text })),
    );
    const found = JSON.parse(ibid(root, 'search', 'document 64 paragraph 7', '--json')) as { hits: { uri: string }[] };
    expect(found.hits.map(({ uri }) => uri)).toContain('docs/1/document-64.md');
    expect(ibid(root, 'doctor')).not.toContain('BAD');
  }, 600_000);

  it('makes the same index from nothing, vectors included, as a run that was left alone', async () => {
    const random = randomFrom(SEED + 1);
    const files = library(3, 60);
    const root = tempFolder(files);
    const reference = tempFolder(files);
    const startedAt = performance.now();
    ibid(reference, 'ingest', 'docs', '--quiet');
    const runMs = performance.now() - startedAt;
    for (let kill = 0; kill < KILLS; kill++) await killedIngest(root, random() * runMs);
    ibid(root, 'ingest', 'docs', '--quiet');
    expect(exported(root)).toEqual(exported(reference));
  }, 600_000);
});
