import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowPacker, renumberRows, unpackRows } from '../../../src/lexical/packed.ts';

const terms = fc.array(fc.nat({ max: 2 ** 32 - 1 }), { maxLength: 20 });
const documents = fc.array(fc.array(fc.record({ title: terms, headings: terms, text: terms }), { maxLength: 6 }), {
  maxLength: 5,
});
const plain = (packed: Uint32Array) =>
  Array.from(unpackRows(packed), ({ title, headings, text }) => ({
    title: [...title],
    headings: [...headings],
    text: [...text],
  }));

describe('packed rows', () => {
  it('are the rows that went in, document after document, and with other numbers where asked', () => {
    fc.assert(
      fc.property(documents, (some) => {
        const packer = new RowPacker();
        const packed = some.map((rows) =>
          packer.pack(
            rows.map(({ title, headings, text }) => ({
              title: Uint32Array.from(title),
              headings: Uint32Array.from(headings),
              text: Uint32Array.from(text),
            })),
          ),
        );
        expect(packed.map(plain)).toEqual(some);
        const other = (term: number): number => (term ^ 0x5555) >>> 0;
        expect(packed.map((one) => plain(renumberRows(one, other)))).toEqual(
          some.map((rows) =>
            rows.map(({ title, headings, text }) => ({
              title: title.map(other),
              headings: headings.map(other),
              text: text.map(other),
            })),
          ),
        );
        expect(packed.map(plain)).toEqual(some);
      }),
    );
  });

  it('take rows longer than what was set aside', () => {
    const text = Uint32Array.from({ length: 50_000 }, (_, i) => i * 3);
    const rows = [{ title: text.subarray(0, 5000), headings: new Uint32Array(0), text }];
    expect(Array.from(unpackRows(new RowPacker().pack(rows)))).toEqual(rows);
  });
});
