import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { objectOf, textOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import { isRecord } from '../core/records.ts';
import type { Span } from '../core/types.ts';
import type { Qrels } from './evaluate.ts';
import { type ByteRange, findPlainOrGzipped, type NumberedLine, readLineAt, readLines } from './lines.ts';

/** Metadata as the file has it: any JSON. */
export type EntryMetadata = Readonly<Record<string, unknown>>;

/** One retrieval unit: a line of `corpus.jsonl`. */
export interface CorpusEntry {
  readonly id: string;
  /** '' when it has none. */
  readonly title: string;
  readonly text: string;
  readonly metadata: EntryMetadata;
  /** Where its line stands, in a dataset that can read it again. */
  readonly place?: ByteRange;
}

export interface DatasetQuery {
  readonly id: string;
  readonly text: string;
  readonly metadata: EntryMetadata;
}

/** A whole document that corpus entries are the chunks of: a line of `documents.jsonl`. */
export interface DatasetDocument {
  readonly title: string;
  readonly text: string;
}

/** A judged collection in BEIR layout. */
export interface BeirDataset {
  /** The folder's name. */
  readonly name: string;
  readonly path: string;
  readonly split: string;
  /** Read from the file each time it is iterated, never held as a whole. */
  readonly corpus: AsyncIterable<CorpusEntry>;
  /** Reads one entry again; only where the corpus is not packed. */
  readonly entryAt?: (place: ByteRange) => CorpusEntry;
  /** By id; only where the folder has `documents.jsonl`. */
  readonly documents?: ReadonlyMap<string, DatasetDocument>;
  readonly queries: readonly DatasetQuery[];
  /** Every judged query is in `queries`. */
  readonly qrels: Qrels;
}

export interface BeirOptions {
  /** Which judgements: `qrels/<split>.tsv`. @default 'test' */
  readonly split?: string | undefined;
}

/**
 * Opens a folder in BEIR layout: `corpus.jsonl`, `queries.jsonl`, `qrels/<split>.tsv` and perhaps `documents.jsonl`,
 * each plain or with `.gz`. Queries, judgements and documents are read at once; the corpus when it is iterated.
 * @throws IbidError DATASET_INVALID naming the file and line that is not in the layout
 * @see Thakur et al. 2021, arXiv:2104.08663
 */
export async function readBeirFolder(path: string, options: BeirOptions = {}): Promise<BeirDataset> {
  const { split = 'test' } = objectOf(options, 'the options');
  const folder = resolve(textOf(path, 'the folder'));
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
    throw new IbidError('DATASET_INVALID', `${folder} is not a folder`, {
      hint: 'Give the folder that holds corpus.jsonl, queries.jsonl and qrels/.',
    });
  }
  const corpusFile = await requireFile(folder, 'corpus.jsonl');
  const queriesFile = await requireFile(folder, 'queries.jsonl');
  const qrelsFile = await requireSplit(folder, split);
  const documentsFile = await findPlainOrGzipped(join(folder, 'documents.jsonl'));

  const queries: DatasetQuery[] = [];
  for await (const { id, text, metadata } of readEntries(queriesFile)) queries.push({ id, text, metadata });
  const qrels = await readQrels(qrelsFile);
  const known = new Set(queries.map(({ id }) => id));
  for (const id of qrels.keys()) {
    if (!known.has(id)) {
      throw new IbidError('DATASET_INVALID', `${qrelsFile} judges query "${id}", which ${queriesFile} does not have`);
    }
  }
  let documents: Map<string, DatasetDocument> | undefined;
  if (documentsFile !== undefined) {
    documents = new Map();
    for await (const { id, title, text } of readEntries(documentsFile)) documents.set(id, { title, text });
  }
  return {
    name: basename(folder),
    path: folder,
    split,
    corpus: { [Symbol.asyncIterator]: () => readEntries(corpusFile) },
    ...(corpusFile.endsWith('.gz') ? {} : { entryAt: (place: ByteRange) => entryAt(corpusFile, place) }),
    ...(documents && { documents }),
    queries,
    qrels,
  };
}

/** A chunk as the data set gives it. */
export interface GivenChunk {
  /** The corpus entry's id: what the judgements name. */
  readonly id: string;
  readonly text: string;
  readonly heading?: string;
  /** Where the text stands in the document, when the document is given and `metadata.start` leads to it. */
  readonly span?: Span;
  readonly metadata: EntryMetadata;
  /** Of the entry's line, in a dataset that can read it again. */
  readonly place?: ByteRange;
}

