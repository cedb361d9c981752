import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { citationOf, parseCitation } from '../answer/citation.ts';
import type { LookedAt } from '../answer/contract.ts';
import type { Shown, ShownMedia } from '../answer/grounded/request.ts';
import type { GroundingSource } from '../answer/grounded/sources.ts';
import type { ModelMedia } from '../answer/language-model.ts';
import { wholeOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import { type Locatable, locate } from '../core/location.ts';
import type { CallOptions, Hit } from '../core/types.ts';
import { sha256 } from '../ingest/content-hash.ts';
import { sizeOf } from '../read/image/size.ts';
import type { Snapshot } from '../store/contract.ts';
import { localHits } from './earlier.ts';
import { readChunks } from './find.ts';
import type { SourceFiles } from './show.ts';

/** What a model is shown beside the text of the passages. */
export interface LookOptions {
  /** Pages and pictures at most. @default 4 */
  readonly pages?: number | undefined;
  /**
   * Uploads what is shown to the service and names it by its id from then on: what an agent reads again with every step,
   * and what is asked about often, is sent once. The service keeps the files, where it can for 30 days. @default false
   */
  readonly keepFiles?: boolean | undefined;
}

/**
 * What a model is to look at, and what can be cited of it: the pages with text, by the ids of `media`. A picture alone
 * cannot be cited, the text that was read from it can.
 */
export interface Look extends Shown {
  /** Why something was left out. */
  readonly warnings: readonly IbidError[];
}

const PAGES = 4;
/** Bytes of all files together: a request has at most 32 MB, and base64 makes four bytes of three. */
const MOST_BYTES = 20 * 2 ** 20;
/** Bytes of a PDF that pages are taken out of, at most. */
const MOST_FILE_BYTES = 256 * 2 ** 20;
const MOST_IMAGE_BYTES = 7 * 2 ** 20;
const MOST_IMAGE_DOTS = 8000;
/** Chunks before and behind a hit that may stand on its page. */
const CHUNKS_AROUND = 40;

/**
 * The pages of PDFs and the pictures that hits come from, best hit first, each once. A file that has changed since it
 * was indexed is not shown: what was found does not stand in it.
 */
export async function lookAt(
  hits: readonly Hit[],
  snapshot: Snapshot,
  files: SourceFiles,
  { pages = PAGES, ...options }: LookOptions & LookCall,
): Promise<Look> {
  wholeOf(pages, 'look.pages', 1);
  return await lookAtPlaces(hits.flatMap(placesOf), snapshot, files, { ...options, pages });
}

/** The same pages and pictures as before, in their order, as far as they are still there. */
export async function lookAgain(
  looked: readonly LookedAt[],
  snapshot: Snapshot,
  files: SourceFiles,
  options: LookCall,
): Promise<Look> {
  const places = await Promise.all(
    looked.map(async ({ reference, page }) => {
      const { uri, span } = parseCitation(reference);
      const hits = span ? await localHits(snapshot, uri, span) : [];
      return hits.flatMap(placesOf).filter((place) => place.page === page);
    }),
  );
  return await lookAtPlaces(places.flat(), snapshot, files, { ...options, pages: Infinity });
}

interface LookCall extends CallOptions {
  /** Number of the first id. @default 1 */
  readonly first?: number | undefined;
  /** What the model has in front of it already: not shown again, and of the room for bytes. @default nothing */
  readonly before?: readonly ShownMedia[] | undefined;
}

interface PlaceOf {
  readonly hit: Hit;
  readonly page?: number;
}

async function lookAtPlaces(
  places: readonly PlaceOf[],
  snapshot: Snapshot,
  files: SourceFiles,
  { pages, first = 1, before = [], signal }: LookCall & { readonly pages: number },
): Promise<Look> {
  const media: ShownMedia[] = [];
  const sources: GroundingSource[] = [];
  const warnings: IbidError[] = [];
  const seen = new Set(before.map(({ at }) => `${parseCitation(at.reference).uri}\n${at.page}`));
  let bytes = before.reduce((sum, one) => sum + one.bytes.length, 0);
  for (const { hit, page } of places) {
    const { uri, title } = hit.chunk;
    if (seen.has(`${uri}\n${page}`)) continue;
    if (media.length === pages) break;
    seen.add(`${uri}\n${page}`);
    const id = `p${first + media.length}`;
    try {
      const file = await fileOf(uri, files, signal);
      const pdf = page === undefined ? undefined : await files.reader.pagesOf?.(file, [page], { signal });
      if (page !== undefined && !pdf) continue; // the caller's own reader has no pages
      const mediaType = pdf ? 'application/pdf' : imageType(file);
      const shown = pdf ?? file;
      if (bytes + shown.length > MOST_BYTES)
        throw new IbidError('FILE_TOO_LARGE', `a request has no room for ${shown.length} bytes more`);
      if (pdf) sources.push(await pageSource(snapshot, hit, page!, id));
      const digest = sha256(`${sha256(file)}#${page ?? ''}`);
      const at = { reference: citationOf(hit), ...(page === undefined ? {} : { page }) };
      media.push({
        id,
        title: page === undefined ? title : `${title}, page ${page}`,
        mediaType,
        bytes: shown,
        digest,
        at,
      });
      bytes += shown.length;
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof IbidError)) throw error;
      warnings.push(new IbidError(error.code, `${uri} is not shown to the model: ${error.message}`, { cause: error }));
    }
  }
  return { media, sources, warnings };
}

