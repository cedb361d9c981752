import type { Table } from '@lancedb/lancedb';
import { IbidError } from '../core/errors.ts';
import { scratchFolder } from './address.ts';
import { readBlob, writeBlob } from './blobs.ts';
import { chunkRows } from './chunk-rows.ts';
import { buildTable, wholeNumbers } from './columns.ts';
import type { DocumentEntry, DocumentRecord, ManifestEntry } from './contract.ts';
import { Copies, type CopyLimits } from './copies.ts';
import type { Database } from './database.ts';
import { guard } from './failure.ts';
import type { DocumentWriter, Rename } from './index-contract.ts';
import { deleteEntries, readManifest, writeEntries } from './manifest.ts';
import { keepManifest, type ManifestCopy } from './manifest-copy.ts';
import type { ManifestMap } from './manifest-map.ts';
import type { PageOptions } from './manifest-pages.ts';
import { documentLines, readRecords } from './records.ts';
import { repair } from './repair.ts';
import {
  blobsSchema,
  chunksSchema,
  documentsSchema,
  lexicalSchema,
  renameSchema,
  type Tables,
  tableNames,
} from './schema.ts';
import { BackgroundSegmentBuilder } from './segment-builder.ts';
import { addSegment, readSegments } from './segments.ts';
import { sqlIn } from './sql.ts';
import type { Generation } from './state.ts';
import { addRows, giveBack, scan } from './table-rows.ts';
import { compact, maintain, type UpkeepOptions } from './upkeep.ts';

export interface GenerationOptions {
  /** Shared with other generations of the index. Absent: the caller's thread analyses. */
  readonly segments?: BackgroundSegmentBuilder | undefined;
  /** As in `WriterOptions`. */
  readonly copies?: Partial<CopyLimits> | undefined;
  readonly manifest?: PageOptions | undefined;
}

interface WriterState extends GenerationOptions {
  readonly halfDone?: boolean;
  /** The content of the manifest; absent: the table is read when it is needed. */
  readonly copy?: ManifestCopy | undefined;
  readonly isNew?: boolean;
}

/**
 * Writes the tables of one generation. Every change is one commit to the chunk table, then one to the inverted index,
 * then one to the manifest. Readers trust only the chunk table. After a killed writer, `repair` corrects the other two.
 */
export class GenerationWriter implements DocumentWriter {
  readonly generation: Generation;
  readonly tables: Tables;
  readonly #database: Database;
  readonly #copies: Copies;
  readonly #pages: PageOptions;
  #manifest: ManifestMap | undefined;
  /** The mark of its copy. */
  readonly #kept: string | undefined;
  #nextSeq = -1;
  #nextSegment = -1;
  /** True while a change runs, and after a change that failed. */
  #halfDone: boolean;
  readonly #isNew: boolean;
  readonly #segments: BackgroundSegmentBuilder;

  private constructor(
    database: Database,
    generation: Generation,
    tables: Tables,
    { halfDone = false, isNew = false, segments, copies, copy, manifest }: WriterState,
  ) {
    this.#segments = segments ?? new BackgroundSegmentBuilder({ threaded: false });
    this.#database = database;
    this.generation = generation;
    this.tables = tables;
    this.#copies = new Copies(database.address, tables, copies);
    this.#halfDone = halfDone;
    this.#isNew = isNew;
    this.#pages = { folder: () => scratchFolder(database.address), ...manifest };
    this.#manifest = copy?.manifest;
    this.#kept = copy?.mark;
  }

  static async create(
    database: Database,
    generation: Generation,
    options?: GenerationOptions,
  ): Promise<GenerationWriter> {
    const names = tableNames(generation.number);
    const tables: Tables = {
      chunks: await database.create(names.chunks, chunksSchema(generation.fingerprint.dimensions)),
      lexical: await database.create(names.lexical, lexicalSchema),
      documents: await database.create(names.documents, documentsSchema),
      blobs: await database.create(names.blobs, blobsSchema),
    };
    return new GenerationWriter(database, generation, tables, { isNew: true, ...options });
  }

