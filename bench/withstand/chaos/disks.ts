import type { Scenario } from './scenario.ts';
export const disks: readonly Scenario[] = [];
