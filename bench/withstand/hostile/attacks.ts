/** All attacks, by name. */
import { bodies } from './attack-bodies.ts';
import { bombs } from './attack-bombs.ts';
import { events } from './attack-events.ts';
import { framing } from './attack-framing.ts';
import { sockets } from './attack-sockets.ts';
import type { Wire } from './front.ts';

export interface Attack {
  readonly run: (wire: Wire) => Promise<void>;
  /** Of an upgrade, not of an answer. */
  readonly socket?: true;
  /** Large: run while no other of this kind runs, so that what it takes of memory is known to be its own. */
  readonly heavy?: true;
}

export type AttackTable = Readonly<Record<string, Attack>>;

export const attackSets: Readonly<Record<string, AttackTable>> = { framing, bodies, bombs, events, sockets };

export function attackOf(name: string): Attack {
  const found = Object.values(attackSets).find((table) => name in table)?.[name];
  if (found === undefined) throw new Error(`there is no attack "${name}"`);
  return found;
}
