import { resolve } from 'node:path';
import { parseCitation } from '../answer/citation.ts';
import { IbidError } from '../core/errors.ts';
import { locate } from '../core/location.ts';
import { CONTEXT_CHARS, type Passage, type SourceState, textAround } from '../core/passage.ts';
import type { CallOptions, Place, Span, StoredChunk } from '../core/types.ts';
import type { Reader } from '../read/contract.ts';
import type { Snapshot } from '../store/contract.ts';
import { sqlString } from '../store/sql.ts';

/** The files that documents were read from. */
export interface SourceFiles {
  /** Absolute folder the uris of files are relative to. */
  readonly base: string;
  readonly reader: Reader;
  /** Whether a document was given as text and never had a file. */
  wasGiven(uri: string): Promise<boolean>;
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
  const { uri, span: wanted } = parseCitation(reference);
  const rows = await snapshot.filter(`uri = ${sqlString(uri)}`);
  const chunks = await snapshot.fetch(rows.ordinals);
  if (chunks.length === 0) {
    throw new IbidError('CITATION_NOT_FOUND', `the index has no document "${uri}"`, {
      hint: 'Citations name documents as hits of a search do; perhaps it was removed or renamed since.',
    });
  }
  const text = chunks.map((chunk) => chunk.text).join('');
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
  return {
    uri,
    title: chunks[0]!.title,
    format: chunks[0]!.format,
    metadata: chunks[0]!.metadata,
    span,
    ...around,
    place: placeOf(chunks, span),
    source: await compareWithFile(resolve(files.base, uri), uri, span, around.quote, files, options),
  };
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
  path: string,
  uri: string,
  { start, end }: Span,
  quote: string,
  { reader, wasGiven }: SourceFiles,
  options: CallOptions,
): Promise<SourceState> {
  try {
    const { text } = await reader.read({ path, uri }, options);
    return text.slice(start, end) === quote ? 'same' : 'has changed since it was indexed';
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!(error instanceof IbidError)) throw error;
    const missing = error.cause instanceof Error && 'code' in error.cause && error.cause.code === 'ENOENT';
    if (!missing) return 'cannot be read';
    return (await wasGiven(uri)) ? 'was given as text, there is no file' : 'is not there';
  }
}
