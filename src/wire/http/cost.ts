import { listOf } from '../../core/arguments.ts';
import { WireError } from './errors.ts';

/**
 * What a call costs. `usd` and `credits` are separate currencies; `parts` says what they are made of and sums to them.
 */
export interface Cost {
  readonly usd: number;
  /** Credits of the audio service. */
  readonly credits: number;
  /** Whether the service said so, or it follows from the price table. */
  readonly source: 'service' | 'table';
  readonly parts: readonly CostPart[];
}

export interface CostPart {
  /** `input`, `output`, `cache-read`, `request` … */
  readonly name: string;
  readonly usd?: number | undefined;
  readonly credits?: number | undefined;
  /** How many were counted: tokens, requests, characters, minutes. */
  readonly quantity?: number | undefined;
}

export const noCost: Cost = { usd: 0, credits: 0, source: 'table', parts: [] };

/** USD of `quantity` at a price per million; what price tables are written in. */
export const perMillion = (quantity: number, usd: number): number => exact((quantity * usd) / 1e6);

/** USD of `quantity` at a price per thousand: requests, pages. */
export const perThousand = (quantity: number, usd: number): number => exact((quantity * usd) / 1e3);

/** A cost from its parts; parts of quantity 0 are kept out, so that a cost reads like a bill. */
export function costOf(parts: readonly CostPart[], source: Cost['source'] = 'table'): Cost {
  for (const part of parts) {
    for (const value of [part.usd, part.credits, part.quantity]) {
      if (value !== undefined && !(Number.isFinite(value) && value >= 0)) {
        throw new WireError('INVALID_ARGUMENT', `the cost of ${part.name} must be a number from 0, not ${value}`);
      }
    }
  }
  const billed = parts.filter((part) => part.quantity !== 0 || (part.usd ?? 0) !== 0 || (part.credits ?? 0) !== 0);
  return {
    usd: sum(billed.map((part) => part.usd ?? 0)),
    credits: sum(billed.map((part) => part.credits ?? 0)),
    source,
    parts: billed,
  };
}

/** Several calls as one: parts of one name are added up. From the table as soon as one of them is. */
export function sumCosts(costs: readonly Cost[]): Cost {
  const parts = new Map<string, CostPart>();
  for (const part of listOf(costs, 'costs').flatMap((cost) => cost.parts)) {
    const before = parts.get(part.name);
    const add = (a: number | undefined, b: number | undefined): number | undefined =>
      a === undefined && b === undefined ? undefined : sum([a ?? 0, b ?? 0]);
    parts.set(part.name, {
      name: part.name,
      usd: add(before?.usd, part.usd),
      credits: add(before?.credits, part.credits),
      quantity: add(before?.quantity, part.quantity),
    });
  }
  return {
    usd: sum(costs.map((cost) => cost.usd)),
    credits: sum(costs.map((cost) => cost.credits)),
    source: costs.length > 0 && costs.every((cost) => cost.source === 'service') ? 'service' : 'table',
    parts: [...parts.values()],
  };
}

/** Twelve decimals of a dollar: prices are finite decimals, binary sums of them are not. */
const exact = (value: number): number => Number(value.toFixed(12));
const sum = (values: readonly number[]): number => exact(values.reduce((total, value) => total + value, 0));
