import type { Hit, Locator, StoredChunk } from '../../../src/core/types.ts';
import type { CollectionStatistics } from '../../../src/retrieve/collection-statistics.ts';
import { analyseWords } from '../../../src/text/analysis/words.ts';

export interface ChunkOptions {
  readonly uri?: string;
  readonly title?: string;
  readonly headings?: readonly string[];
  /** Offset of the chunk in its document. */
  readonly at?: number;
  readonly position?: number;
  readonly firstLine?: number;
  readonly context?: string;
  /** @default 'markdown' */
  readonly format?: string;
  readonly locators?: readonly Locator[];
}

export function chunkOf(text: string, options: ChunkOptions = {}): StoredChunk {
  const {
    uri = 'a.md',
    title = 'A',
    headings = [],
    at = 0,
    position = 0,
    locators = [],
    firstLine,
    context,
    format = 'markdown',
  } = options;
  return {
    uri,
    title,
    headings,
    position,
    text,
    span: { start: at, end: at + text.length },
    tokens: 1,
    locators,
    format,
    metadata: {},
    ...(firstLine === undefined ? {} : { firstLine }),
    ...(context === undefined ? {} : { context }),
  };
}

export function hitOf(chunk: StoredChunk, score = 1): Hit {
  return { chunk, score, origin: 'local', trace: [] };
}

/** Statistics of exactly these texts, each a chunk, among `rows` others that hold none of their words. */
export function statisticsOf(texts: readonly string[], rows = 1000): CollectionStatistics {
  const sets = texts.map((text) => new Set(analyseWords(text).map((token) => token.term)));
  return { rows: rows + texts.length, documentFrequency: (term) => sets.filter((set) => set.has(term)).length };
}
