import type { Table } from '@lancedb/lancedb';
import type { StoredChunk } from '../core/types.ts';
import { analyse } from './analyse.ts';
import { chunkColumns, type RowSource, readChunks } from './chunk-rows.ts';
import { wholeNumbers } from './columns.ts';
import { scan } from './database.ts';
import { type DocumentEntry, deleteEntries, readManifest, writeEntries } from './manifest.ts';
import { runsOf, SeqMap, uncovered } from './runs.ts';
import { addSegment, dropUnfinished, readSegments } from './segments.ts';
import { sqlIn } from './sql.ts';
import type { Tables } from './writer.ts';

interface Extent {
  first: number;
  count: number;
}

/** Makes inverted index and manifest say what the chunk table says; changes nothing where they already do. */
export async function repair(tables: Tables): Promise<void> {
  const extents = new Map<string, Extent>();
  const seqs: number[] = [];
  for await (const batch of scan(tables.chunks, { columns: ['seq', 'uri'] })) {
    const uris = batch.getChild('uri')!;
    for (const [i, seq] of wholeNumbers(batch, 'seq').entries()) {
      seqs.push(seq);
      const uri = uris.get(i) as string;
      const extent = extents.get(uri);
      if (extent === undefined) extents.set(uri, { first: seq, count: 1 });
      else {
        extent.first = Math.min(extent.first, seq);
        extent.count++;
      }
    }
  }
  await repairLexical(tables, Float64Array.from(seqs).sort());
  await repairManifest(tables, extents);
}

async function repairLexical({ chunks, lexical }: Tables, seqs: Float64Array): Promise<void> {
  await dropUnfinished(lexical);
  const segments = await readSegments(lexical);
  let id = segments.reduce((next, segment) => Math.max(next, segment.id + 1), 1);
  for (const group of uncovered(seqs, new SeqMap(segments.flatMap((segment) => segment.runs)))) {
    await addSegment(lexical, id++, runsOf(group), analyse(await documentsOfRows(chunks, group)));
  }
}

/** The chunks of the given rows, grouped into documents in row order. */
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

async function repairManifest({ chunks, documents }: Tables, extents: ReadonlyMap<string, Extent>): Promise<void> {
  const manifest = await readManifest(documents);
  const gone = [...manifest.values()].filter(({ uri, chunks: count }) => count > 0 && !extents.has(uri));
  await deleteEntries(
    documents,
    gone.map(({ uri }) => uri),
  );
  const wrong = [...extents].filter(([uri, { first, count }]) => {
    const entry = manifest.get(uri);
    return entry?.chunks !== count || entry.first !== first;
  });
  const lines: DocumentEntry[] = [];
  for (let at = 0; at < wrong.length; at += 1000) {
    const some = wrong.slice(at, at + 1000).map(([uri]) => uri);
    const where = `source IS NOT NULL AND ${sqlIn('uri', some)}`;
    for await (const batch of scan(chunks, { columns: ['uri', 'title', 'format', 'source'], where })) {
      for (let i = 0; i < batch.numRows; i++) {
        const value = (name: string): string => batch.getChild(name)!.get(i) as string;
        const source = JSON.parse(value('source')) as RowSource; // written by `chunkRows`
        const { first, count } = extents.get(value('uri'))!;
        lines.push({
          uri: value('uri'),
          title: value('title'),
          format: value('format'),
          ...source,
          first,
          chunks: count,
        });
      }
    }
  }
  await writeEntries(documents, lines, false);
}
