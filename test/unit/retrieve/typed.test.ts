import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slipsFrom } from '../../../src/retrieve/edit-distance.ts';
import { misspeltEndings } from '../../../src/retrieve/misspelt-ending.ts';
import { searchedTerms, vocabularyOf } from '../../../src/retrieve/query-terms.ts';
import { type SearchResult, search, searchWithPredictors } from '../../../src/retrieve/search.ts';
import { analyseQuery } from '../../../src/text/analysis/query.ts';
import { type MemoryDocument, memorySnapshot } from '../../support/memory-snapshot.ts';

/** Every word one slip away, by making each slip. */
function oneSlip(word: string, letters: string): Set<string> {
  const out = new Set<string>();
  for (let i = 0; i <= word.length; i++) {
    const [a, b] = [word.slice(0, i), word.slice(i)];
    for (const letter of letters) {
      out.add(a + letter + b);
      if (b !== '') out.add(a + letter + b.slice(1));
    }
    if (b !== '') out.add(a + b.slice(1));
    if (b.length > 1) out.add(a + b[1] + b[0] + b.slice(2));
  }
  out.delete(word);
  return out;
}

/** The whole matrix of optimal string alignment, as Damerau's rule says it. */
function slips(from: string, to: string): number {
  const [a, b] = [[...from], [...to]];
  const d = a.map(() => b.map(() => 0));
  const at = (i: number, j: number): number => (i < 0 ? j + 1 : j < 0 ? i + 1 : d[i]![j]!);
  for (const [i, x] of a.entries()) {
    for (const [j, y] of b.entries()) {
      const exchanged = i > 0 && j > 0 && x === b[j - 1] && a[i - 1] === y ? at(i - 2, j - 2) + 1 : Infinity;
      d[i]![j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (x === y ? 0 : 1), exchanged);
    }
  }
  return at(a.length - 1, b.length - 1);
}

describe('slipsFrom', () => {
  it('is the whole matrix, where that is not too much', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '𝒞'), minLength: 1, maxLength: 9 });
    const most = fc.integer({ min: 0, max: 3 });
    fc.assert(
      fc.property(word, word, most, (from, to, limit) => {
        const all = slips(from, to);
        expect(slipsFrom(from, limit)(to)).toBe(all > limit ? undefined : all);
      }),
      { numRuns: 2000 },
    );
  });

  it('is the number of slips, for every word one and two slips away', () => {
    const one = oneSlip('abca', 'abc');
    const two = new Set([...one].flatMap((word) => [...oneSlip(word, 'abc')]));
    for (const word of one) expect(slipsFrom('abca', 2)(word)).toBe(1);
    for (const word of two) {
      const found = slipsFrom('abca', 2)(word);
      if (word === 'abca') expect(found).toBe(0);
      else if (one.has(word)) expect(found).toBe(1);
      // a letter that was exchanged is not touched again
      else expect([2, undefined]).toContain(found);
      if (found === 2) expect(slipsFrom('abca', 1)(word)).toBeUndefined();
    }
    expect(slipsFrom('console', 0)('consoles')).toBeUndefined();
    expect(slipsFrom('lease', 2)('valve')).toBe(undefined);
  });
});

const documents: MemoryDocument[] = [
  { uri: 'rule.md', title: 'no-console', chunks: [{ text: 'Disallow the use of console in the browser.' }] },
  { uri: 'lease.md', title: 'Lease', chunks: [{ text: 'The sublease with Infoblox ends in May.' }] },
  { uri: 'sensor.md', title: 'Sensors', chunks: [{ text: 'The calibration of the moorings is their maintenance.' }] },
  { uri: 'alpha.md', title: 'Letters', chunks: [{ text: 'Alphabets and alphanumeric codes.' }] },
  { uri: 'jaguar.md', title: 'Cats', chunks: [{ text: 'A jaguar swims well.' }] },
  { uri: 'car.md', title: 'Engines', chunks: [{ text: 'The jaguar is a fast car with two doors.' }] },
  { uri: 'epoch.md', title: 'Histoire', chunks: [{ text: 'Son père vivait à cette époque, et Łódź fut libre.' }] },
  { uri: 'tool.md', title: 'Tool', chunks: [{ text: 'Run the tool with --dry-run, or with -Wall for warnings.' }] },
  ...Array.from({ length: 30 }, (_, i) => ({
    uri: `filler-${i}.md`,
    title: 'Notes',
    chunks: [{ text: `Notes about gardens, weather and trains, number ${i}.` }],
  })),
];

