import { describe, expect, it } from 'vitest';
import { sayable } from '../../../src/speak/sayable.ts';

const said = (text: string, language?: string): string => sayable(text, language).text;

describe('what is said for a written text', () => {
  it.each([
    // marks
    ['The lease ends in May [1].', 'The lease ends in May.'],
    ['It ends [1][2], as agreed [3, 4].', 'It ends, as agreed.'],
    ['**Never** touch the `fuse`.', 'Never touch the fuse.'],
    ['## Fees', 'Fees'],
    ['- Prune the roses.', 'Prune the roses.'],
    ['See [the handbook](https://example.org/a?b=1).', 'See the handbook.'],
    ['See https://www.example.org/a/b?c=1.', 'See example.org.'],
    ['See https://ann:secret@www.example.org/a.', 'See example.org.'],
    ['> Quoted.', 'Quoted.'],
    // numbers and units
    ['It costs $1,250.50 a year.', 'It costs 1250.50 dollars a year.'],
    ['A fee of €1 is due.', 'A fee of 1 euro is due.'],
    ['They raised $1.2 million.', 'They raised 1.2 million dollars.'],
    ['It weighs 1 kg, the other 2.5 kg.', 'It weighs 1 kilogram, the other 2.5 kilograms.'],
    ['Heat it to 80–90 °C.', 'Heat it to 80 to 90 degrees Celsius.'],
    ['Between 5% and 10 %.', 'Between 5 percent and 10 percent.'],
    ['At 120 km/h it takes 35 min.', 'At 120 kilometres per hour it takes 35 minutes.'],
    ['The years 2017–2019 count.', 'The years 2017 to 2019 count.'],
    ['It has 12,000,000 rows.', 'It has 12000000 rows.'],
    ['Pressure ≥ 3 bar.', 'Pressure at least 3 bar.'],
    ['Accurate to ±2 mm.', 'Accurate to plus or minus 2 millimetres.'],
    ['It costs US$5, or £1m, or $3B.', 'It costs US 5 dollars, or 1 million pounds, or 3 billion dollars.'],
    ['In the 1990s and the ’80s it took 30s.', 'In the 1990s and the ’80s it took 30 seconds.'],
    ['2*3 is 6, 3 * 4 is 12, 2**3 is 8.', '2 times 3 is 6, 3 times 4 is 12, 2 to the power of 3 is 8.'],
    ['*5* is **not** *6*.', '5 is not 6.'],
    ['If x != 5, or x >= 7, or x <= 3.', 'If x is not 5, or x at least 7, or x at most 3.'],
    ['From a -> b, and b => c.', 'From a to b, and b to c.'],
    ['We use C++, UTC+2 and C++.', 'We use C++, UTC plus 2 and C++.'],
    ['>5 kg is too much.', 'more than 5 kilograms is too much.'],
    // dates, versions, abbreviations
    ['Due on 2026-01-05.', 'Due on 5 January 2026.'],
    ['Since v1.12.3 it works.', 'Since version 1 point 12 point 3 it works.'],
    ['Tools, e.g. pliers.', 'Tools, for example pliers.'],
    ['See No. 5 and Fig. 2.', 'See number 5 and figure 2.'],
    // identifiers
    ['It says ERR_MODULE_NOT_FOUND.', 'It says ERR MODULE NOT FOUND.'],
    ['Order part PCH-317 again.', 'Order part PCH 3 1 7 again.'],
    ['Call parseUrl first.', 'Call parse Url first.'],
    ['It stands in docs/lease_terms.md.', 'It stands in docs slash lease terms dot md.'],
    // left alone
    ['The meeting is at 14:03 in room 5.', 'The meeting is at 14:03 in room 5.'],
    ['In 2019 the A4 was closed.', 'In 2019 the A4 was closed.'],
    ["She's a well-known twenty-year-old.", "She's a well-known twenty-year-old."],
    ['I am here, 5 am is early.', 'I am here, 5 am is early.'],
    ['It was 5 to 3.', 'It was 5 to 3.'],
  ])('%s', (written, words) => {
    expect(said(written)).toBe(words);
  });

  it('leaves numbers and units to the voice of another language', () => {
    expect(said('Das kostet 5 kg [1].', 'de')).toBe('Das kostet 5 kg.');
    expect(said('Siehe [5 kg **Mehl**](https://example.org/a), ![1.000 m²](b.png).', 'de')).toBe(
      'Siehe 5 kg Mehl, 1.000 m².',
    );
    expect(said('2*3 und 3 * 4 sind **18**.', 'de')).toBe('2*3 und 3 * 4 sind 18.');
    expect(said('Siehe **ERR_NOT_FOUND**.', 'de')).toBe('Siehe ERR NOT FOUND.');
  });

  it('says nothing where there is nothing to say', () => {
    for (const text of ['', ' ', '[1]', '---', '| --- | --- |', '…', '```']) expect(said(text)).toBe('');
  });

  it('takes no time for a ruler with words behind it', () => {
    const from = performance.now();
    expect(said(`${'-'.repeat(50)} Terms`)).toMatch(/^-+ Terms$/);
    expect(said(`Fees\n${'-'.repeat(45)}\nTerms`)).toBe('Fees Terms');
    expect(said('a | b\n:---|---:\nc | d')).toBe('a, b c, d');
    expect(performance.now() - from).toBeLessThan(5000);
  });

  it('reads runs of blanks and of dashes once', () => {
    // 200,000 characters: read again from each of them, they would take the time limit of a test
    for (const character of [' ', '\n', '-', '|'])
      expect(said(`Fees${character.repeat(200_000)}Terms`)).toMatch(/^Fees.*Terms$/s);
  });

  it('maps each stretch that is said to the stretch that is written', () => {
    const written = '**Heat** it to 80 °C [1], then stop.';
    const { text, pieces } = sayable(written);
    expect(text).toBe('Heat it to 80 degrees Celsius, then stop.');
    let end = 0;
    for (const { written: from, said: to } of pieces) {
      expect(to.start).toBe(end);
      end = to.end;
      const [a, b] = [written.slice(from.start, from.end), text.slice(to.start, to.end)];
      if (b === '80 degrees Celsius') expect(a).toBe('80 °C');
      else expect(b.trim()).toBe(a.replace(/\s+/g, ' ').trim());
    }
    expect(end).toBe(text.length);
  });
});
