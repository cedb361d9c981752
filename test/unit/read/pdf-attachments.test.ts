import { expect, it } from 'vitest';
import { at, makePdf } from './formats-make.ts';
import { parse } from './helpers.ts';

const stream = (content: string): string =>
  `<< /Type /EmbeddedFile /Length ${content.length} >>\nstream\n${content}\nendstream`;
const file = (name: string, bytes: number, more = ''): string =>
  `<< /Type /Filespec /F (${name}) /UF (${name}) ${more} /EF << /F ${bytes} 0 R >> >>`;
const listed = (...names: string[]): string =>
  `/Names << /EmbeddedFiles << /Names [${names.map((name, i) => `(${name}) ${100 + 2 * i} 0 R`).join(' ')}] >> >>`;

it('files in the list of a PDF are read below their names, each as what it is', async () => {
  const document = await parse(
    'lease.pdf',
    makePdf({
      pages: [at(72, 700, 'The lease of the north quay.')],
      catalog: listed('a', 'b'),
      objects: {
        100: file('notes.txt', 101, '/Desc (what was said)'),
        101: stream('The crane is red.'),
        102: file('rates.csv', 103),
        103: stream('berth,fee\nNorth,12\nSouth,9\n'),
      },
    }),
  );
  expect(document.text).toBe(
    'The lease of the north quay.\n\nAttachment: notes.txt\n\nwhat was said\n\nThe crane is red.\n\n' +
      'Attachment: rates.csv\n\nberth | fee\nNorth | 12\nSouth | 9',
  );
  const crane = document.text.indexOf('The crane');
  expect(document.locators.find(({ start, end }) => start <= crane && crane < end)).toMatchObject({
    part: 'notes.txt',
  });
});

it('a file that is pinned to a page is read, with what its pin says', async () => {
  const { text } = await parse(
    'plan.pdf',
    makePdf({
      pages: [at(72, 700, 'The plan.')],
      page: '/Annots [99 0 R]',
      objects: {
        99: '<< /Type /Annot /Subtype /FileAttachment /Rect [10 10 30 30] /FS 100 0 R /Contents (from the surveyor) >>',
        100: file('depths.txt', 101),
        101: stream('Four metres at low water.'),
      },
    }),
  );
  expect(text).toBe('The plan.\n\nAttachment: depths.txt\n\nfrom the surveyor\n\nFour metres at low water.');
});

it('a file that is not read leaves its name and a warning, and the pages stay', async () => {
  const { text, warnings } = await parse(
    'map.pdf',
    makePdf({
      pages: [at(72, 700, 'The map.')],
      catalog: listed('a'),
      objects: { 100: file('map.dwg', 101), 101: stream('AC1032\0\0\0\0\0\0\0\x01\x02\x03\0\0\0\0') },
    }),
  );
  expect(text).toBe('The map.\n\nAttachment: map.dwg');
  expect(warnings.map(({ code, message }) => [code, message.split(':')[0]])).toEqual([
    ['ATTACHMENT_UNREAD', 'map.dwg'],
  ]);
});

it('a portfolio with an empty cover is its files', async () => {
  const { text, warnings } = await parse(
    'portfolio.pdf',
    makePdf({
      pages: [''],
      catalog: `/Collection << /View /D >> ${listed('a')}`,
      objects: { 100: file('C:\\\\Mail\\\\first.txt', 101), 101: stream('Dear Ann, the lamp is out.') },
    }),
  );
  expect(text).toBe('Attachment: first.txt\n\nDear Ann, the lamp is out.');
  expect(warnings.map(({ code }) => code)).toEqual(['PDF_PAGES_WITHOUT_TEXT']);
});
