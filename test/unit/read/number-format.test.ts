import { expect, test } from 'vitest';
import { CellFormats } from '../../../src/read/office/xlsx-values.ts';

/** Format, number, and what Excel shows, but for the number of decimals, which stay as they are stored. */
test.each([
  ['#,##0.00 "EUR"', 1234.5, '1234.5 EUR'],
  ['0.0" kg"', 40, '40 kg'],
  ['"approx. "0', 7, 'approx. 7'],
  ['[$€-407] #,##0.00', 3.5, '€ 3.5'],
  ['[$-409]#,##0.00', 3.5, '3.5'],
  ['_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-', -12.25, '-12.25 €'],
  ['_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)', 9, '$9'],
  ['$#,##0;[Red]-$#,##0', -5, '-$5'],
  ['($#,##0);($#,##0)', -5, '-$5'],
  ['General" m"', 12.5, '12.5 m'],
  ['0.0\\°\\C', 21.5, '21.5°C'],
  ['00000', 1067, '01067'],
  ['00000', 12.5, '12.5'],
  ['000\\-00\\-0000', 12345678, '012-34-5678'],
  ['(###) ###\\-####', 4315551234, '(431) 555-1234'],
  ['"K-"0000', 42, 'K-0042'],
  ['#,##0,"k"', 1234500, '1234500'],
  ['[<1]0.00" cm";0.00" m"', 3, '3'],
  ['0" credit";0" debit"', -5, '-5 debit'],
  ['0.00', 2, '2'],
  ['0.00E+00', 1500, '1500'],
  ['(0)', 3, '3'],
  ['0;-0;"none"', 0, '0'],
  ['0.0%', 0.125, '12.5%'],
])('%s shows %d as %s', (code, number, shown) => {
  const formats = new CellFormats();
  formats.addCode(164, code);
  formats.addStyle(164);
  expect(formats.show(String(number), 0, false)).toBe(shown);
});
