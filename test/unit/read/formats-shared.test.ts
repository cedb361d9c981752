/** Real files: every one of the shared collection gives sane text, every broken one does what its manifest says. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IbidError } from '../../../src/core/errors.ts';
import type { ParseContext, ParsedDocument } from '../../../src/read/contract.ts';
import { byteParsers } from '../../../src/read/formats.ts';
import { parseHtml } from '../../../src/read/markup/html.ts';
import { context, hasShared, offsetFaults, shared, textOf } from './formats-make.ts';

const why = hasShared ? '' : ' (skipped: set IBID_SHARED to the shared documents)';
const KINDS = ['.pdf', '.docx', '.pptx', '.xlsx', '.odt', '.epub'];

async function parse(path: string): Promise<ParsedDocument> {
  const inner: Partial<ParseContext> = {
    parseInner: async (name, bytes) => parseHtml(new TextDecoder().decode(bytes), context(name)),
  };
  const kind = extname(path).slice(1) as 'pdf'; // one of KINDS, all of which are formats
  const parser = await byteParsers[kind]!();
  return parser(new Uint8Array(readFileSync(path)), context(basename(path), inner));
}

const memory = new Map<string, Promise<ParsedDocument>>();
function parseOnce(path: string): Promise<ParsedDocument> {
  const known = memory.get(path) ?? parse(path);
  memory.set(path, known);
  return known;
}

function files(folder: string): string[] {
  if (!hasShared) return [];
  return readdirSync(`${shared}/${folder}`)
    .filter((name) => KINDS.includes(extname(name)))
    .map((name) => `${folder}/${name}`);
}

/** Scans without a text layer, as `pdftotext` finds too. */
const SCANS = new Set([
  'grayscale-image.pdf',
  'loremipsum-flat.pdf',
  'single_table.pdf',
  'table-multi-row-column-cells.pdf',
]);
/** A chat log as plain text under a wrong name: detection's business, not this parser's. */
const NOT_THEIR_NAME = new Set(['teams_chat.docx']);

describe.skipIf(!hasShared)(`the shared documents${why}`, () => {
  it.each(
    [...files('docs/pdf'), ...files('docs/docx'), ...files('docs/other')].filter(
      (file) => !NOT_THEIR_NAME.has(basename(file)),
    ),
  )('%s', async (file) => {
    if (SCANS.has(basename(file))) {
      await expect(parse(`${shared}/${file}`)).rejects.toMatchObject({ code: 'FILE_SCANNED' });
      return;
    }
    const document = await parseOnce(`${shared}/${file}`);
    expect(offsetFaults(document)).toEqual([]);
    expect(document.text.trim()).not.toBe('');
    expect(document.blocks.length).toBeGreaterThan(0);
    if (file.endsWith('.pdf')) {
      expect(document.text.match(/[\ufb00-\ufb06]/g)).toBeNull();
      // Every letter has its page: what lies between locators is blank.
      let at = 0;
      let between = '';
      for (const { start, end, page } of document.locators) {
        expect(page).toBeGreaterThan(0);
        between += document.text.slice(at, start);
        at = end;
      }
      expect((between + document.text.slice(at)).trim()).toBe('');
    }
  });

  /** Written after looking at the pages. */
  it.each([
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
      'interim corrective action.6 The FAA sent Emergency AD 2018–23–51 to all known U.S. owners',
    ],
    ['pdf/ArabicCIDTrueType.pdf', 1, 'انواع الخطوط العربية'],
    ['pdf/vertical.pdf', 1, '日本語'],
    ['pdf/noembed-sjis.pdf', 1, 'あいうえお'],
    ['pdf/libreoffice-form.pdf', 1, 'Alice'],
    ['other/simple.pptx', 2, 'Where have all the flowers gone?'],
  ])('%s, page %i: %s', async (file, page, expected) => {
    const document = await parseOnce(`${shared}/docs/${file}`);
    const start = document.text.indexOf(expected);
    expect(start).toBeGreaterThan(-1);
    const locator = document.locators.find((l) => l.start <= start && start < l.end);
    expect(locator?.page).toBe(page);
  });

  it('every gold answer that is in the text of a PDF stands in one block of what is read', async () => {
    const plain = (text: string): string =>
      text
        .toLowerCase()
        .normalize('NFKC')
        .replace(/[^\p{L}\p{N}]+/gu, '');
    const missing: string[] = [];
    let asked = 0;
    for (const line of readFileSync(`${shared}/data/pdf-qa/questions.jsonl`, 'utf8').trim().split('\n')) {
      const question: { file: string; question: string; kind: string; answers: string[]; answer_in_pdf_text: boolean } =
        JSON.parse(line);
      if (!question.answer_in_pdf_text) continue;
      asked++;
      const document = await parseOnce(`${shared}/docs/${question.file}`);
      const answers = question.answers.map(plain);
      const holds = (text: string): boolean =>
        question.kind === 'filing-multi-span'
          ? answers.every((a) => text.includes(a))
          : answers.some((a) => text.includes(a));
      if (!document.blocks.some((block) => holds(plain(textOf(document, block))))) missing.push(question.question);
    }
    expect(asked).toBe(67);
    // Its answer lists the cells of two rows of a table: "Europarl, MultiUN".
    expect(missing).toEqual(['which datasets did they experiment with?']);
  });
});

interface Expectation {
  readonly file: string;
  readonly expect: string;
  readonly text: string;
}

function manifest(): Expectation[] {
  if (!hasShared) return [];
  return readFileSync(`${shared}/docs-bad/manifest.tsv`, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
    .map(([file = '', , expected = '', text = '']) => ({ file, expect: expected, text }))
    .filter(({ file }) => KINDS.includes(extname(file)));
}

describe.skipIf(!hasShared)(`broken files${why}`, () => {
  it.each(manifest())(
    '$file: $expect',
    async ({ file, expect: expected, text }) => {
      let document: ParsedDocument;
      try {
        document = await parse(`${shared}/docs-bad/${file}`);
      } catch (error) {
        expect(error).toBeInstanceOf(IbidError);
        expect(expected).toContain('refuse');
        return;
      }
      expect(expected).toMatch(/ingest|partial/);
      expect(offsetFaults(document)).toEqual([]);
      expect(document.text).toContain(text);
      expect(document.text.trim()).not.toBe('');
    },
    20_000,
  );

  it('an external entity brings nothing in', async () => {
    const { text } = await parse(`${shared}/docs-bad/docx/xxe.docx`);
    expect(text).toContain('secret: &x;');
  });
});
