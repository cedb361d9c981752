import { IbidError } from '../core/errors.ts';
import type { Block, Chunk, Document, Locator, Metadata, MetadataValue, ReadWarning } from '../core/types.ts';
import { clusterBoundaryAtOrBefore } from './graphemes.ts';

/**
 * What a document may weigh, in UTF-16 code units and counts. Title, heading path, metadata and places are stored with
 * every chunk, so without these limits a file of megabytes takes gigabytes. Labels that are longer are cut, with a
 * warning on the document. Text is never cut: a document with too much of it is refused.
 */
export const documentLimits = {
  titleChars: 500,
  headingChars: 500,
  /** Of all headings of a path together. */
  pathChars: 1500,
  /** Headings in a path: the outermost ones. */
  pathHeadings: 12,
  contextChars: 1000,
  metadataKeys: 200,
  metadataKeyChars: 200,
  metadataValueChars: 2000,
  /** Of all keys and values together. */
  metadataChars: 16_384,
  /** Name of a sheet or part in a locator. */
  placeChars: 200,
  warnings: 100,
  warningChars: 500,
  /** Chunks of one document: it is embedded and committed as a whole. */
  chunks: 50_000,
  blocks: 1_000_000,
  /** Longest time of cutting a text into chunks, in milliseconds: words without an end take seconds a megabyte. */
  cutMs: 60_000,
  /** Limit of title, path, context and metadata of all chunks together; more chunks leave less for each. */
  repeatedChars: 50_000_000,
} as const;

/** A label of at most `limit` code units, cut at a visible character and closed with an ellipsis. */
export function cutLabel(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = clusterBoundaryAtOrBefore(text.slice(0, limit + 2), 0, limit - 1) || limit - 1; // 0: a character of that size
  return `${text.slice(0, end).trimEnd()}…`.toWellFormed();
}

type Bounded = Omit<Document, 'uri'>;

/**
 * The document with its labels within the limits; the document itself when they are. Each kind of cut adds a warning:
 * TITLE_CUT, HEADING_CUT, METADATA_CUT, PLACE_CUT.
 * @throws IbidError FILE_TOO_LARGE when there are too many blocks
 */
export function boundDocument<D extends Bounded>(document: D): D {
  if (document.blocks.length > documentLimits.blocks)
    throw tooLarge(document.blocks.length, 'blocks', documentLimits.blocks);
  const { titleChars, headingChars, placeChars, warnings: mostWarnings, warningChars } = documentLimits;
  const warnings: ReadWarning[] = [];
  const warn = (code: string, message: string): void => {
    warnings.push({ code, message });
  };
  const title = cutLabel(document.title, titleChars);
  if (title !== document.title) {
    warn('TITLE_CUT', `the title has ${document.title.length} characters; the first ${titleChars} are kept`);
  }
  const metadata = boundMetadata(document.metadata, documentLimits.metadataChars, warn);
  const longHeadings = document.blocks.filter((block) => block.kind === 'heading' && labelChars(block) > headingChars);
  if (longHeadings.length > 0) {
    const many = longHeadings.length === 1 ? 'a heading is' : `${longHeadings.length} headings are`;
    warn(
      'HEADING_CUT',
      `${many} longer than ${headingChars} characters; paths show their beginning, the text is whole`,
    );
  }
  const isLong = ({ sheet = '', part = '' }: Locator): boolean => sheet.length > placeChars || part.length > placeChars;
  const longPlaces = document.locators.some(isLong);
  if (longPlaces) warn('PLACE_CUT', `names of sheets or parts are longer than ${placeChars} characters`);
  const wordy =
    document.warnings.length > mostWarnings || document.warnings.some(({ message }) => message.length > warningChars);
  if (warnings.length === 0 && !wordy) return metadata === document.metadata ? document : { ...document, metadata };
  return {
    ...document,
    title,
    metadata,
    blocks: longHeadings.length === 0 ? document.blocks : document.blocks.map(boundBlock),
    locators: longPlaces
      ? document.locators.map((locator) => (isLong(locator) ? boundPlace(locator) : locator))
      : document.locators,
    warnings: [
      ...document.warnings
        .slice(0, mostWarnings)
        .map(({ code, message }) => ({ code, message: cutLabel(message, warningChars) })),
      ...warnings,
    ],
  };
}

function labelChars({ label, start, end }: Block): number {
  return label?.length ?? end - start;
}

function boundBlock(block: Block): Block {
  if (block.label === undefined || block.label.length <= documentLimits.headingChars) return block;
  return { ...block, label: cutLabel(block.label, documentLimits.headingChars) };
}

function boundPlace(locator: Locator): Locator {
  const { sheet, part } = locator;
  const { placeChars } = documentLimits;
  return {
    ...locator,
    ...(sheet === undefined ? {} : { sheet: cutLabel(sheet, placeChars) }),
    ...(part === undefined ? {} : { part: cutLabel(part, placeChars) }),
  };
}

