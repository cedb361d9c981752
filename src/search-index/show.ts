import { resolve } from 'node:path';
import { parseCitation } from '../answer/citation.ts';
import { IbidError } from '../core/errors.ts';
import { locate } from '../core/location.ts';
import type { CallOptions, Hit, Place, Span, StoredChunk } from '../core/types.ts';
import type { Reader } from '../read/contract.ts';
import type { Snapshot } from '../store/contract.ts';
import { sqlString } from '../store/sql.ts';

/** What the source file says today of a cited span. */
export type SourceState =
  | 'same'
  | 'has changed since it was indexed'
  | 'is not there'
  | 'cannot be read'
  | 'is a web page, kept as it was read';

/** A cited span in its context. */
export interface Passage {
  readonly uri: string;
  readonly title: string;
  readonly span: Span;
  readonly quote: string;
  /** Up to `CONTEXT` characters on each side. */
  readonly before: string;
  readonly after: string;
  readonly place: Place;
  readonly source: SourceState;
  /** For a page of the web: the text that was kept, and when it was read (ISO 8601). */
  readonly web?: { readonly snapshot: string; readonly fetchedAt: string };
}

const CONTEXT = 300;

/**
 * Finds a cited span in the index and compares it with the source file.
 * @throws IbidError INVALID_ARGUMENT, CITATION_NOT_FOUND
 */
export async function findPassage(
  snapshot: Snapshot,
  reference: string,
  files: { readonly base: string; readonly reader: Reader },
  options: CallOptions = {},
): Promise<Passage> {
  const { uri, span: wanted } = parseCitation(reference);
  const rows = await snapshot.filter(`uri = '${uri.replaceAll("'", "''")}'`);
  const chunks = await snapshot.fetch(rows.ordinals);
  if (chunks.length === 0) {
    throw new IbidError('CITATION_NOT_FOUND', `the index has no document "${uri}"`, {
      hint: 'Citations name documents as `ibid search` prints them; perhaps it was removed or renamed since.',
    });
  }
  const text = chunks.map((chunk) => chunk.text).join('');
  const span = wanted ?? { start: 0, end: Math.min(text.length, CONTEXT) };
  if (span.end > text.length) {
    throw new IbidError(
      'CITATION_NOT_FOUND',
      `"${uri}" has ${text.length} characters, the citation ends at ${span.end}`,
      {
        hint: 'The document has changed since it was cited; ask again.',
      },
    );
  }
  const quote = text.slice(span.start, span.end);
  return {
    uri,
    title: chunks[0]!.title,
    span,
    quote,
    before: text.slice(Math.max(0, span.start - CONTEXT), span.start).toWellFormed(),
    after: text.slice(span.end, span.end + CONTEXT).toWellFormed(),
    place: placeOf(chunks, span),
    source: await compareWithFile(resolve(files.base, uri), uri, span, quote, files.reader, options),
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
  reader: Reader,
  options: CallOptions,
): Promise<SourceState> {
  try {
    const { text } = await reader.read({ path, uri }, options);
    return text.slice(start, end) === quote ? 'same' : 'has changed since it was indexed';
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!(error instanceof IbidError)) throw error;
    const missing = error.cause instanceof Error && 'code' in error.cause && error.cause.code === 'ENOENT';
    return missing ? 'is not there' : 'cannot be read';
  }
}

/** Chunks `[from, to)` of a document, as hits; none for a document that is not there. */
export async function readChunks(snapshot: Snapshot, uri: string, from: number, to: number): Promise<readonly Hit[]> {
  const rows = await snapshot.filter(`uri = ${sqlString(uri)} AND position >= ${from} AND position < ${to}`);
  const chunks = await snapshot.fetch(rows.ordinals);
  return chunks.map((chunk) => ({ chunk, score: 0, origin: 'local', trace: [] }));
}