const found = async (query: string): Promise<SearchResult> =>
  searchWithPredictors(await memorySnapshot(documents), undefined, query);
const uris = async (query: string): Promise<string[]> => (await found(query)).hits.map(({ chunk }) => chunk.uri);

describe('a word that the index does not hold', () => {
  it.each([
    ['no-consle', 'rule.md', 'no-console'],
    ['sublese Infoblx', 'lease.md', 'sublease Infoblox'],
    ['Where does the jagaur swim?', 'jaguar.md', 'Where does the jaguar swim?'],
    ['alphnumeric', 'alpha.md', 'alphanumeric'],
    ['calibraton', 'sensor.md', 'calibration'],
    ['Calibratoin of sensors', 'sensor.md', 'calibration of sensors'],
  ])('%s finds %s, searched for as %s', async (query, uri, corrected) => {
    const result = await found(query);
    expect(result.hits[0]?.chunk.uri).toBe(uri);
    expect(result.corrected).toBe(corrected);
  });

  it.each([
    ['epoque', 'époque'], // the first letter too
    ['pere', 'père'], // shorter than a word that may have a slip
    ['lodz', 'Łódź'],
  ])('%s finds %s, whose marks it lacks, and counts as much', async (query, corrected) => {
    const result = await found(query);
    expect(result.hits[0]?.chunk.uri).toBe('epoch.md');
    expect(result.corrected).toBe(corrected);
    const { lexical } = await memorySnapshot(documents);
    const { terms } = await searchedTerms(vocabularyOf(lexical), analyseQuery(query), undefined);
    expect(terms.map(({ count }) => count)).toEqual([1]);
  });

  it('has no other marks than those it was typed with', async () => {
    expect((await found('pêre')).corrected).toBeUndefined();
  });

  it('counts less than one that was typed right, and is told only where it was searched', async () => {
    const right = await found('sublease Infoblox');
    expect(right.corrected).toBeUndefined();
    const { lexical } = await memorySnapshot(documents);
    const { terms } = await searchedTerms(vocabularyOf(lexical), analyseQuery('jaguar consle alphnumrick'), undefined);
    expect(terms.map(({ postings, count }) => [postings.term, count])).toEqual([
      ['jaguar', 1],
      ['alphnumrick', 1],
      ['consol', 0.4],
    ]);
    expect((await found('zorbulating flimflam')).corrected).toBeUndefined();
    expect((await found('zorbulating flimflam')).hits).toEqual([]);
  });

  it('is not looked for behind an ending that the word has, or by a short stem', () => {
    const held = new Map(['calibr', 'add', 'metr'].map((term) => [term, 1]));
    expect(misspeltEndings('calibraton', held)).toEqual(['calibr']);
    expect(misspeltEndings('calibratons', held)).toEqual([]); // `calibraton` and an ending
    expect(misspeltEndings('address', held)).toEqual([]);
    expect(misspeltEndings('c', held)).toEqual([]);
  });

  it('is not looked for near short words, numbers and words of the query itself', async () => {
    expect((await found('cart')).corrected).toBeUndefined();
    expect((await found('CVE2024')).corrected).toBeUndefined();
    expect((await found('console consoles_x')).corrected).toBeUndefined();
  });
});