/**
 * The same metadata when it is within the limits. Text is cut; keys that are too long or too many are left out. Half a
 * character becomes U+FFFD, as in a text: the store would keep it as the six letters of its escape.
 */
function boundMetadata(metadata: Metadata, mostChars: number, warn: (code: string, message: string) => void): Metadata {
  const { metadataKeys, metadataKeyChars, metadataValueChars } = documentLimits;
  let left = mostChars;
  let keys = 0;
  let cut = 0;
  let dropped = 0;
  let isMended = false;
  const kept: Record<string, MetadataValue> = Object.create(null);
  for (const given of Object.keys(metadata)) {
    const key = given.toWellFormed();
    const raw = metadata[given]!;
    const value = typeof raw === 'string' ? raw.toWellFormed() : raw;
    isMended ||= key !== given || value !== raw;
    const room = left - key.length;
    if (keys >= metadataKeys || key.length > metadataKeyChars || room < 32) {
      dropped++;
      continue;
    }
    const limit = Math.min(metadataValueChars, room);
    const isLong = typeof value === 'string' && value.length > limit;
    kept[key] = isLong ? cutLabel(value, limit) : value;
    if (isLong) cut++;
    left -= key.length + String(kept[key]).length;
    keys++;
  }
  if (cut + dropped === 0) return isMended ? { ...kept } : metadata;
  warn('METADATA_CUT', `of the metadata, ${cut} values are cut and ${dropped} keys left out`);
  return { ...kept };
}

/** A document with its chunks, which repeat its labels. */
export interface Labelled {
  readonly document: Document;
  readonly chunks: readonly Chunk[];
}

/**
 * The chunks of a document, however they were made, with paths and context within the limits; the same objects when
 * they are. A document of many chunks keeps less of its metadata.
 * @throws IbidError FILE_TOO_LARGE when there are too many chunks
 */
export function boundChunks(document: Document, chunks: readonly Chunk[]): Labelled {
  if (chunks.length > documentLimits.chunks) {
    throw tooLarge(chunks.length, 'chunks', documentLimits.chunks);
  }
  const room = Math.floor(documentLimits.repeatedChars / Math.max(1, chunks.length));
  const pathChars = Math.min(documentLimits.pathChars, Math.max(200, room >> 1));
  const warnings: ReadWarning[] = [];
  const metadata = boundMetadata(
    document.metadata,
    Math.min(documentLimits.metadataChars, Math.max(400, room >> 1)),
    (code, message) => {
      warnings.push({ code, message });
    },
  );
  let cut = 0;
  const paths = new Map<string, readonly string[]>();
  const bounded = chunks.map((chunk): Chunk => {
    const { headings, context } = chunk;
    const short = fits(headings, pathChars) ? headings : sharedPath(paths, headings, pathChars);
    const isLong = (context?.length ?? 0) > documentLimits.contextChars;
    if (short === headings && !isLong) return chunk;
    if (short !== headings) cut++;
    return {
      ...chunk,
      headings: short,
      ...(isLong ? { context: cutLabel(context!, documentLimits.contextChars) } : {}),
    };
  });
  if (cut > 0 && !document.warnings.some(({ code }) => code === 'HEADING_CUT')) {
    warnings.push({ code: 'HEADING_CUT', message: `the heading paths of ${cut} chunks are cut; the text is whole` });
  }
  if (warnings.length === 0) return { document, chunks: bounded };
  return { document: { ...document, metadata, warnings: [...document.warnings, ...warnings] }, chunks: bounded };
}

function fits(headings: readonly string[], pathChars: number): boolean {
  const { pathHeadings, headingChars } = documentLimits;
  let sum = 0;
  for (const heading of headings) {
    if (heading.length > headingChars) return false;
    sum += heading.length;
  }
  return sum <= pathChars && headings.length <= pathHeadings;
}

/** Neighbouring chunks have the same path, which is cut once. */
function sharedPath(
  known: Map<string, readonly string[]>,
  headings: readonly string[],
  pathChars: number,
): readonly string[] {
  const { pathHeadings, headingChars } = documentLimits;
  const each = Math.max(16, Math.floor(pathChars / Math.max(1, Math.min(headings.length, pathHeadings))));
  const path = headings.slice(0, pathHeadings).map((heading) => cutLabel(heading, Math.min(headingChars, each)));
  const key = path.join('\n');
  const shared = known.get(key);
  if (shared !== undefined) return shared;
  if (known.size > 1000) known.clear();
  known.set(key, path);
  return path;
}

function tooLarge(count: number, what: string, limit: number): IbidError {
  return new IbidError('FILE_TOO_LARGE', `${count} ${what}, the limit of one document is ${limit}`, {
    hint: 'Split the file.',
  });
}
