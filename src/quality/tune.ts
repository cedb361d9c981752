import { join } from 'node:path';
import { optionsOf } from '../core/arguments.ts';
import { LONGEST_TIMER_MS } from '../core/async.ts';
import { IbidError } from '../core/errors.ts';
import { temporaryFolder } from '../core/temporary-folder.ts';
import type { CallOptions, Span } from '../core/types.ts';
import { mean } from '../eval/summary.ts';
import type { IngestSource, LoadedItem } from '../ingest/contract.ts';
import { folderSource } from '../ingest/folder-source.ts';
import { createReader } from '../read/reader.ts';
import type { Tuning } from '../retrieve/tuning.ts';
import { resolveChunkOptions } from '../text/chunk/options.ts';
import { askQuestions } from './ask-questions.ts';
import { type Choice, chooseSetting, type Measured } from './choose.ts';
import { type MadeQuestion, QuestionMaker, splitQuestions } from './make-questions.ts';
import type { OpenQualityIndex, QualityIndex } from './quality-index.ts';
import { type JudgedQuestion, type QuestionKind, questionSetHash } from './question.ts';
import type { Score } from './score.ts';
import { sectionsOf, withoutHeadings } from './sections.ts';
import { chunkSizes, type SearchSetting, searchSettings, together } from './settings-grid.ts';

export interface TuneOptions extends CallOptions {
  /** Absolute folder the uris of files, and of `questions`, are relative to. */
  readonly base: string;
  /** Left out of the scan: where the index lies. */
  readonly exclude?: string | undefined;
  /** Patterns of files and folders to leave out, as in `.gitignore`, relative to `base`. */
  readonly leaveOut?: readonly string[] | undefined;
  /** @default made from the documents */
  readonly questions?: readonly JudgedQuestion[] | undefined;
  /** How many are made. @default 240 */
  readonly limit?: number | undefined;
  /** What has not begun by then is left out. @default 10 */
  readonly minutes?: number | undefined;
  readonly onProgress?: ((text: string) => void) | undefined;
}

/** Means over the questions of one half, in [0, 1]. */
export interface TunedHalf {
  readonly 'nDCG@10': number;
  /** Share of a question's evidence that the first ten hits touch. */
  readonly 'recall@10': number;
  /** Within the first 2,000 tokens of hits. */
  readonly 'recall@2000t': number;
}

export interface TunedSetting {
  readonly name: string;
  /** Of a setting of the search; what is absent in it keeps its default. */
  readonly tuning?: Tuning;
  /** Of a chunk size: the upper bound of a chunk. */
  readonly maxTokens?: number;
  /** Names of the settings it joins. */
  readonly parts?: readonly string[];
  readonly tune: TunedHalf;
  readonly heldOut: TunedHalf;
  readonly msPerQuery: number;
  /** Parallel to the report's `questions`. */
  readonly scores: readonly Score[];
}

export interface TuneReport {
  readonly documents: number;
  readonly chunks: number;
  readonly questions: readonly JudgedQuestion[];
  /** Hex SHA-256 of the question set. */
  readonly questionSet: string;
  readonly kinds: Readonly<Record<QuestionKind, number>>;
  /**
   * Places in `questions`: those that chose, and those that judged the choice. Of eight documents or more, none has
   * questions in both.
   */
  readonly split: { readonly tune: readonly number[]; readonly heldOut: readonly number[] };
  /** The defaults first. */
  readonly settings: readonly TunedSetting[];
  /** By nDCG@10. Where it is accepted, `tuning` is what to pass to `openIndex`, or to write with `writeSettings`. */
  readonly search: Choice & { readonly tuning?: Tuning };
  /** By recall within 2,000 tokens; takes effect when the index is rebuilt. */
  readonly chunking: Choice & { readonly maxTokens?: number };
  /** What the time did not suffice for. */
  readonly skipped: readonly { readonly what: string; readonly reason: string }[];
  readonly elapsedMs: number;
}

/** Name of the setting that joins the best of each dimension. */
const TOGETHER = 'the best together';
/** Fewer cannot show a gain beyond noise. */
export const LEAST_QUESTIONS = 20;
/** Documents are kept between builds up to this many characters of text. */
const KEPT_CHARS = 64_000_000;

/**
 * Finds out what serves a folder best: questions are made from it, half of them choose among settings, the other half
 * decides whether the choice is better than the defaults. Works in temporary indexes with the local embedder; writes
 * nothing that stays, and leaves nothing behind when it is aborted.
 * @param paths files and folders, as `ingest` takes them
 * @throws IbidError INVALID_ARGUMENT when there is too little to make questions from, or the time does not suffice for
 * a first index
 */
