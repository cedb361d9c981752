import { describe, expect, it } from 'vitest';
import { parseDocx } from '../../../src/read/office/docx.ts';
import { linesGoingOn } from '../../../src/read/wrapped-lines.ts';
import { context, makeZip, offsetFaults, relationships } from './formats-make.ts';

const lines = [
  'History of the harbour',
  'The harbour of Tern was dug by hand between the years 1704 and',
  'the first of May 1711. It was the largest of the whole coast, and',
  'Gale and Moor sent their boats to it. A tower of grey stone stood',
  'at its mouth.',
  'Later the tower fell. Its stones were sold to a master builder of',
  'the town, who built a school.',
];

describe('linesGoingOn', () => {
  it('joins the lines of a text, and neither its heading nor its paragraphs', () => {
    expect(linesGoingOn(lines)).toEqual([false, true, true, true, false, true, false]);
  });

  it.each([
    [
      'items of a list',
      [
        'making tea for the whole office in the morning',
        'cleaning the desks',
        'opening the letters of the house and sorting them',
        'calling the keepers',
      ],
    ],
    ['lines that begin with a capital', lines.map((line) => line[0]!.toUpperCase() + line.slice(1))],
    ['a narrow column', ['Ann Moor and', 'her brother', 'Bo who came', 'from the sea']],
    ['few lines', lines.slice(1, 4)],
    ['lines that stand apart', lines.flatMap((line) => [line, undefined])],
    ['numbered lines', lines.map((line, i) => `${i + 1}. ${line}`)],
  ])('joins no %s', (_, some) => {
    expect(linesGoingOn(some)).not.toContain(true);
  });
});

describe('a Word document', () => {
  const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const p = (text: string, before = ''): string => `<w:p><w:r>${before}<w:t>${text}</w:t></w:r></w:p>`;
  const read = async (body: string) => {
    const bytes = makeZip({
      '_rels/.rels': relationships({ r1: ['officeDocument', 'word/document.xml'] }),
      'word/document.xml': `<w:document ${W}><w:body>${body}</w:body></w:document>`,
    });
    const document = await parseDocx(bytes, context('file.docx'));
    expect(offsetFaults(document)).toEqual([]);
    return document;
  };

  it('whose paragraphs are the lines of a text is read in its paragraphs', async () => {
    const { text } = await read(lines.map((line) => p(line)).join(''));
    expect(text.split('\n\n')).toEqual([lines[0], lines.slice(1, 5).join(' '), lines.slice(5).join(' ')]);
  });

  it('keeps paragraphs that an empty one parts', async () => {
    const { text } = await read(lines.map((line) => p(line) + p('')).join(''));
    expect(text.split('\n\n')).toEqual(lines);
  });

  it('keeps the page of each line', async () => {
    const rendered = '<w:lastRenderedPageBreak/>';
    const document = await read(lines.map((line, i) => p(line, i === 3 ? rendered : '')).join(''));
    const pageOf = (words: string): unknown => {
      const at = document.text.indexOf(words);
      return document.locators.find(({ start, end }) => start <= at && at < end)?.page;
    };
    expect(pageOf('dug by hand')).toBe(1);
    expect(pageOf('the first of May')).toBe(1);
    expect(pageOf('Gale and Moor')).toBe(2);
    expect(pageOf('at its mouth')).toBe(2);
    expect(pageOf('Later the tower')).toBe(2);
  });
});
