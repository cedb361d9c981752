import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ShortPieces } from '../../../../src/text/tokens/memory.ts';

const unit = fc.constantFrom('\0', 'a', 'b', ' ', '\x7f', 'a', 'é', '中', '\ud800');
const piece = fc.array(unit, { minLength: 1, maxLength: 14 }).map((units) => units.join(''));

describe('ShortPieces', () => {
  it('knows the counts it was told of, of no other piece, and begins anew when it is full', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 80 }), fc.nat({ max: 3 }), (pieces, before) => {
        const memory = new ShortPieces(16);
        const told = new Map<string, number>();
        for (const [i, text] of pieces.entries()) {
          const whole = `${'x'.repeat(before)}${text}y`;
          const found = memory.find(whole, before, before + text.length);
          if (text.length > 12 || /[^\0-\x7f]/.test(text)) {
            expect(found).toBe(-1);
            continue;
          }
          if (told.size < 16) expect(found).toBe(told.get(text) ?? 0); // nothing was forgotten yet
          if (found > 0) expect(found).toBe(told.get(text));
          else {
            const count = (i % text.length) + 1;
            memory.add(text.length, count);
            told.set(text, count);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
