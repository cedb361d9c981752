import { describe, expect, it } from 'vitest';
import { IbidError } from '../../../../src/core/errors.ts';
import type { Block, BlockKind, Chunk, Document } from '../../../../src/core/types.ts';
import { chunkDocument } from '../../../../src/text/chunk/chunk.ts';
import { resolveChunkOptions } from '../../../../src/text/chunk/options.ts';
import { countTokens } from '../../../../src/text/tokens/tokens.ts';

type Part = readonly [kind: BlockKind | 'h1' | 'h2' | 'h3', text: string, extra?: Partial<Block>];

/** A document of the parts, a blank line between two; headings are written `h1` to `h3`. */
function document(parts: readonly Part[], extra: Partial<Document> = {}): Document {
  let text = '';
  const blocks: Block[] = [];
  for (const [kind, body, more] of parts) {
    if (text !== '') text += '\n\n';
    const level = /^h(\d)$/.exec(kind)?.[1];
    const own: Block = {
      kind: level === undefined ? (kind as BlockKind) : 'heading', // `h1` to `h3` are the only names that are no kinds
      start: text.length,
      end: text.length + body.length,
      ...(level === undefined ? undefined : { level: Number(level) }),
    };
    const shifted = more?.header && {
      header: { start: text.length + more.header.start, end: text.length + more.header.end },
    };
    blocks.push({ ...own, ...more, ...shifted });
    text += body;
  }
  return {
    uri: 'a.md',
    title: '',
    text,
    format: 'markdown',
    blocks,
    locators: [],
    metadata: {},
    warnings: [],
    ...extra,
  };
}

const texts = (chunks: readonly Chunk[]): string[] => chunks.map(({ text }) => text);

/** `count` different sentences of seven tokens or so. */
function sentences(count: number, word = 'apples'): string {
  return Array.from({ length: count }, (_, i) => `He bought ${i + 1} ${word} here.`).join(' ');
}

describe('headings', () => {
  it('open a chunk with what follows them; what separates belongs to the chunk before', () => {
    const doc = document([
      ['h2', '## One'],
      ['paragraph', sentences(10)],
      ['h2', '## Two'],
      ['paragraph', sentences(10, 'pears')],
    ]);
    const chunks = chunkDocument(doc);
    expect(texts(chunks)).toEqual([`## One\n\n${sentences(10)}\n\n`, `## Two\n\n${sentences(10, 'pears')}`]);
    expect(chunks.map(({ span }) => span)).toEqual([
      { start: 0, end: doc.text.indexOf('## Two') },
      { start: doc.text.indexOf('## Two'), end: doc.text.length },
    ]);
  });

  it('give the path behind those a chunk opens with, by label where there is one, without the title', () => {
    const doc = document(
      [
        ['h1', '# The *Book*', { label: 'The  Book' }],
        ['h2', '## Part', { label: 'Part' }],
        ['paragraph', sentences(10)],
        ['h3', '### Chapter', { label: 'Chapter' }],
        ['paragraph', sentences(10)],
        ['h2', '## Other', { label: 'Other' }],
        ['paragraph', sentences(10)],
      ],
      { title: 'the book' },
    );
    expect(chunkDocument(doc).map(({ headings }) => headings)).toEqual([['Part'], ['Part', 'Chapter'], ['Other']]);
    expect(chunkDocument({ ...doc, title: 'Another' }).map(({ headings }) => headings)[1]).toEqual([
      'The Book',
      'Part',
      'Chapter',
    ]);
  });

  it('stay with the text that follows though it has to be cut for that', () => {
    const doc = document([
      ['h2', '## A heading of several words'],
      ['paragraph', sentences(8)],
    ]);
    const [first] = chunkDocument(doc, { maxTokens: countTokens(sentences(8)), minTokens: 0 });
    expect(first!.text.startsWith('## A heading of several words\n\nHe bought 1 ')).toBe(true);
  });

  it('that follow each other directly share a chunk with the text under the last', () => {
    const doc = document([
      ['h1', '# Title'],
      ['h2', '## Empty'],
      ['h2', '## Full'],
      ['paragraph', sentences(10)],
    ]);
    const chunks = chunkDocument(doc);
    expect(chunks).toHaveLength(1);
    expect(chunks[0]!.headings).toEqual(['# Title', '## Full']);
  });
});

