import { availableParallelism } from 'node:os';
import { mapConcurrent } from '../../core/async.ts';
import { IbidError } from '../../core/errors.ts';
import { limiter } from '../../core/limited.ts';
import { type ProgramRun, runProgram } from '../../core/program.ts';
import type { CallOptions } from '../../core/types.ts';
import { OCR_HINT } from '../../core/waiting.ts';
import type { OcrOptions, ReadPage, ReadScan, Scan } from './contract.ts';
import { lacksCells, withFilledTables } from './filled-tables.ts';
import { hasUnsureRow, isOneColumn, sureness, wordSureness } from './judged.ts';
import { firstLook, haveScripts, installedLanguageOf, modelsOf } from './languages.ts';
import { mayLackLines, withLostLines } from './lost-lines.ts';
import { type Picture, type PictureSource, pictureOf } from './pictures.ts';
import { readTsv } from './tsv.ts';

const PROBE_MS = 20_000;
const MAX_TABLE_BYTES = 64 * 2 ** 20;
const MAX_PICTURE_BYTES = 256 * 2 ** 20;
/** What the configuration `tsv` says; that file is missing in a folder that has only models. */
const AS_TABLE = ['-c', 'tessedit_create_tsv=1'];
/** How tesseract finds the lines: with and without the direction of the page, or as lines across the whole page. */
const layout = { turned: '1', upright: '3', lines: '6' } as const;
/** Below this confidence a page may be in another script than its letters seem to be. */
const UNSURE = 0.6;
/** The same for letters that look like Latin ones: figures and capitals among Latin words are read as them with 0.8. */
const UNSURE_ALIKE = 0.88;
const ALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}]/gu;
/** Models that are no languages: they find the direction of a page, and formulas. */
const NO_LANGUAGES = new Set(['osd', 'equ', 'snum']);

/** Reads pictures with tesseract. Each page is a process of its own, so nothing here waits for the parsers. */
export class Recogniser {
  readonly #program: string;
  readonly #options: OcrOptions;
  readonly #limit: <T>(work: () => Promise<T>) => Promise<T>;
  #models: Promise<readonly string[] | undefined> | undefined;

  constructor(options: OcrOptions) {
    this.#options = options;
    this.#program = options.program ?? 'tesseract';
    this.#limit = limiter(this.#concurrency);
  }

