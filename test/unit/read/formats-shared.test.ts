/** Real files: every broken one of the shared collection does what its manifest says. */
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IbidError } from '../../../src/core/errors.ts';
import type { ParseContext, ParsedDocument } from '../../../src/read/contract.ts';
import { byteParsers } from '../../../src/read/formats.ts';
import { parseHtml } from '../../../src/read/markup/html.ts';
import { context, hasShared, offsetFaults, shared } from './formats-make.ts';

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
