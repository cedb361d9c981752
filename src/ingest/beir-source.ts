import type { Chunk, Document } from '../core/types.ts';
import { type BeirDataset, type GroupedDocument, groupCorpus } from '../eval/beir.ts';
import { countTokens } from '../text/tokens/tokens.ts';
import { sha256 } from './content-hash.ts';
import type { IngestSource, SourceItem } from './contract.ts';

/** Of every document of a judged collection. */
export const BEIR_FORMAT = 'beir';

/**
 * A BEIR collection as an ingest source: each corpus entry is one retrieval unit. Entries that are chunks of one
 * document are stored as chunks of that document, in order, so that each is embedded and searched with its neighbours.
 * The text of such a document is its joined chunks, because given chunks may overlap or leave gaps.
 *
 * Until a document is read, only ids and offsets in `corpus.jsonl` are in memory; for a compressed collection (`.gz`),
 * the texts.
 * @param onDocument called with each document, to learn which entry became which chunk
 */
export function beirSource(
  dataset: Pick<BeirDataset, 'corpus' | 'entryAt' | 'documents' | 'name'>,
  onDocument: (document: GroupedDocument) => void = () => {},
): IngestSource {
  return {
    covers: () => true,
    async *items() {
      for await (const grouped of groupCorpus(dataset)) {
        onDocument(grouped);
        yield itemOf(grouped, dataset.entryAt);
      }
    },
  };
}

type Given = Pick<GroupedDocument, 'id' | 'title' | 'chunks'>;

function itemOf(grouped: Given, entryAt: BeirDataset['entryAt']): SourceItem {
  const read = readAgain(grouped, entryAt) ?? (() => grouped);
  const contentOf = ({ title, chunks }: Given): string =>
    JSON.stringify([title, chunks.map(({ text, heading }) => [text, heading])]);
  return {
    uri: grouped.id,
    sizeBytes: grouped.chunks.reduce((sum, { text }) => sum + text.length, 0),
    mtimeMs: 0,
    hash: async () => sha256(contentOf(read())),
    load: async () => {
      const given = read();
      return { contentHash: sha256(contentOf(given)), document: documentOf(given), chunks: chunksOf(given) };
    },
  };
}

/** Keeps the offsets of the chunks instead of their texts. */
function readAgain({ id, title, chunks }: Given, entryAt: BeirDataset['entryAt']): (() => Given) | undefined {
  const places = chunks.map(({ place }) => place).filter((place) => place !== undefined);
  const headings = chunks.map(({ heading }) => heading);
  if (!entryAt || places.length < chunks.length) return undefined;
  return () => ({
    id,
    title,
    chunks: places.map((place, i) => {
      const { id: entryId, text, metadata } = entryAt(place);
      const heading = headings[i];
      return { id: entryId, text, metadata, ...(heading === undefined ? {} : { heading }) };
    }),
  });
}

function documentOf({ id, title, chunks }: Given): Document {
  return {
    uri: id,
    title,
    text: chunks.map(({ text }) => text.toWellFormed()).join(''),
    format: BEIR_FORMAT,
    blocks: [],
    locators: [],
    metadata: {},
    warnings: [],
  };
}

function chunksOf({ chunks }: Given): Chunk[] {
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
