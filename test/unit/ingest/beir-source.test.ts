import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readBeirFolder } from '../../../src/eval/beir.ts';
import { beirSource } from '../../../src/ingest/beir-source.ts';
import type { SourceItem } from '../../../src/ingest/contract.ts';
import { evaluateFolder } from '../../../src/search-index/measure.ts';
import { openIndex } from '../../../src/search-index/open-index.ts';
import { tempFolder, writeFiles } from '../../support/temp.ts';

const jsonl = (...lines: readonly unknown[]): string => `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;

describe('beirSource', () => {
  const files = {
    'corpus.jsonl': jsonl(
      { _id: 'c2', text: 'second', metadata: { doc_id: 'D', index: 1, heading: 'Two' } },
      { _id: 'lone', title: 'Lone', text: 'alone' },
      { _id: 'c1', text: 'first', metadata: { doc_id: 'D', index: 0 } },
    ),
    'documents.jsonl': jsonl({ _id: 'D', title: 'Whole', text: 'first second' }),
    'queries.jsonl': jsonl({ _id: 'q', text: 'x' }),
    'qrels/test.tsv': 'q\tlone\t1\n',
  };
  const itemsOf = async (folder: string): Promise<SourceItem[]> => {
    const items: SourceItem[] = [];
    for await (const item of beirSource(await readBeirFolder(folder)).items()) items.push(item);
    return items;
  };
  const said = async (item: SourceItem): Promise<unknown> => {
    const { document, chunks, contentHash } = await item.load();
    expect(await item.hash()).toBe(contentHash);
    return [item.uri, document.title, chunks!.map(({ text, headings }) => [text, headings])];
  };

  it('reads texts when they are asked for: what waits holds places only', async () => {
    const folder = tempFolder(files);
    const items = await itemsOf(folder);
    const expected = [
      ['lone', 'Lone', [['alone', []]]],
      [
        'D',
        'Whole',
        [
          ['first', []],
          ['second', ['Two']],
        ],
      ],
    ];
    expect(await Promise.all(items.map(said))).toEqual(expected);
    // other text of the same length: an item that held its text would not see it
    const changed = files['corpus.jsonl'].replace('alone', 'ALONE').replace('"first"', '"FIRST"');
    writeFiles(folder, { 'corpus.jsonl': changed });
    expect(JSON.stringify(await Promise.all(items.map(said)))).toBe(
      JSON.stringify(expected).replace('alone', 'ALONE').replace('first', 'FIRST'),
    );
    writeFiles(folder, { 'corpus.jsonl': 'nothing like it' });
    await expect(items[0]!.load()).rejects.toMatchObject({ code: 'DATASET_INVALID' });
  });

  it('gives the same documents from a packed corpus', async () => {
    const folder = tempFolder(files);
    const expected = await Promise.all((await itemsOf(folder)).map(said));
    writeFileSync(join(folder, 'corpus.jsonl.gz'), gzipSync(files['corpus.jsonl']));
    rmSync(join(folder, 'corpus.jsonl'));
    expect(await Promise.all((await itemsOf(folder)).map(said))).toEqual(expected);
  });
});

describe('ibid eval on a small collection', () => {
  it('scores corpus entries, whether they are documents or chunks of untitled ones, and leaves out what nobody judged', async () => {
    const folder = tempFolder({
      'corpus.jsonl': jsonl(
        { _id: 'c1', title: '', text: 'The pump is primed by hand.', metadata: { doc_id: 'D', index: 0 } },
        { _id: 'c2', title: '', text: 'Herring arrive in October.', metadata: { doc_id: 'D', index: 1 } },
        { _id: 'alone', title: 'Anchors', text: 'An anchor holds best in clay.' },
        { _id: 'empty', title: '', text: 'Gravel is dredged in spring.' },
      ),
      'documents.jsonl': jsonl({ _id: 'D', title: '', text: 'The pump is primed by hand. Herring arrive in October.' }),
      'queries.jsonl': jsonl(
        { _id: 'q1', text: 'when do herring arrive' },
        { _id: 'q2', text: 'anchor in clay' },
        { _id: 'q3', text: 'nobody judged this' },
        { _id: 'q4', text: 'zqxvwk' },
      ),
      'qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq1\tc2\t1\nq2\talone\t1\nq3\tc1\t0\nq4\tempty\t1\n',
    });
    const report = await evaluateFolder(folder, { mode: 'lexical' });
    // q1 and q2 find theirs first, q4 finds nothing and counts 0, q3 has no positive judgement
    expect(report).toMatchObject({ documents: 4, queries: 3 });
    expect(report.metrics['nDCG@10']).toBeCloseTo(2 / 3, 10);
    expect(report.metrics['MRR@10']).toBeCloseTo(2 / 3, 10);
  });

  it('does not let a query find itself, but goes by more than its number', async () => {
    const argument = 'Harbours should be dredged every spring because ships grow.';
    const folder = tempFolder({
      'corpus.jsonl': jsonl(
        { _id: 'pro', title: 'Harbours', text: argument },
        { _id: 'con', title: 'Harbours', text: 'Harbours need no dredging in spring: ships do not grow.' },
        { _id: '1', title: 'Anchors', text: 'An anchor holds best in clay.' },
      ),
      'queries.jsonl': jsonl(
        { _id: 'pro', text: argument.replace('every spring', 'every  spring') },
        { _id: '1', text: 'what holds an anchor' },
      ),
      'qrels/test.tsv': 'query-id\tcorpus-id\tscore\npro\tcon\t1\n1\t1\t1\n',
    });
    const { metrics } = await evaluateFolder(folder, { mode: 'lexical' });
    // "pro" would find itself first and its answer second; entry 1 is no copy of query 1
    expect(metrics['MRR@10']).toBe(1);
    expect(metrics['recall@100']).toBe(1);
  });

  it('says how many judged documents are not there, and refuses a collection without judgements at once', async () => {
    const files = {
      'corpus.jsonl': jsonl({ _id: 'here', title: 'Anchors', text: 'An anchor holds best in clay.' }),
      'queries.jsonl': jsonl({ _id: 'q1', text: 'anchor in clay' }),
    };
    const head = 'query-id\tcorpus-id\tscore\n';
    const told: string[] = [];
    const options = { mode: 'lexical', onProgress: (text: string) => void told.push(text) } as const;
    const lacking = { ...files, 'qrels/test.tsv': `${head}q1\there\t1\nq1\tgone\t1\nq1\tlost\t0\n` };
    const report = await evaluateFolder(tempFolder(lacking), options);
    expect(report.metrics['recall@10']).toBe(0.5);
    expect(told).toContain('relevant documents that are not in the corpus, and count as not found: 1');
    told.length = 0;
    const unjudged = tempFolder({ ...files, 'qrels/test.tsv': `${head}q1\there\t0\n` });
    await expect(evaluateFolder(unjudged, options)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(told).toEqual([]);
  });

  it('leaves an index of other documents as it is, and one of a collection has the next', async () => {
    const collection = (text: string): string =>
      tempFolder({
        'corpus.jsonl': jsonl({ _id: 'one', title: '', text }),
        'queries.jsonl': jsonl({ _id: 'q1', text: 'anchor' }),
        'qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq1\tone\t1\n',
      });
    const index = join(tempFolder(), 'index');
    for (const text of ['An anchor holds best in clay.', 'An anchor drags in sand.'])
      expect((await evaluateFolder(collection(text), { mode: 'lexical', index })).documents).toBe(1);
    await using own = await openIndex(join(tempFolder(), 'index'), { create: true });
    await own.add([{ uri: 'note:1', text: 'The pump is serviced in May.' }]);
    await expect(
      evaluateFolder(collection('An anchor holds.'), { mode: 'lexical', index: own.address }),
    ).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('of no judged collection') });
    expect((await own.search('pump')).hits.map(({ chunk }) => chunk.uri)).toEqual(['note:1']);
  });

  it('names a judged query without words before the corpus is indexed', async () => {
    const folder = tempFolder({
      'corpus.jsonl': jsonl({ _id: 'one', title: '', text: 'An anchor holds best in clay.' }),
      'queries.jsonl': jsonl({ _id: 'q1', text: 'anchor' }, { _id: 'q2', text: ' ' }, { _id: 'q3', text: '' }),
      'qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq1\tone\t1\nq2\tone\t1\n',
    });
    const told: string[] = [];
    await expect(evaluateFolder(folder, { onProgress: (text) => void told.push(text) })).rejects.toMatchObject({
      code: 'DATASET_INVALID',
      message: expect.stringContaining('"q2"'),
    });
    expect(told).toEqual([]);
  });

  it('names what is missing', async () => {
    await expect(evaluateFolder(join(tempFolder(), 'nothing'))).rejects.toMatchObject({ code: 'DATASET_INVALID' });
  });
});
