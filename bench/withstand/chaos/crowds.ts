import type { Scenario } from './scenario.ts';
export const crowds: readonly Scenario[] = [];
