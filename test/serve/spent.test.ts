import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DailyBudgets } from '../../src/serve/spent.ts';
import { tempFolder } from '../support/temp.ts';

describe('the budgets of a day', () => {
  afterEach(() => void vi.useRealTimers());

  it('go on after a restart; what a killed server had reserved is spent', () => {
    const path = join(tempFolder(), 'spent.json');
    const before = new DailyBudgets(path);
    before.meter('a', 1).reserve(0.4).settle(0.25);
    before.meter('a', 1).reserve(0.3).cancel();
    before.meter('a', 1).reserve(0.5); // under way when the server is killed
    before.meter('', 2).reserve(2).settle(2);
    const after = new DailyBudgets(path);
    expect(after.meter('a', 1).leftUsd).toBeCloseTo(0.25, 9);
    expect(() => after.meter('a', 1).reserve(0.26)).toThrow(/0.250000 of 1 USD/);
    expect(after.meter('', 2).leftUsd).toBe(0);
    expect(after.meter('b', 1).leftUsd).toBe(1);
    expect(after.meter('', 1).leftUsd).toBe(0); // a smaller budget than was spent
    expect(after.meter('', 5).leftUsd).toBe(3); // a larger one
  });

  it('forget nothing through a day with a smaller budget, in which only free calls fit', () => {
    const path = join(tempFolder(), 'spent.json');
    new DailyBudgets(path).meter('a', 1).reserve(0.875).settle(0.875);
    const smaller = new DailyBudgets(path).meter('a', 0.5);
    smaller.reserve(0).settle(0); // a model of one's own
    expect(() => smaller.reserve(0.125)).toThrow(/0.000000 of 0.5 USD/);
    expect(new DailyBudgets(path).meter('a', 1).leftUsd).toBe(0.125);
  });

  it('begin anew with the day, also while the server runs', () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 4, 1, 23, 59), toFake: ['Date'] });
    const path = join(tempFolder(), 'spent.json');
    const budgets = new DailyBudgets(path);
    const late = budgets.meter('a', 1).reserve(1);
    vi.setSystemTime(Date.UTC(2026, 4, 2, 0, 1));
    expect(budgets.meter('a', 1).leftUsd).toBe(1);
    budgets.meter('a', 1).reserve(0.5).settle(0.5);
    late.settle(1); // yesterday's
    expect(budgets.meter('a', 1).leftUsd).toBe(0.5);
    const files = readdirSync(dirname(path)).map((file) => readFileSync(join(dirname(path), file), 'utf8'));
    expect(files.map((text) => JSON.parse(text) as unknown)).toEqual(
      expect.arrayContaining([
        { day: '2026-05-01', usd: { a: 1 } },
        { day: '2026-05-02', usd: { a: 0.5 } },
      ]),
    );
    expect(files.length).toBe(2);
    // a file of an earlier version counts, and those of days long over are removed
    writeFileSync(path, JSON.stringify({ day: '2026-05-02', usd: { a: 0.25 } }));
    expect(budgets.meter('a', 1).leftUsd).toBe(0.25);
    vi.setSystemTime(Date.UTC(2026, 4, 9));
    expect(new DailyBudgets(path).meter('a', 1).leftUsd).toBe(1);
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it('are not given twice by a clock that goes over midnight and is set back', () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 4, 1, 23, 59), toFake: ['Date'] });
    const budgets = new DailyBudgets(join(tempFolder(), 'spent.json'));
    budgets.meter('a', 1).reserve(0.75).settle(0.75);
    vi.setSystemTime(Date.UTC(2026, 4, 2, 0, 1));
    budgets.meter('a', 1).reserve(0.5).settle(0.5);
    vi.setSystemTime(Date.UTC(2026, 4, 1, 23, 58));
    expect(budgets.meter('a', 1).leftUsd).toBe(0.25);
    vi.setSystemTime(Date.UTC(2026, 4, 2, 0, 2));
    expect(budgets.meter('a', 1).leftUsd).toBe(0.5);
  });

  it('hold over two servers that share them, and go back when a call turns out cheaper', () => {
    const path = join(tempFolder(), 'spent.json');
    const [one, two] = [new DailyBudgets(path).meter('a', 1), new DailyBudgets(path).meter('a', 1)];
    const first = one.reserve(0.5);
    two.reserve(0.25).settle(0.25);
    expect([one.leftUsd, two.leftUsd]).toEqual([0.25, 0.25]);
    expect(() => two.reserve(0.375)).toThrow(/0.250000 of 1 USD are left/);
    expect(two.leftUsd).toBe(0.25); // what was refused is not noted
    first.settle(0.125);
    two.reserve(0.375).settle(0.375);
    expect(() => one.reserve(0.375)).toThrow(/0.250000 of 1 USD/);
    one.reserve(0.25).settle(0.25);
    expect(new DailyBudgets(path).meter('a', 1).leftUsd).toBe(0);
  });

  it('hold over servers that reserve at the same moment', async () => {
    const path = join(tempFolder(), 'spent.json');
    const script = `
      import { DailyBudgets } from ${JSON.stringify(new URL('../../src/serve/spent.ts', import.meta.url).href)};
      const meter = new DailyBudgets(${JSON.stringify(path)}).meter('a', 1);
      let paid = 0;
      for (let i = 0; i < 200; i++) {
        try { const one = meter.reserve(1 / 64); one.settle(1 / 64); paid++; }
        catch (error) { if (error.code !== 'BUDGET_EXCEEDED') throw error; }
      }
      console.log(paid);`;
    const run = promisify(execFile);
    const ran = await Promise.all(
      [1, 2].map(() => run(process.execPath, ['--input-type=module-typescript', '-e', script])),
    );
    const paid = ran.map(({ stdout }) => Number(stdout));
    expect(paid[0]! + paid[1]!).toBeGreaterThan(0);
    expect(paid[0]! + paid[1]!).toBeLessThanOrEqual(64);
  }, 30_000);

  it('need no file, and begin anew with a damaged one', () => {
    const path = join(tempFolder(), 'spent.json');
    writeFileSync(path, '{"day');
    for (const budgets of [new DailyBudgets(undefined), new DailyBudgets(path)]) {
      budgets.meter('', 1).reserve(0.75).settle(0.75);
      expect(budgets.meter('', 1).leftUsd).toBe(0.25);
    }
  });
});
