import { isTooDeep, MAX_LEVELS } from './depth.ts';
import { PieceTooLarge } from './events.ts';
import type { ApiKey } from './keys.ts';

/**
 * Text of a service as it may go on: with the key masked.
 * @throws PieceTooLarge when it is nested deeper than a program could walk through
 */
export function admitted(text: string, key: ApiKey): string {
  if (isTooDeep(text)) throw new PieceTooLarge(`the answer is nested deeper than ${MAX_LEVELS} levels`);
  return key.mask(text);
}
