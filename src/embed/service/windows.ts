/**
 * Chunks `[from, to)` of a document are sent together. The vectors of `[first, to)` are kept; the chunks before `first`
 * are context.
 */
interface Window {
  readonly from: number;
  readonly first: number;
  readonly to: number;
}

/** Maximum number of context chunks before a window. */
const CONTEXT_CHUNKS = 3;
/** Maximum share of the limit for context; these texts are also billed in another window. */
const CONTEXT_SHARE = 1 / 8;

/**
 * Cuts a document into windows of at most `maxTokens`, between chunks. A document that fits is one window. In a longer
 * document each window begins with up to three chunks of the previous window as context, so that no chunk is embedded
 * without what precedes it, and none alone (unless it and its neighbour together exceed the limit).
 *
 * The texts decide the borders: of the possible borders in the second half of a window, the one whose next chunk has
 * the lowest hash. After an edit the later borders fall on the same chunks again, so only the windows around the edit
 * change (content-defined chunking: Muthitacharoen et al. 2001, doi:10.1145/502034.502052).
 * @param tokens of each chunk; a chunk above `maxTokens` gets its own window
 * @param hashes of each chunk's text
 */
export function windowsOf(tokens: readonly number[], hashes: readonly number[], maxTokens: number): Window[] {
  const total = tokens.reduce((sum, count) => sum + count, 0);
  if (tokens.length === 0) return [];
  if (total <= maxTokens) return [{ from: 0, first: 0, to: tokens.length }];
  const windows: Window[] = [];
  for (let first = 0; first < tokens.length; ) {
    const from = contextStart(tokens, first, maxTokens);
    let used = sum(tokens, from, first);
    let room = first; // the last possible end
    const ends: number[] = []; // possible ends in the second half
    while (room < tokens.length && (used + tokens[room]! <= maxTokens || room === first)) {
      used += tokens[room++]!;
      if (used > maxTokens / 2) ends.push(room);
    }
    const to = room === tokens.length ? room : lowest(ends.length > 0 ? ends : [room], hashes);
    windows.push({ from, first, to });
    first = to;
  }
  return windows;
}

/** First context chunk of a window; the context leaves room for the window's first chunk. */
function contextStart(tokens: readonly number[], first: number, maxTokens: number): number {
  let from = first;
  let used = 0;
  while (from > 0 && first - from < CONTEXT_CHUNKS) {
    const next = used + tokens[from - 1]!;
    // the nearest neighbour may exceed the share, so that no chunk is embedded alone
    const isNeeded = from === first;
    if ((!isNeeded && next > maxTokens * CONTEXT_SHARE) || next + tokens[first]! > maxTokens) break;
    used = next;
    from--;
  }
  return from;
}

function sum(values: readonly number[], from: number, to: number): number {
  let total = 0;
  for (let i = from; i < to; i++) total += values[i]!;
  return total;
}

function lowest(ends: readonly number[], hashes: readonly number[]): number {
  let best = ends[0]!;
  for (const end of ends) if (hashes[end]! < hashes[best]!) best = end;
  return best;
}