  get #concurrency(): number {
    return this.#options.concurrency ?? Math.min(4, Math.max(1, availableParallelism() >> 1));
  }

  /** Looks for the program again, which may have been installed since. @returns whether it is there with a language */
  async isReady(options: CallOptions = {}): Promise<boolean> {
    this.#models = undefined;
    return (await this.#languages(options)) !== undefined;
  }

  /**
   * The text of the scans of one file, in their order.
   * @returns undefined when there is no tesseract, or none of its languages
   * @throws the signal's reason; what goes wrong with a page is the `failure` of its reading
   */
  async read(
    scans: readonly Scan[],
    source: PictureSource,
    { signal }: CallOptions = {},
  ): Promise<readonly ReadScan[] | undefined> {
    const installed = await this.#languages({ signal });
    if (installed === undefined) return undefined;
    const { languages, maxPages = 1000, onPage } = this.#options;
    let current: string | undefined;
    const readOne = async (scan: Scan, abort: AbortSignal): Promise<ReadScan> => {
      try {
        const picture = await pictureOf(scan, source, { ...this.#run(abort), maxOutputBytes: MAX_PICTURE_BYTES });
        if (languages) return { pages: await this.#recognise(picture, languages.join('+'), abort) };
        const { pages, language } = await this.#recogniseUnknown(picture, current, installed, abort);
        current = language ?? current; // for the next page
        return { pages };
      } catch (error) {
        abort.throwIfAborted();
        if (!(error instanceof IbidError)) throw error;
        return { pages: [], failure: error.message };
      }
    };
    const readings: ReadScan[] = [];
    const pages = Math.min(scans.length, maxPages);
    const work = mapConcurrent(scans.slice(0, pages), (scan, abort) => this.#limit(() => readOne(scan, abort)), {
      concurrency: this.#concurrency,
      signal,
    });
    for await (const reading of work) {
      readings.push(reading);
      onPage?.({ uri: source.uri, page: readings.length, pages });
    }
    return readings;
  }

  #run(signal: AbortSignal | undefined): ProgramRun {
    const { pageTimeoutMs: timeoutMs = 60_000, environment } = this.#options;
    return { timeoutMs, environment, maxOutputBytes: MAX_TABLE_BYTES, signal };
  }

  /**
   * Reads a picture in the language that its text turns out to have.
   * @param before the language of the page before
   * @returns the language too, where it is clear
   */
  async #recogniseUnknown(
    picture: Picture,
    before: string | undefined,
    installed: readonly string[],
    signal: AbortSignal,
  ): Promise<{ readonly pages: ReadPage[]; readonly language: string | undefined }> {
    let models = before ?? (await this.#modelsFor(picture, installed, signal));
    let pages = await this.#recognise(picture, models, signal);
    let language = installedLanguageOf(textOf(pages), installed);
    if (language === undefined || isUnsure(pages)) {
      // Letters of another script are read as nonsense.
      for (const other of [await this.#modelsFor(picture, installed, signal), firstLook(installed)]) {
        if (other === models) continue;
        const again = await this.#recognise(picture, other, signal);
        if (wordSureness(again) > wordSureness(pages)) [models, pages] = [other, again];
        if (!isUnsure(pages)) break;
      }
      language = installedLanguageOf(textOf(pages), installed);
    }
    // Among several languages tesseract prefers the first, and mistakes letters of the others.
    if (language === undefined || models.split('+')[0] === language) return { pages, language };
    return { pages: await this.#recognise(picture, language, signal), language };
  }

  /** The models of a first look at a picture: those of its script. */
  async #modelsFor(picture: Picture, installed: readonly string[], signal: AbortSignal): Promise<string> {
    const hasDirections = (await this.#models)?.includes('osd') ?? false;
    if (!hasDirections || !haveScripts(installed)) return firstLook(installed);
    try {
      const said = await this.#start(picture, ['--psm', '0'], signal);
      const script = /^Script: (\w+)/m.exec(said?.toString('utf8') ?? '')?.[1] ?? '';
      const models = modelsOf(script, installed);
      return firstLook(models.length > 0 ? models : installed);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof IbidError)) throw error;
      return firstLook(installed); // too few letters to tell
    }
  }

  async #recognise(picture: Picture, languages: string, signal: AbortSignal): Promise<ReadPage[]> {
    const hasDirections = (await this.#models)?.includes('osd') ?? false;
    const pages = await this.#readAs(hasDirections ? layout.turned : layout.upright, picture, languages, signal);
    const isUnsureTable = pages.every(isOneColumn) && pages.some(hasUnsureRow);
    const mayLack = pages.every(isOneColumn) && pages.some(mayLackLines);
    if (!isUnsureTable && !mayLack && !pages.some(lacksCells)) return pages;
    // Columns of a table that are read one by one may be cut at their edges, or lack cells; a framed one may be missing.
    const byLine = await this.#readAs(layout.lines, picture, languages, signal);
    if (isUnsureTable && sureness(byLine) > sureness(pages)) return byLine;
    return pages.map((page, at) => {
      const other = byLine[at] ?? page;
      const filled = withFilledTables(page, other);
      return mayLack ? withLostLines(filled, other) : filled;
    });
  }

  async #readAs(mode: string, picture: Picture, languages: string, signal: AbortSignal): Promise<ReadPage[]> {
    const table = await this.#start(picture, ['-l', languages, '--psm', mode, ...AS_TABLE], signal);
    if (table === undefined) throw new IbidError('FILE_SCANNED', `${this.#program} is gone`, { hint: OCR_HINT });
    return readTsv(table.toString('utf8'));
  }

  /** Output of the program for one page of a picture, within the time of a page. */
  async #start({ file, frame }: Picture, args: readonly string[], signal: AbortSignal): Promise<Buffer | undefined> {
    const [name, input] = 'path' in file ? [file.path] : ['stdin', file.bytes];
    const which = frame === undefined ? [] : ['-c', `tessedit_page_number=${frame - 1}`];
    return await runProgram(this.#program, [name, 'stdout', ...args, ...which], { ...this.#run(signal), input });
  }

  async #languages(options: CallOptions): Promise<readonly string[] | undefined> {
    const installed = await this.#installed(options);
    return installed.length === 0 || this.#missing(installed).length > 0 ? undefined : installed;
  }

  /** Why a program that is there does not read: it lacks languages that were named. Undefined where it is not there. */
  async lack(options: CallOptions = {}): Promise<{ readonly message: string; readonly hint: string } | undefined> {
    const installed = await this.#installed(options);
    const missing = this.#missing(installed);
    if (installed.length === 0 || missing.length === 0) return undefined;
    const packages = missing.map((name) => `tesseract-ocr-${name.replaceAll('_', '-')}`);
    return {
      message: `tesseract has no language ${missing.join(', ')}, only ${installed.join(', ')}`,
      hint: `Install it (\`apt-get install ${packages.join(' ')}\`), or name another.`,
    };
  }

  #missing(installed: readonly string[]): readonly string[] {
    return this.#options.languages?.filter((name) => !installed.includes(name)) ?? [];
  }

  async #installed({ signal }: CallOptions): Promise<readonly string[]> {
    this.#models ??= this.#listModels(signal);
    this.#models.catch(() => {
      this.#models = undefined; // interrupted
    });
    return (await this.#models)?.filter((name) => !NO_LANGUAGES.has(name)) ?? [];
  }

  async #listModels(signal: AbortSignal | undefined): Promise<readonly string[] | undefined> {
    try {
      const run = { ...this.#run(signal), timeoutMs: PROBE_MS };
      const listed = await runProgram(this.#program, ['--list-langs'], run);
      return listed
        ?.toString('utf8')
        .split(/\r?\n/)
        .slice(1)
        .map((name) => name.trim())
        .filter((name) => name !== '');
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof IbidError)) throw error;
      return undefined;
    }
  }
}

/** Whether the letters may be of another script. */
function isUnsure(pages: readonly ReadPage[]): boolean {
  const text = textOf(pages);
  const areAlike = (text.match(ALIKE)?.length ?? 0) > (text.match(/\p{L}/gu)?.length ?? 0) / 2;
  return wordSureness(pages) < (areAlike ? UNSURE_ALIKE : UNSURE);
}

function textOf(pages: readonly ReadPage[]): string {
  return pages.flatMap(({ paragraphs }) => paragraphs.flatMap((lines) => lines.map(({ text }) => text))).join(' ');
}
