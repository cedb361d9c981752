import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SizedCache } from '../../../src/lexical/lru.ts';
import { DuplicateFilter } from '../../../src/retrieve/duplicates.ts';
import { gramAt, gramText, queryGrams, scoreGrams } from '../../../src/retrieve/grams.ts';
import { hashTerm } from '../../../src/retrieve/hash.ts';
import { holdsPhrase, pairScore, termPairs } from '../../../src/retrieve/phrases.ts';

const anyText = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units));
const hashes = (text: string): Uint32Array => Uint32Array.from(text === '' ? [] : text.split(' '), hashTerm);

describe('pairScore', () => {
  const pairs = termPairs(['red', 'brick', 'house'], (term) => ({ red: 3, brick: 2, house: 1 })[term] ?? 0);

  it('weighs each pair by its commoner word', () => {
    expect(pairs.map(({ weight }) => weight)).toEqual([2, 1]);
  });

  it('counts pairs in order, one or two places apart, saturating', () => {
    const score = (text: string, title = ''): number => pairScore(pairs, hashes(title), hashes(text));
    expect(score('a red brick wall')).toBeCloseTo((2 * (1 / 1.6)) / 3, 10);
    expect(score('red old brick')).toBeCloseTo((2 * (1 / 1.6)) / 3, 10);
    expect(score('red brick red brick')).toBeCloseTo((2 * (2 / 2.6)) / 3, 10);
    expect(score('red brick house')).toBeCloseTo((3 * (1 / 1.6)) / 3, 10);
    expect(score('brick red')).toBe(0);
    expect(score('red very old brick')).toBe(0);
    expect(score('brick', 'red')).toBe(0); // not across the border of title and text
    expect(score('', 'red brick')).toBeCloseTo((2 * (1 / 1.6)) / 3, 10);
  });

  it('meets a name where it is declared, once for each word that declares it', () => {
    const score = (name: string, kind: string, text: string): number =>
      pairScore(
        termPairs([name, kind], () => 1),
        hashes(''),
        hashes(text),
      );
    expect(score('debug', 'struct', 'pub struct debug level')).toBeCloseTo(1 / 1.6, 10);
    expect(score('debug', 'struct', 'debug struct')).toBeCloseTo(1 / 1.6, 10);
    expect(score('pars', 'function', 'def pars path')).toBeCloseTo(1 / 1.6, 10);
    expect(score('pars', 'method', 'void pars path function pars')).toBeCloseTo(2 / 2.6, 10);
    expect(score('debug', 'struct', 'class debug')).toBe(0);
    expect(score('debug', 'level', 'level debug')).toBe(0);
    expect(score('debug', 'constructor', 'constructor debug')).toBe(0);
  });

  it('has nothing to say of a single word', () => {
    expect(
      pairScore(
        termPairs(['red', 'red'], () => 1),
        hashes(''),
        hashes('red red'),
      ),
    ).toBe(0);
  });
});

describe('holdsPhrase', () => {
  it('wants the words side by side', () => {
    const phrase = hashes('b c');
    expect(holdsPhrase(phrase, hashes(''), hashes('a b c d'))).toBe(true);
    expect(holdsPhrase(phrase, hashes('b c'), hashes(''))).toBe(true);
    expect(holdsPhrase(phrase, hashes('b'), hashes('c'))).toBe(false);
    expect(holdsPhrase(phrase, hashes(''), hashes('b x c'))).toBe(false);
  });
});

describe('character n-grams', () => {
  it('lowers case and keeps one space between words', () => {
    expect(gramText('  Foo-Bar,\n42 ')).toBe(' foo bar 42 ');
    expect(gramText('')).toBe(' ');
  });

  it('scores as BM25 over 4-grams does, worked out by hand', () => {
    // " abc " has two grams, each worth one half; the texts are 5 and 13 long, 9 on average
    const texts = ['abc', 'xyz abc abc'];
    const [first, second] = scoreGrams(
      queryGrams(gramText('abc'), () => 1),
      texts,
    );
    const norm = (length: number): number => 1.2 * (0.25 + (0.75 * length) / 9);
    expect(first).toBeCloseTo(1 / (1 + norm(5)), 10);
    expect(second).toBeCloseTo(2 / (2 + norm(13)), 10);
  });

  it('counts what gramText makes of any texts', () => {
    // letters that join, combine, grow or depend on what stands beside them
    const mixed = fc.string({ unit: fc.constantFrom(..."aEé_7 .—’''ßΣİǅµ\u0300\u1e9b\u212b"), maxLength: 30 });
    const western = fc.string({ unit: fc.constantFrom(..."abEé_7 .—’'…ßµ"), maxLength: 40 });
    const text = fc.oneof(
      ...[anyText, mixed, western, fc.lorem({ maxCount: 12 }), fc.constantFrom('ΑΣ ΟΔΟΣ', 'İstanbul', '日本語', '')],
    );
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 6 }), (query, texts) => {
        const grams = queryGrams(gramText(query), (at) => 1 + (at % 3));
        const prepared = texts.map(gramText);
        const average = prepared.reduce((sum, one) => sum + one.length, 0) / texts.length;
        const expected = prepared.map((one) => {
          const counts = new Map<number, number>();
          for (let at = 0; at + 4 <= one.length; at++) {
            const gram = gramAt(one, at);
            counts.set(gram, (counts.get(gram) ?? 0) + 1);
          }
          return grams.hashes.reduce((score, hash, i) => {
            const count = counts.get(hash) ?? 0;
            return score + (grams.weights[i]! * count) / (count + 1.2 * (0.25 + (0.75 * one.length) / average) || 1);
          }, 0);
        });
        const scores = scoreGrams(grams, texts);
        expect(scores).toHaveLength(texts.length);
        for (const [i, score] of expected.entries()) expect(scores[i]).toBeCloseTo(score, 12);
      }),
      { numRuns: 300 },
    );
  });

  it('leaves out grams that are worth nothing, and knows no score without grams', () => {
    expect(queryGrams(gramText('abcdef'), (at) => (at === 1 ? 1 : 0)).weights).toEqual([1]);
    expect([
      ...scoreGrams(
        queryGrams(gramText('a'), () => 1),
        ['a b'],
      ),
    ]).toEqual([0]);
  });

  it('leaves no trace of one query in the next', () => {
    const texts = ['lighthouse keeper'];
    const alone = scoreGrams(
      queryGrams(gramText('keeper'), () => 1),
      texts,
    );
    scoreGrams(
      queryGrams(gramText('lighthouse'), () => 1),
      texts,
    );
    expect(
      scoreGrams(
        queryGrams(gramText('keeper'), () => 1),
        texts,
      ),
    ).toEqual(alone);
  });
});

