import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ day: '2026-05-02', usd: { a: 0.5 } });
  });

  it('need no file, and begin anew with a damaged one', () => {
    const path = join(tempFolder(), 'spent.json');
    writeFileSync(path, '{"day');
    for (const budgets of [new DailyBudgets(undefined), new DailyBudgets(path)]) {
      budgets.meter('', 1).reserve(0.75).settle(0.75);
      expect(budgets.meter('', 1).leftUsd).toBe(0.25);
    }
  });
});
