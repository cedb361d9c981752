import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CorpusEntry, type GroupedDocument, groupCorpus, readBeirFolder } from '../../../src/eval/beir.ts';
import { judgedQueryIds } from '../../../src/eval/evaluate.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ibid-beir-'));
  await mkdir(join(folder, 'qrels'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (name: string, content: string | Uint8Array): Promise<void> => writeFile(join(folder, name), content);
const lines = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const collect = async <T>(source: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const value of source) all.push(value);
  return all;
};

async function writeSmallSet(): Promise<void> {
  await write(
    'corpus.jsonl',
    lines({ _id: 'd1', title: 'One', text: 'first' }, { _id: 2, text: 'second', metadata: { lang: 'en' } }),
  );
  await write('queries.jsonl', lines({ _id: 'q1', text: 'which?' }));
  await write('qrels/test.tsv', 'query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\t2\t0\n');
}

describe('readBeirFolder', () => {
  it('reads corpus, queries and judgements', async () => {
    await writeSmallSet();
    const dataset = await readBeirFolder(folder);
    expect((await collect(dataset.corpus)).map(({ place: _, ...entry }) => entry)).toEqual([
      { id: 'd1', title: 'One', text: 'first', metadata: {} },
      { id: '2', title: '', text: 'second', metadata: { lang: 'en' } },
    ]);
    expect(await collect(dataset.corpus)).toHaveLength(2); // may be iterated again
    expect(dataset.queries).toEqual([{ id: 'q1', text: 'which?', metadata: {} }]);
    expect(dataset.qrels).toEqual(
      new Map([
        [
          'q1',
          new Map([
            ['d1', 1],
            ['2', 0],
          ]),
        ],
      ]),
    );
    expect(dataset.documents).toBeUndefined();
  });

  it('reads any entry again by its place, whatever the bytes around it, and none of a packed corpus', async () => {
    await writeSmallSet();
    const odd = [
      { _id: 'a', text: 'größer\u2028日本', metadata: { doc_id: 'D', heading: 'h' } },
      { _id: 'b', title: '𝄞', text: '' },
    ];
    await write('corpus.jsonl', `\uFEFF${JSON.stringify(odd[0])}\r\n\r\n \n${JSON.stringify(odd[1])}`);
    const dataset = await readBeirFolder(folder);
    const entries = await collect(dataset.corpus);
    expect(entries.map(({ id }) => id)).toEqual(['a', 'b']);
    for (const entry of entries) expect(dataset.entryAt!(entry.place!)).toEqual(entry);
    await write('corpus.jsonl', `{"_id":"a","text":"another"}\n${' '.repeat(200)}`);
    expect(() => dataset.entryAt!(entries[1]!.place!)).toThrow(/has changed/);
    await write('corpus.jsonl.gz', gzipSync(lines(...odd)));
    await rm(join(folder, 'corpus.jsonl'));
    expect((await readBeirFolder(folder)).entryAt).toBeUndefined();
  });

  it('reads .gz in place of any file', async () => {
    await write('corpus.jsonl.gz', gzipSync(lines({ _id: 'd1', text: 'größer' })));
    await write('queries.jsonl.gz', gzipSync(lines({ _id: 'q1', text: '' })));
    await write('qrels/test.tsv.gz', gzipSync('q1\td1\t2\n'));
    await write('documents.jsonl.gz', gzipSync(lines({ _id: 'd', title: 'T', text: 'X' })));
    const dataset = await readBeirFolder(folder);
    expect((await collect(dataset.corpus))[0]!.text).toBe('größer');
    expect(dataset.qrels.get('q1')!.get('d1')).toBe(2);
    expect(dataset.documents).toEqual(new Map([['d', { title: 'T', text: 'X' }]]));
  });

  it('a headerless qrels file keeps its first judgement', async () => {
    await writeSmallSet();
    await write('qrels/test.tsv', 'q1\td1\t1\n');
    expect((await readBeirFolder(folder)).qrels.get('q1')!.get('d1')).toBe(1);
  });

  it('TREC qrels with four columns are read too', async () => {
    await writeSmallSet();
    await write('qrels/test.tsv', 'q1\t0\td1\t1\r\n');
    expect((await readBeirFolder(folder)).qrels.get('q1')!.get('d1')).toBe(1);
  });

  it('U+2028 inside a JSON string does not end the line, a byte order mark and CRLF do no harm', async () => {
    await writeSmallSet();
    await write('corpus.jsonl', `\uFEFF{"_id":"d1","text":"a\u2028b"}\r\n\r\n{"_id":"2","text":"c"}`);
    expect((await collect((await readBeirFolder(folder)).corpus)).map(({ text }) => text)).toEqual(['a\u2028b', 'c']);
  });

  it('a character cut in two by the read buffer stays whole', async () => {
    await writeSmallSet();
    const text = `${'x'.repeat(65_536 - 20)}${'€'.repeat(40)}`;
    await write('corpus.jsonl', lines({ _id: 'd1', text }));
    expect((await collect((await readBeirFolder(folder)).corpus))[0]!.text).toBe(text);
  });

  it('a line of 30 MB takes time in proportion to its length', async () => {
    await writeSmallSet();
    const text = 'word '.repeat(6_000_000);
    await write('corpus.jsonl', lines({ _id: 'd1', text }));
    const startedAt = performance.now();
    expect((await collect((await readBeirFolder(folder)).corpus))[0]!.text).toHaveLength(text.length);
    expect(performance.now() - startedAt).toBeLessThan(5000); // quadratic reading took minutes
  });

  it('another split, and a split that is not there names those that are', async () => {
    await writeSmallSet();
    await write('qrels/dev.tsv', 'q1\t2\t1\n');
    expect((await readBeirFolder(folder, { split: 'dev' })).qrels.get('q1')!.get('2')).toBe(1);
    await expect(readBeirFolder(folder, { split: 'train' })).rejects.toMatchObject({
      code: 'DATASET_INVALID',
      hint: 'It has judgements for: dev, test.',
    });
    await expect(readBeirFolder(folder, { split: '../x' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it.each<[string, string, string | Uint8Array, RegExp]>([
    ['broken JSON', 'queries.jsonl', '{"_id":"q1","text":"a"}\n{"_id":', /queries\.jsonl, line 2: not JSON/],
    ['an array', 'queries.jsonl', '[]\n', /line 1: not a JSON object/],
    ['no id', 'queries.jsonl', '{"text":"a"}\n', /line 1: "_id" is missing/],
    ['no text', 'queries.jsonl', '\n{"_id":"q1"}\n', /line 2: "text" is missing/],
    [
      'an id used twice',
      'queries.jsonl',
      '{"_id":"q1","text":"a"}\n{"_id":"q1","text":"b"}\n',
      /line 2: the id "q1" was used before/,
    ],
    ['an empty file', 'queries.jsonl', '', /queries\.jsonl is empty/],
    ['bytes that are not UTF-8', 'queries.jsonl', Uint8Array.of(0x7b, 0xff, 0xfe), /near line 1: not UTF-8/],
    ['no tabs', 'qrels/test.tsv', 'q1 d1 1\n', /test\.tsv, line 1: no tab between columns/],
    ['two columns', 'qrels/test.tsv', 'q1\td1\n', /line 1: 2 columns/],
    ['a grade in words', 'qrels/test.tsv', 'q\tc\ts\nq1\td1\tyes\n', /line 2: the grade "yes" is not a number/],
    ['an empty grade', 'qrels/test.tsv', 'q1\td1\t1\nq1\t2\t\n', /line 2: the grade "" is not a number/],
    ['two grades for one pair', 'qrels/test.tsv', 'q1\td1\t1\nq1\td1\t2\n', /line 2: .*with another grade/],
    ['only a header', 'qrels/test.tsv', 'query-id\tcorpus-id\tscore\n', /holds no judgements/],
    ['an unknown query', 'qrels/test.tsv', 'q9\td1\t1\n', /judges query "q9"/],
  ])('%s is told with file and line', async (_, file, content, message) => {
    await writeSmallSet();
    await write(file, content);
    await expect(readBeirFolder(folder)).rejects.toMatchObject({
      code: 'DATASET_INVALID',
      message: expect.stringMatching(message),
    });
  });

  it('a corpus line that is wrong is told when it is reached', async () => {
    await writeSmallSet();
    await write('corpus.jsonl', '{"_id":"d1","text":"a"}\n{"_id":"d2","text":7}\n');
    const dataset = await readBeirFolder(folder);
    await expect(collect(dataset.corpus)).rejects.toThrow(/corpus\.jsonl, line 2: "text"/);
  });

  it('a gzip file cut short is told, not read as the end', async () => {
    await writeSmallSet();
    const packed = gzipSync(
      lines(...Array.from({ length: 500 }, (_, i) => ({ _id: `d${i}`, text: `text ${i * 7919}` }))),
    );
    await rm(join(folder, 'corpus.jsonl'));
    await write('corpus.jsonl.gz', packed.subarray(0, packed.length - 20));
    const dataset = await readBeirFolder(folder);
    await expect(collect(dataset.corpus)).rejects.toMatchObject({
      code: 'DATASET_INVALID',
      message: expect.stringMatching(/cut short/),
    });
  });

  it('what is no data set folder is told with what one looks like', async () => {
    await expect(readBeirFolder(join(folder, 'nowhere'))).rejects.toMatchObject({
      code: 'DATASET_INVALID',
      hint: expect.stringMatching(/corpus\.jsonl/),
    });
    await expect(readBeirFolder(folder)).rejects.toMatchObject({
      code: 'DATASET_INVALID',
      message: expect.stringMatching(/no corpus\.jsonl/),
    });
  });
});

describe('groupCorpus', () => {
  const entry = (id: string, text: string, metadata: Record<string, unknown> = {}, title = ''): CorpusEntry => ({
    id,
    title,
    text,
    metadata,
  });
  const group = (
    entries: CorpusEntry[],
    documents?: Map<string, { title: string; text: string }>,
  ): Promise<GroupedDocument[]> =>
    collect(
      groupCorpus({
        name: 'set',
        corpus: (async function* () {
          yield* entries;
        })(),
        ...(documents && { documents }),
      }),
    );

  it('an entry without doc_id is a document of one chunk', async () => {
    expect(await group([entry('a', 'text', {}, 'Title')])).toEqual([
      {
        id: 'a',
        title: 'Title',
        text: 'text',
        chunks: [{ id: 'a', text: 'text', span: { start: 0, end: 4 }, metadata: {} }],
      },
    ]);
  });

  it('chunks come in the order of index, though the file mixes documents', async () => {
    const grouped = await group([
      entry('x1', 'b', { doc_id: 'x', index: 1 }),
      entry('y0', 'c', { doc_id: 'y', index: 0 }),
      entry('x0', 'a', { doc_id: 'x', index: 0 }),
    ]);
    expect(grouped.map(({ id, chunks }) => [id, chunks.map((chunk) => chunk.id)])).toEqual([
      ['x', ['x0', 'x1']],
      ['y', ['y0']],
    ]);
    expect(grouped[0]).not.toHaveProperty('text');
  });

  it('without index the order is that of start, without either that of the file', async () => {
    const [byStart, byFile] = await group([
      entry('x1', 'b', { doc_id: 'x', start: 9 }),
      entry('x0', 'a', { doc_id: 'x', start: 0 }),
      entry('y1', 'b', { doc_id: 'y', start: 9 }),
      entry('y0', 'a', { doc_id: 'y' }),
    ]);
    expect(byStart!.chunks.map(({ id }) => id)).toEqual(['x0', 'x1']);
    expect(byFile!.chunks.map(({ id }) => id)).toEqual(['y1', 'y0']);
  });

  it('spans are proven by slicing: blanks at start are skipped, a wrong start gives none, gaps and overlaps stay', async () => {
    const text = 'Intro.\n\nAlpha beta gamma.';
    const [document] = await group(
      [
        entry('c0', 'Alpha beta', { doc_id: 'd', start: 6, heading: 'Part' }),
        entry('c1', 'beta gamma.', { doc_id: 'd', start: 14 }),
        entry('c2', 'Intro.', { doc_id: 'd', start: 3 }),
      ],
      new Map([['d', { title: 'The document', text }]]),
    );
    expect(document).toMatchObject({ id: 'd', title: 'The document', text });
    expect(
      document!.chunks.map(({ id, span, heading }) => [id, span && text.slice(span.start, span.end), heading]),
    ).toEqual([
      ['c2', undefined, undefined],
      ['c0', 'Alpha beta', 'Part'],
      ['c1', 'beta gamma.', undefined],
    ]);
  });

  it('a chunk of a document that is not there is an error', async () => {
    await expect(group([entry('c', 't', { doc_id: 'gone' })], new Map())).rejects.toMatchObject({
      code: 'DATASET_INVALID',
    });
    await expect(group([entry('d', 't'), entry('c', 't', { doc_id: 'd' })])).rejects.toThrow(/both an entry by itself/);
  });
});

const shared = join(process.env.IBID_SHARED ?? '../shared', 'data');
describe.skipIf(!existsSync(shared))('the shared collections (skipped where IBID_SHARED is not there)', () => {
  it.each([
    ['cranfield', 1398, 1398, 225, 1611],
    ['scifact', 5183, 5183, 300, 339],
    ['clapnq-dev', 596, 596, 300, 300],
    ['codebase-chunks', 737, 90, 248, 306],
    ['hotpotqa-100', 994, 994, 100, 200],
    ['xquad-7', 1680, 1680, 1400, 1400],
    ['chunk-spans', 1681, 5, 472, 629],
    ['eslint-sections', 1136, 311, 335, 335], // of the 312 pages one has no section in the corpus
  ])('%s has the counts its README states', async (name, entries, documents, scored, judgements) => {
    const dataset = await readBeirFolder(join(shared, name));
    const grouped = await collect(groupCorpus(dataset));
    expect(grouped).toHaveLength(documents);
    const chunks = grouped.flatMap((document) => document.chunks);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(entries);
    expect(judgedQueryIds(dataset.qrels)).toHaveLength(scored);
    expect([...dataset.qrels.values()].reduce((sum, grades) => sum + grades.size, 0)).toBe(judgements);
    const ids = new Set(chunks.map(({ id }) => id));
    for (const grades of dataset.qrels.values()) for (const id of grades.keys()) expect(ids).toContain(id);
  });

  // id and length in UTF-16 units of the first, the tenth and the last entry, counted by another program
  it.each([
    ['cranfield', ['1', 827], ['10', 281], ['1400', 566]],
    ['scifact', ['4983', 1809], ['70490', 486], ['198309074', 1681]],
    ['clapnq-dev', ['p1', 923], ['p10', 459], ['p596', 902]],
    ['codebase-chunks', ['doc_1_c0', 847], ['doc_1_c9', 816], ['doc_90_c2', 610]],
    ['hotpotqa-100', ['p1', 758], ['p10', 473], ['p994', 395]],
    ['xquad-7', ['en-00-0', 1166], ['en-01-4', 609], ['zh-47-4', 134]],
    ['chunk-spans', ['chatlogs#0', 995], ['chatlogs#9', 624], ['wikitexts#143', 150]],
    [
      'eslint-sections',
      ['rules/accessor-pairs.md#0', 600],
      ['rules/array-bracket-newline.md#4', 132],
      ['rules/yoda.md#2', 2856],
    ],
  ])('%s begins, goes on and ends as its file does', async (name, ...expected) => {
    const entries = await collect((await readBeirFolder(join(shared, name))).corpus);
    expect([entries[0]!, entries[9]!, entries.at(-1)!].map(({ id, text }) => [id, text.length])).toEqual(expected);
  });

  it.each(['codebase-chunks', 'chunk-spans', 'eslint-sections'])(
    'every given chunk of %s is found in its document, in order',
    async (name) => {
      for await (const { text, chunks } of groupCorpus(await readBeirFolder(join(shared, name)))) {
        let last = -1;
        for (const { span, text: chunkText } of chunks) {
          expect(text!.slice(span!.start, span!.end)).toBe(chunkText);
          expect(span!.start).toBeGreaterThan(last);
          last = span!.start;
        }
      }
    },
  );
});
