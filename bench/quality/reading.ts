/**
 * Is every word of a file in the text that ibid makes of it? The words are compared with independent extractions:
 * for PDFs both modes of `pdftotext` (poppler-utils). A word is missing when all of them have it, and invented when
 * none has; how words stand in lines, and hyphens at line ends, make no difference.
 *
 *   npm run bench:reading -- [folders] [--format name,name] [--only part of a path] [--worst 10] [--json]
 *
 * Folders default to `docs` and `docs-bad` below IBID_SHARED (default `../shared`). What is left out on purpose is
 * counted by its reason. Must hold for each format: at most 0.5 % of the words missing without a reason, no page with
 * text that comes out empty; else the exit code is 1. A format whose other program is not there is skipped, with the
 * reason.
 */
import { existsSync, readdirSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { IbidError } from '../../src/index.ts';
import { readFlags } from '../support/flags.ts';
import { type MeasuredFormat, measuredFormats } from './reading/formats.ts';
import { type Comparison, type Counts, compareWords, sum, wordsOf } from './reading/words.ts';

const MOST_MISSING = 0.005;
const EXAMPLES = 12;

interface FileResult extends Comparison {
  readonly file: string;
  /** Pages on which the others find words and ibid none. */
  readonly emptyPages: readonly number[];
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
    const others = format.extract(file)?.map((pages) => pages.map(wordsOf));
    const words = others ? Math.min(...others.map((pages) => pages.flat().length)) : 0;
    try {
      const { text, pages, leftOut } = await format.read(file);
      if (!others) {
        unread.push({ file, reason: 'the other program does not read it', words });
        continue;
      }
      const meant = new Map([...leftOut].map(([reason, part]) => [reason, wordsOf(part)]));
      const compared = compareWords(
        wordsOf(text),
        others.map((each) => each.flat()),
        meant,
      );
      const emptyPages = (others[0] ?? [])
        .map((_, page) => page + 1)
        .filter((page) => pages && !pages.has(page) && others.every((each) => (each[page - 1]?.length ?? 0) > 0));
      files.push({ file, ...compared, emptyPages });
    } catch (error) {
      if (!(error instanceof IbidError)) throw error;
      unread.push({ file, reason: error.code, words });
    }
  }
  return { format: format.name, files, unread };
}

/** Figures of one format: shares of all words. */
export function figuresOf({ files }: FormatResult): {
  readonly words: number;
  readonly missing: number;
  readonly meant: number;
  readonly invented: number;
  readonly emptyPages: number;
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

function print(result: FormatResult, worst: number): void {
  const { words, missing, meant, invented, emptyPages } = figuresOf(result);
  console.log(`${result.format}: ${result.files.length} files, ${words} words`);
  console.log(
    `  missing ${percent(missing)}, left out on purpose ${percent(meant)}, invented ${percent(invented)}, pages with text that come out empty ${emptyPages}`,
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
  for (const { file, emptyPages: pages } of result.files)
    if (pages.length > 0) console.log(`  empty: ${file}, pages ${pages.join(', ')}`);
  for (const { file, meant: reasons } of result.files)
    for (const [reason, count] of reasons) console.log(`  left out: ${count} words of ${file}: ${reason}`);
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
    },
  });
  const shared = process.env.IBID_SHARED ?? join(import.meta.dirname, '../../../shared');
  const named = positionals.length > 0 ? positionals : [join(shared, 'docs'), join(shared, 'docs-bad')];
  const folders = named.map((folder) => resolve(folder)).filter((folder) => existsSync(folder));
  if (folders.length === 0) console.log(`skipped: there is none of the folders ${named.join(', ')}`);
  const asked = flags.format?.split(',');
  const results: FormatResult[] = [];
  for (const format of measuredFormats.filter(({ name }) => asked?.includes(name) ?? true)) {
    const reason = format.missing();
    if (reason !== undefined) console.log(`skipped: ${format.name}: ${reason}`);
    if (reason !== undefined || folders.length === 0) continue;
    const paths = folders.flatMap((folder) => filesBelow(folder, format.extensions));
    results.push(
      await measureReading(
        format,
        paths.filter((path) => path.includes(flags.only)),
      ),
    );
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
  const failed = results.some((result) => {
    const { missing, emptyPages } = figuresOf(result);
    return missing > MOST_MISSING || emptyPages > 0;
  });
  process.exitCode = failed ? 1 : 0;
}