describe('DuplicateFilter', () => {
  const isCopy = (filter: DuplicateFilter, text: string): boolean => filter.isCopy(hashes(text), text);
  const text = 'the old lighthouse keeper walks the northern pier each night at ten with a lamp and a dog';

  it('knows copies and near-copies, and nothing else', () => {
    const filter = new DuplicateFilter();
    expect(isCopy(filter, text)).toBe(false);
    expect(isCopy(filter, text)).toBe(true);
    expect(isCopy(filter, `${text} indeed`)).toBe(true);
    expect(
      isCopy(filter, 'the old lighthouse keeper sleeps in the southern tower and never walks anywhere at all'),
    ).toBe(false);
    expect(isCopy(filter, text.split(' ').reverse().join(' '))).toBe(false);
  });

  it('agrees with sets of triples', () => {
    const triples = (text: string): Set<string> => {
      const words = text.split(' ');
      return new Set(words.slice(2).map((_, i) => words.slice(i, i + 3).join(' ')));
    };
    const text = fc.array(fc.constantFrom('red', 'green', 'blue'), { minLength: 8, maxLength: 40 });
    // a text, and the same with some words at its end left out
    fc.assert(
      fc.property(text, fc.nat(8), (words, cut) => {
        const [first, second] = [words.join(' '), words.slice(0, Math.max(8, words.length - cut)).join(' ')];
        const [a, b] = [triples(first), triples(second)];
        const shared = [...a].filter((triple) => b.has(triple)).length;
        const filter = new DuplicateFilter();
        isCopy(filter, first);
        expect(isCopy(filter, second)).toBe(shared / (a.size + b.size - shared) >= 0.8);
      }),
    );
  });

  it('agrees with sets of triples among many texts, of which some are copies', () => {
    const words = fc.array(fc.nat(3), { minLength: 8, maxLength: 60 });
    const all = fc.array(words, { minLength: 2, maxLength: 60 });
    fc.assert(
      fc.property(all, (texts) => {
        const filter = new DuplicateFilter();
        const seen: Set<string>[] = [];
        for (const text of texts) {
          const triples = new Set(text.slice(2).map((_, i) => text.slice(i, i + 3).join(' ')));
          const repeats = seen.some((other) => {
            const shared = [...triples].filter((triple) => other.has(triple)).length;
            return shared / (triples.size + other.size - shared) >= 0.8;
          });
          if (!repeats) seen.push(triples);
          expect(filter.isCopy(Uint32Array.from(text), '')).toBe(repeats);
        }
      }),
    );
  });

  it('keeps apart thousands of triples', () => {
    const filter = new DuplicateFilter();
    const text = (from: number): Uint32Array => Uint32Array.from({ length: 700 }, (_, i) => from + i);
    for (let from = 0; from < 20_000; from += 1000) expect(filter.isCopy(text(from), '')).toBe(false);
    for (let from = 0; from < 20_000; from += 1000) expect(filter.isCopy(text(from + 70), '')).toBe(true);
    for (let from = 0; from < 20_000; from += 1000) expect(filter.isCopy(text(from + 200), '')).toBe(false);
  });

  it('calls short texts copies only when they are equal', () => {
    const filter = new DuplicateFilter();
    expect(isCopy(filter, 'this rule has no options')).toBe(false);
    expect(isCopy(filter, 'this rule has two options')).toBe(false);
    expect(isCopy(filter, 'this rule has no options')).toBe(true);
  });

  it.each([
    ['The valve is open.', 'The valve is not open.'],
    ['Freezer: -5 °C', 'Freezer: 5 °C'],
    ['C++ coding style', 'C# coding style'],
    ['x < 5', 'x > 5'],
    ['🎉', '👍'],
  ])('does not take %s and %s for one text, though their terms are the same', (one, other) => {
    const filter = new DuplicateFilter();
    expect([isCopy(filter, one), isCopy(filter, other)]).toEqual([false, false]);
    const shouted = `  ${one.toUpperCase().replaceAll(' ', '\n')}!`;
    expect([isCopy(filter, one), isCopy(filter, shouted)]).toEqual([true, true]);
  });
});

describe('SizedCache', () => {
  it('drops what was used longest ago, once sizes sum to more than the capacity', () => {
    const cache = new SizedCache<string, number>(10);
    cache.set('a', 1, 4);
    cache.set('b', 2, 4);
    expect(cache.get('a')).toBe(1);
    cache.set('c', 3, 4);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
    expect(cache.size).toBe(8);
    cache.set('huge', 4, 11);
    expect(cache.get('huge')).toBeUndefined();
    cache.set('a', 5, 6);
    expect([cache.get('a'), cache.size]).toEqual([5, 10]);
  });
});
