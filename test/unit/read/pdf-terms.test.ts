import { expect, it } from 'vitest';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { at, context, makePdf } from './formats-make.ts';

it('terms stand before what defines them, further right below', async () => {
  const lines = [
    at(72, 700, 'Bilge'),
    at(110, 687, 'The lowest part of a hull.'),
    at(72, 674, 'Cleat'),
    at(110, 661, 'A fitting for ropes of all kinds.'),
  ];
  const { text } = await parsePdf(makePdf({ pages: [lines.join('\n')] }), context('terms.pdf'));
  expect(text.split(/\s+/).join(' ')).toBe('Bilge The lowest part of a hull. Cleat A fitting for ropes of all kinds.');
});
