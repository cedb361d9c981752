import { IbidError } from '../../core/errors.ts';
import type { CallOptions } from '../../core/types.ts';
import { lane } from '../../vector/float-kernels.ts';
import type { LocalTrainingSettings } from './train-model.ts';

export interface LocalTrainingOptions extends CallOptions {
  /** @default 1 */
  readonly seed?: number | undefined;
  /** Components of a vector, a multiple of 32 from 32 to 1,024. @default 256 */
  readonly dimensions?: number | undefined;
  /** Maximum number of terms with a vector. @default 40,000 */
  readonly maxVocabulary?: number | undefined;
  /** Maximum number of chunks for training, a uniform sample of all. @default 20,000 */
  readonly maxChunks?: number | undefined;
  /** Sharpen the vectors on pairs of texts that belong together. @default true */
  readonly sharpen?: boolean | undefined;
}

/** @throws IbidError INVALID_ARGUMENT */
export function resolveTrainingOptions(options: LocalTrainingOptions): LocalTrainingSettings {
  const { seed = 1, dimensions = 256, maxVocabulary = 40_000, maxChunks = 20_000, sharpen = true } = options;
  check('seed', seed, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  check('dimensions', dimensions, lane, 1024, lane);
  check('maxVocabulary', maxVocabulary, 1, 1_000_000);
  check('maxChunks', maxChunks, 1, 1_000_000);
  return Object.freeze({ seed, dimensions, maxVocabulary, maxChunks, sharpen });
}

function check(name: string, value: number, least: number, most: number, step = 1): void {
  if (Number.isInteger(value / step) && value >= least && value <= most) return;
  throw new IbidError('INVALID_ARGUMENT', `${name} is ${value}`, {
    hint: `Give ${step === 1 ? 'an integer' : `a multiple of ${step}`} from ${least} to ${most}.`,
  });
}