describe('a sentence that ends in a colon', () => {
  const items = (count: number) => Array.from({ length: count }, (_, i) => `- You need ${i + 1} ropes.`).join('\n');

  it('stands in the chunk of the list that it announces', () => {
    const doc = document([
      ['paragraph', `${sentences(40)} For this you need:`],
      ['list', items(20)],
    ]);
    expect(texts(chunkDocument(doc))).toEqual([`${sentences(40)} `, `For this you need:\n\n${items(20)}`]);
  });

  it('takes the first items along where the list does not fit', () => {
    const doc = document([
      ['paragraph', sentences(36)],
      ['paragraph', 'For this you need:'],
      ['list', items(60)],
    ]);
    const chunks = texts(chunkDocument(doc));
    const announcing = chunks.find((text) => text.includes('For this you need:'))!;
    expect(announcing).toContain('For this you need:\n\n- You need 1 ropes.\n');
    expect(chunks.join('')).toBe(doc.text);
    expect(chunks.every((text) => countTokens(text) <= 320)).toBe(true);
  });

  it('stays at the end where a heading follows', () => {
    const doc = document([
      ['paragraph', `${sentences(20)} See also:`],
      ['h2', '## Next'],
      ['paragraph', sentences(20)],
    ]);
    expect(texts(chunkDocument(doc))[0]!.trimEnd().endsWith('See also:')).toBe(true);
  });
});

describe('small pieces', () => {
  const small = 'Too short.';
  it('join the section they belong to rather than the one before', () => {
    const doc = document([
      ['h1', '# Title'],
      ['h2', '## One'],
      ['paragraph', sentences(10)],
      ['h2', '## Two'],
      ['paragraph', small],
      ['h3', '### Below'],
      ['paragraph', sentences(10)],
    ]);
    expect(chunkDocument(doc).map(({ text }) => text.slice(0, 7))).toEqual(['# Title', '## Two\n']);
  });

  it('keep to themselves beside a large top-level section, and join another small one', () => {
    const large = document([
      ['h2', '## One'],
      ['paragraph', sentences(10)],
      ['h2', '## Two'],
      ['paragraph', small],
    ]);
    expect(chunkDocument(large)).toHaveLength(2);
    const both = document([
      ['h2', '## One'],
      ['paragraph', small],
      ['h2', '## Two'],
      ['paragraph', small],
    ]);
    expect(chunkDocument(both)).toHaveLength(1);
    expect(chunkDocument(both, { minTokens: 0 })).toHaveLength(2);
  });
});

describe('blocks too long for one chunk', () => {
  it('tables are cut at row ends and repeat their header as context', () => {
    const header = '| name | value |\n| --- | --- |\n';
    const table = header + Array.from({ length: 60 }, (_, i) => `| row ${i} | ${i} |\n`).join('');
    const chunks = chunkDocument(document([['table', table, { header: { start: 0, end: header.length } }]]), {
      maxTokens: 100,
    });
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks[0]!.context).toBeUndefined();
    for (const chunk of chunks.slice(1)) {
      expect(chunk.text).toMatch(/^\| row \d+ .*\|\n$/s);
      expect(chunk.context).toBe(header.trim());
    }
  });

  it('a table that fits stays whole', () => {
    const table = Array.from({ length: 20 }, (_, i) => `| row ${i} | ${i} |`).join('\n');
    const chunks = chunkDocument(
      document([
        ['paragraph', sentences(25)],
        ['table', table],
        ['paragraph', sentences(25)],
      ]),
    );
    expect(chunks.filter(({ text }) => text.includes('| row'))).toHaveLength(1);
  });

  it('lists are cut before items, outer ones first', () => {
    const list = Array.from(
      { length: 12 },
      (_, i) => `- item ${i} of the list\n  - one thing below it\n  - and another`,
    ).join('\n');
    const chunks = chunkDocument(document([['list', list]]), { maxTokens: 80 });
    expect(chunks.length).toBeGreaterThan(2);
    for (const { text } of chunks) expect(text).toMatch(/^- item/);
  });

  it('code is cut before top-level declarations', () => {
    const code = Array.from(
      { length: 12 },
      (_, i) => `function f${i}(a) {\n  const b = a + ${i};\n\n  if (b > 2) {\n    return b;\n  }\n  return a;\n}\n`,
    ).join('\n');
    const chunks = chunkDocument(document([['code', code]]), { maxTokens: 120 });
    expect(chunks.length).toBeGreaterThan(3);
    for (const { text } of chunks) expect(text).toMatch(/^function f\d+\(a\) \{.*\n\}\n\s*$/s);
  });

  it('prose is cut between sentences, and a sentence at its clause marks', () => {
    for (const { text } of chunkDocument(document([['paragraph', sentences(60)]]), { maxTokens: 100 })) {
      expect(text).toMatch(/^He bought \d+ apples here\..*here\. ?$/);
    }
    const endless = Array.from({ length: 200 }, (_, i) => `and then came number ${i}`).join(', ');
    for (const { text } of chunkDocument(document([['paragraph', endless]]), { maxTokens: 200 })) {
      expect(text).toMatch(/^and then .*\d,? ?$/);
    }
  });

  it('a visible character longer than the bound stands alone', () => {
    const family = '👩‍👩‍👧‍👦';
    expect(texts(chunkDocument(document([['paragraph', `${family}${family}`]]), { maxTokens: 2 }))).toEqual([
      family,
      family,
    ]);
  });
});

