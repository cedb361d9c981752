import { createHash } from 'node:crypto';

/** The format of pages and of passages from the web. */
export const WEB_FORMAT = 'web';

/** A page's text as it was read, by its content: what a citation can be checked against later. */
export interface WebSnapshot {
  readonly url: string;
  readonly title: string;
  readonly text: string;
  /** ISO 8601. */
  readonly fetchedAt: string;
  /** `YYYY-MM-DD`, as the search service had it. */
  readonly published?: string | undefined;
  readonly updated?: string | undefined;
}

/**
 * The first 128 bits of the SHA-256 of address, title and text, in hex: the same words at the same address have the
 * same id.
 */
export function snapshotId({ url, title, text }: Pick<WebSnapshot, 'url' | 'title' | 'text'>): string {
  return createHash('sha256')
    .update(JSON.stringify([url, title, text]))
    .digest('hex')
    .slice(0, 32);
}
