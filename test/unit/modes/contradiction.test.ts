import { describe, expect, it, onTestFinished } from 'vitest';
import { openIndex } from '../../../src/index.ts';
import { tempFolder } from '../../support/temp.ts';

/** A text of fourteen sentences, of which one says how long something is, one who leads it, and one what is allowed. */
const policy = (date: string, days: number, head: string = 'Ada Jones', may: string = 'may'): string => `---
date: ${date}
---
# Remote work policy

${[
  'This policy is for everybody who works for the company.',
  'Managers agree with their teams on which days all of them are in the office.',
  'A desk is booked on the evening before, and is given back when it is not needed.',
  'Equipment for the home is lent by the workshop and comes back at the end.',
  `The limit for remote work abroad is ${days} days.`,
  'Whoever works in another country tells the tax office of the company before.',
  'Meetings begin five minutes late, so that nobody runs.',
  'Cameras may stay off when somebody eats.',
  `The people team is led by ${head} this year.`,
  `Guests of the company ${may} bring food into the canteen.`,
  'The help desk answers on working days and is closed on holidays.',
  'Confidential papers stay in the office and are never printed at home.',
  'Screens are locked when somebody leaves the room.',
  'Questions go to the people team, which answers within a week.',
].join(' ')}
`;

describe('versions of one text', () => {
  it('that a search takes for copies still contradict each other in an answer', async () => {
    const folder = tempFolder({
      'policy-a.md': policy('2022-03-01', 20),
      'policy-b.md': policy('2024-06-15', 30),
      'policy-c.md': policy('2023-01-01', 20),
      'lamps.md': '# Lamps\n\nLamps stand in the hall. They are switched off at night by the porter.',
    });
    const index = await openIndex(`${folder}/.ibid`, { create: true, base: folder });
    onTestFinished(() => index.close());
    await index.ingest(folder);
    const question = 'What is the limit for remote work abroad?';
    const found = await index.search(question);
    expect(found.hits.filter(({ chunk }) => chunk.uri.startsWith('policy'))).toHaveLength(1);
    const { answer, citations, contradiction } = await index.ask(question, { mode: 'extractive' });
    expect(answer).toMatch(/^The limit for remote work abroad is 30 days\. \[1\] \(2024-06-15\) .* is 20 days\. \[2\]/);
    expect(citations[0]!.uri).toBe('policy-b.md');
    expect(contradiction).toMatchObject([
      { n: 1, date: '2024-06-15', dateFrom: 'date' },
      { n: 2, dateFrom: 'date' },
    ]);
  });

  it.each([
    ['a no', 'May guests of the company bring food into the canteen?', 'Ada Jones', 'may not', /may not bring food/],
    ['a name', 'Who leads the people team?', 'Bob Smith', 'may', /led by Bob Smith/],
  ])('contradict each other by %s alone', async (_, question, head, may, says) => {
    const folder = tempFolder({
      'policy-a.md': policy('2022-03-01', 20),
      'policy-b.md': policy('2024-06-15', 20, head, may),
      'policy-c.md': policy('2023-01-01', 20),
      'lamps.md': '# Lamps\n\nLamps stand in the hall. They are switched off at night by the porter.',
    });
    const index = await openIndex(`${folder}/.ibid`, { create: true, base: folder });
    onTestFinished(() => index.close());
    await index.ingest(folder);
    const found = await index.search(question);
    expect(found.hits.filter(({ chunk }) => chunk.uri.startsWith('policy'))).toHaveLength(1);
    const { answer, citations, contradiction } = await index.ask(question, { mode: 'extractive' });
    expect(answer).toMatch(says);
    expect(citations[0]!.uri).toBe('policy-b.md'); // the newest
    expect(contradiction).toHaveLength(2);
  });
});
