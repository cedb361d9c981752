import { untilAborted } from '../core/async.ts';
import { IbidError } from '../core/errors.ts';
import { yieldToEventLoop } from '../core/event-loop.ts';
import { hash32 } from '../core/hash.ts';
import { Spool } from '../core/spool.ts';
import type { CallOptions, Metadata } from '../core/types.ts';
import type { Reader } from '../read/contract.ts';
import { sha256 } from './content-hash.ts';
import type { IngestSource, LoadedItem, SourceItem } from './contract.ts';
import { ItemList, type Items, NumberList } from './items.ts';
import { GIVEN_MTIME } from './reconcile.ts';

/** A document that is not a file: a note, a record, a message. */
export interface GivenDocument {
  /** Unique in the index; citations contain it. Use a scheme, such as `note:1`, so that no file has the same uri. */
  readonly uri: string;
  readonly text: string;
  /** @default the document's own title, if its format has one */
  readonly title?: string | undefined;
  /** The format of the text. @default 'text' */
  readonly format?: GivenFormat | undefined;
  /** Filtered by `where` as `metadata.<key>`. Takes precedence over metadata in the text. */
  readonly metadata?: Metadata | undefined;
}

/** File names that make the reader choose the format. */
const names = {
  text: 'document.txt',
  markdown: 'document.md',
  html: 'document.html',
  json: 'document.json',
  csv: 'document.csv',
} as const;

export type GivenFormat = keyof typeof names;

/** The name of a file that the reader reads as this format. */
export const nameOfFormat = (format: GivenFormat): string => names[format];

/**
 * Documents of a program as an ingest source. A document with the same uri is replaced when it differs; no other
 * document is touched. They are read in an order of their own, so all are taken before the first one is read: they wait
 * in a file, and in memory there are twelve bytes for each.
 * @param folder where this file goes, if there are many
 * @throws IbidError INVALID_ARGUMENT with the document's uri, when the source is read
 */
export function givenDocuments(
  documents: Iterable<GivenDocument> | AsyncIterable<GivenDocument>,
  reader: Reader,
  folder: () => string,
): IngestSource {
  if (!isIterable(documents)) {
    throw invalid('what is to be added is no list of documents', 'Give a list, also of one: `add([document])`.');
  }
  const waiting = new WaitingDocuments(reader, folder);
  return {
    covers: () => false,
    items: ({ signal } = {}) =>
      new ItemList(async () => {
        for await (const document of untilAborted(documents, signal)) {
          signal?.throwIfAborted();
          check(document);
          waiting.push(document);
          await yieldToEventLoop();
        }
        return waiting;
      }),
    close: async () => waiting.close(),
  };
}

/** Before a record: lengths of uri, rest and text, then the hash of all. */
const HEADER_BYTES = 12 + 32;
/** Enough for the header and almost every uri. */
const HEAD_BYTES = 256;

/** The fields of a record besides uri and text. */
type Rest = readonly [title: string | null, format: GivenFormat, metadata: Metadata];

class WaitingDocuments implements Items {
  readonly #reader: Reader;
  readonly #spool: Spool;
  readonly #hashes = new NumberList(new Uint32Array(64));
  /** The start of each record. */
  readonly #places = new NumberList(new Float64Array(64));

  constructor(reader: Reader, folder: () => string) {
    this.#reader = reader;
    this.#spool = new Spool(folder);
  }

  get length(): number {
    return this.#places.length;
  }

  push({ uri, text, title, format = 'text', metadata = {} }: GivenDocument): void {
    const rest: Rest = [title ?? null, format, metadata];
    const parts = [uri, JSON.stringify(rest), text].map((part) => Buffer.from(part));
    const header = Buffer.alloc(HEADER_BYTES);
    for (const [i, { length }] of parts.entries()) header.writeUInt32LE(length, 4 * i);
    // of the text as it was given: bytes hold no half characters
    header.write(sha256(JSON.stringify([format, title ?? null, metadata, text])), 12, 'hex');
    this.#hashes.push(hash32(uri.toWellFormed())); // as it comes back
    this.#places.push(this.#spool.length);
    for (const bytes of [header, ...parts]) this.#spool.append(bytes);
  }

