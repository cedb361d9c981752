import type { CallOptions } from '../core/types.ts';
import type { Reader } from '../read/contract.ts';
import { cleanWebLine, cleanWebText } from '../web/clean.ts';
import type { FoundPage } from '../web/contract.ts';
import { fetchPublicPage, type PageFetchOptions } from '../wire/http/page.ts';

/** Longer pages are read up to here, in characters: enough for every passage that could be ranked. */
const MAX_CHARS = 400_000;

/** File names that tell the reader what a content type means. */
const names: Readonly<Record<string, string>> = {
  'text/html': 'page.html',
  'application/xhtml+xml': 'page.html',
  'text/plain': 'page.txt',
  'text/markdown': 'page.md',
  'application/pdf': 'page.pdf',
};

/**
 * Reads found pages themselves instead of the extracts a search gives of them. What comes back is cleaned text, read by
 * the same readers as files are; nothing in it is run, followed or loaded.
 */
export function openPageFetcher(
  reader: Reader,
  options: PageFetchOptions = {},
): (page: FoundPage, call: CallOptions) => Promise<FoundPage | undefined> {
  return async (page, call) => {
    const { bytes, contentType } = await fetchPublicPage(page.url, { accept: Object.keys(names), ...options, ...call });
    const name = names[contentType];
    if (name === undefined) return undefined;
    const { title, text } = await reader.read({ bytes, uri: name }, call);
    const whole = cleanWebText(text.slice(0, MAX_CHARS));
    if (whole === '') return undefined;
    return { ...page, title: page.title || cleanWebLine(title), extracts: [whole] };
  };
}
