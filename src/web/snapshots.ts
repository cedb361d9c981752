import { IbidError } from '../core/errors.ts';
import { CONTEXT_CHARS, type Passage, textAround } from '../core/passage.ts';
import type { CallOptions, Span } from '../core/types.ts';
import { canonicalUrl } from '../core/url.ts';
import { snapshotId, WEB_FORMAT, type WebSnapshot } from './snapshot.ts';
import type { StoredPages } from './stored-pages.ts';

/** Pages of the web that answers have cited. */
export interface KeptPages {
  readonly pages: number;
  /** On disk; 0 where the index is in no local folder. */
  readonly bytes: number;
}

/** Pages as they were when they were shown, found again by the id of their content. */
export class WebSnapshots {
  readonly #pages: StoredPages;

  constructor(pages: StoredPages) {
    this.#pages = pages;
  }

  async put(snapshots: readonly WebSnapshot[]): Promise<void> {
    await this.#pages.put(new Map(snapshots.map((one) => [snapshotId(one), Buffer.from(JSON.stringify(one))])));
  }

  /**
   * @param id or its first characters, when no other begins so
   * @returns undefined when it was not kept
   * @throws IbidError INDEX_DAMAGED when the bytes are not those of the id
   */
  async get(id: string): Promise<WebSnapshot | undefined> {
    const found = await this.#pages.get(id);
    if (!found) return undefined;
    const snapshot = parse(found.bytes);
    if (snapshot && snapshotId(snapshot) === found.key) return snapshot;
    throw new IbidError('INDEX_DAMAGED', `the kept page ${found.key} is not what it was`, {
      hint: 'It cannot prove the citation; ask again.',
    });
  }

  /** The stored pages; undefined when there are none. No page is dropped by itself: a citation may refer to it. */
  async kept(): Promise<KeptPages | undefined> {
    const pages = await this.#pages.count();
    return pages === 0 ? undefined : { pages, bytes: await this.#pages.bytes() };
  }

  /** Ids of kept pages that are not what their ids say. */
  async damaged({ signal }: CallOptions = {}): Promise<string[]> {
    const ids: string[] = [];
    for await (const pages of this.#pages.all()) {
      signal?.throwIfAborted();
      for (const [id, bytes] of pages) {
        const snapshot = parse(bytes);
        if (!snapshot || snapshotId(snapshot) !== id) ids.push(id);
      }
    }
    return ids;
  }

  /** Drops pages that were read before a moment; their citations can no longer be checked. @returns how many */
  async removeBefore(moment: Date, { signal }: CallOptions = {}): Promise<number> {
    const old: string[] = [];
    for await (const pages of this.#pages.all()) {
      signal?.throwIfAborted();
      for (const [id, bytes] of pages) {
        const snapshot = parse(bytes);
        if (snapshot && Date.parse(snapshot.fetchedAt) < moment.getTime()) old.push(id);
      }
    }
    await this.#pages.remove(old);
    return old.length;
  }

  /** A cited span of a kept page in its context. @throws IbidError CITATION_NOT_FOUND, INDEX_DAMAGED */
  async passage(uri: string, id: string, wanted: Span | undefined): Promise<Passage> {
    const snapshot = await this.get(id);
    // escapes may have been spelled otherwise on the way
    if (!snapshot || canonicalUrl(snapshot.url) !== canonicalUrl(uri)) {
      throw new IbidError('CITATION_NOT_FOUND', `no page "${uri}" was kept as ${id}`, {
        hint: 'Pages are kept in the index that was asked; open that one.',
      });
    }
    const { text, title, url, fetchedAt } = snapshot;
    const span = wanted ?? { start: 0, end: Math.min(text.length, CONTEXT_CHARS) };
    if (span.end > text.length) {
      throw new IbidError(
        'CITATION_NOT_FOUND',
        `the page has ${text.length} characters, the citation ends at ${span.end}`,
      );
    }
    return {
      uri: url,
      title,
      format: WEB_FORMAT,
      metadata: {},
      span,
      ...textAround(text, span),
      place: {},
      source: 'is a web page, kept as it was read',
      web: { snapshot: snapshotId(snapshot), fetchedAt },
    };
  }
}

function parse(bytes: Uint8Array): WebSnapshot | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    const isPage =
      typeof value === 'object' &&
      value !== null &&
      ['url', 'title', 'text', 'fetchedAt'].every((key) => typeof Reflect.get(value, key) === 'string');
    return isPage ? (value as WebSnapshot) : undefined; // its fields were just looked at
  } catch {
    return undefined;
  }
}
