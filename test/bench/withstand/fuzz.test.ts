import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunOf } from '../../../bench/support/run-file.ts';
import { read } from '../../../bench/withstand/fuzz/attempt.ts';
import { missing } from '../../../bench/withstand/fuzz/round-trips.ts';
import type { Document, Reader } from '../../../src/index.ts';
import { tempFolder } from '../../support/temp.ts';

function fuzz(...flags: string[]): { status: number | null; run: RunOf<'trials'> } {
  const out = join(tempFolder(), 'run.json');
  const file = join(import.meta.dirname, '../../../bench/withstand/fuzz.ts');
  const { status } = spawnSync(process.execPath, [file, '--out', out, ...flags], { stdio: 'ignore' });
  return { status, run: JSON.parse(readFileSync(out, 'utf8')) as RunOf<'trials'> };
}

const giving = (document: () => Document): Reader => ({
  read: async () => document(),
  close: async () => {},
  [Symbol.asyncDispose]: async () => {},
});

describe('npm run fuzz', () => {
  it('finds nothing in ten seconds', () => {
    const { status, run } = fuzz('--seconds', '10');
    const [set] = run.results.sets;
    expect(set!.findings).toEqual([]);
    expect(set!.attempts).toBeGreaterThan(20);
    expect(set!.figures.read).toBeGreaterThan(5);
    expect(status).toBe(0);
  }, 200_000);

  it('finds documents that were broken, and says how to repeat them', () => {
    const { status, run } = fuzz('--attempts', '60', '--careless');
    const { findings } = run.results.sets[0]!;
    expect(findings.map(({ what }) => what).join()).toContain('a lone surrogate');
    expect(findings.map(({ what }) => what).join()).toContain('block 0-');
    expect(findings.map(({ command }) => command)).toContainEqual(
      expect.stringMatching(/^npm run fuzz -- --seed 1 --only \d+$/),
    );
    expect(status).toBe(1);
  }, 200_000);

  it.each<[string, () => Document]>([
    [
      'TypeError',
      () => {
        throw new TypeError('of undefined');
      },
    ],
    [
      'Tuesday',
      () => ({
        uri: 'a',
        title: '',
        text: 'June\n',
        format: 'text',
        blocks: [],
        locators: [],
        metadata: {},
        warnings: [],
      }),
    ],
  ])('tells %s', async (found, document) => {
    const expects = ({ text }: Document): string | undefined => missing(['June', 'Tuesday'], text);
    const input = { what: 'words', name: 'a.txt', bytes: Buffer.from('June Tuesday'), expects };
    expect((await read(input, giving(document), 1000)).faults.join()).toContain(found);
  });
});
