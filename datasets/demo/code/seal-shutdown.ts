// Slows a turbine while a seal is near. The distances come from the licence, not from us.

export interface Track {
  readonly species: 'seal' | 'porpoise' | 'unknown';
  readonly rangeM: number;
  readonly seenAt: number; // milliseconds since the epoch
}

const SLOW_WITHIN_M = 60;
const CLEAR_MS = 12 * 60_000;
const SLOW_RPM = 4;

/** An unknown animal counts as a seal: better five minutes lost than an animal. */
export function isClose(track: Track): boolean {
  return track.species !== 'porpoise' && track.rangeM <= SLOW_WITHIN_M;
}

/** The highest speed the rotor may turn at, or undefined when there is no limit. */
export function rotorLimit(tracks: readonly Track[], now: number): number | undefined {
  const recent = tracks.some((track) => isClose(track) && now - track.seenAt < CLEAR_MS);
  return recent ? SLOW_RPM : undefined;
}
