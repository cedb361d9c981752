import { type EvaluateOptions, type EvaluationReport, evaluateFolderWith } from '../quality/evaluate.ts';
import { tuneFolderWith } from '../quality/tune.ts';
import type { TuneOptions, TuneReport } from '../quality/tune-contract.ts';
import { openIndex } from './open-index.ts';

/** Runs `evaluateFolderWith` with indexes of this library. @throws IbidError DATASET_INVALID */
export async function evaluateFolder(path: string, options: EvaluateOptions = {}): Promise<EvaluationReport> {
  return await evaluateFolderWith(openIndex, path, options);
}

/** Runs `tuneFolderWith` with indexes of this library. @throws IbidError INVALID_ARGUMENT */
export async function tuneFolder(paths: readonly string[], options: TuneOptions): Promise<TuneReport> {
  return await tuneFolderWith(openIndex, paths, options);
}
