/**
 * Is every word of a file in the text that ibid makes of it, and in order? The words are compared with independent
 * extractions: of PDFs both modes of `pdftotext` (poppler-utils), of mail Python's module, of all others a plain walk
 * over the source. A word is missing when all of them have it, and invented when none has; how words stand in lines,
 * and hyphens at line ends, make no difference. The order is that of the ends of sentences (Kendall's τ).
 *
 *   npm run bench:reading -- [folders] [--format name,name] [--only part of a path] [--worst 10] [--json] [--write]
 *
 * Folders default to `docs` and `docs-bad` below IBID_SHARED (default `../shared`). What is left out on purpose is
 * counted by its reason. Must hold for each format: at most 0.5 % of the words missing without a reason, no page with
 * text that comes out empty, the marked pages of columns in their order; else the exit code is 1. A format whose other
 * program is not there is skipped, with the reason. `--write` records the figures of the formats measured in
 * `bench/results/`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { IbidError } from '../../src/index.ts';
import { readFlags } from '../support/flags.ts';
import { writeResults } from '../support/report.ts';
import { type MeasuredFormat, measuredFormats } from './reading/formats.ts';
import { markedPages } from './reading/marked.ts';
import { compareOrder, type Order } from './reading/order.ts';
import { type Comparison, type Counts, compareWords, sum, wordsOf } from './reading/words.ts';

const MOST_MISSING = 0.005;
const EXAMPLES = 12;

interface FileResult extends Comparison {
  readonly file: string;
  /** Pages on which the others find words and ibid none. */
  readonly emptyPages: readonly number[];
  /** Beside the extraction with the most similar order; absent without enough sentences. */
  readonly order?: Order;
  /** Phrases of marked pages that are missing or do not come after the one before. */
  readonly misplaced: readonly string[];
}

interface FormatResult {
  readonly format: string;
  readonly files: readonly FileResult[];
  /** Files that ibid or the other program does not read, with the reason. */
  readonly unread: readonly { readonly file: string; readonly reason: string; readonly words: number }[];
}

export async function measureReading(format: MeasuredFormat, paths: readonly string[]): Promise<FormatResult> {
  const files: FileResult[] = [];
  const unread: { file: string; reason: string; words: number }[] = [];
  for (const file of paths) {
    const extractions = format.extract(file);
    const others = extractions?.map(({ pages }) => pages.map(wordsOf));
    const words = others ? Math.min(...others.map((pages) => pages.flat().length)) : 0;
    try {
      const { text, pages, leftOut } = await format.read(file);
      if (!others || !extractions) {
        unread.push({ file, reason: 'the other program does not read it', words });
        continue;
      }
      const reasons = [...(extractions[0]?.apart ?? []), ...leftOut];
      const compared = compareWords(
        wordsOf(text),
        // What may be absent may be there as well.
        others.map((each, i) => [...each.flat(), ...[...extractions[i]!.apart.values()].flatMap(wordsOf)]),
        reasons.map(([reason, part]) => [reason, wordsOf(part)]),
      );
      const emptyPages = (others[0] ?? [])
        .map((_, page) => page + 1)
        .filter((page) => pages && !pages.has(page) && others.every((each) => (each[page - 1]?.length ?? 0) > 0));
      const orders = extractions.flatMap((each) => compareOrder(text, each.pages.join('\n')) ?? []);
      const order = orders.sort((a, b) => b.tau - a.tau)[0];
      files.push({
        file,
        ...compared,
        words,
        emptyPages,
        misplaced: misplaced(file, text),
        ...(order ? { order } : {}),
      });
    } catch (error) {
      if (!(error instanceof IbidError)) throw error;
      unread.push({ file, reason: error.code, words });
    }
  }
  return { format: format.name, files, unread };
}

/** Phrases follow each other within their page; what stands between two of them makes no difference. */
function misplaced(file: string, text: string): string[] {
  const words = ` ${wordsOf(text).join(' ')} `;
  let at = 0;
  return markedPages
    .filter((page) => file.endsWith(page.file))
    .flatMap(({ phrases }) =>
      phrases.filter((phrase, i) => {
        const place = words.indexOf(` ${wordsOf(phrase).join(' ')} `, i === 0 ? 0 : at);
        if (place >= 0) at = place;
        return place < 0;
      }),
    );
}

/** Figures of one format: shares of all words. */
export function figuresOf({ files }: FormatResult): {
  readonly words: number;
  readonly missing: number;
  readonly meant: number;
  readonly invented: number;
  readonly emptyPages: number;
  /** Kendall's τ, the mean over files by their ends of sentences. */
  readonly order: number;
  readonly misplaced: number;
} {
  const total = (count: (file: FileResult) => number): number => files.reduce((all, file) => all + count(file), 0);
  const words = total((file) => file.words);
  const share = (count: (file: FileResult) => number): number => (words === 0 ? 0 : total(count) / words);
  return {
    words,
    missing: share(({ missing }) => sum(missing)),
    meant: share(({ meant }) => [...meant.values()].reduce((all, count) => all + count, 0)),
    invented: share(({ invented }) => sum(invented)),
    emptyPages: total(({ emptyPages }) => emptyPages.length),
    order: total(({ order }) => (order ? order.tau * order.ends : 0)) / (total(({ order }) => order?.ends ?? 0) || 1),
    misplaced: total((file) => file.misplaced.length),
  };
}