describe('source code', () => {
  it('a comment goes with the declaration below it', () => {
    const body = Array.from({ length: 12 }, (_, i) => `  const value${i} = compute(${i});`).join('\n');
    const text = `import x;\n${body}\n\n/**\n * Does a thing.\n */\nfunction one() {\n${body}\n}\n\n// Does\n// another.\nfunction two() {\n${body}\n}\n`;
    const heads = ['function one()', 'function two()'].map((head) => text.indexOf(head));
    const blocks: Block[] = [
      { kind: 'code', start: 0, end: heads[0]! - 1 },
      { kind: 'heading', level: 1, label: 'one', start: heads[0]!, end: heads[0]! + 16 },
      { kind: 'code', start: heads[0]! + 17, end: heads[1]! - 1 },
      { kind: 'heading', level: 1, label: 'two', start: heads[1]!, end: heads[1]! + 16 },
      { kind: 'code', start: heads[1]! + 17, end: text.length },
    ];
    const chunks = chunkDocument({ ...document([]), text, blocks, format: 'code' });
    expect(texts(chunks).join('')).toBe(text);
    expect(chunks.map((chunk) => chunk.text.slice(0, 7))).toEqual(['import ', '/**\n * ', '// Does']);
    expect(chunks.map(({ headings }) => headings)).toEqual([[], ['one'], ['two']]);
  });
});

describe('documents without structure', () => {
  it('are cut at blank lines, and a paragraph that fits stays whole', () => {
    const paragraph = sentences(20);
    const text = Array.from({ length: 4 }, () => paragraph).join('\n\n');
    const chunks = chunkDocument({ ...document([]), text });
    expect(texts(chunks).join('')).toBe(text);
    for (const chunk of chunks)
      expect(
        chunk.text
          .trim()
          .split(/\n\n/)
          .every((own) => own === paragraph),
      ).toBe(true);
  });

  it('an empty one has no chunks, a blank one has one', () => {
    expect(chunkDocument(document([]))).toEqual([]);
    expect(texts(chunkDocument({ ...document([]), text: ' \n' }))).toEqual([' \n']);
  });

  it('text between blocks that is more than blanks is kept as a paragraph', () => {
    const text = 'before\n\n# Head\n\nafter';
    const doc = { ...document([]), text, blocks: [{ kind: 'heading', level: 1, start: 8, end: 14 }] as const };
    expect(texts(chunkDocument(doc, { minTokens: 0 }))).toEqual(['before\n\n', '# Head\n\nafter']);
  });
});

describe('the way back to the source', () => {
  it('locators are clipped to the chunk, lines counted from the first', () => {
    const doc = document([
      ['h2', '## One'],
      ['paragraph', sentences(10)],
      ['h2', '## Two'],
      ['paragraph', sentences(10)],
    ]);
    const cut = doc.text.indexOf('## Two');
    const locators = [
      { start: 0, end: 5, page: 1 },
      { start: 5, end: doc.text.length, page: 2 },
    ];
    const chunks = chunkDocument({ ...doc, locators, firstLine: 1 });
    expect(chunks.map((chunk) => chunk.locators)).toEqual([
      [locators[0], { start: 5, end: cut, page: 2 }],
      [{ start: cut, end: doc.text.length, page: 2 }],
    ]);
    // "## One", blank, paragraph, blank: the second chunk starts in line 5
    expect(chunks.map((chunk) => chunk.firstLine)).toEqual([1, 5]);
    expect('firstLine' in chunkDocument(doc)[0]!).toBe(false);
  });
});

