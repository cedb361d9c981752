import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluateFolder } from '../../../src/evaluate.ts';
import { tempFolder } from '../../support/temp.ts';

const jsonl = (...lines: readonly unknown[]): string => `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;

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

  it('names what is missing', async () => {
    await expect(evaluateFolder(join(tempFolder(), 'nothing'))).rejects.toMatchObject({ code: 'DATASET_INVALID' });
  });
});