function filesBelow(folder: string, extensions: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extensions.includes(extname(entry.name).toLowerCase()))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

const percent = (value: number): string => `${(100 * value).toFixed(2)} %`;

function examples(counts: Counts): string {
  const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, EXAMPLES);
  return most.map(([word, count]) => (count > 1 ? `${word} ×${count}` : word)).join(', ');
}

function reasonsOf(result: FormatResult): [string, { readonly count: number; readonly files: number }][] {
  const reasons = new Map<string, { count: number; files: number }>();
  for (const { meant } of result.files) {
    for (const [reason, count] of meant) {
      const before = reasons.get(reason) ?? { count: 0, files: 0 };
      reasons.set(reason, { count: before.count + count, files: before.files + 1 });
    }
  }
  return [...reasons].sort((a, b) => b[1].count - a[1].count);
}

function print(result: FormatResult, worst: number): void {
  const { words, missing, meant, invented, emptyPages, order } = figuresOf(result);
  console.log(`${result.format}: ${result.files.length} files, ${words} words`);
  console.log(
    `  missing ${percent(missing)}, left out on purpose ${percent(meant)}, invented ${percent(invented)}, pages with text that come out empty ${emptyPages}, order τ ${order.toFixed(3)}`,
  );
  for (const kind of ['missing', 'invented'] as const) {
    const files = result.files
      .filter((file) => file[kind].size > 0)
      .sort((a, b) => sum(b[kind]) - sum(a[kind]))
      .slice(0, worst);
    if (files.length > 0) console.log(`  most words ${kind}:`);
    for (const file of files)
      console.log(`    ${sum(file[kind])} of ${file.words}  ${file.file}: ${examples(file[kind])}`);
  }
  const disordered = result.files.filter(({ order: own }) => own && own.tau < 0.95);
  for (const { file, order: own } of disordered.sort((a, b) => a.order!.tau - b.order!.tau).slice(0, worst))
    console.log(`  order: τ ${own!.tau.toFixed(3)} of ${own!.ends} sentences  ${file}`);
  for (const { file, misplaced: phrases } of result.files)
    for (const phrase of phrases) console.log(`  not in the order of a marked page: ${file}: ${phrase}`);
  for (const { file, emptyPages: pages } of result.files)
    if (pages.length > 0) console.log(`  empty: ${file}, pages ${pages.join(', ')}`);
  for (const [reason, { count, files }] of reasonsOf(result))
    console.log(`  left out: ${count} words of ${files} files: ${reason}`);
  for (const { file, reason, words: count } of result.unread)
    console.log(`  not read: ${file}: ${reason}; the other program finds ${count} words`);
}

if (import.meta.main) {
  const { values: flags, positionals } = readFlags(import.meta.filename, {
    allowPositionals: true,
    options: {
      format: { type: 'string' },
      only: { type: 'string', default: '' },
      worst: { type: 'string', default: '10' },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  const shared = process.env.IBID_SHARED ?? join(import.meta.dirname, '../../../shared');
  const named = positionals.length > 0 ? positionals : [join(shared, 'docs'), join(shared, 'docs-bad')];
  const folders = named.map((folder) => resolve(folder)).filter((folder) => existsSync(folder));
  if (folders.length === 0) console.log(`skipped: there is none of the folders ${named.join(', ')}`);
  const asked = flags.format?.split(',');
  const results: FormatResult[] = [];
  for (const format of measuredFormats.filter(({ name }) => asked?.includes(name) ?? true)) {
    const reason = format.missing?.();
    if (reason !== undefined) console.log(`skipped: ${format.name}: ${reason}`);
    if (reason !== undefined || folders.length === 0) continue;
    const found = folders.flatMap((folder) => filesBelow(folder, format.extensions));
    const paths = found.filter((path) => path.includes(flags.only));
    if (paths.length === 0) console.log(`skipped: ${format.name}: there is no such file`);
    else results.push(await measureReading(format, paths));
  }
  if (flags.json) {
    const plain = (_: string, value: unknown): unknown => (value instanceof Map ? Object.fromEntries(value) : value);
    console.log(
      JSON.stringify(
        results.map((result) => ({ ...result, figures: figuresOf(result) })),
        plain,
        2,
      ),
    );
  } else for (const result of results) print(result, Number(flags.worst));
  if (flags.write) {
    const recorded = results.map((result) => {
      const reasons = Object.fromEntries(reasonsOf(result).map(([reason, { count }]) => [reason, count]));
      return [result.format, { files: result.files.length, ...figuresOf(result), reasons }] as const;
    });
    const before = join(import.meta.dirname, '../results/reading.json');
    // Formats that were not measured now keep their figures.
    const kept = existsSync(before) ? (JSON.parse(readFileSync(before, 'utf8')) as { results: object }).results : {};
    writeResults('reading', 'npm run bench:reading -- --write', { ...kept, ...Object.fromEntries(recorded) });
  }
  const failed = results.some((result) => {
    const { missing, emptyPages, misplaced: phrases } = figuresOf(result);
    return missing > MOST_MISSING || emptyPages > 0 || phrases > 0;
  });
  process.exitCode = failed ? 1 : 0;
}
