import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { mediaFragment, parseCitation } from '../answer/citation.ts';
import { IbidError } from '../core/errors.ts';
import { clipLocators, locate } from '../core/location.ts';
import { CONTEXT_CHARS, type Passage, type SourceState, type TimedWord, textAround } from '../core/passage.ts';
import type { CallOptions, Place, Span, StoredChunk } from '../core/types.ts';
import { sha256 } from '../ingest/content-hash.ts';
import { GIVEN_MTIME } from '../ingest/reconcile.ts';
import { type GivenNames, hashOfRecording, withBeside } from '../ingest/recordings.ts';
import type { Reader } from '../read/contract.ts';
import type { ManifestEntry, Snapshot } from '../store/contract.ts';
import { chunksOfDocument } from './named-document.ts';

/** The files that documents were read from. */
export interface SourceFiles {
  /** Absolute folder the uris of files are relative to. */
  readonly base: string;
  readonly reader: Reader;
  /** The manifest's line of a document. */
  entry(uri: string): Promise<ManifestEntry | undefined>;
  /** The names that apply to the speakers of a recording. */
  names?(uri: string): Promise<GivenNames | undefined>;
}

/**
 * Finds a cited span in the index and compares it with the source file.
 * @throws IbidError INVALID_ARGUMENT, CITATION_NOT_FOUND
 */
export async function findPassage(
  snapshot: Snapshot,
  reference: string,
  files: SourceFiles,
  options: CallOptions = {},
): Promise<Passage> {
  const { uri, span: given, timeMs } = parseCitation(reference);
  const chunks = await chunksOfDocument(snapshot, uri);
  if (chunks.length === 0) {
    const { missing = [], count } = snapshot.shards ?? {};
    if (missing[0])
      // without its name, which may be an address: this error goes to others too
      throw new IbidError(
        'CITATION_NOT_FOUND',
        `"${uri}" is in no shard that can be read; ${missing.length} of ${count} cannot`,
        { hint: 'A search names the shards that are missing.', cause: missing[0].error },
      );
    throw new IbidError('CITATION_NOT_FOUND', `the index has no document "${uri}"`, {
      hint: 'Citations look as in an answer, like notes.md#120-180; perhaps the document was removed or renamed since.',
    });
  }
  const text = chunks.map((chunk) => chunk.text).join('');
  const wanted = timeMs === undefined ? given : spanBetween(chunks, timeMs);
  const span = wanted ?? { start: 0, end: Math.min(text.length, CONTEXT_CHARS) };
  if (span.end > text.length) {
    throw new IbidError(
      'CITATION_NOT_FOUND',
      `"${uri}" has ${text.length} characters, the citation ends at ${span.end}`,
      {
        hint: 'The document has changed since it was cited; ask again.',
      },
    );
  }
  const around = textAround(text, span);
  const place = placeOf(chunks, span);
  const media = chunks[0]!.format === 'recording' ? mediaFragment(uri, place) : undefined;
  return {
    uri,
    title: chunks[0]!.title,
    format: chunks[0]!.format,
    metadata: chunks[0]!.metadata,
    span,
    ...around,
    place,
    ...(media === undefined ? {} : { media, words: wordsOf(chunks, text, span) }),
    source: await compareWithFile(chunks[0]!, span, around.quote, files, options),
  };
}

/**
 * The span of the words that are said between two times, else of those that reach into them. Labels of speakers have a
 * moment, not a time.
 * @throws IbidError CITATION_NOT_FOUND
 */
function spanBetween(chunks: readonly StoredChunk[], [from, to]: readonly [number, number]): Span {
  const words = chunks
    .flatMap(({ locators }) => locators)
    .flatMap(({ timeMs, ...rest }) => (timeMs && timeMs[0] < timeMs[1] ? [{ ...rest, timeMs }] : []));
  const within = words.filter(({ timeMs }) => timeMs[0] >= from && timeMs[1] <= to);
  const said = within.length > 0 ? within : words.filter(({ timeMs }) => timeMs[0] < to && timeMs[1] > from);
  const [first, last] = [said[0], said.at(-1)];
  if (first && last) return { start: first.start, end: last.end };
  throw new IbidError(
    'CITATION_NOT_FOUND',
    `"${chunks[0]!.uri}" has no words between ${from / 1000} and ${to / 1000} s`,
    {
      hint: 'Times are seconds from the start of a recording, as in talk.mp3#t=843.2,851.',
    },
  );
}

function wordsOf(chunks: readonly StoredChunk[], text: string, span: Span): TimedWord[] {
  return clipLocators(
    chunks.flatMap(({ locators }) => locators),
    span,
  ).flatMap(({ timeMs, speaker, start, end }) =>
    timeMs === undefined || timeMs[0] === timeMs[1]
      ? []
      : [{ text: text.slice(start, end), timeMs, ...(speaker === undefined ? {} : { speaker }) }],
  );
}

function placeOf(chunks: readonly StoredChunk[], span: Span): Place {
  const first = chunks[0]!;
  const whole = {
    text: chunks.map(({ text }) => text).join(''),
    span: { start: 0, end: chunks.at(-1)!.span.end },
    locators: chunks.flatMap(({ locators }) => locators),
    ...(first.firstLine === undefined ? {} : { firstLine: first.firstLine }),
  };
  return locate(whole, span);
}

async function compareWithFile(
  { uri, metadata, format }: StoredChunk,
  { start, end }: Span,
  quote: string,
  { base, reader, entry, names }: SourceFiles,
  options: CallOptions,
): Promise<SourceState> {
  const path = resolve(base, uri);
  try {
    if (format === 'recording') {
      // The bytes of recording and transcript: what was made of them may have cost money.
      const { size, mtimeMs } = await stat(path);
      const found = { ...withBeside({ path, sizeBytes: size, mtimeMs }), given: await names?.(uri) };
      const isSame = (await hashOfRecording(found, options.signal)) === (await entry(uri))?.contentHash;
      return isSame ? 'same' : 'has changed since it was indexed';
    }
    if (metadata.ocr === true) {
      // The bytes instead of the text: OCR of all pages takes minutes, and another version reads other words.
      const isSame = sha256(await readFile(path, options)) === (await entry(uri))?.contentHash;
      return isSame ? 'same' : 'has changed since it was indexed';
    }
    const { text } = await reader.read({ path, uri }, options);
    return text.slice(start, end) === quote ? 'same' : 'has changed since it was indexed';
  } catch (error) {
    options.signal?.throwIfAborted();
    const cause = error instanceof IbidError ? error.cause : error;
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (!(error instanceof IbidError) && code === undefined) throw error;
    if (code !== 'ENOENT') return 'cannot be read';
    return (await entry(uri))?.mtimeMs === GIVEN_MTIME ? 'was given as text, there is no file' : 'is not there';
  }
}
