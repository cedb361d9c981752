import { describe, expect, it } from 'vitest';
import { chunkOf, hitOf } from '../hits.ts';
import { ask } from './asked.ts';

describe('rows of tables as answers', () => {
  it('answers with a row below names over several columns, not with the names below these', () => {
    const text =
      '| January | January | February | February\nRegion | Plan | Actual | Plan | Actual\nNorth | 120 | 118 | 125 | 131\nSouth | 80 | 85 | 82 | 79\n';
    const hit = hitOf(chunkOf(text, { format: 'xlsx', headings: ['Revenue by region'] }));
    expect(ask('What was the plan for the South region in January?', [hit], { sentences: 1 }).answer).toBe(
      'South – January Plan: 80, January Actual: 85, February Plan: 82, February Actual: 79 [1]',
    );
  });

  it('cites a table row and shows its header beside it, not inside it', () => {
    const text = 'Fees are below.\n\nFiscal 2019 | Fiscal 2018\nAudit Fees | $3,631 | $3,784\nTax Fees | 169 | 61\n';
    const answer = ask('How much were Tax Fees in 2019?', [hitOf(chunkOf(text))], { sentences: 1 });
    expect(answer.citations).toMatchObject([{ quote: 'Tax Fees | 169 | 61', context: 'Fiscal 2019 | Fiscal 2018' }]);
    expect(answer.answer).toBe('Tax Fees – Fiscal 2019: 169, Fiscal 2018: 61 [1]');
  });

  it('answers with the number of a row only where row, header or headings name what is counted', () => {
    const rows = 'Sweden | 3\nNorway | 1\nFinland | 2\n';
    const confidence = (question: string, header: string) =>
      ask(question, [hitOf(chunkOf(`Below.\n\nCountry | ${header}\n${rows}`))], { answerFrom: 0, refuseBelow: 0 })
        .confidence;
    for (const question of [
      'What is the population of Norway?',
      'How many people live in Norway?',
      'population Norway',
    ])
      expect(confidence(question, 'Ferries')).toBe('low');
    expect(confidence('What is the population of Norway?', 'Population')).toBe('high');
    expect(confidence('How many ferries has Norway?', 'Ferries')).toBe('high');
  });

  it('the mark of a note behind a label is no word of it, and is not said where its note is', () => {
    const table =
      '2020 | 2019\nAudit fees (1) | $ 410,200 | $ 395,100\nAudit-related fees | 12,000 | 7,000\nTax fees | 33,500 | 31,250';
    const passage = (text: string) => [hitOf(chunkOf(text, { format: 'pdf', headings: ['Fees of the auditor'] }))];
    const said = (text: string) =>
      ask('What were the audit fees in 2019?', passage(text), { sentences: 1, answerFrom: 0 });
    const { answer, confidence, citations } = said(`${table}\n\n(1) These include quarterly reviews.`);
    expect(answer).toBe('Audit fees – 2020: $ 410,200, 2019: $ 395,100 [1]');
    expect(citations[0]?.quote).toBe('Audit fees (1) | $ 410,200 | $ 395,100');
    expect(confidence).toBe('high');
    expect(said(table).answer).toBe('Audit fees (1) – 2020: $ 410,200, 2019: $ 395,100 [1]');
  });

  it('shows the header of a table that was cut in two', () => {
    const hit = hitOf(chunkOf('Tax Fees | 169 | 61\nOther Fees | 4 | 3\n', { context: 'Kind | 2019 | 2018' }));
    expect(ask('How much were Tax Fees in 2019?', [hit], { sentences: 1 }).citations[0]).toMatchObject({
      context: 'Kind | 2019 | 2018',
    });
  });

  it('says rows that go on with a table under the header of the table', () => {
    const rows =
      '  crl\\_path | String | Path to the list.\n  bind\\_port | Number | The port that is listened on: 5665.';
    const context = '  Name | Type | Description\n  -----|------|------';
    const answer = ask('What is the description of bind_port?', [hitOf(chunkOf(rows, { context }))], { sentences: 1 });
    expect(answer.answer).toContain('bind_port – Type: Number, Description: The port that is listened on: 5665. [1]');
    expect(answer.citations).toMatchObject([{ context }]);
  });

  it('names no column of a program after its language', () => {
    const table = '// open sluice | 7 kg\n// shut sluice | 2 kg';
    const hit = hitOf(chunkOf(table, { format: 'code', context: 'typescript' }));
    const { citations, answer } = ask('What does the open sluice weigh?', [hit], { sentences: 1 });
    expect(answer).not.toContain('typescript');
    expect(citations.map(({ context }) => context)).not.toContain('typescript');
  });
});
