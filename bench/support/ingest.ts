import type { IngestSummary, SearchIndex } from '../../src/index.ts';

/**
 * Ingests all of it. A figure over a part of the files would be another figure: a file that cannot be read is an
 * error.
 */
export async function ingestWhole(index: SearchIndex, paths: readonly string[]): Promise<IngestSummary> {
  const summary = await index.ingest(paths);
  const [failure] = summary.failed;
  if (failure !== undefined) throw new Error(`${failure.uri}: ${failure.message}`);
  return summary;
}
