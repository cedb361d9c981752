import type { WebReport } from '../core/report.ts';
import type { Hit } from '../core/types.ts';
import { canonicalUrl } from '../core/url.ts';
import type { SearchHit } from '../retrieve/search.ts';
import type { ChunkOptions } from '../text/chunk/chunk.ts';
import { WebPages } from './documents.ts';
import { webHit } from './merged-search.ts';
import type { ResolvedWebOptions } from './options.ts';
import { type SearchedIndex, searchWithWeb, type WebSearchCall, type WebSources } from './search.ts';

/** The web for one question, or one search: a page that is found several times stays one page. */
export class WebConversation {
  readonly #pages: WebPages;
  readonly #sources: WebSources;
  readonly #options: ResolvedWebOptions;

  constructor(
    sources: Omit<WebSources, 'pages' | 'now'>,
    options: ResolvedWebOptions,
    chunking: ChunkOptions | undefined,
  ) {
    this.#pages = new WebPages(chunking);
    this.#sources = { ...sources, pages: this.#pages, now: () => Date.now() };
    this.#options = options;
  }

  /** Hits of index and web in one list, or of the web alone. @throws IbidError as `searchWithWeb` */
  search(
    index: SearchedIndex,
    query: string,
    call: WebSearchCall,
  ): Promise<{ readonly hits: readonly SearchHit[]; readonly report: WebReport }> {
    return searchWithWeb(index, this.#sources, query, this.#options, call);
  }

  /** Passages `[from, to)` of a page that was found; undefined for any other address. */
  read(uri: string, from: number, to: number): readonly Hit[] | undefined {
    const document = this.#pages.get(canonicalUrl(uri) ?? '');
    return document?.chunks
      .slice(from, to)
      .map((chunk) => webHit({ chunk, score: 0, origin: 'web', trace: [] }, document));
  }
}
