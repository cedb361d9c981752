import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gramText, queryGrams, scoreGrams } from '../../../../src/retrieve/grams.ts';
import { contentTokens, documentTokens } from '../../../../src/text/analysis/analysis.ts';
import { analyseQuery } from '../../../../src/text/analysis/query.ts';
import { analyseWords } from '../../../../src/text/analysis/words.ts';

/** Spellings of one word. */
const spellings: readonly (readonly string[])[] = [
  ["O'Neil", 'O’Neil', 'O‘Neil', 'OʼNeil', 'OʻNeil', 'O´Neil', 'O′Neil', 'O＇Neil'],
  ["комп'ютер", 'комп’ютер', 'компʼютер'],
  ["ג'ורג'", 'ג׳ורג׳', 'ג’ורג’'],
  ["Noé's", 'Noé’s', 'NOÉ’S'],
  ['Müller', 'Mu\u0308ller', 'MÜLLER'],
  ['العربية', 'العَرَبِيَّة', 'العـــربية', 'ﺍﻟﻌﺮﺑﻴﺔ'],
  ['أحمد', 'احمد', 'إحمد', 'ٱحمد', 'ا\u0654حمد'],
  ['مصطفى', 'مصطفي', 'مصطفی'],
  ['كتاب', 'کتاب', 'ﻛﺘﺎﺏ'],
  ['خانهٔ', 'خانه'],
  ['שלום', 'שָׁלוֹם', 'שׁלוֹם'],
  ['ABC', 'abc', 'ＡＢＣ', 'ａｂｃ', '𝐀𝐁𝐂', '𝒶𝒷𝒸'],
  ['parseHTTPHeader', 'ｐａｒｓｅＨＴＴＰＨｅａｄｅｒ'],
  ['2024', '２０２４', '٢٠٢٤', '۲۰۲۴', '२०२४', '๒๐๒๔', '𝟐𝟎𝟐𝟒'],
  ['utf8', 'ｕｔｆ８', 'UTF8'],
  ['CO2', 'CO₂', 'co₂'],
  ['istanbul', 'Istanbul', 'ISTANBUL'],
  ['İstanbul', 'i\u0307stanbul', 'ıstanbul'],
  ['kız', 'kİz'],
  ['office', 'oﬃce', 'oﬀice'],
  ['Straße', 'STRAẞE', 'straße'],
  ['Ὀδυσσεύς', 'ΟΔΥΣΣΕΥΣ', 'οδυσσεύς', 'Ὀδυσσεὺς'],
  ['Αθήνα', 'ΑΘΗΝΑ', 'ΑΘΉΝΑ'],
  ['µm', 'μm', 'μM'],
  ['Москва', 'Москва́', 'МОСКВА'],
  ['ёлка', 'елка', 'Е\u0308лка'],
  ['Donau\u00addampf', 'Donaudampf'],
  ['ශ්‍රී', 'ශ්රී'],
  ['葛城', '葛\u{e0100}城', '葛\ufe00城'],
  ['ガラス', 'ｶﾞﾗｽ', 'カ\u3099ラス'],
  ['データ', 'ﾃﾞｰﾀ'],
  ['ⅫI', 'XIII'],
  ['CVE-2024-1234', 'CVE‑2024‑1234', 'CVE–2024–1234', 'ＣＶＥ－２０２４－１２３４'],
  ['10.03.2024', '١٠.٠٣.٢٠٢٤'],
];

