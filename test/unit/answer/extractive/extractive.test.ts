import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { calibrationVersion } from '../../../../src/answer/answerability/model.ts';
import type { Answer } from '../../../../src/answer/contract.ts';
import { answerExtractive } from '../../../../src/answer/extractive/extractive.ts';
import { plainText } from '../../../../src/answer/extractive/plain-text.ts';
import { IbidError } from '../../../../src/core/errors.ts';
import type { Hit } from '../../../../src/core/types.ts';
import { chunkOf, hitOf, statisticsOf } from '../hits.ts';

const castle = `The castle of Brannoch stands on a hill. Its moat is 12 metres wide and was dug in 1402 by Hamish Tor. Visitors pay four crowns.

The kitchen feeds sixty guests. Swallows nest under the eaves.`;

function ask(question: string, hits: readonly Hit[], options = {}): Answer {
  return answerExtractive(question, hits, statisticsOf(hits.map(({ chunk }) => `${chunk.title} ${chunk.text}`)), {
    refuseBelow: 0,
    ...options,
  });
}

/** What every answer must hold, whatever it says. */
function expectSound(answer: Answer): void {
  const marks = [...answer.answer.matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1]));
  expect(marks).toEqual(answer.citations.map(({ n }) => n));
  expect(answer.citations.map(({ n }) => n)).toEqual(answer.citations.map((_, i) => i + 1));
  for (const { quote, span, uri, answerSpan, verified, n } of answer.citations) {
    const chunk = answer.hits.find(
      (hit) => hit.chunk.uri === uri && hit.chunk.span.start <= span.start && hit.chunk.span.end >= span.end,
    )!.chunk;
    expect(chunk.text.slice(span.start - chunk.span.start, span.end - chunk.span.start)).toBe(quote);
    expect(verified).toBe(true);
    expect(answer.answer.slice(answerSpan.start, answerSpan.end)).toBe(plainText(quote));
    expect(answer.answer.slice(answerSpan.end)).toMatch(new RegExp(`^ \\[${n}\\]`));
  }
}

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

  it('shows the header of a table that was cut in two', () => {
    const hit = hitOf(chunkOf('Tax Fees | 169 | 61\nOther Fees | 4 | 3\n', { context: 'Kind | 2019 | 2018' }));
    expect(ask('How much were Tax Fees in 2019?', [hit], { sentences: 1 }).citations[0]).toMatchObject({
      context: 'Kind | 2019 | 2018',
    });
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

  it('is in doubt where a number is asked for and the sentence has none', () => {
    const text = 'The castle of Brannoch has towers and employs guards. The castle of Brannoch was built in 1402.';
    const hits = [hitOf(chunkOf(text, { title: 'Brannoch' }))];
    const confidence = (question: string) => ask(question, hits, { answerFrom: 0 }).confidence;
    expect(confidence('How many guards does the castle of Brannoch employ?')).toBe('low');
    expect(confidence('When was the castle of Brannoch built?')).toBe('high');
  });

  it('says of a doubtful answer that it may be none, before its first word', () => {
    const answer = ask('How wide is the moat of Brannoch?', [hitOf(chunkOf(castle, { title: 'Brannoch' }))], {
      answerFrom: 1,
    });
    expect(answer).toMatchObject({ abstained: false, confidence: 'low' });
    expect(answer.answer).toMatch(/^The documents may not answer this; the nearest passage: /);
    expectSound(answer);
  });

  it('offers the nearest passages of a question that it refuses as what they are', () => {
    const answer = ask('How wide is the moat of Brannoch?', [hitOf(chunkOf(castle, { title: 'Brannoch' }))], {
      refuseBelow: 1,
    });
    expect(answer).toMatchObject({
      abstained: true,
      citations: [],
      answer: 'The indexed documents do not seem to answer this.',
    });
    expect(answer.related![0]!.n).toBe(1);
    expect(answer.related![0]!.quote).toContain('Its moat is 12 metres wide');
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

  it('refuses what the passages do not hold, and cites nothing', () => {
    const hits = [hitOf(chunkOf(castle))];
    const answer = answerExtractive(
      'Which vaccine protects kittens against panleukopenia?',
      hits,
      statisticsOf([castle]),
    );
    expect(answer).toMatchObject({ abstained: true, confidence: 'none', citations: [], hits });
    expect(answer.answer).not.toBe('');
    expect(answer.support).toBeLessThan(0.17);
  });

  it('answers plainly what they do hold', () => {
    const hits = [hitOf(chunkOf(castle, { title: 'Brannoch' }))];
    const answer = answerExtractive('How wide is the moat of Brannoch castle?', hits, statisticsOf([castle]));
    expect(answer).toMatchObject({ abstained: false, confidence: 'high' });
  });

  it('reads both thresholds from options before the calibration', () => {
    const hits = [hitOf(chunkOf(castle, { title: 'Brannoch' }))];
    const calibration = { version: calibrationVersion, questions: 90, refuseBelow: 0, answerFrom: 1 };
    const confidence = (options: object) =>
      answerExtractive('How wide is the moat of Brannoch?', hits, statisticsOf([castle]), options).confidence;
    expect(confidence({ calibration })).toBe('low');
    expect(confidence({ calibration, answerFrom: 0 })).toBe('high');
    expect(confidence({ calibration, refuseBelow: 1 })).toBe('none');
    expect(confidence({ calibration: { ...calibration, version: 0 } })).toBe('high'); // found by another model: not its scale
  });

  it.each(['', '   ', '???', 'the of and'])('has an answer for the question %j', (question) => {
    const answer = answerExtractive(question, [hitOf(chunkOf(castle))], statisticsOf([castle]));
    expect(answer.support).toBeGreaterThanOrEqual(0);
    expect(answer.support).toBeLessThanOrEqual(1);
    expectSound(answer);
  });

  it('refuses when there are no hits, or none with text', () => {
    expect(ask('anything', []).confidence).toBe('none');
    expect(ask('anything', [hitOf(chunkOf(' \n '))]).confidence).toBe('none');
  });

  it('survives hits that all score 0', () => {
    expectSound(ask('How wide is the moat?', [hitOf(chunkOf(castle), 0)]));
  });

  it.each([
    { sentences: 0 },
    { sentences: 1.5 },
    { refuseBelow: -0.1 },
    { answerFrom: 1.1 },
    { answerFrom: Number.NaN },
  ])('refuses the option %j', (options) => {
    expect(() => ask('x', [], options)).toThrow(IbidError);
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
