import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TermPostings } from '../../../src/lexical/contract.ts';
import { union } from '../../../src/retrieve/united-postings.ts';

type Row = readonly [text: number, title: number, headings: number];

function postings(term: string, rows: ReadonlyMap<number, Row>): TermPostings {
  const ordinals = Uint32Array.from(rows.keys()).sort();
  const field = (at: 0 | 1 | 2): Uint16Array => Uint16Array.from(ordinals, (row) => rows.get(row)![at]);
  return { term, ordinals, text: field(0), title: field(1), headings: field(2) };
}

describe('union', () => {
  it('is the sum over all terms, row by row', () => {
    const count = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constant(0xffff));
    const row = fc.tuple(
      fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constant(0xffffffff)),
      fc.tuple(count, count, count),
    );
    fc.assert(
      fc.property(fc.array(fc.array(row, { maxLength: 20 }), { maxLength: 6 }), (all) => {
        const maps = all.map((rows) => new Map<number, Row>(rows));
        const sums = new Map<number, Row>();
        for (const one of maps)
          for (const [ordinal, [text, title, headings]] of one) {
            const before = sums.get(ordinal) ?? [0, 0, 0];
            const add = (at: 0 | 1 | 2, more: number): number => Math.min(0xffff, before[at] + more);
            sums.set(ordinal, [add(0, text), add(1, title), add(2, headings)]);
          }
        const united = union(
          'all',
          maps.map((rows, i) => postings(String(i), rows)),
        );
        expect(united).toEqual(postings('all', sums));
      }),
    );
  });
});