export async function tuneFolderWith(
  open: OpenQualityIndex,
  paths: readonly string[],
  options: TuneOptions,
): Promise<TuneReport> {
  const startedAt = performance.now();
  const { minutes = 10, signal, onProgress = () => {} } = optionsOf(options);
  const deadline = startedAt + minutes * 60_000;
  const limit = AbortSignal.timeout(Math.max(1, Math.min(minutes * 60_000, LONGEST_TIMER_MS)));
  const until = signal ? AbortSignal.any([signal, limit]) : limit;
  await using workplace = await temporaryFolder('ibid-tune-');
  const sweep = new Sweep(open, paths, options, workplace.path);
  try {
    onProgress('reading the documents');
    const questions = await sweep.prepare(until).catch((error: unknown) => outOfTime(error, limit, signal));
    const split = splitQuestions(questions);
    const { maxTokens: usual } = resolveChunkOptions();
    onProgress(`${questions.length} questions; building an index with the defaults`);
    let index = await sweep.build(usual, until).catch((error: unknown) => outOfTime(error, limit, signal));
    const settings: TunedSetting[] = [];
    const skipped: { what: string; reason: string }[] = [];
    const measure = async (
      name: string,
      of: Pick<TunedSetting, 'tuning' | 'maxTokens' | 'parts'>,
      call: AbortSignal | undefined,
    ) => {
      const { scores, msPerQuery } = await askQuestions(index, questions, of.tuning ?? {}, call);
      const half = (members: readonly number[]): TunedHalf => ({
        'nDCG@10': mean(members.map((i) => scores[i]!.ndcg)),
        'recall@10': mean(members.map((i) => scores[i]!.recall)),
        'recall@2000t': mean(members.map((i) => scores[i]!.recallByTokens)),
      });
      settings.push({ name, ...of, tune: half(split.tune), heldOut: half(split.heldOut), msPerQuery, scores });
    };
    try {
      await measure('defaults', {}, signal);
      const defaults = settings[0]!;
      const inTime = async (name: string, of: Pick<TunedSetting, 'tuning' | 'maxTokens' | 'parts'>): Promise<void> => {
        onProgress(name);
        try {
          if (of.maxTokens !== undefined) {
            const next = await sweep.build(of.maxTokens, until);
            await index.close();
            index = next;
          }
          await measure(name, of, until);
        } catch (error) {
          if (!limit.aborted || signal?.aborted) throw error;
          skipped.push({ what: name, reason: `${minutes} minutes were over` });
        }
      };
      const grid = searchSettings(options.questions !== undefined);
      for (const { name, tuning } of grid) await inTime(name, { tuning });
      const best = bestOfEachDimension(grid, defaults, settings, split.tune);
      if (best.length > 1) {
        await inTime(TOGETHER, { tuning: together(best), parts: best.map(({ name }) => name) });
      }
      const kindOf = questions.map(({ kind }) => kind);
      const others = settings.slice(1);
      const search = chooseSetting(defaults, others, split, 'ndcg', kindOf);
      const tuning = others.find(({ name }) => name === search.best)?.tuning;
      for (const maxTokens of chunkSizes) {
        const name = `chunks of ${maxTokens}`;
        // a build takes about as long as the first: one that cannot end in time is not begun
        if (performance.now() + sweep.buildMs < deadline) await inTime(name, { maxTokens });
        else skipped.push({ what: name, reason: `not enough of the ${minutes} minutes was left` });
      }
      const sizes = settings.filter(({ maxTokens }) => maxTokens !== undefined);
      const chunking = chooseSetting(defaults, sizes, split, 'recallByTokens', kindOf);
      const maxTokens = sizes.find(({ name }) => name === chunking.best)?.maxTokens;
      return {
        documents: sweep.documents,
        chunks: sweep.chunks,
        questions,
        questionSet: questionSetHash(questions),
        kinds: countKinds(questions),
        split,
        settings,
        search: { ...search, ...(tuning && { tuning }) },
        chunking: { ...chunking, ...(maxTokens !== undefined && { maxTokens }) },
        skipped,
        elapsedMs: Math.round(performance.now() - startedAt),
      };
    } finally {
      await index.close();
    }
  } finally {
    await sweep.close();
  }
}

function outOfTime(error: unknown, limit: AbortSignal, signal: AbortSignal | undefined): never {
  if (!limit.aborted || signal?.aborted) throw error;
  throw new IbidError('INVALID_ARGUMENT', 'the time is over before a first index was built', {
    cause: error,
    hint: 'Give more `minutes`, or name a part of the folder.',
  });
}

function bestOfEachDimension(
  grid: readonly SearchSetting[],
  defaults: Measured,
  measured: readonly Measured[],
  half: readonly number[],
): SearchSetting[] {
  const value = ({ scores }: Measured): number => mean(half.map((i) => scores[i]!.ndcg));
  const base = value(defaults);
  const best = new Map<string, { setting: SearchSetting; value: number }>();
  for (const one of measured) {
    const setting = grid.find(({ name }) => name === one.name);
    const reached = value(one);
    if (setting && reached > Math.max(base, best.get(setting.dimension)?.value ?? 0) + 1e-9)
      best.set(setting.dimension, { setting, value: reached });
  }
  return [...best.values()].map(({ setting }) => setting);
}

