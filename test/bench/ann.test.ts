import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RunOf, readRunFile } from '../../bench/support/run-file.ts';
import { tempFolder } from '../support/temp.ts';

const script = join(import.meta.dirname, '../../bench/ann/run.ts');
const ibid = '--engines=ibid';
const flat = '--engines=ibid,IVF_FLAT'; // with the one of short training

describe('nearest-neighbour search of what is kept', { timeout: 120_000 }, () => {
  it('searches what is built, builds what is missing, and says why it leaves something out', () => {
    const home = tempFolder();
    const start = (...flags: string[]): string => {
      const out = join(tempFolder(), 'ann.json');
      const shape = ['--rows=400', '--dims=64', '--data=turned', '--rounds=1', '--queries=8', `--keep=${home}`];
      const { status, stderr } = spawnSync(
        process.execPath,
        [script, ...shape, '--methods=as chosen;IVF_FLAT', ...flags, `--out=${out}`],
        { encoding: 'utf8' },
      );
      expect(status, stderr).toBe(0);
      return out;
    };
    const run = (...flags: string[]): RunOf<'ann'> => readRunFile(start(...flags)) as RunOf<'ann'>; // of this bench
    const ways = ({ results }: RunOf<'ann'>): string[] =>
      results.cases.map(({ engine, method }) => `${engine} ${method}`);

    const nothing = run('--only=search', flat);
    expect(ways(nothing)).toEqual([]);
    expect(nothing.results.skipped).toEqual([{ what: '400 × 64, turned', reason: 'nothing of it is kept' }]);

    start('--only=build', ibid);
    const found = run('--only=search', flat);
    expect(ways(found)).toEqual(['ibid as chosen']);
    expect(found.results.cases[0]!.curve[0]!.recall).toBe(1); // so few rows are scanned
    const unbuilt = { what: 'lancedb IVF_FLAT, 400 × 64, turned', reason: 'it has not been built' };
    expect(found.results.skipped).toContainEqual(unbuilt);

    const missing = run('--only=missing', flat);
    expect(ways(missing)).toEqual(['lancedb IVF_FLAT']);
    const needless = 'IVF_FLAT has been built with its defaults';
    expect(missing.results.skipped.map(({ reason }) => reason)).toEqual([needless]); // the stand-in with short training
    expect(ways(run('--only=missing', flat))).toEqual([]);
    expect(ways(run('--only=search', flat))).toEqual(['ibid as chosen', 'lancedb IVF_FLAT']);
  });
});
