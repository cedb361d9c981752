import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block, BlockKind, Document } from '../../src/core/types.ts';
import { chunkDocument } from '../../src/text/chunk/chunk.ts';
import { normaliseText } from '../../src/text/normalise.ts';
import { sentenceSpans } from '../../src/text/sentences/sentences.ts';
import { countTokens } from '../../src/text/tokens/tokens.ts';

const runs = (numRuns: number) => ({ numRuns });
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

const fragment = fc.constantFrom(
  'word',
  'Another ',
  'sentence ends here. ',
  'Is it so? ',
  'e.g. this, ',
  ' ',
  '  ',
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  '\t',
  '👩‍👩‍👧‍👦',
  '🇩🇪🇫🇷',
  '👍🏽',
  'e\u0301',
  '\u0301\u0302',
  '\u200D',
  '\uD83D',
  '\uDE00',
  'ภาษาไทยไม่มีช่องว่าง',
  ' ประโยคใหม่',
  '日本語の文です。',
  '「はい。」',
  '中文句子，很短。',
  'क्षत्रिय हिन्दी। ',
  'العربية؟ ',
  '한국어 문장. ',
  'ᄀ\u1161\u11A8',
  '- item\n',
  '1. step\n',
  '| a | b |\n',
  'const a = 1;\n',
  '```\n',
  '# Heading\n',
  'x'.repeat(300),
  '。',
  '\u00A0',
  '\uFEFF',
);
const wildText = fc.oneof(
  fc.array(fragment, { maxLength: 120 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
);

const kinds: readonly BlockKind[] = ['paragraph', 'list', 'table', 'code', 'quote', 'cue', 'record', 'reference'];
const blockText = fc.array(fragment, { minLength: 1, maxLength: 40 }).map((parts) => parts.join(''));
const piece = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant<BlockKind>('heading'),
      level: fc.integer({ min: 1, max: 4 }),
      text: fc.stringMatching(/^[A-Za-z]{1,12}( [a-z]{1,9}){0,3}$/),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom(...kinds), level: fc.constant(0), text: blockText }) },
);
const structured = fc.array(fc.tuple(piece, fc.constantFrom('\n', '\n\n', ' ', '', '\r\n', '\n \n')), {
  maxLength: 24,
});

function documentOf(
  pieces: readonly (readonly [{ kind: BlockKind; level: number; text: string }, string])[],
): Document {
  let text = '';
  const blocks: Block[] = [];
  for (const [{ kind, level, text: body }, separator] of pieces) {
    blocks.push({
      kind,
      start: text.length,
      end: text.length + body.length,
      ...(kind === 'heading' ? { level } : undefined),
    });
    text += body + separator;
  }
  return plain(text, blocks);
}

function plain(text: string, blocks: readonly Block[] = []): Document {
  const cut = Math.floor(text.length / 3);
  const locators =
    text.length < 3
      ? []
      : [
          { start: 0, end: cut, page: 1 },
          { start: cut, end: text.length, page: 2 },
        ];
  return { uri: 'a.txt', title: '', text, format: 'text', blocks, locators, firstLine: 7, metadata: {}, warnings: [] };
}

const anyDocument = fc.oneof(
  wildText.map((text) => plain(text)),
  structured.map(documentOf),
);
const bounds = fc.constantFrom(
  { maxTokens: 1, minTokens: 0 },
  { maxTokens: 8, minTokens: 3 },
  { maxTokens: 40, minTokens: 12 },
  { maxTokens: 320, minTokens: 48 },
);

function clusterStarts(text: string): Set<number> {
  const starts = new Set([text.length]);
  for (const { index } of graphemes.segment(text)) starts.add(index);
  return starts;
}

