import { expect, it } from 'vitest';
import { IbidError } from '../../../src/core/errors.ts';
import type { SearchReport } from '../../../src/core/report.ts';
import { sumOfReports } from '../../../src/passages/find.ts';

/** Of a search that had to do without these of four shards. */
function report(...missing: readonly string[]): SearchReport {
  return {
    mode: 'hybrid',
    warnings: missing.map((name) => new IbidError('TIMEOUT', `searched without shard ${name}`)),
    shards: { asked: 4, missing: missing.map((name) => ({ name, code: 'TIMEOUT' })) },
    costUsd: 0.25,
    elapsedMs: 2,
  };
}

it('what one search of a question had to do without, its answer had to do without', () => {
  const sum = sumOfReports([report('a', 'b'), report('b', 'c'), report()]);
  const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ name, code: 'TIMEOUT' }));
  expect(sum).toMatchObject({ shards: { asked: 4, missing: [a, b, c] }, costUsd: 0.75, elapsedMs: 6 });
  expect(sum?.warnings.map(({ message }) => message.at(-1))).toEqual(['a', 'b', 'c']);
});

it('says nothing of shards where no search had some, and nothing of no search', () => {
  const { shards: _, ...plain } = report();
  expect(sumOfReports([plain, plain])).not.toHaveProperty('shards');
  expect(sumOfReports([])).toBeUndefined();
});
