import { describe, expect, it } from 'vitest';
import type { WordCounts } from '../../../src/store/contract.ts';
import { contentTerms } from '../../../src/text/analysis/words.ts';
import { queryVariants } from '../../../src/web/query-variants.ts';

/** An index of 1,000 chunks in which each of these words stands in so many, and any other word in none. */
function indexOf(counts: Readonly<Record<string, number>>, liveRows: number = 1000): WordCounts {
  const byTerm = new Map(Object.entries(counts).flatMap(([word, n]) => contentTerms(word).map((term) => [term, n])));
  return { liveRows, counts: async (terms) => terms.map((term) => Number(byTerm.get(term) ?? 0)) };
}

const counts = {
  after: 700,
  patients: 400,
  treated: 300,
  show: 500,
  aspirin: 3,
  stroke: 20,
  reduced: 250,
  mortality: 90,
};

describe('the variants a web search is asked in', () => {
  it('are the query, and its words that are rarest in the index: half of them, and a third, in its own order', async () => {
    const query = 'Do patients treated with aspirin show reduced mortality after a stroke?';
    // eight words of its own, rarest first: aspirin, stroke, mortality, reduced, treated, patients, show, after
    expect(await queryVariants(query, indexOf(counts))).toEqual([
      query,
      'aspirin reduced mortality stroke',
      'aspirin mortality stroke',
    ]);
  });

  it('know a word that is not in the index for the rarest of all', async () => {
    const query = 'patients treated with zonisamide show reduced mortality';
    const [, half, third] = await queryVariants(query, indexOf(counts));
    expect(half).toContain('zonisamide');
    expect(third).toBe('zonisamide mortality');
  });

  it('name an identifier once, whole', async () => {
    const variants = await queryVariants('why does parseHttpHeader show treated patients twice', indexOf(counts));
    for (const variant of variants) expect(variant.match(/parseHttpHeader/g)).toHaveLength(1);
  });

  it.each([
    ['is short', 'aspirin after stroke', 1000],
    ['has no words to tell apart', '服用阿司匹林的中风患者死亡率降低了吗', 1000],
    ['meets an index too small to tell', 'Do patients treated with aspirin show reduced mortality?', 499],
  ])('are the query alone where it %s', async (_, query, rows) => {
    expect(await queryVariants(query, indexOf(counts, rows))).toEqual([query]);
  });
});