/** A document with its given chunks in order. They need not partition it: gaps and overlaps are the data set's. */
export interface GroupedDocument {
  readonly id: string;
  readonly title: string;
  /** The whole text: from `documents.jsonl`, or the entry's own where an entry is a document by itself. */
  readonly text?: string;
  /** At least one. */
  readonly chunks: readonly GivenChunk[];
}

/**
 * The corpus as documents. An entry with `metadata.doc_id` is a chunk of that document, in the order of
 * `metadata.index`, else `metadata.start`, else of the file; any other entry is a document of one chunk. Single entries
 * are passed on as they come; grouped ones are held until the corpus has been read, since chunks of one document may
 * stand apart (by their place alone, without their text, where the dataset can read them again).
 * @throws IbidError DATASET_INVALID when an entry names a document that `documents.jsonl` does not have, or a lone
 * entry's id is also a document's
 */
export async function* groupCorpus(
  dataset: Pick<BeirDataset, 'corpus' | 'entryAt' | 'documents' | 'name'>,
): AsyncGenerator<GroupedDocument, void, undefined> {
  objectOf(dataset, 'the dataset', 'corpus');
  const groups = new Map<string, CorpusEntry[]>();
  const alone = new Set<string>();
  for await (const entry of dataset.corpus) {
    const documentId = entry.metadata.doc_id;
    if (documentId === undefined || documentId === null) {
      alone.add(entry.id);
      const { id, title, text } = entry;
      yield { id, title, text, chunks: [{ ...chunkOf(entry), span: { start: 0, end: text.length } }] };
      continue;
    }
    const id = String(documentId);
    if (dataset.documents && !dataset.documents.has(id)) {
      throw new IbidError(
        'DATASET_INVALID',
        `${dataset.name}: entry "${entry.id}" is a chunk of "${id}", which documents.jsonl does not have`,
      );
    }
    const group = groups.get(id);
    const held = dataset.entryAt && entry.place ? { ...entry, text: '' } : entry;
    if (group) group.push(held);
    else groups.set(id, [held]);
  }
  for (const [id, entries] of groups) {
    if (alone.has(id)) {
      throw new IbidError(
        'DATASET_INVALID',
        `${dataset.name}: "${id}" is both an entry by itself and a document of other entries`,
      );
    }
    const document = dataset.documents?.get(id);
    const ordered = sortBy(sortBy(entries, 'start'), 'index').map((entry) =>
      dataset.entryAt && entry.place ? dataset.entryAt(entry.place) : entry,
    );
    yield {
      id,
      title: document?.title ?? entries[0]!.title,
      ...(document && { text: document.text }),
      chunks: ordered.map((entry) => {
        const span = document && findSpan(document.text, entry);
        return { ...chunkOf(entry), ...(span && { span }) };
      }),
    };
  }
}

function chunkOf(entry: CorpusEntry): GivenChunk {
  const { id, text, metadata, place } = entry;
  return { id, text, metadata, ...headingOf(entry), ...(place && { place }) };
}

/** Stable; left alone unless every entry has the number. */
function sortBy(entries: readonly CorpusEntry[], key: 'index' | 'start'): readonly CorpusEntry[] {
  if (!entries.every(({ metadata }) => typeof metadata[key] === 'number')) return entries;
  return [...entries].sort((a, b) => Number(a.metadata[key]) - Number(b.metadata[key]));
}

function headingOf({ metadata: { heading } }: CorpusEntry): { heading?: string } {
  return typeof heading === 'string' && heading !== '' ? { heading } : {};
}

/** `start` is where the chunk begins, blanks that the chunk's text has lost included. */
function findSpan(document: string, { text, metadata }: CorpusEntry): Span | undefined {
  const from = metadata.start;
  if (typeof from !== 'number' || from < 0) return undefined;
  const start = document.indexOf(text, from);
  if (start === -1 || document.slice(from, start).trim() !== '') return undefined;
  return { start, end: start + text.length };
}

async function requireFile(folder: string, name: string): Promise<string> {
  const found = await findPlainOrGzipped(join(folder, name));
  if (found !== undefined) return found;
  throw new IbidError('DATASET_INVALID', `${folder} has no ${name} (nor ${name}.gz)`, {
    hint: 'Give a folder in BEIR layout: corpus.jsonl, queries.jsonl and qrels/test.tsv.',
  });
}

