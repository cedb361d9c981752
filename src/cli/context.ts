import { type OpenIndexOptions, openIndex, type SearchIndex } from '../index.ts';
import type { Settings } from './config/settings.ts';
import { locateIndex } from './locate-index.ts';
import { boundReadAhead } from './memory.ts';
import { openServices } from './services.ts';
import { jsonText } from './text.ts';

export interface CommonFlags {
  readonly index?: string;
  readonly json?: boolean;
  /** What holds besides the flags. */
  readonly settings: Settings;
}

/** Opens the index a command means, hands it over, and closes it whatever happens. */
export async function withIndex<T>(
  flags: CommonFlags,
  signal: AbortSignal,
  use: (index: SearchIndex) => Promise<T>,
  options: Pick<OpenIndexOptions, 'create' | 'reader' | 'waitMs' | 'embedder'> = {},
): Promise<T> {
  const { address, base } = locateIndex(flags);
  boundReadAhead(address);
  await using clients = await openServices(flags.settings);
  await using index = await openIndex(address, { signal, services: clients.services, base, ...options });
  return await use(index);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${jsonText(value, 2)}\n`);
}
