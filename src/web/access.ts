import type { CitationReference } from '../answer/citation.ts';
import { IbidError } from '../core/errors.ts';
import type { Meter } from '../core/meter.ts';
import type { Hit } from '../core/types.ts';
import { canonicalUrl } from '../core/url.ts';
import type { Embedder } from '../embed/contract.ts';
import type { Reader } from '../read/contract.ts';
import type { SearchHit } from '../retrieve/search.ts';
import { paidModelOf } from '../search-index/service-vectors.ts';
import { type IndexServices, isPaid, type Session, type Sessions } from '../search-index/sessions.ts';
import type { Passage } from '../search-index/show.ts';
import type { Database } from '../store/index.ts';
import type { ChunkOptions } from '../text/chunk/chunk.ts';
import type { WebPages } from './documents.ts';
import { resolveWebOptions, type WebOptions } from './options.ts';
import type { WebSearchCall } from './search.ts';
import { WebSnapshots } from './snapshots.ts';
import { StoredPages } from './stored-pages.ts';

/** What one question, or one search, has seen of the web. */
export interface WebConversation {
  /** Hits of index and web in one list, or of the web alone. */
  search(query: string, call: WebSearchCall): Promise<readonly SearchHit[]>;
  /** Passages `[from, to)` of a page that was found; undefined for anything else. */
  read(uri: string, from: number, to: number): readonly Hit[] | undefined;
}

/** The web beside one index. */
export class WebAccess {
  readonly #sessions: Sessions;
  readonly #services: IndexServices;
  /** Pages as they were shown. */
  readonly snapshots: WebSnapshots;
  readonly #chunking: ChunkOptions | undefined;
  readonly #reader: () => Reader;

  constructor(
    database: Database,
    sessions: Sessions,
    options: {
      readonly services?: IndexServices | undefined;
      readonly chunking?: ChunkOptions | undefined;
      readonly reader: () => Reader;
    },
  ) {
    this.#sessions = sessions;
    this.#services = options.services ?? {};
    this.snapshots = new WebSnapshots(new StoredPages(database));
    this.#chunking = options.chunking;
    this.#reader = options.reader;
  }

  /**
   * Opens the web for one question: what it finds several times stays one page.
   * @throws IbidError INVALID_ARGUMENT, KEY_MISSING
   */
  converse(options: WebOptions | true): WebConversation {
    const web = resolveWebOptions(options);
    const { search } = this.#services;
    if (!search) {
      throw new IbidError('KEY_MISSING', 'searching the web needs a key for the search service, and there is none', {
        hint: 'Set IBID_SEARCH_API_KEY and IBID_SEARCH_BASE_URL, or pass `services: { search }` to openIndex.',
      });
    }
    let pages: WebPages | undefined;
    // imported only now: a search without the web need not load what speaks HTTP and reads pages
    const open = async () => {
      const [{ WebPages }, { openPageFetcher }, { serviceWebSearch }, { searchWithWeb }] = await Promise.all([
        import('./documents.ts'),
        import('../services/fetch-page.ts'),
        import('../services/web-search.ts'),
        import('./search.ts'),
      ]);
      pages = new WebPages(this.#chunking);
      const sources = {
        web: serviceWebSearch(search),
        snapshots: this.snapshots,
        pages,
        embedderOf: (session: Session, meter: Meter) => this.#embedderOf(session, meter),
        fetchPage: web.fetch ? openPageFetcher(this.#reader()) : undefined,
        now: () => Date.now(),
      };
      return { sources, searchWithWeb };
    };
    let opened: ReturnType<typeof open> | undefined;
    return {
      search: async (query, call) => {
        opened ??= open();
        const { sources, searchWithWeb } = await opened;
        return await searchWithWeb(await this.#sessions.open(), sources, query, web, call);
      },
      read: (uri, from, to) => {
        const document = pages?.get(canonicalUrl(uri) ?? '');
        return document?.chunks.slice(from, to).map((chunk) => ({ chunk, score: 0, origin: 'web', trace: [] }));
      },
    };
  }

  /** A cited page as it was kept. @throws IbidError CITATION_NOT_FOUND, INDEX_DAMAGED */
  show({ uri, span }: CitationReference, snapshot: string): Promise<Passage> {
    return this.snapshots.passage(uri, snapshot, span);
  }

  /** The embedder of the index's vectors; where it costs money, one that charges the meter and remembers what was paid for. */
  #embedderOf({ embedder }: Session, meter: Meter): Embedder | undefined {
    const paid = embedder && isPaid(embedder) ? paidModelOf(embedder.id) : undefined;
    return paid ? this.#sessions.paidEmbedder({ ...paid, meter }) : embedder;
  }
}