async function requireSplit(folder: string, split: string): Promise<string> {
  if (!/^[\w.-]+$/.test(split)) throw new IbidError('INVALID_ARGUMENT', `"${split}" is not the name of a split`);
  const found = await findPlainOrGzipped(join(folder, 'qrels', `${split}.tsv`));
  if (found !== undefined) return found;
  const there = (await readdir(join(folder, 'qrels')).catch((): string[] => []))
    .filter((name) => /\.tsv(\.gz)?$/.test(name))
    .map((name) => name.replace(/\.tsv(\.gz)?$/, ''));
  throw new IbidError('DATASET_INVALID', `${folder} has no qrels/${split}.tsv`, {
    hint:
      there.length > 0
        ? `It has judgements for: ${there.sort().join(', ')}.`
        : 'Judgements belong in qrels/<split>.tsv.',
  });
}

async function* readEntries(file: string): AsyncGenerator<CorpusEntry, void, undefined> {
  const seen = new Set<string>();
  for await (const line of readLines(file)) {
    const entry = parseEntry(line, file);
    if (seen.has(entry.id)) throw invalid(file, line, `the id "${entry.id}" was used before`);
    seen.add(entry.id);
    yield { ...entry, place: line.bytes };
  }
  if (seen.size === 0) throw new IbidError('DATASET_INVALID', `${file} is empty`);
}

function entryAt(file: string, place: ByteRange): CorpusEntry {
  // the line had no fault when it was read first; a fault now means that the file has changed
  return { ...parseEntry({ number: 0, text: readLineAt(file, place), bytes: place }, file), place };
}

function parseEntry(line: NumberedLine, file: string): CorpusEntry {
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch (cause) {
    throw invalid(file, line, 'not JSON', cause);
  }
  if (!isRecord(value)) throw invalid(file, line, 'not a JSON object');
  const { _id: id, title, text, metadata } = value;
  if (typeof id !== 'string' && typeof id !== 'number') throw invalid(file, line, '"_id" is missing or not a string');
  if (id === '') throw invalid(file, line, '"_id" is empty');
  if (typeof text !== 'string') throw invalid(file, line, '"text" is missing or not a string');
  if (title !== undefined && title !== null && typeof title !== 'string')
    throw invalid(file, line, '"title" is not a string');
  if (metadata !== undefined && metadata !== null && !isRecord(metadata))
    throw invalid(file, line, '"metadata" is not an object');
  return { id: String(id), title: title ?? '', text, metadata: metadata ?? {} };
}

/**
 * BEIR's three columns after a header line, or TREC's four (query, iteration, document, grade); both told by their
 * columns.
 */
async function readQrels(file: string): Promise<Qrels> {
  const qrels = new Map<string, Map<string, number>>();
  let first = true;
  for await (const line of readLines(file)) {
    const columns = line.text.split('\t').map((column) => column.trim());
    if (columns.length === 1) throw invalid(file, line, 'no tab between columns');
    if (columns.length !== 3 && columns.length !== 4)
      throw invalid(file, line, `${columns.length} columns instead of 3`);
    const queryId = columns[0]!;
    const documentId = columns.at(-2)!;
    const grade = columns.at(-1) === '' ? Number.NaN : Number(columns.at(-1));
    const header = first && Number.isNaN(grade);
    first = false;
    if (header) continue;
    if (!Number.isFinite(grade)) throw invalid(file, line, `the grade "${columns.at(-1)}" is not a number`);
    if (queryId === '' || documentId === '') throw invalid(file, line, 'an id is empty');
    const grades = qrels.get(queryId) ?? new Map<string, number>();
    if ((grades.get(documentId) ?? grade) !== grade) {
      throw invalid(
        file,
        line,
        `query "${queryId}" and document "${documentId}" were judged before, with another grade`,
      );
    }
    qrels.set(queryId, grades.set(documentId, grade));
  }
  if (qrels.size === 0) throw new IbidError('DATASET_INVALID', `${file} holds no judgements`);
  return qrels;
}

function invalid(file: string, line: NumberedLine, message: string, cause?: unknown): IbidError {
  const where = line.number === 0 ? `${file} has changed while it was read` : `${file}, line ${line.number}`;
  return new IbidError('DATASET_INVALID', `${where}: ${message}`, {
    cause,
    hint: file.includes('.tsv')
      ? 'Expected columns, with tabs between: query-id, corpus-id, score.'
      : 'Expected one JSON object per line: {"_id", "title", "text", "metadata"}.',
  });
}