describe('chunks of any document', () => {
  it('partition it exactly, cut between visible characters, within the bound', () => {
    fc.assert(
      fc.property(anyDocument, bounds, (document, options) => {
        const chunks = chunkDocument(document, options);
        const starts = clusterStarts(document.text);
        let at = 0;
        chunks.forEach((chunk, i) => {
          expect(chunk.position).toBe(i);
          expect(chunk.span.start).toBe(at);
          expect(chunk.text).toBe(document.text.slice(at, chunk.span.end));
          expect(chunk.text).not.toBe('');
          at = chunk.span.end;
          expect(starts.has(at), `cut at ${at} inside a cluster`).toBe(true);
          expect(chunk.tokens).toBe(countTokens(chunk.text));
          if (chunk.tokens > options.maxTokens) expect([...graphemes.segment(chunk.text)]).toHaveLength(1);
          expect(chunk.firstLine).toBe(7 + (document.text.slice(0, chunk.span.start).split('\n').length - 1));
          for (const { start, end, page } of chunk.locators) {
            expect(start >= chunk.span.start && end <= chunk.span.end && start < end).toBe(true);
            expect(document.locators.some((of) => of.page === page && of.start <= start && end <= of.end)).toBe(true);
          }
        });
        expect(at).toBe(document.text.length);
        expect(chunks.flatMap((chunk) => chunk.locators).reduce((sum, { start, end }) => sum + end - start, 0)).toBe(
          document.locators.length > 0 ? document.text.length : 0,
        );
      }),
      runs(1500),
    );
  });

  it('leave none under the lower bound that fits its neighbour in the same section', () => {
    fc.assert(
      fc.property(anyDocument, bounds, (document, { maxTokens, minTokens }) => {
        const chunks = chunkDocument(document, { maxTokens, minTokens });
        for (let i = 1; i < chunks.length; i++) {
          const [a, b] = [chunks[i - 1]!, chunks[i]!];
          const crossesHeading = document.blocks.some(
            ({ kind, start, end }) =>
              kind === 'heading' && end > start && start >= b.span.start - 1 && start < b.span.end,
          );
          if (crossesHeading || (a.tokens >= minTokens && b.tokens >= minTokens)) continue;
          expect(countTokens(a.text + b.text), `chunks ${i - 1} and ${i} fit together`).toBeGreaterThan(maxTokens);
        }
      }),
      runs(1500),
    );
  });

  it('never consist of a heading alone when text follows it', () => {
    fc.assert(
      fc.property(structured.map(documentOf), fc.constantFrom(40, 80), (document, maxTokens) => {
        const solid = document.blocks.filter(({ start, end }) => document.text.slice(start, end).trim() !== '');
        for (const { span } of chunkDocument(document, { maxTokens, minTokens: 0 })) {
          const inside = solid.filter(({ start }) => start >= span.start && start < span.end);
          const last = inside.at(-1);
          if (last?.kind !== 'heading') continue;
          const next = solid[solid.indexOf(last) + 1];
          if (next === undefined || next.kind === 'heading') continue;
          // Headings that fill the chunk leave no room for what follows: nothing to be done.
          const run = inside.slice(inside.findLastIndex(({ kind }) => kind !== 'heading') + 1);
          const tokens = run.reduce((sum, { start, end }) => sum + countTokens(document.text.slice(start, end)) + 2, 0);
          expect(tokens, `chunk ${span.start}–${span.end}`).toBeGreaterThan(maxTokens / 2);
        }
      }),
      runs(800),
    );
  });

  it('carry the heading path a naive reading of the blocks gives', () => {
    fc.assert(
      fc.property(structured.map(documentOf), bounds, (document, options) => {
        const headings = document.blocks.filter(({ kind }) => kind === 'heading');
        const solid = document.blocks.filter(({ start, end }) => document.text.slice(start, end).trim() !== '');
        const bodies = solid.filter(({ kind }) => kind !== 'heading');
        for (const chunk of chunkDocument(document, options)) {
          // A block that starts with a combining mark was drawn into the one before it: only plain starts are judged.
          const own = solid.find(({ start, end }) => start < chunk.span.end && end > chunk.span.start);
          if (own === undefined) continue;
          const body = bodies.find(({ start, end }) => start < chunk.span.end && end > chunk.span.start);
          const at = body === undefined ? chunk.span.end - 1 : Math.max(body.start, chunk.span.start);
          if (
            document.blocks.some(
              ({ start }) => start > 0 && /[\u0300-\u036F\u200D]|[\uDC00-\uDFFF]|\n/.test(document.text[start] ?? ''),
            )
          )
            continue;
          const path: string[] = [];
          const levels: number[] = [];
          for (const { start, end, level } of headings) {
            if (start > at) break;
            while (levels.length > 0 && levels.at(-1)! >= level!) {
              levels.pop();
              path.pop();
            }
            levels.push(level!);
            path.push(document.text.slice(start, end));
          }
          expect(chunk.headings).toEqual(path);
        }
      }),
      runs(1500),
    );
  });

  it('are the same every time', () => {
    fc.assert(
      fc.property(anyDocument, bounds, (document, options) => {
        expect(chunkDocument(document, options)).toEqual(chunkDocument(document, options));
      }),
      runs(200),
    );
  });
});

describe('sentences of any text', () => {
  it('are trimmed, in order, apart, no longer than asked, and leave out nothing but blanks', () => {
    fc.assert(
      fc.property(wildText, fc.constantFrom(20, 100, 600), (text, maxChars) => {
        let at = 0;
        for (const { start, end } of sentenceSpans(text, { maxChars })) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(text.slice(at, start)).toMatch(/^[\s\u200B]*$/);
          const sentence = text.slice(start, end);
          expect(sentence.trim()).toBe(sentence);
          expect(sentence).not.toBe('');
          if (sentence.length > maxChars) expect([...graphemes.segment(sentence)]).toHaveLength(1);
          at = end;
        }
        expect(text.slice(at)).toMatch(/^[\s\u200B]*$/);
      }),
      runs(1500),
    );
  });
});

describe('normalised text', () => {
  it('obeys the readers’ rule and stays as it is when normalised again', () => {
    fc.assert(
      fc.property(wildText, (text) => {
        const once = normaliseText(text);
        expect(normaliseText(once)).toBe(once);
        expect(once).not.toMatch(/[\0-\x08\v-\x1F\x7F\u0085\u2028\u2029\uFEFF]/);
        expect(once.isWellFormed()).toBe(true);
      }),
      runs(1500),
    );
  });
});