  static async open(
    database: Database,
    generation: Generation,
    afterCrash: boolean,
    options?: GenerationOptions & Pick<WriterState, 'copy'>,
  ): Promise<GenerationWriter> {
    const names = tableNames(generation.number);
    const [chunks, lexical, documents, blobs] = await Promise.all([
      database.open(names.chunks),
      database.open(names.lexical),
      database.open(names.documents),
      database.open(names.blobs),
    ]);
    const tables: Tables = { chunks, lexical, documents, blobs };
    return new GenerationWriter(database, generation, tables, { halfDone: afterCrash, ...options });
  }

  get halfDone(): boolean {
    return this.#halfDone;
  }

  /** Repairs the inverted index and the manifest when the last change did not finish. */
  async settle(): Promise<void> {
    if (!this.#halfDone) return;
    this.#manifest = undefined;
    this.#nextSeq = -1;
    await repair(this.tables);
    await this.#note();
    this.#halfDone = false;
  }

  #note(): Promise<void> {
    return this.#database.note(...Object.values(this.tables).map(({ name }) => name));
  }

  /** The manifest, which follows the changes of this writer. */
  async manifest(): Promise<ManifestMap> {
    await this.settle();
    if (this.#manifest === undefined) {
      const [manifest, chunks] = await Promise.all([
        readManifest(this.tables.documents, this.#pages),
        this.#countChunks(),
      ]);
      const isWhole = chunks === manifest.totals().chunks;
      if (!isWhole) await repair(this.tables);
      this.#manifest = isWhole ? manifest : await readManifest(this.tables.documents, this.#pages);
    }
    return this.#manifest;
  }

  /** Keeps a copy of the manifest beside a local index, when this writer has read it. */
  async keepManifest(): Promise<void> {
    if (!this.#manifest || this.#halfDone) return;
    await keepManifest(this.#database.address, this.generation.number, this.tables, this.#manifest, this.#kept);
  }

  #countChunks(): Promise<number> {
    return guard('cannot count rows', () => this.tables.chunks.countRows());
  }

  /** Runs a change. When the change fails, the next one repairs first. */
  async #change(change: (manifest: ManifestMap) => Promise<void>): Promise<void> {
    const manifest = await this.manifest();
    this.#halfDone = true;
    await change(manifest);
    await this.#note();
    this.#halfDone = false;
  }

  async #reserve(rows: number): Promise<{ readonly seq: number; readonly segment: number }> {
    if (this.#nextSeq < 0) {
      let seq = await this.#copies.end();
      let segment = 1;
      for (const { id, runs } of await readSegments(this.tables.lexical)) {
        segment = Math.max(segment, id + 1);
        for (const [first, count] of runs) seq = Math.max(seq, first + count);
      }
      for await (const batch of scan(this.tables.chunks, { columns: ['seq'], lent: true })) {
        for (const used of wholeNumbers(batch, 'seq')) if (used >= seq) seq = used + 1;
      }
      this.#nextSeq = seq;
      this.#nextSegment = segment;
    }
    const seq = this.#nextSeq;
    this.#nextSeq += rows;
    return { seq, segment: this.#nextSegment++ };
  }

  /**
   * Stores documents and replaces older versions of them. A reader sees the whole batch or nothing of it.
   * @throws IbidError INVALID_ARGUMENT when a record contradicts itself or a uri comes twice
   */
  async replaceDocuments(records: readonly DocumentRecord[]): Promise<void> {
    if (records.length === 0) return;
    const uris = records.map((record) => record.uri);
    if (new Set(uris).size < uris.length)
      throw new IbidError('INVALID_ARGUMENT', 'a document comes twice in one batch');
    const { dimensions } = this.generation.fingerprint;
    const rows = records.reduce((sum, record) => sum + record.chunks.length, 0);
    const manifest = await this.manifest();
    const { seq, segment } = await this.#reserve(rows);
    const data = chunkRows(records, dimensions, seq); // checks the records before anything is written
    const replaced = uris.filter((uri) => (manifest.get(uri)?.chunks ?? 0) > 0);
    await this.#change(async (entries) => {
      // The database writes in its own threads while the words are analysed. After any error, the write has ended too.
      const rowsWritten = this.#replaceRows(replaced, rows === 0 ? undefined : data, rows);
      const [analysed] = await Promise.allSettled([
        rows > 0 ? this.#segments.segment(records) : undefined,
        rowsWritten,
      ]);
      await rowsWritten;
      if (analysed.status === 'rejected') throw analysed.reason;
      const postings = analysed.value;
      if (postings) await addSegment(this.tables.lexical, segment, [[seq, rows]], postings);
      const lines = documentLines(records, seq);
      await writeEntries(this.tables.documents, lines, !uris.some((uri) => entries.has(uri)));
      for (const line of lines) entries.set(line.uri, line);
    });
  }

  async #replaceRows(
    replaced: readonly string[],
    data: ReturnType<typeof chunkRows> | undefined,
    rows: number,
  ): Promise<void> {
    const { chunks } = this.tables;
    const where = sqlIn('uri', replaced);
    await guard('cannot write chunks', async () => {
      if (data === undefined) {
        if (replaced.length > 0) await chunks.delete(where);
      } else if (replaced.length === 0) {
        await addRows(chunks, data);
      } else {
        const merge = chunks.mergeInsert('seq').whenNotMatchedInsertAll().whenNotMatchedBySourceDelete({ where });
        const { numInsertedRows } = await merge.execute(data);
        if (numInsertedRows !== rows) {
          throw new IbidError('STORE_FAILED', `${numInsertedRows} of ${rows} chunks were written`);
        }
        giveBack(data);
      }
    });
  }

  async removeDocuments(uris: readonly string[]): Promise<void> {
    const manifest = await this.manifest();
    const known = [...new Set(uris)].filter((uri) => manifest.has(uri));
    if (known.length === 0) return;
    await this.#change(async (entries) => {
      await this.#replaceRows(
        known.filter((uri) => entries.get(uri)!.chunks > 0),
        undefined,
        0,
      );
      await deleteEntries(this.tables.documents, known);
      for (const uri of known) entries.delete(uri);
    });
  }

  /**
   * Gives documents other uris; text, title and vectors stay. Two documents may exchange their uris.
   * @throws IbidError INVALID_ARGUMENT when a document does not exist, or a uri is given twice
   */
  async renameDocuments(renames: readonly Rename[]): Promise<void> {
    const manifest = await this.manifest();
    const moves = renames.filter(({ from, to }) => from !== to);
    const from = moves.map((rename) => rename.from);
    const targets = moves.map((rename) => rename.to);
    if (new Set(from).size < from.length || new Set(targets).size < targets.length) {
      throw new IbidError('INVALID_ARGUMENT', 'two renames name the same document');
    }
    const missing = from.find((uri) => !manifest.has(uri));
    if (missing !== undefined)
      throw new IbidError('INVALID_ARGUMENT', `there is no document ${JSON.stringify(missing)} to rename`);
    if (moves.length === 0) return;
    await this.removeDocuments(targets.filter((uri) => manifest.has(uri) && !from.includes(uri)));
    await this.#change(async (entries) => {
      await this.#renameRows(moves.map((move) => ({ to: move.to, entry: entries.get(move.from)! })));
      const lines = moves.map((move): DocumentEntry => {
        const entry = entries.get(move.from)!;
        return { ...entry, uri: move.to, mtimeMs: move.mtimeMs ?? entry.mtimeMs };
      });
      await deleteEntries(this.tables.documents, from);
      for (const uri of from) entries.delete(uri);
      await writeEntries(this.tables.documents, lines, true);
      for (const line of lines) entries.set(line.uri, line);
    });
  }

  /** Writes new uris for the rows of documents, in one commit that touches no other column. */
  async #renameRows(moves: readonly { readonly to: string; readonly entry: DocumentEntry }[]): Promise<void> {
    const seqs = moves.flatMap(({ entry }) => Array.from({ length: entry.chunks }, (_, i) => BigInt(entry.first! + i)));
    const uris = moves.flatMap(({ to, entry }) => new Array<string>(entry.chunks).fill(to));
    if (seqs.length === 0) return;
    const rows = buildTable(renameSchema, seqs.length, { seq: BigInt64Array.from(seqs), uri: uris });
    await guard('cannot rename documents', async () => {
      await this.#copies.strikeOut(
        moves.flatMap(({ entry: { first, chunks } }) => (first === undefined ? [] : [[first, chunks]])),
      );
      const { numUpdatedRows } = await this.tables.chunks.mergeInsert('seq').whenMatchedUpdateAll().execute(rows);
      if (numUpdatedRows !== seqs.length) {
        throw new IbidError('STORE_FAILED', `${numUpdatedRows} of ${seqs.length} chunks were renamed`);
      }
    });
  }

  /**
   * Writes only manifest lines: failures, or new times of unchanged content. Where a line has 0 chunks, the stored
   * chunks of that document are deleted.
   */
  async recordEntries(lines: readonly ManifestEntry[]): Promise<void> {
    if (lines.length === 0) return;
    await this.#change(async (entries) => {
      const emptied = lines.filter(({ uri, chunks }) => chunks === 0 && (entries.get(uri)?.chunks ?? 0) > 0);
      await this.#replaceRows(
        emptied.map(({ uri }) => uri),
        undefined,
        0,
      );
      const written = lines.map((line): DocumentEntry => {
        if (line.chunks === 0) return { ...line, first: undefined };
        const { title, format, warnings, first, chunks = 0 } = entries.get(line.uri) ?? {};
        return { ...line, title, format, warnings, first, chunks };
      });
      await writeEntries(this.tables.documents, written, !lines.some(({ uri }) => entries.has(uri)));
      for (const line of written) entries.set(line.uri, line);
    });
  }

  /** The record of a stored document, with vectors; undefined when the document has no chunks here. */
  async readDocument(uri: string): Promise<DocumentRecord | undefined> {
    return (await this.readDocuments([uri]))[0];
  }

  /** The records of stored documents, in the order of `uris`; documents without chunks here are left out. */
  async readDocuments(uris: readonly string[]): Promise<DocumentRecord[]> {
    const manifest = await this.manifest();
    return await readRecords(this.tables.chunks, manifest, this.generation.fingerprint.dimensions, uris);
  }

  /** Stores bytes under a name and replaces earlier ones; one commit. */
  async putBlob(name: string, bytes: Uint8Array): Promise<void> {
    await writeBlob(this.tables.blobs, name, bytes);
    await this.#note();
  }

  getBlob(name: string): Promise<Uint8Array | undefined> {
    return readBlob(this.tables.blobs, name);
  }

  /** Merges segments, compacts and prunes where this helps. */
  async finish(): Promise<void> {
    await this.settle();
    this.#halfDone = true; // a failed merge leaves blocks behind, which the next repair drops
    await maintain(this.tables, async () => (await this.#reserve(0)).segment, this.#upkeep);
    await this.#copies.keep(async () => (await this.#reserve(0)).seq);
    await this.#note();
    this.#halfDone = false;
  }

  /** Compacts and prunes a table where this helps. */
  async tidy(table: Table): Promise<void> {
    await guard(`cannot tidy up ${table.name}`, () => compact(table, this.#upkeep));
    await this.#database.note(table.name);
  }

  get #upkeep(): UpkeepOptions {
    return {
      // a generation that was made in this run has hardly any readers; an older one may have readers of old versions
      retainMs: this.#isNew ? 0 : 30_000,
      dataBytes: (name) => this.#database.dataBytes(name),
      uncached: (table, use) => this.#database.uncached(table, use),
    };
  }
}
