import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  analyseDocument,
  contentTokens,
  documentTokens,
  numberDocument,
  TermNumbers,
} from '../../../../src/text/analysis/analysis.ts';
import { analyseQuery } from '../../../../src/text/analysis/query.ts';

const shares = (query: string, line: string): string[] => {
  const there = new Set(documentTokens(line));
  return analyseQuery(query).tokens.filter((token) => there.has(token));
};

describe('documentTokens', () => {
  it('stems English, lowers case, drops stop words and the possessive s', () => {
    expect(documentTokens("The dog's relational databases were connected")).toEqual([
      'dog',
      'relat',
      'databas',
      'were',
      'connect',
    ]);
  });

  it('gives a word of plain letters the terms that it has in letters of full width, with a capital and without', () => {
    const wide = (word: string): string =>
      word.replace(/./g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
    for (const word of ['Licences', 'licences', 'The', 'the', 'A', 'Colour', 'PDFs', 'HTTPServer', 'iPhone', 'Running'])
      expect(documentTokens(word)).toEqual(documentTokens(wide(word)));
    expect(documentTokens('The Colours')).toEqual(documentTokens('colours'));
  });

  it('gives operators of code, where they stand alone', () => {
    expect(documentTokens('Prefer `===` and !== over ==.')).toEqual(['prefer', '===', '!==', 'over', '==']);
    expect(documentTokens('a=>b x<=y')).toEqual(['=>', 'b', 'x', '<=', 'y']);
    expect(documentTokens('Title\n=====\n--> next --- end')).toEqual(['titl', 'next', 'end']);
    expect(documentTokens('&&')).toEqual(['&&']);
    expect(documentTokens('x = 1 < 2 && y')).toEqual(['x', '1', '2', '&&', 'y']);
  });

  it('gives names with their signs', () => {
    expect(documentTokens('C++, c++17 and g++')).toEqual(['c', 'c++', 'c', 'c++', '17', 'g', 'g++']);
    expect(documentTokens('C# or F#')).toEqual(['c', 'c#', 'f', 'f#']);
    expect(documentTokens('page.html#part b## 1+1 +++')).toEqual(['page', 'html', 'part', 'b', '1', '1']);
  });

  it('gives stop words with hyphens as a whole, which have no other term', () => {
    expect(documentTokens('no-with and no with')).toEqual(['no-with']);
    expect(documentTokens('Not-In no-alert')).toEqual(['not-in', 'alert']);
  });

  it('gives an identifier whole and in parts', () => {
    expect(documentTokens('parseHTTPHeader')).toEqual(['parsehttphead', 'pars', 'http', 'header']);
    expect(documentTokens('miRNAs parseURLs')).toEqual(['mirna', 'mi', 'rna', 'parseurl', 'pars', 'url']);
    expect(documentTokens('URLsFrom')).toEqual(['urlsfrom', 'url', 'from']);
    expect(documentTokens('PDFs RXRs HTTPStatus')).toEqual(['pdf', 'rxr', 'httpstatu', 'http', 'statu']);
    expect(documentTokens('ERR_MODULE_NOT_FOUND')).toEqual(['err_module_not_found', 'err', 'modul', 'found']);
    expect(documentTokens('utf8')).toEqual(['utf8', 'utf']);
  });

  it('gives numbers joined by punctuation, and options, whole and in parts', () => {
    expect(documentTokens('Node v22.18.')).toEqual(['node', 'v22', '22', '18', '22.18']);
    expect(documentTokens('see CVE-2024-1234')).toEqual(['see', 'cve', '2024', '1234', 'cve-2024-1234']);
    expect(documentTokens('pass --dry-run now')).toEqual(['pass', 'dry', 'run', '--dry-run', 'now']);
    expect(documentTokens('well-known')).toEqual(['well', 'known']);
  });

  it('gives words with other letters and their first five letters', () => {
    expect(documentTokens('Ölförderung über')).toEqual(['ölförderung', 'ölför*', 'über']);
    expect(documentTokens('книгами')).toEqual(['книгами', 'книга*']);
  });

  it('gives character pairs where there are no spaces between words', () => {
    expect(documentTokens('東京都へ')).toEqual(['東京', '京都', '都へ']);
    expect(documentTokens('a 水 b')).toEqual(['水', 'b']);
    expect(documentTokens('ภาษา')).toEqual(['ภา', 'าษ', 'ษา']);
    expect(documentTokens('API設計')).toEqual(['api', '設計']);
    expect(documentTokens('𠮷野家')).toEqual(['𠮷野', '野家']); // a character outside the basic plane counts as one
  });

  it('does not care how an accent is written', () => {
    expect(documentTokens('cafe\u0301 noir')).toEqual(documentTokens('caf\u00e9 noir'));
  });

  it('survives lone surrogates, long words and nothing', () => {
    expect(documentTokens('\ud800 ok \udc00')).toEqual(['ok']);
    expect(documentTokens('')).toEqual([]);
    const [token] = documentTokens('x'.repeat(100_000));
    expect(token!.length).toBeLessThanOrEqual(64);
    for (const before of [62, 63, 64]) {
      const [whole] = documentTokens(`${'x'.repeat(before)}\u{10330}\u{10331}`);
      expect(whole!.isWellFormed()).toBe(true);
    }
  });
});

describe('analyseQuery', () => {
  it('drops what only asks, unless nothing else is there', () => {
    expect(analyseQuery('What does the scheduler do?').tokens).toEqual(['schedul']);
    expect(analyseQuery('Who is who?').tokens).toEqual(['who', 'who']);
    expect(analyseQuery('?!').tokens).toEqual([]);
    expect(contentTokens('how do you')).toEqual([]);
  });

  it('keeps a word that only asks in another language', () => {
    const [noun] = documentTokens('Quelle');
    expect(analyseQuery('Wo legt man beim Malen die Quelle fest?').tokens).toContain(noun);
    expect(analyseQuery('Quelle est la marée à Brest ?').tokens).not.toContain(noun);
  });

  it('tells questions by their last mark, in any script', () => {
    expect(['Why?', '为什么？', 'لماذا؟', 'He said "why?"'].map((q) => analyseQuery(q).asks)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['Statins lower cholesterol.', 'what? never'].map((q) => analyseQuery(q).asks)).toEqual([false, false]);
    expect(['Τι είναι το GIMP;', 'use GIMP;', 'Άνοιξε; κλείσε'].map((q) => analyseQuery(q).asks)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('knows names of code by their marks', () => {
    const named = (query: string): string[] => [...analyseQuery(query).named];
    expect(named('What is the purpose of the common() method?')).toEqual(['common']);
    expect(named('Does `Debug` or os.walk() print?')).toEqual(['debug', 'walk']);
    expect(named('`readAll` of it')).toEqual(['readal', 'read', 'all']);
    expect(named('the price (in dollars) of f(x), and a ` alone')).toEqual([]);
  });

  it('keeps what is quoted, with any kind of quotation marks', () => {
    expect(analyseQuery('find "exact words" and “more here”').phrases).toEqual([
      ['exact', 'word'],
      ['more', 'here'],
    ]);
    expect(analyseQuery('„Zeit“ «vin» 「東京」 ""').phrases).toEqual([['zeit'], ['vin'], ['東京']]);
  });

  it.each([
    ['ERR_MODULE_NOT_FOUND', 'Error [ERR_MODULE_NOT_FOUND]: Cannot find module', 'err_module_not_found'],
    ['foo_bar()', 'call foo_bar(x) first', 'foo_bar'],
    ['--dry-run', 'with `--dry-run` nothing is written', '--dry-run'],
    ['version 22.18', 'needs Node >= v22.18', '22.18'],
    ['mail ada@example.org', 'write to <ada@example.org>', 'ada'],
    ['https://example.org/docs/setup', 'at example.org/docs', 'exampl'],
  ])('%s meets its line', (query, line, token) => {
    expect(shares(query, line)).toContain(token);
  });
});

describe('analyseDocument', () => {
  it('gives each chunk the title, its headings with context, and its own text', () => {
    const rows = analyseDocument('The Manual', [
      { text: 'one', headings: ['Setup', 'Linux'] },
      { text: 'two', headings: [], context: 'Name | Price' },
    ]);
    expect(rows).toEqual([
      { title: ['manual'], headings: ['setup', 'linux'], text: ['on'] },
      { title: ['manual'], headings: ['name', 'price'], text: ['two'] },
    ]);
  });
});

describe('TermNumbers', () => {
  const word = fc.constantFrom(
    ...[
      'the',
      "dog's",
      'Running',
      'parseHTTPHeader',
      'v22.18',
      '--dry-run',
      'CVE-2024-1234',
      'Größe',
      'l’État',
      'ｶﾞｽ',
      'بِسْمِ',
      'km²',
      '東京都',
      'ภาษา',
      '𠮷野家',
    ],
    ...['cafe\u0301', '\ud800', 'x'.repeat(70), 'what', 'does', '…', '\n'],
  );
  const text = fc.array(
    fc.tuple(fc.oneof(word, fc.string({ unit: 'binary', maxLength: 6 })), fc.constantFrom(' ', '', '-', '.')),
    {
      maxLength: 30,
    },
  );
  const texts = fc.array(
    text.map((parts) => parts.flat().join('')),
    { minLength: 1, maxLength: 6 },
  );

  it('stand for the terms that the strings are, text after text', () => {
    const document = new TermNumbers('document');
    const content = new TermNumbers('content');
    fc.assert(
      fc.property(texts, (some) => {
        for (const one of some) {
          expect(Array.from(document.of(one), (number) => document.terms[number])).toEqual(documentTokens(one));
          expect(Array.from(content.of(one), (number) => content.terms[number])).toEqual(contentTokens(one));
        }
      }),
    );
    expect(new Set(document.terms).size).toBe(document.terms.length);
  });

  it('gives a document the rows that its strings have', () => {
    fc.assert(
      fc.property(texts, fc.option(fc.constantFrom('a header | of a table', '')), (some, context) => {
        const chunks = some.map((one, i) => ({
          text: one,
          headings: i % 3 === 0 ? [] : ['Setting up', one],
          ...(context === null ? {} : { context }),
        }));
        const numbers = new TermNumbers('document');
        const words = (of: Uint32Array): string[] => Array.from(of, (number) => numbers.terms[number]!);
        const rows = [];
        for (const { title, headings, text } of numberDocument(numbers, 'The Manual', chunks)) {
          rows.push({ title: words(title), headings: words(headings), text: words(text) });
        }
        expect(rows).toEqual(
          chunks.map(({ text, headings }) => ({
            title: documentTokens('The Manual'),
            headings: documentTokens([...headings, context ?? ''].join('\n')),
            text: documentTokens(text),
          })),
        );
      }),
    );
  });
});
