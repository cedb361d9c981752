import { IbidError } from '../core/errors.ts';
import { yieldToEventLoop } from '../core/event-loop.ts';
import { locate } from '../core/location.ts';
import type { CallOptions, Metadata, Place, Span, StoredChunk } from '../core/types.ts';
import type { Snapshot } from '../store/contract.ts';

/** One line of `ibid export`. */
export interface ExportedChunk extends Place {
  readonly uri: string;
  readonly title: string;
  readonly span: Span;
  readonly text: string;
  readonly heading?: string;
  /** Format of the document; only on request. */
  readonly format?: string;
  readonly metadata?: Metadata;
  /** int8 components; only on request. */
  readonly vector?: readonly number[];
}

export interface ExportOptions extends CallOptions {
  /** @default false */
  readonly vectors?: boolean | undefined;
  /** Add format and metadata of the document to every line. @default false */
  readonly metadata?: boolean | undefined;
  /**
   * Called with each shard that cannot be read, before the first chunk: the others are exported. Absent: such an index
   * is not exported at all.
   */
  readonly onMissing?: ((shard: string, error: IbidError) => void) | undefined;
}

const BATCH_ROWS = 512;

/**
 * Every live chunk, ordered by uri (by code units) and position. Only the list of documents is in memory.
 * @throws IbidError with the code of a shard that cannot be read, unless `onMissing` takes it
 */
export async function* exportChunks(
  snapshot: Snapshot,
  options: ExportOptions,
): AsyncGenerator<ExportedChunk, void, undefined> {
  for (const { name, error } of snapshot.shards?.missing ?? [])
    if (options.onMissing) options.onMissing(name, error);
    else throw notExported(name, error);
  for (const ordinals of batches(await rowsInOrder(snapshot, options))) {
    await yieldToEventLoop();
    options.signal?.throwIfAborted();
    const chunks = await snapshot.fetch(ordinals);
    const vectors = options.vectors ? await snapshot.vectorsAt(ordinals) : undefined;
    for (const [i, chunk] of chunks.entries()) {
      const vector = vectors?.subarray(i * snapshot.dimensions, (i + 1) * snapshot.dimensions);
      const { format, metadata } = chunk;
      yield {
        ...exported(chunk),
        ...(options.metadata ? { format, metadata } : {}),
        ...(vector ? { vector: Array.from(vector) } : {}),
      };
    }
  }
}

function notExported(name: string, error: IbidError): IbidError {
  const { code, message, hint, cause } = error;
  const others = 'To export the other shards alone, give `onMissing`.';
  return new IbidError(code, `shard ${name} cannot be exported: ${message}`, {
    hint: hint === undefined ? others : `${hint} ${others}`,
    cause: cause ?? error,
  });
}

function exported(chunk: StoredChunk): ExportedChunk {
  const { uri, title, span, text, headings } = chunk;
  return {
    uri,
    title,
    span,
    text,
    ...(headings.length > 0 ? { heading: headings.join(' › ') } : {}),
    ...locate(chunk, span),
  };
}

async function rowsInOrder(snapshot: Snapshot, { signal }: ExportOptions): Promise<Uint32Array> {
  const live = (await snapshot.filter('true')).ordinals;
  const firsts = live.filter((ordinal, i) => i === 0 || snapshot.documentRange(live[i - 1]!)[1] <= ordinal);
  const documents: { uri: string; first: number; end: number }[] = [];
  for (const ordinals of batches(firsts)) {
    signal?.throwIfAborted();
    const chunks = await snapshot.fetch(ordinals);
    for (const [i, { uri }] of chunks.entries()) {
      const [, end] = snapshot.documentRange(ordinals[i]!);
      documents.push({ uri, first: ordinals[i]!, end });
    }
  }
  documents.sort((a, b) => (a.uri < b.uri ? -1 : a.uri > b.uri ? 1 : 0));
  const order = new Uint32Array(live.length);
  let at = 0;
  for (const { first, end } of documents) for (let ordinal = first; ordinal < end; ordinal++) order[at++] = ordinal;
  return order.subarray(0, at);
}

function* batches(ordinals: Uint32Array): Generator<Uint32Array> {
  for (let at = 0; at < ordinals.length; at += BATCH_ROWS) yield ordinals.subarray(at, at + BATCH_ROWS);
}

/** Texts of at most `count` live chunks, spread evenly over the index. */
export async function sampleTexts(snapshot: Snapshot, count: number): Promise<readonly string[]> {
  const { liveRows, rows, lexical } = snapshot;
  const step = Math.max(1, liveRows / count);
  const picked: number[] = [];
  for (let ordinal = 0, live = 0; ordinal < rows && picked.length < Math.min(count, liveRows); ordinal++) {
    if (lexical.isLive(ordinal) && live++ === Math.floor(picked.length * step)) picked.push(ordinal);
  }
  return (await snapshot.fetch(picked)).map(({ text }) => text);
}
