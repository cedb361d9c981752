import { expect, it } from 'vitest';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { column, context, makePdf } from './formats-make.ts';

it('a sentence goes on across a page break, past notes of the page and a line along its margin', async () => {
  const bytes = makePdf({
    pages: ['dawn', 'noon', 'dusk'].map((time) =>
      [
        column(72, 700, [
          `at the pier until ${time}, and the boats that were late`,
          'had to wait outside the harbour for the next high tide. In',
          `the log of ${time} the keeper wrote that the lantern of the`,
          'tower was lit again, so that all the ships could steer',
        ]),
        column(72, 120, ['1 The log is kept in the tower.'], 9, 7),
        // Turned by a quarter, along the margin.
        `BT /F1 5 Tf 0 1 -1 0 30 300 Tm (printed by the harbour office at ${time}) Tj ET`,
      ].join('\n'),
    ),
  });
  const document = await parsePdf(bytes, context('a.pdf'));
  for (const time of ['noon', 'dusk'])
    expect(document.text).toContain(`all the ships could steer at the pier until ${time}`);
  for (const time of ['dawn', 'noon', 'dusk'])
    expect(document.text).toMatch(new RegExp(`^printed .* at ${time}$`, 'm'));
  const at3 = document.text.indexOf('at the pier until dusk');
  expect(document.locators.find(({ start, end }) => start <= at3 && at3 < end)?.page).toBe(3);
});

it('a paragraph that ends early stays apart from the next page, though neither says so', async () => {
  const lines = [
    'each month we wrote down who had come to the pier and',
    'how many ships of the line were counted there in',
    'summer',
  ];
  const bytes = makePdf({ pages: [1, 2].map(() => column(72, 700, lines)) });
  const document = await parsePdf(bytes, context('a.pdf'));
  expect(document.text).toContain('summer\n\neach month');
});

it('lines of a label and a value stay apart, however long they are', async () => {
  const lines = [
    'Insurer: Northgate Mutual, 14 Mill Lane, and its agents at the pier',
    'Insured: fire, storm and glass',
    'Excess: EUR 250 for each claim',
    'Versicherungssummeninhalt: EUR 9,000',
    'Claims are reported at once, by whoever saw what happened: the keeper',
    'writes them down.',
  ];
  const document = await parsePdf(makePdf({ pages: [column(72, 700, lines)] }), context('a.pdf'));
  expect(document.text.split('\n\n')).toEqual([...lines.slice(0, 4), lines.slice(4).join(' ')]);
});

it('paragraphs of one line each stay apart, and double-spaced lines of one paragraph together', async () => {
  const said = [
    'The boats leave the pier at nine in the morning.',
    'Bread and water are brought by the keeper himself.',
    'Nobody rows to the island in the dark, and never alone.',
    'The lantern of the tower is lit at eight.',
    'Letters to the harbour office go by the mail boat.',
  ];
  const apart = await parsePdf(makePdf({ pages: [column(72, 700, said, 22)] }), context('a.pdf'));
  expect(apart.text.split('\n\n')).toEqual(said);
  const wide = [
    'at the pier until the evening, and the boats that were late had to wait',
    'outside of the harbour for the next high tide, and the keeper of the log',
    'wrote down the names of the ships and of the men who had come with them',
    'in the storm.',
  ];
  const together = await parsePdf(makePdf({ pages: [column(72, 700, wide, 22)] }), context('a.pdf'));
  expect(together.text).toBe(wide.join(' '));
});
