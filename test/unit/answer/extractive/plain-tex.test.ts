import { expect, it } from 'vitest';
import { plainTex } from '../../../../src/answer/extractive/plain-tex.ts';
import { plainText } from '../../../../src/answer/extractive/plain-text.ts';

it.each([
  ['They found 83\\,\\% of them.', 'They found 83 % of them.'],
  ['a battery of 12~Ah', 'a battery of 12 Ah'],
  ['down to $-35\\,^\\circ$C', 'down to -35 °C'],
  ['an \\emph{open} and \\textbf{\\textit{wide}} bay', 'an open and wide bay'],
  ['waves of 2--3 m \\cite{vale2019}, as said', 'waves of 2–3 m, as said'],
  ['with 12{,}000 weights', 'with 12,000 weights'],
  ['costs \\$5 \\& more % a note', 'costs $5 & more '],
  ['$a \\leq b \\times c$', 'a ≤b ×c'],
  ['$\\frac{a}{b}$ stays', '\\frac{a}{b} stays'],
  ["``so'' --- he said", '"so" — he said'],
])('%s', (text, expected) => {
  expect(plainTex(text)).toBe(expected);
});

it('reads a quote of a document of TeX, and leaves listings as they are', () => {
  expect(plainText('It is 5~m wide.', { format: 'tex' })).toBe('It is 5 m wide.');
  expect(plainText('It is 5~m wide.', { format: 'text' })).toBe('It is 5~m wide.');
  expect(plainText('ls ~/a', { format: 'tex', before: '\\begin{verbatim}\n' })).toBe('ls ~/a');
  expect(plainText('It is 5~m.', { format: 'tex', before: '\\begin{verbatim}\na\n\\end{verbatim}\n' })).toBe(
    'It is 5 m.',
  );
});
