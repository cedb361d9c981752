import type { Table } from '@lancedb/lancedb';
import type { StoredChunk } from '../core/types.ts';
import { analyse } from './analyse.ts';
import { chunkColumns, type RowSource, readChunks } from './chunk-rows.ts';
import { wholeNumbers } from './columns.ts';
import type { DocumentEntry } from './contract.ts';
import { deleteEntries, readManifest, writeEntries } from './manifest.ts';
import { ManifestMap } from './manifest-map.ts';
import { runsOf, SeqMap, uncovered } from './runs.ts';
import type { Tables } from './schema.ts';
import { addSegment, dropUnfinished, readSegments } from './segments.ts';
import { sqlIn } from './sql.ts';
import { scan } from './table-rows.ts';

/** Manifest lines per commit of a repair: all lines of a large index at once would be in memory several times. */
const LINES_PER_COMMIT = 4096;

/** Corrects the inverted index and the manifest so that they agree with the chunk table. Writes only differences. */
export async function repair(tables: Tables): Promise<void> {
  // holds `first` and `chunks` of each document; the other fields are empty
  const extents = new ManifestMap();
  const seqs: Float64Array[] = [];
  for await (const batch of scan(tables.chunks, { columns: ['seq', 'uri'], lent: true })) {
    const uris = batch.getChild('uri')!;
    const some = wholeNumbers(batch, 'seq');
    seqs.push(some);
    for (let from = 0; from < some.length; ) {
      const uri = uris.get(from) as string;
      let first = some[from]!;
      let to = from + 1;
      for (; to < some.length && uris.get(to) === uri; to++) first = Math.min(first, some[to]!);
      addExtent(extents, uri, first, to - from);
      from = to;
    }
  }
  await repairLexical(tables, joined(seqs).sort());
  await repairManifest(tables, extents);
}

function addExtent(extents: ManifestMap, uri: string, first: number, chunks: number): void {
  const known = extents.get(uri);
  const together = { first: Math.min(first, known?.first ?? first), chunks: chunks + (known?.chunks ?? 0) };
  extents.set(uri, { uri, ...together, sizeBytes: 0, mtimeMs: 0, contentHash: '' });
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

async function repairLexical({ chunks, lexical }: Tables, seqs: Float64Array): Promise<void> {
  await dropUnfinished(lexical);
  const segments = await readSegments(lexical);
  let id = segments.reduce((next, segment) => Math.max(next, segment.id + 1), 1);
  for (const group of uncovered(seqs, new SeqMap(segments.flatMap((segment) => segment.runs)))) {
    await addSegment(lexical, id++, runsOf(group), await analyse(await documentsOfRows(chunks, group)));
  }
}

/** The chunks of these rows, grouped into documents, in row order. */
export async function documentsOfRows(
  chunks: Table,
  seqs: Float64Array,
): Promise<{ title: string; chunks: StoredChunk[] }[]> {
  const rows: { seq: number; chunk: StoredChunk }[] = [];
  const where = runsOf(seqs)
    .map(([first, count]) => `(seq >= ${first} AND seq < ${first + count})`)
    .join(' OR ');
  for await (const batch of scan(chunks, { columns: ['seq', ...chunkColumns], where })) {
    const read = readChunks(batch);
    for (const [i, seq] of wholeNumbers(batch, 'seq').entries()) rows.push({ seq, chunk: read[i]! });
  }
  rows.sort((a, b) => a.seq - b.seq);
  const documents: { title: string; uri: string; chunks: StoredChunk[] }[] = [];
  for (const { chunk } of rows) {
    const last = documents.at(-1);
    if (last?.uri === chunk.uri) last.chunks.push(chunk);
    else documents.push({ title: chunk.title, uri: chunk.uri, chunks: [chunk] });
  }
  return documents;
}

async function repairManifest({ chunks, documents }: Tables, extents: ManifestMap): Promise<void> {
  const manifest = await readManifest(documents);
  const gone: string[] = [];
  for (const { uri, chunks: count } of manifest.values()) if (count > 0 && !extents.has(uri)) gone.push(uri);
  await deleteEntries(documents, gone);
  let wrong: string[] = [];
  const rewrite = async (): Promise<void> => {
    await writeEntries(documents, await linesOf(chunks, wrong, extents), false);
    wrong = [];
  };
  for (const { uri, first, chunks: count } of extents.values()) {
    const entry = manifest.get(uri);
    if (entry?.chunks === count && entry.first === first) continue;
    wrong.push(uri);
    if (wrong.length === LINES_PER_COMMIT) await rewrite();
  }
  await rewrite();
}

/** The manifest lines of documents, read from the chunk table. */
async function linesOf(chunks: Table, uris: readonly string[], extents: ManifestMap): Promise<DocumentEntry[]> {
  const lines: DocumentEntry[] = [];
  for (let at = 0; at < uris.length; at += 1000) {
    const where = `source IS NOT NULL AND ${sqlIn('uri', uris.slice(at, at + 1000))}`;
    for await (const batch of scan(chunks, { columns: ['uri', 'title', 'format', 'source'], where })) {
      for (let i = 0; i < batch.numRows; i++) {
        const value = (name: string): string => batch.getChild(name)!.get(i) as string;
        const uri = value('uri');
        const { sizeBytes, mtimeMs, contentHash, warnings } = JSON.parse(value('source')) as RowSource; // by `chunkRows`
        const source = { sizeBytes, mtimeMs, contentHash, warnings };
        const { first, chunks: count } = extents.get(uri)!;
        lines.push({ uri, title: value('title'), format: value('format'), ...source, first, chunks: count });
      }
    }
  }
  return lines;
}