/** The pages that a hit of a PDF touches, or its picture. */
function placesOf(hit: Hit): readonly PlaceOf[] {
  const { format, locators } = hit.chunk;
  if (hit.origin !== 'local') return [];
  if (format === 'image') return [{ hit }];
  if (format !== 'pdf') return [];
  return [...new Set(locators.flatMap(({ page }) => page ?? []))].map((page) => ({ hit, page }));
}

/** @throws IbidError FILE_UNREADABLE, FILE_TOO_LARGE, INDEX_MISMATCH where the file is another one by now */
async function fileOf(uri: string, { base, entry }: SourceFiles, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const path = resolve(base, uri);
  let file: Uint8Array;
  try {
    const { size } = await stat(path);
    if (size > MOST_FILE_BYTES) throw new IbidError('FILE_TOO_LARGE', `it has ${size} bytes`);
    file = await readFile(path, { signal });
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof IbidError) throw cause;
    throw new IbidError('FILE_UNREADABLE', 'the file cannot be read', { cause });
  }
  if (sha256(file) !== (await entry(uri))?.contentHash)
    throw new IbidError('INDEX_MISMATCH', 'the file has changed since it was indexed');
  return file;
}

/** @throws IbidError FILE_UNSUPPORTED, FILE_TOO_LARGE */
function imageType(file: Uint8Array): ModelMedia['mediaType'] {
  const head = Buffer.from(file.buffer, file.byteOffset, Math.min(file.length, 12)).toString('latin1');
  const kinds = [
    ['\x89PNG', 'image/png'],
    ['\xff\xd8\xff', 'image/jpeg'],
    ['GIF8', 'image/gif'],
    ['RIFF', 'image/webp'],
  ] as const;
  const kind = kinds.find(([magic]) => head.startsWith(magic));
  if (!kind) throw new IbidError('FILE_UNSUPPORTED', 'pictures are shown as PNG, JPEG, GIF or WebP');
  const [width, height] = sizeOf(file) ?? [0, 0];
  if (file.length > MOST_IMAGE_BYTES || Math.max(width, height) > MOST_IMAGE_DOTS)
    throw new IbidError('FILE_TOO_LARGE', `a picture of ${width} × ${height} dots and ${file.length} bytes`);
  return kind[1];
}

/** The text of a page, as the index has it: what a citation of the page is proven against. */
async function pageSource(snapshot: Snapshot, { chunk }: Hit, page: number, id: string): Promise<GroundingSource> {
  const from = Math.max(0, chunk.position - CHUNKS_AROUND);
  const near = await readChunks(snapshot, chunk.uri, [from, chunk.position + CHUNKS_AROUND], chunk);
  const chunks = near.map((hit) => hit.chunk).sort((a, b) => a.position - b.position);
  const locators = chunks.flatMap((one) => one.locators);
  const onPage = locators.filter((locator) => locator.page === page);
  const offset = chunks[0]!.span.start;
  const span = { start: onPage[0]!.start, end: onPage.at(-1)!.end };
  const text = chunks
    .map((one) => one.text)
    .join('')
    .slice(span.start - offset, span.end - offset);
  const whole: Locatable = { text, span, locators };
  return {
    id,
    title: chunk.title,
    passages: [text],
    uri: chunk.uri,
    documentTitle: chunk.title,
    headings: [],
    origin: 'local',
    spans: [span],
    tokens: 0, // the page is sent, not its text
    text,
    span,
    place: (part) => locate(whole, part),
  };
}
