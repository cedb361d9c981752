import { expect, it } from 'vitest';
import { chooseTitle } from '../../../src/read/pdf/title.ts';

type Blocks = Parameters<typeof chooseTitle>[1];
type Pages = Parameters<typeof chooseTitle>[2];

/** A first page of headings (`#`) and paragraphs, all of one size. */
function title(lines: readonly string[], given?: string): string {
  const texts = lines.map((line) => line.replace('# ', ''));
  const blocks = lines.map((line, i) => ({
    kind: line.startsWith('# ') ? 'heading' : 'paragraph',
    level: 2,
    pieces: [{ page: 1, text: texts[i] }],
  }));
  const pages = [{ page: 1, layers: [{ segments: texts.map((text) => ({ text, size: 12 })) }] }];
  // only what a title is chosen by
  return chooseTitle(
    given === undefined ? {} : { title: given },
    blocks as unknown as Blocks,
    pages as unknown as Pages,
  );
}

const head = '# UNITED STATES SECURITIES AND EXCHANGE COMMISSION Washington, D.C. 20549';

it('names a filing by company and form, not by the office that takes it', () => {
  const filing = [
    head,
    '# FORM 10-K',
    '# Nevada',
    '# INPIXON',
    '(Exact name of registrant as specified in its charter)',
  ];
  expect(title(filing)).toBe('INPIXON, FORM 10-K');
  expect(title(filing, 'Annual report of Inpixon')).toBe('Annual report of Inpixon');
  expect(title(filing.filter((line) => !line.includes('FORM')))).toBe('INPIXON');
});

it('takes no letterhead for a title', () => {
  expect(title([head, '# Rules on short sales'])).toBe('Rules on short sales');
  expect(title(['# Harbour Office, Portland, OR 97201', '# Berths in winter'])).toBe('Berths in winter');
  expect(title(['# Plan of 20549 berths'])).toBe('Plan of 20549 berths');
});

it('takes no word that a program writes for want of a title', () => {
  for (const given of ['(anonymous)', 'untitled', '(unspecified)'])
    expect(title(['# Berth fees'], given), given).toBe('Berth fees');
  expect(title(['# Berth fees'], 'Anonymous letters')).toBe('Anonymous letters');
});
