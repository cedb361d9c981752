import { namedOf, objectOf } from '../../core/arguments.ts';
import { IbidError } from '../../core/errors.ts';

/** How documents are cut. Part of the fingerprint of an index. */
export interface ChunkOptions {
  /**
   * Upper bound of a chunk, in o200k_base tokens; only a single visible character may exceed it.
   * @default 320
   */
  readonly maxTokens?: number | undefined;
  /**
   * A shorter piece joins a neighbour, preferably in its section, if both fit into one chunk; 0 joins nothing.
   * @default 48, or 15 % of `maxTokens` where that is less
   */
  readonly minTokens?: number | undefined;
}

interface ResolvedChunkOptions {
  readonly maxTokens: number;
  readonly minTokens: number;
}

const largestMaxTokens = 100_000;

/**
 * Checks the options and fills in defaults.
 * @throws IbidError INVALID_ARGUMENT when a bound is not an integer in its range, or `minTokens` is above `maxTokens`
 */
export function resolveChunkOptions(options: ChunkOptions = {}): ResolvedChunkOptions {
  namedOf(objectOf(options, 'chunking'), ['maxTokens', 'minTokens'], 'chunking');
  const maxTokens = checked('maxTokens', options.maxTokens ?? 320, 1);
  const minTokens = checked('minTokens', options.minTokens ?? Math.min(48, Math.floor(0.15 * maxTokens)), 0);
  if (minTokens > maxTokens) {
    throw new IbidError('INVALID_ARGUMENT', `minTokens (${minTokens}) is above maxTokens (${maxTokens})`, {
      hint: 'Lower minTokens or raise maxTokens.',
    });
  }
  return Object.freeze({ maxTokens, minTokens });
}

function checked(name: string, value: unknown, least: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= largestMaxTokens) return value;
  throw new IbidError(
    'INVALID_ARGUMENT',
    `${name} must be an integer from ${least} to ${largestMaxTokens}, not ${String(value)}`,
    {
      hint: `Leave ${name} out to use the default.`,
    },
  );
}
