import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KeptSet } from '../../../bench/ann/kept.ts';
import { curvesTable, neighboursTable, pointOfInterest } from '../../../bench/ann/table.ts';
import type { RunOf } from '../../../bench/support/run-file.ts';
import { tempFolder } from '../../support/temp.ts';

const shape = { kind: 'turned', rows: 60, dims: 24 };
const built = { buildMs: 1, buildCpuMs: 2, buildRssBytes: 3, diskBytes: 4 };

describe('sets and indexes that are kept', () => {
  it('are made once: vectors as they were, indexes until they are cleared', () => {
    const root = tempFolder({});
    const set = new KeptSet(root, shape);
    expect(set.isWritten).toBe(false);
    set.write({ ...shape, queries: 3 }, 10, 1);
    expect(set.isWritten).toBe(true);
    const rows = readFileSync(join(set.folder, 'rows.i8'));
    new KeptSet(root, shape).write({ ...shape, queries: 3 }, 10, 2); // another seed would make others
    expect(readFileSync(join(set.folder, 'rows.i8')).equals(rows)).toBe(true);
    expect(set.vectors(24).queries.length).toBe(3);

    expect(set.built('engine one')).toBeUndefined();
    writeFileSync(join(set.clear('engine one'), 'file'), 'x');
    set.settle('engine one', built);
    expect(new KeptSet(root, shape).built('engine one')).toMatchObject(built);
    expect(set.built('engine two')).toBeUndefined();
    expect(existsSync(join(set.clear('engine one'), 'file'))).toBe(false);
    expect(set.built('engine one')).toBeUndefined();
  });

  it('of an index that was not built, only the reason stays', () => {
    const set = new KeptSet(tempFolder({}), shape);
    set.write({ ...shape, queries: 3 }, 10, 1);
    const place = set.clear('slow');
    set.settle('slow', { reason: 'it takes too long' });
    expect([existsSync(place), set.built('slow')]).toEqual([false, { reason: 'it takes too long' }]);
  });
});

const point = (setting: string, recall: number, p50Ms: number) => ({ setting, recall, p50Ms, p95Ms: 2 * p50Ms });

describe('the table of nearest neighbours', () => {
  it('shows the cheapest setting that finds enough, or the one that finds most', () => {
    const curve = [point('a', 0.9, 1), point('b', 0.995, 5), point('c', 1, 4), point('d', 1, 9)];
    expect(pointOfInterest({ curve }).setting).toBe('c');
    expect(pointOfInterest({ curve: curve.slice(0, 1) }).setting).toBe('a');
    expect(pointOfInterest({ curve: [point('x', 0.9, 3), point('y', 0.9, 2)] }).setting).toBe('y');
  });

  it('takes the largest set, who finds enough first, and names what is missing', () => {
    const one = (engine: string, rows: number, curve: ReturnType<typeof point>[]) => ({
      ...{ data: 'made', rows, dimensions: 8, engine, method: 'm', buildMs: 1000, diskBytes: 2e9, curve },
    });
    const run = {
      command: 'bench',
      results: {
        k: 10,
        cases: [
          one('small', 10, [point('s', 1, 0.1)]),
          one('quick', 100, [point('s', 0.5, 1)]),
          one('slow', 100, [point('s', 1, 7)]),
          one('good', 100, [point('s', 0.99, 3)]),
        ],
        skipped: [
          { what: 'other m, 100 × 8, made', reason: 'too slow' },
          { what: 'other m, 10 × 8, made', reason: 'unseen' },
        ],
      },
    } as unknown as RunOf<'ann'>; // the table reads no more of it
    const table = neighboursTable(run);
    expect([...table.matchAll(/^\| (\w+): m/gm)].map((match) => match[1])).toEqual(['good', 'slow', 'quick']);
    expect(table).toContain('| good: m | s | 0.990 | 3.00 | 6.00 |  | 2.00 | 1 |');
    expect(table).toContain('Not measured: other m (too slow).');
    expect(neighboursTable(run, 8)).toBe(table);
    expect(curvesTable(run).split('\n')).toEqual([
      '| | small: m | quick: m | slow: m | good: m |',
      '| --- | --: | --: | --: | --: |',
      '| 10 × 8 | 1.000 at 0.10 |  |  |  |',
      '| 100 × 8 |  | 0.500 at 1.00 | 1.000 at 7.00 | 0.990 at 3.00 |',
    ]);
  });

  it('shows the dimensions that are asked for, in their largest set', () => {
    const one = (rows: number, dimensions: number) => ({
      ...{ data: 'made', rows, dimensions, engine: 'e', method: 'm', buildMs: 1000, curve: [point('s', 1, 1)] },
    });
    const cases = [one(10, 1024), one(1000, 2560), one(100, 1024), one(1000, 8)];
    const run = { command: 'bench', results: { k: 10, cases, skipped: [] } } as unknown as RunOf<'ann'>;
    expect(neighboursTable(run)).toContain('among 100 × 1,024 vectors');
    expect(neighboursTable(run, 7)).toContain('among 1,000 × 2,560 vectors');
  });
});