  repeated(number: number): void {
    throw invalid(`two documents have the uri "${this.at(number).uri}"`);
  }

  hashOf(number: number): number {
    return this.#hashes.at(number);
  }

  at(number: number): SourceItem {
    const place = this.#places.at(number);
    const head = this.#spool.read(place, HEAD_BYTES);
    const [uriBytes, restBytes, textBytes] = [head.readUInt32LE(0), head.readUInt32LE(4), head.readUInt32LE(8)];
    const uriAt = place + HEADER_BYTES;
    const inHead = HEADER_BYTES + uriBytes <= head.length;
    const uri = (inHead ? head.subarray(HEADER_BYTES) : this.#spool.read(uriAt, uriBytes)).toString(
      'utf8',
      0,
      uriBytes,
    );
    const contentHash = head.toString('hex', 12, HEADER_BYTES);
    return {
      uri,
      sizeBytes: textBytes,
      mtimeMs: GIVEN_MTIME,
      hash: async () => contentHash,
      load: async (options: CallOptions = {}): Promise<LoadedItem> => {
        const bytes = this.#spool.read(uriAt + uriBytes, restBytes + textBytes);
        const [title, format, metadata] = JSON.parse(bytes.toString('utf8', 0, restBytes)) as Rest; // of `push`
        const read = await this.#reader.read({ bytes: bytes.subarray(restBytes), uri: names[format] }, options);
        const own = read.title === 'document' ? '' : read.title; // the title taken from the file name above is no title
        return {
          contentHash,
          document: { ...read, uri, title: title ?? own, metadata: { ...read.metadata, ...metadata } },
        };
      },
    };
  }

  close(): void {
    this.#spool.close();
  }
}

function isIterable(documents: unknown): boolean {
  if (typeof documents !== 'object' || documents === null) return false;
  return Symbol.iterator in documents || Symbol.asyncIterator in documents;
}

function check(document: GivenDocument): void {
  const { uri, text, title, format, metadata } = document ?? {};
  if (typeof uri !== 'string' || uri.trim() === '') throw invalid('a document has no `uri`');
  if (typeof text !== 'string') throw invalid(`the \`text\` of "${uri}" is not a string`);
  if (title !== undefined && typeof title !== 'string') throw invalid(`the \`title\` of "${uri}" is not a string`);
  if (format !== undefined && !Object.hasOwn(names, format)) {
    throw invalid(
      `"${uri}" has the format "${String(format)}"`,
      `Use ${Object.keys(names).join(', ')}; files of other formats are read by \`ingest\`.`,
    );
  }
  const given: unknown = metadata ?? {};
  // a `Map` has no keys of its own, and a text has one for each letter
  if (typeof given !== 'object' || given === null || Symbol.iterator in given || given instanceof Date)
    throw invalid(`the \`metadata\` of "${uri}" is ${described(given)}`, 'Give an object of keys and values.');
  for (const [key, value] of Object.entries(given)) {
    const isNumber = typeof value === 'number';
    if (isNumber ? Number.isFinite(value) : value === null || ['string', 'boolean'].includes(typeof value)) continue;
    throw invalid(
      `\`metadata.${key}\` of "${uri}" is ${described(value)}`,
      'Metadata values must be strings, finite numbers, booleans or null; a date is given as its ISO text.',
    );
  }
}

function described(value: unknown): string {
  if (typeof value === 'number' || value === undefined) return String(value);
  return `a value of type ${Object.prototype.toString.call(value).slice(8, -1)}`;
}

function invalid(message: string, hint?: string): IbidError {
  return new IbidError('INVALID_ARGUMENT', message, { hint });
}
