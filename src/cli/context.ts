import { dirname, join } from 'node:path';
import { openIndex, type SearchIndex } from '../search-index.ts';
import { isRemoteAddress, locateIndex } from './locate-index.ts';

export interface CommonFlags {
  readonly index?: string;
  readonly json?: boolean;
}

/** Opens the index a command means, hands it over, and closes it whatever happens. */
export async function withIndex<T>(
  flags: CommonFlags,
  signal: AbortSignal,
  use: (index: SearchIndex) => Promise<T>,
  options: { readonly create?: boolean; readonly readTimeoutMs?: number; readonly waitMs?: number } = {},
): Promise<T> {
  const address = locateIndex(flags.index);
  await using index = await openIndex(address, {
    signal,
    base: flags.index === undefined && !isRemoteAddress(address) ? dirname(address) : process.cwd(),
    residency: 'none',
    ...options,
  });
  return await use(index);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** A path as the user would type it from here. */
export function fromBase(base: string, uri: string): string {
  return join(base, uri);
}