describe('one word in other spellings', () => {
  it.each(spellings)('%s', (first, ...others) => {
    const terms = documentTokens(first!);
    expect(terms).not.toEqual([]);
    for (const other of others) {
      expect(documentTokens(other), other).toEqual(terms);
      expect(contentTokens(other), other).toEqual(contentTokens(first!));
      expect(gramText(other), other).toBe(gramText(first!));
      expect(
        analyseWords(other).map(({ term }) => term),
        other,
      ).toEqual(analyseWords(first!).map(({ term }) => term));
    }
  });

  it.each([
    ['Strasse', 'Straße'],
    ['Noé', 'Noé’s'],
    ['Straßen', 'Straße'],
    ['istanbul', 'İstanbul'],
    ['kiz', 'KIZ'],
    ['kız', 'KIZ'],
    ['homme', "l'homme"],
    ['été', 'l’été'],
    ['arte', "dell'arte"],
    ['Ankara', 'Ankara’nın'],
    ['Neil', 'O’Neil'],
    ['Berlin', 'Berlin¹'],
    ['km', 'km²'],
    ['Kittiwake', '_Kittiwake_'],
    ['250 ml', '250ml'],
    ['16gb', '16 GB'],
    ['5 кг', '5кг'],
    ['1990', '1990s'],
    ['größe', 'max_größe'],
  ])('%s is found in %s', (word, text) => {
    const held = new Set(documentTokens(text));
    expect(documentTokens(word).filter((term) => held.has(term))).not.toEqual([]);
  });

  it.each([
    ['m²', 'm2'],
    ['10⁵', '105'],
    ['café', 'cafe'],
    ['Müller', 'Mueller'],
    ['nº', 'no'],
    ['כ', 'ך'],
  ])('%s is not %s', (one, other) => {
    expect(documentTokens(one)).not.toEqual(documentTokens(other));
    expect(documentTokens(one)).not.toEqual([]);
  });

  it('marks without a letter are no word', () => {
    for (const marks of ['ـــ', '\u064e', '\u05b8', '\ufe0f', '❤\ufe0f', '\u200d']) {
      expect(documentTokens(marks)).toEqual([]);
      expect(analyseWords(marks)).toEqual([]);
      expect(gramText(marks)).toBe(' ');
    }
  });

  it('English contractions have no parts', () => {
    for (const word of ["don't", 'wouldn’t', "they'll", "we've", "you're", "she'd"])
      expect(documentTokens(word)).toEqual([word.replace('’', "'")]);
  });

  it('what asks is left out of queries in every alphabet', () => {
    expect(analyseQuery('Où est la gare ?').tokens).not.toContain('où');
    expect(contentTokens('кто построил')).toEqual(documentTokens('построил'));
    expect(contentTokens('أين المتحف')).toEqual(documentTokens('المتحف'));
    expect(contentTokens('اين المتحف')).toEqual(documentTokens('المتحف'));
  });

  it('a beginning is folded as words are', () => {
    expect(analyseQuery('ＡＢ* Straß* İst*').prefixes).toEqual(['ab', 'strass', 'ist']);
  });
});

const piece = fc.constantFrom(
  ...spellings.flat(),
  ...['ß', 'ﬁ', '²', "'", '’', '\u0301', '\u0307', '\u3099', 'ﾞ', '\u200d', '\ufe0f', '\u00ad', '\u20e3', '❤️', '1️⃣'],
  ...[' ', '-', '.', '\ud83d', '\udc00', '𠮷', 'ค', '٢', '々', 'ŉ', 'ﷺ', 'ĳ', 'İ', 'a'],
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

describe('folding', () => {
  it('has nothing left to fold', () => {
    fc.assert(
      fc.property(text, (one) => {
        const folded = gramText(one);
        expect(gramText(folded)).toBe(folded);
        for (const term of documentTokens(one)) expect(term).toMatch(/^\S+$/u);
      }),
      { numRuns: 2000 },
    );
  });

  it('scores a text by its letters whichever way it is read', () => {
    fc.assert(
      fc.property(text, text, (query, one) => {
        const grams = queryGrams(gramText(query), () => 1);
        const [direct, prepared] = scoreGrams(grams, [one, gramText(one)]);
        expect(direct).toBe(prepared);
      }),
      { numRuns: 2000 },
    );
  });

  it('leaves each word at its place in the text', () => {
    fc.assert(
      fc.property(text, (one) => {
        for (const { term, start, end } of analyseWords(one)) {
          expect(term).not.toBe('');
          expect(end).toBeGreaterThan(start);
          expect(analyseWords(one.slice(start, end)).map((word) => word.term)).toContain(term);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
