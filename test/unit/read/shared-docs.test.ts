/** Real files: every one of the shared collection gives sane text, with places that are right. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { locate } from '../../../src/core/location.ts';
import type { Document } from '../../../src/core/types.ts';
import { createReader } from '../../../src/read/reader.ts';
import { offsetFaults, textOf } from './formats-make.ts';
import { expectSound, missing, shared } from './helpers.ts';

/** What is no document, or has no text, as `pdftotext` finds too: the code it must be refused with. */
const refused: Readonly<Record<string, string>> = {
  'pdf/grayscale-image.pdf': 'FILE_SCANNED',
  'pdf/loremipsum-flat.pdf': 'FILE_SCANNED',
  'pdf/single_table.pdf': 'FILE_SCANNED',
  'pdf/table-multi-row-column-cells.pdf': 'FILE_SCANNED',
};

const root = join(shared, 'docs');
const files = missing
  ? []
  : (readdirSync(root, { recursive: true }) as string[]).filter((file) => statSync(join(root, file)).isFile()).sort();
const folders = [...new Set(files.map((file) => file.split('/')[0]!))];
const reader = createReader({ ocr: false }); // the same codes with and without tesseract
afterAll(() => reader.close());

/** Every file is read once for all tests. */
const memory = new Map<string, Promise<Document>>();
function read(file: string): Promise<Document> {
  const reading = memory.get(file) ?? reader.read({ path: join(root, file), uri: file });
  memory.set(file, reading);
  return reading;
}

