import { IbidError } from '../core/errors.ts';
import type { CallOptions, Metadata } from '../core/types.ts';
import type { Reader } from '../read/contract.ts';
import { sha256 } from './content-hash.ts';
import type { IngestSource, SourceItem } from './contract.ts';
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

/**
 * Documents of a program as an ingest source. A document with the same uri is replaced when it differs; no other
 * document is touched.
 * @throws IbidError INVALID_ARGUMENT with the document's uri, when the source is read
 */
export function givenDocuments(
  documents: Iterable<GivenDocument> | AsyncIterable<GivenDocument>,
  reader: Reader,
): IngestSource {
  return {
    covers: () => false,
    async *items() {
      const seen = new Set<string>();
      for await (const document of documents) {
        check(document, seen);
        yield itemOf(document, reader);
      }
    },
  };
}

function itemOf({ uri, text, title, format = 'text', metadata = {} }: GivenDocument, reader: Reader): SourceItem {
  const contentHash = sha256(JSON.stringify([format, title ?? null, metadata, text]));
  return {
    uri,
    sizeBytes: Buffer.byteLength(text),
    mtimeMs: GIVEN_MTIME,
    hash: async () => contentHash,
    load: async (options: CallOptions = {}) => {
      const read = await reader.read({ bytes: Buffer.from(text), uri: names[format] }, options);
      const own = read.title === 'document' ? '' : read.title; // the title taken from the file name above is no title
      return {
        contentHash,
        document: { ...read, uri, title: title ?? own, metadata: { ...read.metadata, ...metadata } },
      };
    },
  };
}

function check(document: GivenDocument, seen: Set<string>): void {
  const { uri, text, title, format, metadata } = document ?? {};
  if (typeof uri !== 'string' || uri.trim() === '') throw invalid('a document has no `uri`');
  if (seen.has(uri)) throw invalid(`two documents have the uri "${uri}"`);
  seen.add(uri);
  if (typeof text !== 'string') throw invalid(`the \`text\` of "${uri}" is not a string`);
  if (title !== undefined && typeof title !== 'string') throw invalid(`the \`title\` of "${uri}" is not a string`);
  if (format !== undefined && !Object.hasOwn(names, format)) {
    throw invalid(
      `"${uri}" has the format "${String(format)}"`,
      `Use ${Object.keys(names).join(', ')}; files of other formats are read by \`ingest\`.`,
    );
  }
  for (const [key, value] of Object.entries(metadata ?? {})) {
    const isScalar = value === null || ['string', 'number', 'boolean'].includes(typeof value);
    if (!isScalar)
      throw invalid(
        `\`metadata.${key}\` of "${uri}" is a ${typeof value}`,
        'Metadata values must be strings, numbers, booleans or null.',
      );
  }
}

function invalid(message: string, hint?: string): IbidError {
  return new IbidError('INVALID_ARGUMENT', message, { hint });
}