describe('operators', () => {
  it('finds all words that begin so', async () => {
    expect(await uris('alph*')).toEqual(['alpha.md']);
    expect((await uris('jag* swim*'))[0]).toBe('jaguar.md');
    expect(await uris('zzz*')).toEqual([]);
    // the word itself too, whose stem is shorter
    expect(await uris('warnings*')).toEqual(['tool.md']);
  });

  it('takes a star elsewhere as plain text', () => {
    for (const query of ['**bold** text', 'a*b', '*.ts', 'SELECT * FROM t']) {
      expect(analyseQuery(query).prefixes).toEqual([]);
      expect(analyseQuery(query).text).toBe(query);
    }
  });

  it('leaves out chunks that hold the words after -"', async () => {
    expect((await uris('jaguar')).sort()).toEqual(['car.md', 'jaguar.md']);
    expect(await uris('jaguar -"car"')).toEqual(['jaguar.md']);
    expect(await uris('jaguar -"doors of cars"')).toEqual(['jaguar.md']);
    expect((await uris('jaguar -"car swims"')).sort()).toEqual(['car.md', 'jaguar.md']);
    expect(await uris('-"jaguar"')).toEqual([]);
  });

  it.each(['“car”', '„car“', '«car»', '「car」'])('leaves out as well what stands in %s', async (quoted) => {
    expect(await uris(`jaguar -${quoted}`)).toEqual(['jaguar.md']);
  });

  it('takes -term and --term as words, as they stand in documents', async () => {
    expect((await uris('--dry-run'))[0]).toBe('tool.md');
    expect((await uris('warnings -Wall'))[0]).toBe('tool.md');
    expect((await uris('jaguar -car')).sort()).toEqual(['car.md', 'jaguar.md']);
  });
});

describe('a name of code', () => {
  const code: MemoryDocument[] = [
    { uri: 'licence.txt', title: 'Licence', chunks: [{ text: 'Fitness for a purpose is not warranted.' }] },
    { uri: 'logger.cpp', title: 'logger', chunks: [{ text: 'for ( i = 0 ; ; ) common ( i ) ;' }] },
  ];

  it('counts twice as much as a word beside it', async () => {
    const { lexical } = await memorySnapshot(code);
    const counts = async (query: string): Promise<Record<string, number>> => {
      const { terms } = await searchedTerms(vocabularyOf(lexical), analyseQuery(query), undefined);
      return Object.fromEntries(terms.map(({ term, count }) => [term, count]));
    };
    expect(await counts('purpose of common')).toEqual({ purpos: 1, common: 1 });
    expect(await counts('purpose of common()')).toEqual({ purpos: 1, common: 2 });
    expect(await counts('purpose of `common`')).toEqual({ purpos: 1, common: 2 });
  });

  it('leads, whatever is asked about it', async () => {
    const found = await search(await memorySnapshot([...code, ...documents]), undefined, 'the purpose of common()?');
    expect(found[0]?.chunk.uri).toBe('logger.cpp');
  });
});

describe('a very long query', () => {
  const nonsense = (count: number): string => Array.from({ length: count }, (_, i) => `qz${letters(i)}`).join(' ');
  const letters = (i: number): string => [...String(1000 + i)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('');

  it('is searched by the words that the index holds, however many it does not', async () => {
    expect(await uris(`${nonsense(60)} sublease`)).toEqual(['lease.md']);
  });

  it('looks up near words for a bounded number, and stops at an abort', async () => {
    const { lexical } = await memorySnapshot(documents);
    const inner = vocabularyOf(lexical);
    let gone = new AbortController();
    let looked = 0;
    const counting: typeof inner = {
      ...inner,
      termsFrom: (...given) => {
        if (++looked === 3) gone.abort(new Error('the reader left'));
        return inner.termsFrom(...given);
      },
    };
    const query = analyseQuery(nonsense(500));
    await searchedTerms(counting, query, undefined);
    expect(looked).toBeLessThan(100);
    looked = 0;
    gone = new AbortController();
    await expect(searchedTerms(counting, query, gone.signal)).rejects.toThrow('the reader left');
    expect(looked).toBe(3);
  });

  it('of one word is analysed in time that grows with its length', () => {
    const startedAt = performance.now();
    analyseQuery('a'.repeat(500_000));
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });

  it.each(['„', '“', '«', '「', '-„'])('of many %s is analysed in time that grows with its length', (mark) => {
    const startedAt = performance.now();
    analyseQuery(`${mark} `.repeat(50_000));
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});
