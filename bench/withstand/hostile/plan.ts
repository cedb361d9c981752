/** Which attempt does what: all of it follows from the seed and the number of the attempt. */
import { seededRandom } from '../../../test/wire/service/random.ts';
import { attackOf, attackSets } from './attacks.ts';
import { doorNames } from './door-names.ts';

export interface Plan {
  readonly seed: number;
}

/** Pieces of what every key of a run holds: half a key is a leak too. */
export function piecesOf(marker: string): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at + 12 <= marker.length; at += 3) pieces.push(marker.slice(at, at + 12));
  return pieces;
}

export interface Attempt {
  readonly n: number;
  readonly set: string;
  readonly attack: string;
  /** What is called: an operation, or a way through the index. */
  readonly door: string;
  /** Requests of the attempt before the attack. */
  readonly skip: number;
  /** Whether the next requests are attacked too, as a repeated one is. */
  readonly again: boolean;
  /** How the call is given its time: as its own limit, or by the caller's signal as well. */
  readonly bySignal: boolean;
  /** Whether the client repeats what failed. */
  readonly repeats: boolean;
}

/** Of a hundred attempts. */
const shares: Readonly<Record<string, number>> = { framing: 34, bodies: 34, bombs: 5, events: 17, sockets: 10 };

export const randomOf = (seed: number, n: number, stream: number): (() => number) =>
  seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(n + 1, 0x85ebca6b) ^ Math.imul(stream, 0xc2b2ae35));

export function attemptOf({ seed }: Plan, n: number): Attempt {
  const random = randomOf(seed, n, 1);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const set = setAt(random() * 100);
  const attack = pick(Object.keys(attackSets[set]!));
  const kind = attackOf(attack).socket ? 'socket' : set === 'events' ? 'events' : 'answer';
  // the ways through the index are few among the operations, and used more
  const isWide = random() < 0.25;
  const fitting = doorNames(kind);
  const through = fitting.filter((name) => /^(index|page)\b/.test(name));
  const door = pick(isWide && through.length > 0 ? through : fitting);
  return {
    n,
    set,
    attack,
    door,
    skip: random() < 0.75 ? 0 : Math.floor(random() * 3),
    again: random() < 0.7,
    bySignal: random() < 0.3,
    repeats: random() < 0.2,
  };
}

function setAt(place: number): string {
  let end = 0;
  for (const [set, share] of Object.entries(shares)) {
    end += share;
    if (place < end) return set;
  }
  return 'bodies';
}
