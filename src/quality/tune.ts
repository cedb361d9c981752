import { optionsOf } from '../core/arguments.ts';
import { LONGEST_TIMER_MS } from '../core/async.ts';
import { IbidError } from '../core/errors.ts';
import { temporaryFolder } from '../core/temporary-folder.ts';
import { mean } from '../eval/summary.ts';
import { resolveChunkOptions } from '../text/chunk/options.ts';
import { askQuestions } from './ask-questions.ts';
import { chooseSetting, type Measured } from './choose.ts';
import { splitQuestions } from './make-questions.ts';
import type { OpenQualityIndex, QualityIndex } from './quality-index.ts';
import { type JudgedQuestion, type QuestionKind, questionSetHash } from './question.ts';
import { chunkSizes, type SearchSetting, searchSettings, together } from './settings-grid.ts';
import { Sweep } from './sweep.ts';
import type { TunedHalf, TunedSetting, TuneOptions, TuneReport } from './tune-contract.ts';

/** Name of the setting that joins the best of each dimension. */
const TOGETHER = 'the best together';

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
  const { minutes = 10, signal, onProgress = () => {} } = optionsOf(options);
  const time = new Time(minutes, signal);
  await using workplace = await temporaryFolder('ibid-tune-');
  await using sweep = new Sweep(open, paths, options, workplace.path);
  onProgress('reading the documents');
  const questions = await sweep.prepare(time.until).catch((error: unknown) => noFirstIndex(error, time));
  const { maxTokens } = resolveChunkOptions();
  onProgress(`${questions.length} questions; building an index with the defaults`);
  const index = await sweep.build(maxTokens, time.until).catch((error: unknown) => noFirstIndex(error, time));
  await using trials = new Trials(sweep, index, questions, time);
  const defaults = await trials.measure('defaults', {}, signal);
  const kindOf = questions.map(({ kind }) => kind);

  const searches = await tryTunings(trials, defaults, options);
  const search = chooseSetting(defaults, searches, trials.split, 'ndcg', kindOf);
  const tuning = searches.find(({ name }) => name === search.best)?.tuning;

  const sizes = await tryChunkSizes(trials, sweep, time, onProgress);
  const chunking = chooseSetting(defaults, sizes, trials.split, 'recallByTokens', kindOf);
  const best = sizes.find(({ name }) => name === chunking.best)?.maxTokens;
  return {
    documents: sweep.documents,
    chunks: sweep.chunks,
    questions,
    questionSet: questionSetHash(questions),
    kinds: countKinds(questions),
    split: trials.split,
    settings: trials.settings,
    search: { ...search, ...(tuning && { tuning }) },
    chunking: { ...chunking, ...(best !== undefined && { maxTokens: best }) },
    skipped: trials.skipped,
    elapsedMs: Math.round(time.elapsedMs),
  };
}

/** The settings of the search that were measured: one dimension at a time, then the best of each together. */
async function tryTunings(
  trials: Trials,
  defaults: Measured,
  { questions, onProgress = () => {} }: TuneOptions,
): Promise<readonly TunedSetting[]> {
  const grid = searchSettings(questions !== undefined);
  for (const { name, tuning } of grid) {
    onProgress(name);
    await trials.inTime(name, { tuning });
  }
  const best = bestOfEachDimension(grid, defaults, trials.settings, trials.split.tune);
  if (best.length > 1) {
    onProgress(TOGETHER);
    await trials.inTime(TOGETHER, { tuning: together(best), parts: best.map(({ name }) => name) });
  }
  return trials.settings.slice(1);
}

/** The chunk sizes that were measured. A build takes about as long as the first: one that cannot end in time is left out. */
async function tryChunkSizes(
  trials: Trials,
  sweep: Sweep,
  time: Time,
  onProgress: (text: string) => void,
): Promise<readonly TunedSetting[]> {
  for (const maxTokens of chunkSizes) {
    const name = `chunks of ${maxTokens}`;
    if (sweep.buildMs < time.leftMs) {
      onProgress(name);
      await trials.inTime(name, { maxTokens });
    } else trials.skipped.push({ what: name, reason: `not enough of the ${time.minutes} minutes was left` });
  }
  return trials.settings.filter(({ maxTokens }) => maxTokens !== undefined);
}

/** The minutes a run may take, beside the signal of its caller. */
class Time {
  readonly minutes: number;
  /** Aborted by the time or by the caller. */
  readonly until: AbortSignal;
  readonly #startedAt = performance.now();
  readonly #limit: AbortSignal;
  readonly #caller: AbortSignal | undefined;

  constructor(minutes: number, caller: AbortSignal | undefined) {
    this.minutes = minutes;
    this.#limit = AbortSignal.timeout(Math.max(1, Math.min(minutes * 60_000, LONGEST_TIMER_MS)));
    this.#caller = caller;
    this.until = caller ? AbortSignal.any([caller, this.#limit]) : this.#limit;
  }

  /** Whether the time has ended the run, and not the caller. */
  get isOver(): boolean {
    return this.#limit.aborted && this.#caller?.aborted !== true;
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  get leftMs(): number {
    return this.minutes * 60_000 - this.elapsedMs;
  }
}

type Tried = Pick<TunedSetting, 'tuning' | 'maxTokens' | 'parts'>;

/** The settings measured with one set of questions, on the index that was built last. */
class Trials implements AsyncDisposable {
  /** The defaults first. */
  readonly settings: TunedSetting[] = [];
  readonly skipped: { readonly what: string; readonly reason: string }[] = [];
  readonly split: ReturnType<typeof splitQuestions>;
  readonly #sweep: Sweep;
  readonly #questions: readonly JudgedQuestion[];
  readonly #time: Time;
  #index: QualityIndex;

  constructor(sweep: Sweep, index: QualityIndex, questions: readonly JudgedQuestion[], time: Time) {
    this.split = splitQuestions(questions);
    this.#sweep = sweep;
    this.#index = index;
    this.#questions = questions;
    this.#time = time;
  }

  async measure(name: string, of: Tried, signal: AbortSignal | undefined): Promise<TunedSetting> {
    const { scores, msPerQuery } = await askQuestions(this.#index, this.#questions, of.tuning ?? {}, signal);
    const half = (members: readonly number[]): TunedHalf => ({
      'nDCG@10': mean(members.map((i) => scores[i]!.ndcg)),
      'recall@10': mean(members.map((i) => scores[i]!.recall)),
      'recall@2000t': mean(members.map((i) => scores[i]!.recallByTokens)),
    });
    const tune = half(this.split.tune);
    const setting = { name, ...of, tune, heldOut: half(this.split.heldOut), msPerQuery, scores };
    this.settings.push(setting);
    return setting;
  }

  /** Measures a setting, another chunk size on an index of its own. What the time ends is skipped. */
  async inTime(name: string, of: Tried): Promise<void> {
    const { until, minutes } = this.#time;
    try {
      if (of.maxTokens !== undefined) {
        const next = await this.#sweep.build(of.maxTokens, until);
        await this.#index.close();
        this.#index = next;
      }
      await this.measure(name, of, until);
    } catch (error) {
      if (!this.#time.isOver) throw error;
      this.skipped.push({ what: name, reason: `${minutes} minutes were over` });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#index.close();
  }
}

function noFirstIndex(error: unknown, time: Time): never {
  if (!time.isOver) throw error;
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

function countKinds(questions: readonly JudgedQuestion[]): Record<QuestionKind, number> {
  const counts: Record<QuestionKind, number> = { heading: 0, keywords: 0, own: 0 };
  for (const { kind } of questions) counts[kind]++;
  return counts;
}