export function countKinds(questions: readonly JudgedQuestion[]): Record<QuestionKind, number> {
  const counts: Record<QuestionKind, number> = { heading: 0, keywords: 0, own: 0 };
  for (const { kind } of questions) counts[kind]++;
  return counts;
}

/** The documents, read once, and the indexes built of them. */
class Sweep {
  documents = 0;
  chunks = 0;
  buildMs = 0;
  readonly #open: OpenQualityIndex;
  readonly #paths: readonly string[];
  readonly #options: TuneOptions;
  readonly #workplace: string;
  readonly #reader = createReader();
  readonly #loaded = new Map<string, LoadedItem>();
  readonly #taken = new Map<string, Span[]>();
  #keptChars = 0;

  constructor(open: OpenQualityIndex, paths: readonly string[], options: TuneOptions, workplace: string) {
    this.#open = open;
    this.#paths = paths;
    this.#options = options;
    this.#workplace = workplace;
  }

  #source(): IngestSource {
    const { base, exclude, leaveOut: patterns } = this.#options;
    const leaveOut = patterns && { root: base, patterns };
    const source = folderSource({ paths: this.#paths, base, reader: this.#reader, exclude, leaveOut });
    const load = (item: { readonly uri: string; load(call?: CallOptions): Promise<LoadedItem> }, call?: CallOptions) =>
      this.#load(item, call);
    return {
      covers: (uri) => source.covers(uri),
      async *items(call) {
        for await (const item of source.items(call)) yield { ...item, load: (inner) => load(item, inner) };
      },
    };
  }

  async #load(
    item: { readonly uri: string; load(call?: CallOptions): Promise<LoadedItem> },
    call: CallOptions | undefined,
  ): Promise<LoadedItem> {
    const known = this.#loaded.get(item.uri);
    const read = known ?? (await item.load(call));
    if (!known && this.#keptChars + read.document.text.length <= KEPT_CHARS) {
      this.#keptChars += read.document.text.length;
      this.#loaded.set(item.uri, read);
    }
    return { ...read, document: withoutHeadings(read.document, this.#taken.get(item.uri) ?? []) };
  }

  /** @returns the questions; the headings they were made of are gone from every index built afterwards */
  async prepare(signal: AbortSignal): Promise<readonly JudgedQuestion[]> {
    const { questions: given, limit = 240, onProgress = () => {} } = this.#options;
    const maker = new QuestionMaker();
    const missing = new Set(given?.flatMap(({ evidence }) => evidence.map(({ uri }) => uri)));
    for await (const item of this.#source().items({ signal })) {
      const read = await this.#load(item, { signal }).catch((error: unknown) => {
        if (error instanceof IbidError) return undefined; // a file that cannot be read asks nothing
        throw error;
      });
      signal.throwIfAborted();
      missing.delete(item.uri);
      if (read === undefined) continue;
      this.documents++;
      if (given === undefined) for (const section of sectionsOf(read.document)) maker.add(section);
    }
    const made: readonly MadeQuestion[] = given === undefined ? maker.make(limit) : [];
    for (const { uri, headingSpan } of made) {
      if (headingSpan) this.#taken.set(uri, [...(this.#taken.get(uri) ?? []), headingSpan]);
    }
    const questions = given ?? made.map(({ question }) => question);
    const lost = given?.filter(({ evidence }) => evidence.every(({ uri }) => uri !== undefined && missing.has(uri)));
    if (lost?.length)
      onProgress(`questions about documents that are not there, and count as not found: ${lost.length}`);
    if (questions.length < LEAST_QUESTIONS) {
      throw new IbidError(
        'INVALID_ARGUMENT',
        `${questions.length} questions ${given ? 'are given' : 'could be made from the folder'}, at least ${LEAST_QUESTIONS} are needed to tell a gain from noise`,
        { hint: 'Name a larger folder, or give your own `questions`.' },
      );
    }
    return questions;
  }

  async build(maxTokens: number, signal: AbortSignal): Promise<QualityIndex> {
    const startedAt = performance.now();
    const index = await this.#open(join(this.#workplace, `chunks-${maxTokens}`), {
      create: true,
      base: this.#options.base,
      chunking: { maxTokens },
      signal,
    });
    try {
      for await (const event of index.ingest(this.#source(), { signal, force: true })) {
        if (event.type === 'done' && this.chunks === 0) this.chunks = event.summary.chunks;
      }
      signal.throwIfAborted();
    } catch (error) {
      await index.close();
      throw error;
    }
    this.buildMs = Math.max(this.buildMs, performance.now() - startedAt);
    return index;
  }

  async close(): Promise<void> {
    await this.#reader.close();
  }
}
