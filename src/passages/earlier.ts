import { parseCitation } from '../answer/citation.ts';
import type { HistoryTurn } from '../answer/grounded/request.ts';
import type { Hit, Span } from '../core/types.ts';
import type { Snapshot } from '../store/contract.ts';
import { sqlString } from '../store/sql.ts';
import { countTokens } from '../text/tokens/tokens.ts';
import { WEB_FORMAT } from '../web/snapshot.ts';
import type { WebSnapshots } from '../web/snapshots.ts';

/**
 * A conversation whose questions have the passages that stood beside them, read again from the index by their
 * references. A passage that is gone, or was cut otherwise since, is left out: what can be cited is what stands there now.
 * @throws IbidError INVALID_ARGUMENT for what is no reference, INDEX_DAMAGED
 */
export async function withEarlierPassages(
  history: readonly HistoryTurn[],
  snapshot: Snapshot,
  pages: WebSnapshots,
): Promise<readonly HistoryTurn[]> {
  const read = async (reference: string): Promise<readonly Hit[]> => {
    const { uri, span, snapshot: page } = parseCitation(reference);
    if (span === undefined) return [];
    return page === undefined ? await localHits(snapshot, uri, span) : await pageHits(pages, uri, page, span);
  };
  return await Promise.all(
    history.map(async (turn) => {
      if (turn.hits || !turn.passages) return turn;
      return { ...turn, hits: (await Promise.all(turn.passages.map(read))).flat() };
    }),
  );
}

/** The chunk with this span, in a list; none where the document was cut otherwise since. */
export async function localHits(snapshot: Snapshot, uri: string, { start, end }: Span): Promise<readonly Hit[]> {
  const rows = await snapshot.filter(`uri = ${sqlString(uri)} AND start = ${start}`);
  const chunks = await snapshot.fetch(rows.ordinals);
  return chunks
    .filter(({ span }) => span.end === end)
    .map((chunk) => ({ chunk, score: 0, origin: 'local', trace: [] }));
}

async function pageHits(pages: WebSnapshots, uri: string, id: string, span: Span): Promise<readonly Hit[]> {
  const page = await pages.get(id);
  if (!page || page.url !== uri || span.end > page.text.length) return [];
  const text = page.text.slice(span.start, span.end);
  const { title, fetchedAt } = page;
  return [
    {
      chunk: {
        uri,
        title,
        text,
        span,
        position: span.start, // nothing else is known of its neighbours
        headings: [],
        tokens: countTokens(text),
        locators: [],
        format: WEB_FORMAT,
        metadata: {},
      },
      score: 0,
      origin: 'web',
      web: { snapshot: id, fetchedAt, query: '', rank: 1 },
      trace: [],
    },
  ];
}
