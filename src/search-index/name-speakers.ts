import { textOf } from '../core/arguments.ts';
import { Meter } from '../core/meter.ts';
import type { IngestEvent } from '../ingest/contract.ts';
import type { SearchIndexIngestOptions } from './options.ts';
import type { IndexParts } from './parts.ts';
import { checkNames, recordingPaths } from './speakers.ts';
import { ingestPaths } from './writing.ts';

/** Keeps the names and reads the recordings again. @throws IbidError INVALID_ARGUMENT, INDEX_LOCKED, INDEX_MISMATCH */
export async function* nameSpeakerEvents(
  parts: IndexParts,
  uri: string,
  names: Readonly<Record<string, string>>,
  options: Pick<SearchIndexIngestOptions, 'signal' | 'budget'>,
): AsyncGenerator<IngestEvent, void, undefined> {
  const { session, base, recordings } = parts;
  const paths = await session.withView(({ snapshot }) => recordingPaths(snapshot, base, textOf(uri, 'the uri')));
  checkNames(names, uri, paths, base);
  await recordings.putNames(uri, names);
  yield* ingestPaths(parts, paths, { ...options, transcribe: false, budget: Meter.of(options.budget) });
}
