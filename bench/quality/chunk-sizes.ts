/**
 * How well chunks of different sizes serve retrieval and extraction: five long documents, 472 questions with exact
 * gold spans (`chunk-spans`), plain BM25 over all chunks. Sizes were chosen on the first three documents; the last
 * two are for reporting.
 *
 *     node bench/quality/chunk-sizes.ts [folder with chunk-spans, default IBID_SHARED/data]
 *
 * recall@10c: share of the gold text inside the first 10 chunks. recall@Nt: inside the first chunks of N tokens
 * together (fair between sizes). IoU@5c: gold ∩ shown / gold ∪ shown for the first 5 chunks. whole: share of gold
 * spans no cut runs through.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Chunk, chunkDocument, type Document, type Span } from '../../src/index.ts';
import { countTokens, mean, sentenceSpans } from '../../src/internal.ts';
import { dataFolder } from '../support/data-folder.ts';
import { readFlags } from '../support/flags.ts';
import { PlainBm25 } from './plain-bm25.ts';

interface Row {
  readonly chunk: Pick<Chunk, 'span' | 'text' | 'tokens'>;
  readonly document: string;
}

interface Question {
  readonly text: string;
  readonly document: string;
  readonly spans: readonly Span[];
}

const { positionals } = readFlags(import.meta.filename, { allowPositionals: true });
const folder = join(dataFolder(import.meta.filename, positionals[0], 'data'), 'chunk-spans');
const lines = (name: string): unknown[] =>
  readFileSync(join(folder, name), 'utf8')
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

// The set's own files, whose layout its README states.
const documents = lines('documents.jsonl') as { _id: string; text: string }[];
const queries = new Map(
  (lines('queries.jsonl') as { _id: string; text: string }[]).map(({ _id, text }) => [_id, text]),
);
const questions = (lines('spans.jsonl') as { query_id: string; doc_id: string; spans: Span[] }[]).map(
  ({ query_id, doc_id, spans }): Question => ({ text: queries.get(query_id) ?? '', document: doc_id, spans }),
);
const tuned = new Set(['finance', 'wikitexts', 'chatlogs']);

function plain({ _id, text }: { _id: string; text: string }): Document {
  return { uri: _id, title: '', text, format: 'text', blocks: [], locators: [], metadata: {}, warnings: [] };
}

/** The control: cuts every so many characters, wherever that is. */
function everyChars(text: string, chars: number): Row['chunk'][] {
  return Array.from({ length: Math.ceil(text.length / chars) }, (_, i) => {
    const span = { start: i * chars, end: Math.min(text.length, (i + 1) * chars) };
    const own = text.slice(span.start, span.end);
    return { span, text: own, tokens: countTokens(own) };
  });
}

function sentencesOf(text: string): Row['chunk'][] {
  return sentenceSpans(text).map((span) => ({
    span,
    text: text.slice(span.start, span.end),
    tokens: countTokens(text.slice(span.start, span.end)),
  }));
}

const overlap = (a: Span, b: Span): number => Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
const total = (spans: readonly Span[]): number => spans.reduce((sum, { start, end }) => sum + end - start, 0);

function report(name: string, cut: (document: { _id: string; text: string }) => readonly Row['chunk'][]): void {
  const rows = documents.flatMap((document) => cut(document).map((chunk): Row => ({ chunk, document: document._id })));
  const index = new PlainBm25(rows.map(({ chunk }) => chunk.text));
  const sums = new Map<string, number[]>();
  for (const { text, document, spans } of questions) {
    const ranking = index.search(text, 200).map((row) => rows[row]!);
    const held = (shown: readonly Row[]): number =>
      shown
        .filter((row) => row.document === document)
        .reduce((sum, { chunk }) => sum + spans.reduce((inside, span) => inside + overlap(chunk.span, span), 0), 0);
    const upTo = (tokens: number): Row[] => {
      let left = tokens;
      return ranking.filter(({ chunk }) => {
        const fits = left >= chunk.tokens;
        left = fits ? left - chunk.tokens : 0;
        return fits;
      });
    };
    const gold = total(spans);
    const five = ranking.slice(0, 5);
    const fiveHeld = held(five);
    const starts = rows.filter((row) => row.document === document).map(({ chunk }) => chunk.span.start);
    const values = [
      held(ranking.slice(0, 10)) / gold,
      held(upTo(1_000)) / gold,
      held(upTo(2_500)) / gold,
      fiveHeld / (gold + total(five.map(({ chunk }) => chunk.span)) - fiveHeld),
      spans.filter(({ start, end }) => !starts.some((at) => at > start && at < end)).length / spans.length,
    ];
    for (const set of [tuned.has(document) ? 'tune' : 'report', 'all']) {
      const sum = sums.get(set) ?? [0, 0, 0, 0, 0, 0];
      for (const [i, value] of [...values, 1].entries()) sum[i]! += value;
      sums.set(set, sum);
    }
  }
  const tokens = mean(rows.map(({ chunk }) => chunk.tokens));
  for (const set of ['tune', 'report', 'all']) {
    const sum = sums.get(set)!;
    const cells = sum.slice(0, 5).map((value) => (value / sum[5]!).toFixed(3));
    console.log(
      `${name.padEnd(24)} ${set.padEnd(6)} ${String(rows.length).padStart(6)} ${tokens.toFixed(0).padStart(5)}  ${cells.join('  ')}`,
    );
  }
}

console.log(`${'cut'.padEnd(24)} ${'set'.padEnd(6)} chunks  mean  re@10c re@1kt re@2.5kt IoU@5c whole`);
for (const maxTokens of [120, 160, 200, 240, 280, 320, 400, 512]) {
  report(`chunks ${maxTokens}`, (document) =>
    chunkDocument(plain(document), { maxTokens, minTokens: Math.min(48, maxTokens) }),
  );
}
report('every 1,000 characters', ({ text }) => everyChars(text, 1_000));
report('sentences', ({ text }) => sentencesOf(text));
