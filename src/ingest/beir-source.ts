import type { Chunk, Document } from '../core/types.ts';
import { type BeirDataset, type GroupedDocument, groupCorpus } from '../eval/beir.ts';
import { countTokens } from '../text/tokens.ts';
import type { IngestSource, SourceItem } from './contract.ts';
import { sha256 } from './folder-source.ts';

/**
 * A BEIR collection as an ingest source: every corpus entry is one retrieval unit. Entries that are chunks of one document are
 * stored as that document's chunks, in order, so that each is embedded and searched knowing its neighbours. The stored text of
 * such a document is its chunks joined, because given chunks may overlap or leave gaps.
 * @param onDocument called with each document, to learn which entry became which chunk
 */
export function beirSource(
  dataset: Pick<BeirDataset, 'corpus' | 'documents' | 'name'>,
  onDocument: (document: GroupedDocument) => void = () => {},
): IngestSource {
  return {
    covers: () => true,
    async *items() {
      for await (const grouped of groupCorpus(dataset)) {
        onDocument(grouped);
        yield itemOf(grouped);
      }
    },
  };
}

function itemOf(grouped: GroupedDocument): SourceItem {
  const { id, title, chunks } = grouped;
  const contentOf = (): string => JSON.stringify([title, chunks.map(({ text, heading }) => [text, heading])]);
  return {
    uri: id,
    sizeBytes: chunks.reduce((sum, { text }) => sum + text.length, 0),
    mtimeMs: 0,
    hash: async () => sha256(contentOf()),
    load: async () => ({ contentHash: sha256(contentOf()), document: documentOf(grouped), chunks: chunksOf(grouped) }),
  };
}

function documentOf({ id, title, chunks }: GroupedDocument): Document {
  return {
    uri: id,
    title,
    text: chunks.map(({ text }) => text.toWellFormed()).join(''),
    format: 'beir',
    blocks: [],
    locators: [],
    metadata: {},
    warnings: [],
  };
}

function chunksOf({ chunks }: GroupedDocument): Chunk[] {
  let start = 0;
  return chunks.map(({ text: given, heading }, position) => {
    const text = given.toWellFormed();
    const span = { start, end: start + text.length };
    start = span.end;
    return {
      position,
      span,
      text,
      headings: heading === undefined ? [] : [heading],
      tokens: countTokens(text),
      locators: [],
    };
  });
}
