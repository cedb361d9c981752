import { describe, expect, it } from 'vitest';
import type { RepeatRule } from '../../../src/wire/http/contract.ts';
import { backOffMs, type Cause, mayRepeat, retryAfterMs } from '../../../src/wire/http/retry.ts';

const ask = (rule: RepeatRule, cause: Cause, more: Partial<Parameters<typeof mayRepeat>[0]> = {}): boolean =>
  mayRepeat({ rule, cause, repeatUnanswered: false, passing: true, ...more });

describe('what may be sent again', () => {
  const causes: readonly Cause[] = ['unsent', 'unanswered', 400, 401, 408, 409, 429, 500, 502, 503, 504, 520, 529];
  // Written out by hand from the contract's words.
  const expected: Readonly<Record<RepeatRule, readonly Cause[]>> = {
    always: ['unsent', 'unanswered', 408, 409, 429, 500, 502, 503, 504, 520, 529],
    refused: ['unsent', 429, 500, 502, 503, 504, 520, 529],
    unsent: ['unsent', 429, 503],
    never: [],
  };
  it.each(Object.keys(expected) as RepeatRule[])('%s', (rule) => {
    expect(causes.filter((cause) => ask(rule, cause))).toEqual(expected[rule]);
  });

  it('allows an unanswered request only for the rule and the caller that take the chance', () => {
    const allowed = (['always', 'refused', 'unsent', 'never'] as const).filter((rule) =>
      ask(rule, 'unanswered', { repeatUnanswered: true }),
    );
    expect(allowed).toEqual(['always', 'refused']);
  });

  it('hears the service out: it may forbid anything, and allow what is not a run that bills', () => {
    expect(ask('always', 500, { shouldRetry: false })).toBe(false);
    expect(ask('refused', 400, { shouldRetry: true })).toBe(true);
    expect(ask('unsent', 500, { shouldRetry: true })).toBe(false);
    expect(ask('never', 429, { shouldRetry: true })).toBe(false);
  });

  it('does not repeat what waiting cannot heal', () => {
    expect(ask('always', 429, { passing: false })).toBe(false);
  });
});

describe('how long to wait', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  it.each([
    [{ 'retry-after-ms': '1500' }, 1500],
    [{ 'retry-after-ms': '0' }, 0],
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'x-ratelimit-reset': String(now / 1000 + 12) }, 12_000],
    [{ 'x-ratelimit-reset': '3' }, 3000],
    [{ 'retry-after-ms': '10', 'retry-after': '20' }, 10],
    [{ 'retry-after': '20', 'x-ratelimit-reset': '3' }, 20_000],
    [{}, undefined],
  ])('%j → %s', (headers: Record<string, string>, expected) => {
    expect(retryAfterMs(headers, now, 429)).toBe(expected);
  });

  it('takes the reset of a limit for a hint only where a limit was hit', () => {
    expect(retryAfterMs({ 'x-ratelimit-reset': '30' }, now, 500)).toBeUndefined();
  });

  it('doubles to a ceiling, less up to a quarter', () => {
    expect([1, 2, 3, 4, 5, 6].map((attempt) => backOffMs(attempt, 500, 0))).toEqual([
      500, 1000, 2000, 4000, 8000, 8000,
    ]);
    expect([1, 5, 6].map((attempt) => backOffMs(attempt, 429, 0))).toEqual([1000, 16_000, 16_000]);
    expect(backOffMs(1, 500, 0.999999)).toBe(375);
  });
});
