import type { Chunk, Span, StoredChunk, WebOrigin } from '../core/types.ts';
import { markdownBlocks } from '../read/markup/markdown.ts';
import { type ChunkOptions, chunkDocument } from '../text/chunk/chunk.ts';
import { cleanWebLine } from './clean.ts';
import type { FoundPage } from './contract.ts';
import { snapshotId, WEB_FORMAT, type WebSnapshot } from './snapshot.ts';

/** A page cut into passages, with the snapshot they are slices of. */
export interface WebDocument {
  /** Of the snapshot. */
  readonly id: string;
  readonly canonical: string;
  readonly snapshot: WebSnapshot;
  readonly origin: WebOrigin;
  readonly chunks: readonly StoredChunk[];
}

/** What stands between extracts, which need not follow on each other: a sentence never runs over it. */
const BETWEEN = '\n\n';

/**
 * The pages that one search, or one conversation, has seen. A page found again keeps its text and grows at its end, so
 * that spans given out before stay true in every later snapshot.
 */
export class WebPages {
  readonly #chunking: ChunkOptions | undefined;
  readonly #pages = new Map<string, { page: FoundPage; extracts: string[]; document: WebDocument }>();

  constructor(chunking?: ChunkOptions) {
    this.#chunking = chunking;
  }

  /** @param fetchedAt ISO 8601 */
  add(pages: readonly FoundPage[], fetchedAt: string): WebDocument[] {
    return pages.map((page) => {
      const known = this.#pages.get(page.canonical);
      const text = known?.document.snapshot.text ?? '';
      const fresh = page.extracts.filter((extract) => !text.includes(extract));
      if (known && fresh.length === 0) return known.document;
      const extracts = [...(known?.extracts ?? []), ...fresh];
      const document = documentOf(known?.page ?? page, extracts, fetchedAt, this.#chunking);
      this.#pages.set(page.canonical, { page: known?.page ?? page, extracts, document });
      return document;
    });
  }

  /** By any spelling's canonical form. */
  get(canonical: string): WebDocument | undefined {
    return this.#pages.get(canonical)?.document;
  }
}

function documentOf(
  page: FoundPage,
  extracts: readonly string[],
  fetchedAt: string,
  chunking: ChunkOptions | undefined,
): WebDocument {
  const { url, canonical, published, updated, found } = page;
  const title = page.title || nameOf(url);
  const text = extracts.join(BETWEEN);
  const dates = { ...(published ? { published } : {}), ...(updated ? { updated } : {}) };
  const snapshot: WebSnapshot = {
    url,
    title,
    text,
    fetchedAt,
    ...dates,
  };
  const id = snapshotId(snapshot);
  const { query, rank } = found[0];
  const chunks = passagesOf(extracts, chunking).map((chunk, position) => ({
    ...chunk,
    position,
    uri: url,
    title,
    format: WEB_FORMAT,
    metadata: dates,
  }));
  return { id, canonical, snapshot, origin: { snapshot: id, fetchedAt, ...dates, query, rank }, chunks };
}

/**
 * Chunks that partition the extracts joined. A long extract is cut as documents are; a short one stays alone, since
 * nobody knows what stood between it and the next.
 */
function passagesOf(extracts: readonly string[], chunking: ChunkOptions | undefined): Chunk[] {
  const chunks: Chunk[] = [];
  let at = 0;
  extracts.forEach((extract, e) => {
    const cut = chunkDocument(asDocument(extract), chunking);
    cut.forEach((chunk, i) => {
      const tail = i === cut.length - 1 && e < extracts.length - 1 ? BETWEEN : '';
      const span: Span = { start: at + chunk.span.start, end: at + chunk.span.end + tail.length };
      chunks.push({ ...chunk, span, text: chunk.text + tail, position: chunks.length });
    });
    at += extract.length + BETWEEN.length;
  });
  return chunks;
}

/** Extracts read as Markdown, which is what services write them in; of plain text it is a paragraph. */
function asDocument(text: string): Parameters<typeof chunkDocument>[0] {
  const blocks = markdownBlocks(text);
  return { uri: '', title: '', text, format: WEB_FORMAT, blocks, locators: [], metadata: {}, warnings: [] };
}

/** As files without a title are called by their names: the last part of the path, else the host. */
function nameOf(url: string): string {
  const { pathname, hostname } = new URL(url);
  const last = pathname.split('/').findLast((part) => part !== '') ?? '';
  const name = cleanWebLine(decoded(last).replace(/\.\w{1,5}$/, ''));
  return name || hostname;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
