import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GroundingSource, packSources } from '../../../../src/answer/grounded/sources.ts';
import { checkCitation } from '../../../../src/answer/grounded/verify.ts';
import type { Hit, StoredChunk } from '../../../../src/core/types.ts';
import { countTokens } from '../../../../src/text/tokens/tokens.ts';

const document = [
  'The pump is water cooled.  ',
  'Its rated pressure is 40 bar.\n',
  'Above 45 bar the valve opens! ',
  'Dr. Ames checked it in May 2020.\n\n',
  'The valve is tested every year. ',
  'Nobody may open it under load.',
];
const text = document.join('');

function hitAt(position: number, from: number, to: number, uri: string = 'manual.md'): Hit {
  const before = document.slice(0, from).join('').length;
  const own = document.slice(from, to).join('');
  const chunk: StoredChunk = {
    position,
    span: { start: before, end: before + own.length },
    text: own,
    headings: ['Safety'],
    tokens: 10,
    locators: [],
    firstLine: 1 + (text.slice(0, before).match(/\n/g)?.length ?? 0),
    uri,
    title: 'Manual',
    format: 'markdown',
    metadata: {},
  };
  return { chunk, score: 1 - position / 10, origin: 'local', trace: [] };
}

const hits = [hitAt(1, 2, 4), hitAt(0, 0, 2), hitAt(2, 4, 6)];
const [source] = packSources(hits, { maxTokens: 1000 }) as [GroundingSource];
const sources = new Map([[source.id, source]]);

describe('packing sources', () => {
  it('joins neighbours into one source that is the document, letter for letter', () => {
    expect(packSources(hits, { maxTokens: 1000 })).toHaveLength(1);
    expect(source.passages.join('')).toBe(text);
    expect(source.passages.every((passage) => passage.trim() !== '')).toBe(true);
  });

  it('leaves apart what does not touch, and what belongs to another document', () => {
    const apart = packSources([hitAt(0, 0, 2), hitAt(2, 4, 6), hitAt(1, 2, 4, 'other.md')], { maxTokens: 1000 });
    expect(apart.map(({ id, uri, span }) => [id, uri, span.start])).toEqual([
      ['s1', 'manual.md', 0],
      ['s2', 'manual.md', text.indexOf('The valve is')],
      ['s3', 'other.md', text.indexOf('Above')],
    ]);
  });

  it('stays within the budget, best first, and drops a hit that comes twice', () => {
    const one = packSources([hits[0]!, hits[0]!], { maxTokens: 1000 });
    expect(one.map(({ text: shown }) => shown)).toEqual([hits[0]!.chunk.text]);
    for (const maxTokens of [1, 40, 80, 120, 200]) {
      const packed = packSources(hits, { maxTokens });
      expect(packed.reduce((sum, { passages }) => sum + countTokens(passages.join('')), 0)).toBeLessThanOrEqual(
        maxTokens,
      );
    }
    expect(packSources(hits, { maxTokens: 1 })).toEqual([]);
    expect(packSources(hits, { maxTokens: 70 })[0]!.text).toBe(hits[0]!.chunk.text);
  });
});

describe('checking a citation', () => {
  const passages = source.passages;

  it('keeps every true one, with the exact place', () => {
    for (let first = 0; first < passages.length; first++) {
      for (let end = first + 1; end <= passages.length; end++) {
        const quoted = passages.slice(first, end).join('');
        for (const said of [quoted, quoted.trim(), undefined]) {
          const checked = checkCitation({ source: 's1', first, end, quoted: said }, sources);
          if ('dropped' in checked) throw new Error(checked.dropped);
          expect(checked.quote).toBe(quoted.trim());
          expect(text.slice(checked.span.start, checked.span.end)).toBe(checked.quote);
        }
      }
    }
  });

  it('drops every planted false one', () => {
    const planted = fc.oneof(
      // shifted: the words of one place, pointing at another
      fc
        .tuple(fc.nat(passages.length - 1), fc.nat(passages.length - 1))
        .filter(([a, b]) => a !== b)
        .map(([a, b]) => ({ source: 's1', first: a, end: a + 1, quoted: passages[b]! })),
      // stitched: words of two places as if they stood together
      fc
        .tuple(fc.nat(passages.length - 1), fc.nat(passages.length - 1))
        .filter(([a, b]) => b !== a + 1)
        .map(([a, b]) => ({
          source: 's1',
          first: Math.min(a, b),
          end: Math.max(a, b) + 1,
          quoted: passages[a]! + passages[b]!,
        })),
      // overlapping: half of one passage and half of the next
      fc.nat(passages.length - 2).map((a) => ({
        source: 's1',
        first: a,
        end: a + 2,
        quoted: (passages[a]! + passages[a + 1]!).slice(5, -5),
      })),
      // false: one letter changed, one word left out, another source, another range
      fc
        .nat(passages.length - 1)
        .map((a) => ({ source: 's1', first: a, end: a + 1, quoted: passages[a]!.replace(/\w/, '§') })),
      fc
        .nat(passages.length - 1)
        .map((a) => ({ source: 's1', first: a, end: a + 1, quoted: passages[a]!.replace(/ \w+/, '') })),
      fc.nat(passages.length - 1).map((a) => ({ source: 's2', first: a, end: a + 1, quoted: passages[a]! })),
      fc.constantFrom([-1, 1], [0, 0], [2, 1], [0, 99], [5, 7], [0.5, 1], [Number.NaN, 1]).map(([first, end]) => ({
        source: 's1',
        first: first!,
        end: end!,
        quoted: passages[0]!,
      })),
    );
    fc.assert(
      fc.property(planted, (citation) => {
        expect(checkCitation(citation, sources)).toHaveProperty('dropped');
      }),
      { numRuns: 500 },
    );
  });
});
