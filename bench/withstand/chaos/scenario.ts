import type { Chance } from '../chance.ts';
import type { World } from './world.ts';

/** One kind of disturbance, with what must hold. */
export interface Scenario {
  readonly name: string;
  readonly what: string;
  readonly invariant: string;
  /** Tried in every so-manieth round. @default 1 */
  readonly every?: number | undefined;
  /** Why it cannot be tried here; undefined when it can. */
  skipped?(world: World): string | undefined;
  attempt(world: World, chance: Chance, number: number): Promise<Outcome>;
}

export interface Outcome {
  /** What must not be, in words. */
  readonly wrong: readonly string[];
  /** Added up over all attempts. */
  readonly counts?: Readonly<Record<string, number>>;
}
