import type { Embedder } from '../embed/contract.ts';
import type { LexicalReader } from '../lexical/reader.ts';
import { countOf } from '../lexical/skipped-postings.ts';
import type { IndexView } from '../passages/view.ts';
import { ScopedSnapshot } from '../store/scoped-snapshot.ts';
import { contentTokens } from '../text/analysis/analysis.ts';
import { scanWords } from '../text/analysis/scan.ts';
import { isLocal } from './given-vectors.ts';
import type { Session, ViewOptions } from './session.ts';

/** Gives views of an index: the session's own, or those of a scope. */
export type Views = Pick<Session, 'view' | 'withView' | 'fromView'>;

/** For what searches nothing: an index of another analysis has its documents still. */
export const documentsOnly: ViewOptions = { documentsOnly: true };

/** The views of a session as if the index held the documents of one filter alone. */
export class ScopedViews implements Views {
  readonly #session: Views;
  readonly #where: string;
  #of: IndexView | undefined;
  #scoped: Promise<IndexView> | undefined;

  constructor(session: Views, where: string) {
    this.#session = session;
    this.#where = where;
  }

  async view(options?: ViewOptions): Promise<IndexView> {
    return await this.#scopedView(await this.#session.view(options));
  }

  async withView<T>(use: (view: IndexView) => Promise<T>, options?: ViewOptions): Promise<T> {
    return await this.#session.withView(async (view) => await use(await this.#scopedView(view)), options);
  }

  async *fromView<T>(
    iterate: (view: IndexView) => AsyncIterable<T>,
    options?: ViewOptions,
  ): AsyncGenerator<T, void, undefined> {
    const inScope = this.#scopedView.bind(this);
    yield* this.#session.fromView(async function* (view) {
      yield* iterate(await inScope(view));
    }, options);
  }

  #scopedView(whole: IndexView): Promise<IndexView> {
    if (this.#of !== whole || !this.#scoped) {
      this.#of = whole;
      this.#scoped = scopedView(whole, this.#where);
      this.#scoped.catch(() => {
        this.#of = undefined; // a failed filter is tried again
      });
    }
    return this.#scoped;
  }
}

/** Without the index's calibration, which was found among all documents: the built-in thresholds hold. */
async function scopedView({ snapshot, embedder, warning, searcher }: IndexView, where: string): Promise<IndexView> {
  const scoped = await ScopedSnapshot.open(snapshot, where);
  return {
    snapshot: scoped,
    embedder: embedder && isLocal(embedder.id) ? scopedEmbedder(embedder, scoped.lexical) : embedder,
    warning,
    searcher,
    calibration: undefined,
  };
}

/**
 * Leaves words out of queries that no document of the scope holds: the embedder that is trained on the index may know
 * them from other documents, and its vector would tell. One that is not knows what no document has told it.
 */
function scopedEmbedder(embedder: Embedder, lexical: LexicalReader): Embedder {
  return {
    id: embedder.id,
    dimensions: embedder.dimensions,
    embedDocuments: (documents, options) => embedder.embedDocuments(documents, options),
    embedQuery: async (query, options) => await embedder.embedQuery(await knownWords(query, lexical), options),
    ...(embedder.withMeter && { withMeter: (meter) => scopedEmbedder(embedder.withMeter!(meter), lexical) }),
  };
}

async function knownWords(query: string, lexical: LexicalReader): Promise<string> {
  const words: { start: number; end: number; terms: readonly string[] }[] = [];
  scanWords(query, (start, end) => {
    const terms = contentTokens(query.slice(start, end));
    if (terms.length > 0) words.push({ start, end, terms });
  });
  const postings = await lexical.terms(words.flatMap(({ terms }) => terms));
  const known = new Set(postings.flatMap((one) => (countOf(one) > 0 ? [one.term] : [])));
  let text = '';
  let at = 0;
  for (const { start, end, terms } of words) {
    if (terms.some((term) => known.has(term))) continue;
    text += query.slice(at, start);
    at = end;
  }
  return text + query.slice(at);
}
