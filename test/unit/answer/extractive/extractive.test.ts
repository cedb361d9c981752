import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerExtractive } from '../../../../src/answer/extractive/extractive.ts';
import { chunkOf, hitOf, statisticsOf } from '../hits.ts';
import { ask, castle, expectSound } from './asked.ts';

describe('answerExtractive', () => {
  it('cites the sentence that answers, at its place in the document', () => {
    const answer = ask(
      'How wide is the moat of Brannoch?',
      [hitOf(chunkOf(castle, { at: 500, title: 'Brannoch', firstLine: 20 }))],
      { sentences: 1 },
    );
    // "Its" leans on text that is not shown: the title says whose
    expect(answer.answer).toBe('Brannoch: Its moat is 12 metres wide and was dug in 1402 by Hamish Tor. [1]');
    const start = castle.indexOf('Its moat');
    expect(answer.citations).toMatchObject([
      {
        n: 1,
        uri: 'a.md',
        title: 'Brannoch',
        span: { start: 500 + start, end: 500 + castle.indexOf(' Visitors') },
        place: { lines: [20, 20] },
      },
    ]);
    expectSound(answer);
  });

  it('looks for what is asked: who, when, how many', () => {
    const hits = [
      hitOf(
        chunkOf(
          'The bridge over the Tarn was opened. The bridge over the Tarn was planned by Ines Halloran. The bridge over the Tarn opened in May 1931. The bridge over the Tarn rests on nine piers.',
          { title: 'Tarn bridge' },
        ),
      ),
    ];
    const one = (question: string) => ask(question, hits, { sentences: 1 }).citations[0]?.quote;
    expect(one('Who planned the bridge over the Tarn?')).toContain('Ines Halloran');
    expect(one('When was the bridge over the Tarn opened?')).toContain('May 1931');
    expect(one('How many piers has the bridge over the Tarn?')).toContain('nine piers');
  });

  it('joins neighbours into one citation whose quote keeps the blanks between them', () => {
    const text = 'The heron  nests in April.\nThe heron lays four eggs. Boats are for hire.';
    const answer = ask('When does the heron nest, and how many eggs does the heron lay?', [hitOf(chunkOf(text))], {
      sentences: 2,
    });
    expect(answer.citations.map(({ quote }) => quote)).toEqual([
      'The heron  nests in April.\nThe heron lays four eggs.',
    ]);
    expect(answer.answer).toBe('The heron nests in April. The heron lays four eggs. [1]');
    expectSound(answer);
  });

  it('puts what answers best first, then keeps the order of each document, best document first', () => {
    const first = chunkOf(
      'Kelp grows fast. Nothing else is said here. The kelp farm at Osprey Bay was founded in 1988. Gulls cry. The kelp farm at Osprey Bay employs ninety divers.',
      { uri: 'b.md', title: 'Osprey Bay kelp farm' },
    );
    const second = chunkOf('The kelp farm at Osprey Bay sells to bakers.', { uri: 'a.md', title: 'Trade' });
    const answer = ask('When was the kelp farm at Osprey Bay founded and how many divers does it employ?', [
      hitOf(second, 0.6),
      hitOf(first, 0.9),
    ]);
    expect(answer.citations[0]!.uri).toBe('b.md');
    const inFirst = answer.citations.filter(({ uri }) => uri === 'b.md').map(({ span }) => span.start);
    expect(inFirst.length).toBeGreaterThan(1);
    expect(inFirst.slice(1)).toEqual(inFirst.slice(1).sort((a, b) => a - b));
    expectSound(answer);
  });

  it('does not make a reader wait for the answer behind what merely stands before it', () => {
    const text = 'The heron lives on Osprey Bay. Gulls cry all day. The heron of Osprey Bay lays four eggs in April.';
    const answer = ask('How many eggs does the heron of Osprey Bay lay?', [hitOf(chunkOf(text))]);
    expect(answer.citations[0]!.quote).toBe('The heron of Osprey Bay lays four eggs in April.');
    expectSound(answer);
  });

  it('takes along what a colon announces', () => {
    const text =
      'Many things are sold. The valve needs three parts:\n\n- a spring\n- a seat\n- a stem\n\nPaint is extra. Ask at the counter.';
    const answer = ask('Which parts does the valve need?', [hitOf(chunkOf(text))], { sentences: 1 });
    expect(answer.citations.map(({ quote }) => quote)).toEqual([
      'The valve needs three parts:\n\n- a spring\n- a seat\n- a stem',
    ]);
    expectSound(answer);
  });

  it.each([
    [
      'Comment modifier les quotas par groupes ?',
      'Les quotas par groupes peuvent être modifiés avec',
      'edquota -g grue',
    ],
    ['How are group quotas changed?', 'Group quotas can be changed by running', 'edquota -g crane'],
    ['¿Cómo se cambian las cuotas?', 'Las cuotas se cambian con', 'edquota -g grua'],
  ])('takes along the command before which a line breaks off: %s', (question, line, command) => {
    const text = `Nothing is lost. ${line}\n\n${command}\n\n. The rest is told below.`;
    const answer = ask(question, [hitOf(chunkOf(text, { format: 'html' }))], { sentences: 1 });
    expect(answer.citations.map(({ quote }) => quote)).toEqual([`${line}\n\n${command}`]);
    expectSound(answer);
  });

  it('takes along the line of code below a comment, but not the text below a heading of Markdown', () => {
    const text = 'Many keys work. Then:\n\n# Disables the winch key\nwinch.key = 0\n\nAsk at the counter for more.';
    const quoted = (format: string): string[] => {
      const hit = hitOf(chunkOf(text, { format }));
      return ask('What disables the winch key?', [hit], { sentences: 1 }).citations.map(({ quote }) => quote);
    };
    expect(quoted('html')[0]).toMatch(/Disables the winch key\nwinch\.key = 0$/);
    expect(quoted('markdown')[0]).not.toContain('\n');
    const { answer } = ask('What disables the winch key?', [hitOf(chunkOf(text, { format: 'html' }))], {
      sentences: 1,
    });
    expect(answer).toContain('Disables the winch key: winch.key = 0 [1]');
  });

  it('takes along the answer of a question that the source itself asks', () => {
    const text = 'Tea is served at four. Why did Petrel trip in April? Because its motor ran hot. Ask for cake.';
    const answer = ask('Why did Petrel trip in April?', [hitOf(chunkOf(text))], { sentences: 1 });
    expect(answer.citations.map(({ quote }) => quote)).toEqual([
      'Why did Petrel trip in April? Because its motor ran hot.',
    ]);
  });

  it('says a sentence in capitals in small letters, and quotes it as it is', () => {
    const text = 'The tenant is Mara Finch. THE TENANT SHALL PAY THE RENT OF THE BOAT SHED ON MONDAYS.';
    const answer = ask('What shall the tenant pay for the boat shed?', [hitOf(chunkOf(text))], {
      sentences: 1,
      refuseBelow: 0,
      answerFrom: 0,
    });
    expect(answer.answer).toBe('The tenant shall pay the rent of the boat shed on mondays. [1]');
    expect(answer.citations.map(({ quote }) => quote)).toEqual([
      'THE TENANT SHALL PAY THE RENT OF THE BOAT SHED ON MONDAYS.',
    ]);
  });

  it('counts the heading that stands over a sentence, not the first of its chunk', () => {
    const faq = `## Who has the key for the boat shed?

Ask Mara at the kiosk.

## Can I bring my dog?

Yes, on a lead.

## When does the crane work?

On Mondays from nine.`;
    const other = 'Dogs bark at the harbour. You can bring a chair.';
    const hits = [
      hitOf(chunkOf(other, { uri: 'b.md', title: 'Harbour noise' }), 0.9),
      hitOf(chunkOf(faq, { uri: 'faq.md', title: 'Harbour', headings: ['Who has the key for the boat shed?'] }), 0.8),
    ];
    const answer = answerExtractive('Can I bring my dog?', hits, statisticsOf(hits.map(({ chunk }) => chunk.text)));
    expect(answer).toMatchObject({ abstained: false });
    expect(answer.citations).toMatchObject([{ quote: 'Yes, on a lead.', headings: ['Can I bring my dog?'] }]);
    const crane = ask('When does the crane work?', hits);
    expect(crane.citations).toMatchObject([
      { quote: 'On Mondays from nine.', headings: ['When does the crane work?'] },
    ]);
  });

  it('gives one sentence as the answer, and others beside it', () => {
    const text =
      'The castle of Brannoch was built in 1402. The castle of Brannoch has nine towers. The castle of Brannoch burnt down twice.';
    const answer = ask('When was the castle of Brannoch built?', [hitOf(chunkOf(text, { title: 'Brannoch' }))]);
    expect(answer.citations.map(({ quote }) => quote)).toEqual(['The castle of Brannoch was built in 1402.']);
    expect(answer.related).toMatchObject([{ n: 2, verified: true }]);
    for (const { quote, span } of answer.related!) expect(text.slice(span.start, span.end)).toBe(quote);
    expect(answer.answer).not.toContain('towers');
    expectSound(answer);
  });

  it('keeps the line that a list hangs on', () => {
    const text = 'The valve has these parts:\n\n- a spring of copper\n- a seat of tin\n\nPaint is extra.';
    const answer = ask('Which part of the valve is of tin?', [hitOf(chunkOf(text))], { sentences: 1 });
    expect(answer.citations[0]!.quote).toMatch(/a seat of tin/);
    expect(answer.answer).toMatch(/^The valve has these parts: .*a seat of tin/);
  });

  it('carries page and heading of the place', () => {
    const text = 'Page one says little. \nThe lighthouse keeper earned nine crowns.';
    const cut = text.indexOf('\n');
    const chunk = chunkOf(text, {
      at: 40,
      headings: ['Wages'],
      locators: [
        { start: 40, end: 40 + cut, page: 6 },
        { start: 40 + cut, end: 40 + text.length, page: 7 },
      ],
    });
    const answer = ask('How much did the lighthouse keeper earn?', [hitOf(chunk)], { sentences: 1 });
    expect(answer.citations).toMatchObject([{ place: { page: 7 }, headings: ['Wages'] }]);
  });

  it('does not repeat a sentence that another passage has too', () => {
    const same = 'The ferry to Skarholm leaves at seven in the morning.';
    const answer = ask('When does the ferry to Skarholm leave?', [
      hitOf(chunkOf(same, { uri: 'a.md' })),
      hitOf(chunkOf(`${same} Bring a coat for the wind.`, { uri: 'b.md' }), 0.9),
    ]);
    expect(answer.citations.filter(({ quote }) => quote === same)).toHaveLength(1);
  });

  it('does not offer a heading as an answer', () => {
    const chunk = chunkOf(
      '## Known limits of the ferry\n\nThe ferry does not sail in fog.\n\nThe ferry timetable\n\nIt leaves at noon.',
      { headings: ['The ferry timetable'] },
    );
    const answer = ask('What are the known limits of the ferry timetable?', [hitOf(chunk)]);
    expect(answer.citations.map(({ quote }) => quote).join()).not.toMatch(/Known limits|timetable/);
    expect(answer.citations[0]!.quote).toBe('The ferry does not sail in fog.');
  });

  it('does not offer a label that says the question again', () => {
    const text = 'Subject: Family Day\n\nGood news for all.\n\nThere will be face painting and a petting zoo.';
    const answer = ask('What will there be at the family day?', [hitOf(chunkOf(text, { title: 'Family Day' }))]);
    const shown = [...answer.citations, ...answer.related!].map(({ quote }) => quote);
    expect(shown.join()).toContain('face painting');
    expect(shown.join()).not.toContain('Subject');
  });

  it('prefers a text to a list of references that names the same things', () => {
    const hits = [
      hitOf(
        chunkOf('Hughes and Tor. Why the moat of Brannoch was dug. Journal of Moats 4.', {
          uri: 'a.md',
          headings: ['Paper', 'References'],
        }),
      ),
      hitOf(
        chunkOf('The moat of Brannoch was dug against cattle thieves.', {
          uri: 'b.md',
          headings: ['Paper', 'History'],
        }),
        0.9,
      ),
    ];
    expect(ask('Why was the moat of Brannoch dug?', hits, { sentences: 1 }).citations[0]!.uri).toBe('b.md');
  });

  it('answers in the language of the question', () => {
    const hits = [
      hitOf(chunkOf('Der Leuchtturm von Skarholm ist 41 Meter hoch.', { uri: 'de.md', title: 'Skarholm' })),
      hitOf(chunkOf('Маяк Скархольма имеет высоту 41 метр.', { uri: 'ru.md', title: 'Skarholm' }), 0.9),
    ];
    expect(ask('Какова высота маяка Скархольма?', hits, { sentences: 1 }).citations[0]!.uri).toBe('ru.md');
  });

  const marks = join(process.env.IBID_SHARED ?? '../shared', 'docs-bad/text/fake-citations.txt');
  it.skipIf(!existsSync(marks))('is not confused by citation marks in the source (needs the shared documents)', () => {
    const text = readFileSync(marks, 'utf8');
    const answer = ask('How wide is the moat?', [
      hitOf(chunkOf(text, { uri: 'other.md' })),
      hitOf(chunkOf(castle, { title: 'Brannoch' }), 0.8),
    ]);
    expect(answer.citations.some(({ quote }) => quote.includes('The moat is 12 metres wide'))).toBe(true);
    expectSound(answer);
  });

  it('takes a question that begins with "and" for one question', () => {
    const hits = [
      hitOf(chunkOf('Divers have 22 days of leave a year.', { uri: 'leave.md' })),
      hitOf(chunkOf('How many days they have depends on the goods.', { uri: 'goods.md' }), 0.9),
    ];
    expect(ask('And how many days do divers have?', hits).citations).toHaveLength(1);
  });

  it('shows a mark of the source in round brackets and quotes it as it is', () => {
    const answer = ask('How wide is the moat?', [hitOf(chunkOf('The moat is 12 metres wide [7].'))]);
    expect(answer.answer).toBe('The moat is 12 metres wide (7). [1]');
    expect(answer.citations[0]!.quote).toBe('The moat is 12 metres wide [7].');
  });
});
