import type { StandaloneQuery } from '../answer/query-rewriting.ts';
import { type Budget, Meter } from '../core/meter.ts';
import type { QuestionContext } from '../modes/question-search.ts';
import type { OpenParts } from './parts.ts';
import { sourceFilesOf } from './source-file.ts';

/**
 * All that a question gets of its index.
 * @param view absent for a question that looks at no document
 * @param rewritten standalone queries of earlier questions; the question adds its own
 */
export function questionContext(
  parts: OpenParts,
  view: QuestionContext['view'],
  rewritten: Map<string, StandaloneQuery>,
  budget: Budget | undefined,
): QuestionContext {
  const { tuning, providers, web, keptFiles } = parts;
  return { view, tuning, providers, web, files: sourceFilesOf(parts), keptFiles, meter: Meter.of(budget), rewritten };
}
