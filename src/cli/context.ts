import { dirname } from 'node:path';
import { type OpenIndexOptions, openIndex, type SearchIndex } from '../index.ts';
import { isRemoteAddress, locateIndex } from './locate-index.ts';
import { boundReadAhead } from './memory.ts';
import { openServices } from './services.ts';
import { jsonText } from './text.ts';

export interface CommonFlags {
  readonly index?: string;
  readonly json?: boolean;
}

/** Opens the index a command means, hands it over, and closes it whatever happens. */
export async function withIndex<T>(
  flags: CommonFlags,
  signal: AbortSignal,
  use: (index: SearchIndex) => Promise<T>,
  options: Pick<OpenIndexOptions, 'create' | 'reader' | 'waitMs' | 'embedder'> = {},
): Promise<T> {
  const address = locateIndex(flags.index);
  boundReadAhead(address);
  await using clients = await openServices();
  await using index = await openIndex(address, {
    signal,
    services: clients.services,
    base: flags.index === undefined && !isRemoteAddress(address) ? dirname(address) : process.cwd(),
    ...options,
  });
  return await use(index);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${jsonText(value, 2)}\n`);
}
