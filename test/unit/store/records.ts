import type { DocumentRecord } from '../../../src/store/contract.ts';
import { type RandomSource, randomSource } from '../vector/random.ts';

export const words: readonly string[] = Array.from({ length: 400 }, (_, i) => `w${i.toString(36)}${'aeiou'[i % 5]}n`);

/** A document of the given chunk texts; everything about it follows from `uri`, the texts and the seed. */
export function record(
  uri: string,
  texts: readonly string[],
  {
    dimensions = 16,
    seed = 1,
    metadata = {},
    title = `Title of ${uri}`,
    format = 'markdown',
  }: {
    dimensions?: number;
    seed?: number;
    metadata?: DocumentRecord['metadata'];
    title?: string;
    format?: string;
  } = {},
): DocumentRecord {
  const random = randomSource(seed * 7919 + [...uri].reduce((sum, c) => sum * 31 + c.charCodeAt(0), 7));
  let at = 0;
  return {
    uri,
    title,
    format,
    metadata,
    source: { sizeBytes: texts.join('').length, mtimeMs: 1000 + seed, contentHash: `hash of ${uri} ${seed}` },
    chunks: texts.map((text, position) => {
      const span = { start: at, end: at + text.length };
      at = span.end;
      return {
        position,
        span,
        text,
        headings: position % 2 === 0 ? ['Part', `Section ${position}`] : [],
        tokens: text.split(' ').length,
        locators: position % 3 === 0 ? [{ ...span, page: position + 1 }] : [],
        ...(position % 2 === 0 ? { firstLine: position + 1 } : { context: 'head of the table' }),
      };
    }),
    vectors: texts.map(() => vector(random, dimensions)),
    warnings: seed % 2 === 0 ? [{ code: 'W', message: `warning about ${uri}` }] : [],
  };
}

export function vector(random: RandomSource, dimensions: number): Int8Array {
  return Int8Array.from({ length: dimensions }, () => random.integer(-127, 127));
}

/** `count` texts of random words. */
export function texts(random: RandomSource, count: number, length = 8): string[] {
  return Array.from({ length: count }, () =>
    Array.from({ length }, () => words[random.integer(0, words.length - 1)]!).join(' '),
  );
}