describe.skipIf(missing)('every file of shared/docs (skipped without that folder)', () => {
  test.each(folders)('%s is read, with sound blocks and locators', { timeout: 240_000 }, async (folder) => {
    for (const file of files.filter((name) => name.split('/')[0] === folder)) {
      const reading = read(file);
      const code = refused[file];
      if (code !== undefined) {
        await expect(reading, file).rejects.toMatchObject({ code });
        continue;
      }
      const document = await reading.catch((error: unknown) => {
        throw new Error(`${file}: ${String(error)}`, { cause: error });
      });
      expect(document.uri).toBe(file);
      expectSound(document);
    }
  });

  test('a line reported for a place is the line of the file that holds it', { timeout: 60_000 }, async () => {
    const kept = files.filter((file) => /\.(?:md|ts|js|py|txt|rst|org|yaml|css)$/.test(file));
    expect(kept.length).toBeGreaterThan(400);
    for (const file of kept) {
      const document = await read(file);
      // Line ends as Python's universal newlines and every editor see them.
      const lines = readFileSync(join(root, file), 'utf8').split(/\r\n|\r|\n/);
      const chunk = { ...document, span: { start: 0, end: document.text.length } };
      for (const block of [
        document.blocks[0]!,
        document.blocks[document.blocks.length >> 1]!,
        document.blocks.at(-1)!,
      ]) {
        const first = document.text.slice(block.start, block.end).split('\n')[0]!;
        const line = locate(chunk, block).lines![0];
        expect(lines[line - 1]!.replace(/[\u00a0\f\ufeff]/g, ' '), `${file} line ${line}`).toContain(
          first.replace(/[\u00a0\f]/g, ' '),
        );
      }
    }
  });

  test.each([
    [
      'lang_select.html',
      'The SELECT statement is used to query the database',
      ['Choose any three', 'Small. Fast. Reliable'],
    ],
    ['testing.html', 'SQLite', ['Choose any three']],
    ['faq.html', 'AUTOINCREMENT', ['Choose any three']],
    ['uri.html', 'URI filename', ['Choose any three']],
  ])('%s keeps its content and loses the menu', async (file, kept, dropped) => {
    const document = await read(join('html/sqlite', file));
    expect(document.text).toContain(kept);
    for (const words of dropped) expect(document.text).not.toContain(words);
    expect(document.title).not.toBe('');
  });

  const kinds = /^(?:pdf|docx|other)\/[^/]*\.(?:pdf|docx|pptx|xlsx|odt|epub)$/;
  /** A chat log as plain text under a wrong name: detection's business, not a parser's. */
  const misnamed = 'teams_chat.docx';
  const ofParsers = files.filter((file) => kinds.test(file) && basename(file) !== misnamed && !(file in refused));

  test.each(ofParsers)('%s has clean text, in which every letter has its page', async (file) => {
    const document = await read(file);
    expect(offsetFaults(document)).toEqual([]);
    expect(document.text.trim()).not.toBe('');
    expect(document.blocks.length).toBeGreaterThan(0);
    if (extname(file) !== '.pdf') return;
    expect(document.text.match(/[\ufb00-\ufb06]/g)).toBeNull();
    // What lies between locators is blank.
    let at = 0;
    let between = '';
    for (const { start, end, page, part } of document.locators) {
      // A file that the PDF carries has its name.
      if (part === undefined) expect(page).toBeGreaterThan(0);
      between += document.text.slice(at, start);
      at = end;
    }
    expect((between + document.text.slice(at)).trim()).toBe('');
  });

  /** Written after looking at the pages. */
  test.each([
    ['pdf/viavi-solutions-inc_2019.pdf', 23, 'Audit Fees (1) | $3,631,575 | $3,784,488'],
    ['pdf/viavi-solutions-inc_2019.pdf', 39, 'Gary Staley | $360,000 | $375,000 | 4.2%'],
    ['pdf/viavi-solutions-inc_2019.pdf', 20, 'Keith Barnes | 102,500 | 178,317 | 280,817'],
    ['pdf/inpixon_2019.pdf', 87, 'Capitalized software development costs | $6,029 | $5,102'],
    ['pdf/inpixon_2019.pdf', 64, 'Software development costs, net | 1,544 | 1,690'],
    [
      'pdf/Supreme_Court_of_the_United_States.pdf',
      1,
      'Composition method | Presidential nomination with Senate confirmation',
    ],
    ['pdf/1909.00754.pdf', 1, 'In a recently proposed multi-domain dialogue state tracking dataset, MultiWoZ'],
    ['pdf/1909.00754.pdf', 1, 'on pre-defined ontologies consisting of a set of all possible slot types'],
    ['pdf/tracemonkey.pdf', 2, 'In a naïve implementation, inner loops would become hot first'],
    [
      'pdf/federal-register-2020-17221.pdf',
      2,
      'interim corrective action.^6 The FAA sent Emergency AD 2018–23–51 to all known U.S. owners',
    ],
    ['pdf/ArabicCIDTrueType.pdf', 1, 'انواع الخطوط العربية'],
    ['pdf/vertical.pdf', 1, '日本語'],
    ['pdf/noembed-sjis.pdf', 1, 'あいうえお'],
    ['pdf/libreoffice-form.pdf', 1, 'Alice'],
    ['other/simple.pptx', 2, 'Where have all the flowers gone?'],
  ])('%s, page %i: %s', async (file, page, expected) => {
    const document = await read(file);
    const start = document.text.indexOf(expected);
    expect(start).toBeGreaterThan(-1);
    const locator = document.locators.find((l) => l.start <= start && start < l.end);
    expect(locator?.page).toBe(page);
  });

  test('every gold answer that is in the text of a PDF stands in one block of what is read', async () => {
    const plain = (text: string): string =>
      text
        .toLowerCase()
        .normalize('NFKC')
        .replace(/[^\p{L}\p{N}]+/gu, '');
    const unanswered: string[] = [];
    let asked = 0;
    for (const line of readFileSync(`${shared}/data/pdf-qa/questions.jsonl`, 'utf8').trim().split('\n')) {
      const question: { file: string; question: string; kind: string; answers: string[]; answer_in_pdf_text: boolean } =
        JSON.parse(line);
      if (!question.answer_in_pdf_text) continue;
      asked++;
      const document = await read(question.file);
      const answers = question.answers.map(plain);
      const holds = (text: string): boolean =>
        question.kind === 'filing-multi-span'
          ? answers.every((a) => text.includes(a))
          : answers.some((a) => text.includes(a));
      if (!document.blocks.some((block) => holds(plain(textOf(document, block))))) unanswered.push(question.question);
    }
    expect(asked).toBe(67);
    // Its answer lists the cells of two rows of a table: "Europarl, MultiUN".
    expect(unanswered).toEqual(['which datasets did they experiment with?']);
  });
});
