import type { EmbedDocument, Embedder } from '../../src/index.ts';
import {
  connectDatabase,
  countTokens,
  type DocumentRecord,
  openStore,
  openWriter,
  type Snapshot,
} from '../../src/internal.ts';

/** A document to index, cut already. */
export interface CutDocument {
  readonly uri: string;
  readonly title: string;
  readonly chunks: readonly {
    readonly text: string;
    readonly headings?: readonly string[];
    readonly context?: string;
  }[];
}

/** Documents of one commit, as an ingest makes several. */
const COMMIT = 1000;

/** What an embedder is given of the documents. */
export function embedDocumentsOf(documents: readonly CutDocument[]): EmbedDocument[] {
  return documents.map(({ title, chunks }) => ({
    title,
    chunks: chunks.map(({ text, headings = [] }) => ({ text, headings })),
  }));
}

/**
 * The documents in the store that users have: written in several commits, finished, opened for reading. The database
 * keeps its tables in memory, so that nothing is left to remove.
 * @param embedder makes the vectors; without one they are of one component, all zero, and serve lexical search alone
 */
export async function storedSnapshot(documents: readonly CutDocument[], embedder?: Embedder): Promise<Snapshot> {
  const vectors = await embedder?.embedDocuments(embedDocumentsOf(documents));
  const zero = new Int8Array(1);
  const records = documents.map(
    (document, i): DocumentRecord => recordOf(document, vectors?.[i] ?? document.chunks.map(() => zero)),
  );
  const database = await connectDatabase('memory://');
  const fingerprint = { embedder: embedder?.id ?? 'none', dimensions: embedder?.dimensions ?? 1 };
  const writer = await openWriter(database, { fingerprint });
  for (let at = 0; at < records.length; at += COMMIT)
    await writer.current.replaceDocuments(records.slice(at, at + COMMIT));
  await writer.finish();
  await writer.close();
  return await (await openStore(database)).snapshot();
}

function recordOf({ uri, title, chunks }: CutDocument, vectors: readonly Int8Array[]): DocumentRecord {
  let start = 0;
  return {
    uri,
    title,
    format: 'text',
    metadata: {},
    source: { sizeBytes: 0, mtimeMs: 0, contentHash: '' },
    chunks: chunks.map(({ text, headings = [], context }, position) => {
      const span = { start, end: start + text.length };
      start = span.end;
      const given = context === undefined ? {} : { context };
      return { position, span, text, headings, ...given, tokens: countTokens(text), locators: [] };
    }),
    vectors,
    warnings: [],
  };
}