describe('slides', () => {
  it('the title of a slide holds on its slide only', () => {
    const parts: Part[] = [
      ['h1', 'Crane budget'],
      ['paragraph', 'The crane costs 40,000 euros.'],
      ['paragraph', 'The winch was sold in 2021.'],
      ['paragraph', 'Moor Ltd bought it.'],
      ['h1', 'Staff'],
      ['paragraph', 'Ann leads.'],
    ];
    const pages = [1, 1, 2, 2, 3, 3];
    const doc = document(parts, { format: 'pptx', title: 'Harbour' });
    const locators = doc.blocks.map(({ start, end }, i) => ({ start, end, page: pages[i]! }));
    const under = (format: string) =>
      chunkDocument({ ...doc, format, locators }).map(({ text, headings }) => [text.trim().split('\n')[0], headings]);
    expect(under('pptx')).toEqual([
      ['Crane budget', ['Crane budget']],
      ['The winch was sold in 2021.', []],
    ]);
    expect(under('odp')).toEqual(under('pptx'));
    // A page is no end of a section, and a deck without titles stays together.
    expect(under('pdf')).toEqual([['Crane budget', ['Crane budget']]]);
    const untitled = {
      ...doc,
      blocks: doc.blocks.map((block) => ({ ...block, kind: 'paragraph' as const })),
      locators,
    };
    expect(chunkDocument(untitled)).toHaveLength(1);
  });
});

describe('chunk options', () => {
  it('are filled and frozen', () => {
    expect(resolveChunkOptions()).toEqual({ maxTokens: 320, minTokens: 48 });
    expect(resolveChunkOptions({ minTokens: 0 })).toEqual({ maxTokens: 320, minTokens: 0 });
    expect(resolveChunkOptions({ maxTokens: 20 })).toEqual({ maxTokens: 20, minTokens: 0.15 * 20 });
    expect(Object.isFrozen(resolveChunkOptions())).toBe(true);
  });

  it.each([
    { maxTokens: 0 },
    { maxTokens: 1.5 },
    { maxTokens: Number.NaN },
    { minTokens: -1 },
    { maxTokens: 10, minTokens: 11 },
    { maxTokens: 1e9 },
  ])('%j is refused', (options) => {
    expect(() => chunkDocument(document([]), options)).toThrow(IbidError);
    expect(() => resolveChunkOptions(options)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });
});

describe('texts meant to break it', () => {
  // Generous bounds: a quadratic step would take minutes. Ratios are measured by bench/speed/chunk.ts.
  it.each([
    ['a word of a million letters', 'abcdefghij'.repeat(100_000)],
    ['a million blanks', ' '.repeat(1_000_000)],
    ['one letter under 100,000 marks', `e${'\u0301'.repeat(100_000)}`],
    ['20,000 family emoji', '👩‍👩‍👧‍👦'.repeat(20_000)],
    ['Thai without a blank', 'ภาษาไทย'.repeat(50_000)],
    ['3 MB in one line', 'A sentence of some words, as they come. '.repeat(75_000)],
  ])(
    '%s',
    (_, text) => {
      const chunks = chunkDocument({ ...document([]), text });
      expect(chunks.reduce((length, chunk) => length + chunk.text.length, 0)).toBe(text.length);
    },
    20_000,
  );

  it('a paragraph of more than a window of sentences is cut between sentences', () => {
    const sentence = 'A sentence of some words, as they come. ';
    const chunks = chunkDocument({ ...document([]), text: sentence.repeat(60_000) });
    expect(chunks.length).toBeGreaterThan(1000);
    for (const { text } of chunks) expect(text.length % sentence.length).toBe(0);
  }, 20_000);

  it('5,000 headings', () => {
    const chunks = chunkDocument(document(Array.from({ length: 5_000 }, (_, i): Part => ['h2', `## Heading ${i}`])));
    expect(Math.max(...chunks.map(({ tokens }) => tokens))).toBeLessThanOrEqual(320);
    for (const { text } of chunks) expect(text).toMatch(/^## Heading/);
  }, 20_000);
});
