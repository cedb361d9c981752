import { randomUUID } from 'node:crypto';
import { abortedLater, mapConcurrent } from '../core/async.ts';
import { IbidError } from '../core/errors.ts';
import type { Meter } from '../core/meter.ts';
import type { CallOptions } from '../core/types.ts';
import type {
  Sound,
  Transcriber,
  TranscriberReply,
  Transcript,
  TranscriptCache,
  TranscriptionSettings,
  TranscriptionUsage,
  TranscriptReceipt,
} from './contract.ts';
import { type Cutter, countedMs, type FfmpegOptions, openCutter, type RecordingFile, wholeSound } from './cutter.ts';
import { type CutPlan, contentOf, keyOf, keyOfPart, type MadeTranscript, noteMade, partsOf, planKey } from './kept.ts';
import { cutTargets, joinParts, type Part } from './parts.ts';

export interface TranscriptionOptions {
  readonly transcriber: Transcriber;
  readonly settings?: TranscriptionSettings | undefined;
  readonly cache: TranscriptCache;
  readonly meter: Meter;
  /** Asked once, before the first request. */
  readonly keyterms?: (() => Promise<readonly string[]>) | undefined;
  readonly ffmpeg?: FfmpegOptions | undefined;
  /** Nothing is sent: the usage says what would be. */
  readonly dryRun?: boolean | undefined;
  readonly onProgress?: ((progress: TranscriptionProgress) => void) | undefined;
}

/** Progress of one recording. */
export interface TranscriptionProgress {
  readonly uri: string;
  /** Parts that are answered; 0 as the first one is sent. */
  readonly part: number;
  readonly parts: number;
  readonly seconds: number;
}

/** A recording as it is known before it is heard. */
interface UnheardRecording extends RecordingFile {
  readonly uri: string;
}

/** A cut is looked for this far on each side of its target, in ms. */
const SLACK_MS = 10_000;
/** Sent again before a cut, in ms: by it the speakers of both sides are matched. */
const OVERLAP_MS = 60_000;
/** A shorter part would hold little but what it repeats. */
const LEAST_PART_SECONDS = 6;
/** Kept free for the header of a part. */
const HEADER_BYTES = 2 ** 14;
const PARTS_AT_ONCE = 2;
/** Time for running requests to finish after the run is stopped, in ms: they are billed. */
const GRACE_MS = 15_000;
/** Slowest speed that the services state, as a multiple of real time. */
const ASSUMED_SPEED = 20;

/**
 * Transcripts of recordings, each paid once. An answer is stored with its receipt before anything else, under the
 * content of the file and the settings; where a long recording is cut is stored before its parts are sent. So a run
 * that is killed at any point sends only what was never answered.
 *
 * Key terms are not part of the key: they come from the index, which changes with each run.
 */
export class Transcription {
  readonly #options: TranscriptionOptions;
  readonly #run: string = randomUUID();
  #keyterms: Promise<readonly string[]> | undefined;
  #recordings = 0;
  #requests = 0;
  #seconds = 0;
  #cached = 0;
  #costUsd = 0;
  #unanswered = 0;
  #isPriced = true;
  #speeds: Promise<number | undefined> | undefined;
  #expectedMs = 0;
  readonly #running = new Map<string, Promise<Transcript | undefined>>();
  /** Keys of the transcripts that a real run would have stored at this point. */
  readonly #foretold = new Set<string>();

  constructor(options: TranscriptionOptions) {
    this.#options = options;
  }

  /** Undefined when no recording asked for a transcript. */
  async usage(): Promise<TranscriptionUsage | undefined> {
    if (this.#recordings + this.#unanswered === 0) return undefined;
    const sums = {
      recordings: this.#recordings,
      requests: this.#requests,
      seconds: this.#seconds,
      cached: this.#cached,
    };
    const price = this.#isPriced ? { costUsd: Math.round(this.#costUsd * 1e9) / 1e9 } : {};
    const usage = { ...sums, ...price, unanswered: this.#unanswered };
    if (!this.#options.dryRun) return usage;
    const basis = (await this.#measuredSpeed()) === undefined ? 'assumed' : 'measured';
    return { ...usage, expected: { ms: Math.round(this.#expectedMs), basis } };
  }

  /**
   * The transcript of a recording; in a dry run undefined unless it is stored already.
   * @throws IbidError FILE_TOO_LARGE for a recording over the limits that cannot be cut, BUDGET_EXCEEDED,
   * INVALID_ARGUMENT for a budget without a price, and those of the transcriber
   */
  async transcribe(found: UnheardRecording, { signal }: CallOptions): Promise<MadeTranscript | undefined> {
    const { transcriber, settings, cache, ffmpeg = {} } = this.#options;
    const durationMs = found.durationMs || (await countedMs(found.path, ffmpeg, { signal }));
    const recording = { ...found, durationMs };
    const by = transcriber.id;
    const content = await contentOf(recording.path, { signal });
    const key = keyOf(content, by, settings);
    if (this.#foretold.has(key)) {
      this.#recordings++;
      this.#cached++;
      return undefined;
    }
    const whole = await wholeSound(recording);
    const running = this.#running.get(key); // the same sound under two names
    const work = running ?? this.#obtain(recording, key, whole, signal);
    if (!running) this.#running.set(key, work);
    try {
      const transcript = await work;
      if (transcript && !running && !this.#options.dryRun) await noteMade(cache, content, { key, by });
      return transcript && { transcript, by };
    } finally {
      this.#running.delete(key);
    }
  }

  async #obtain(
    recording: UnheardRecording,
    key: string,
    whole: Sound,
    signal: AbortSignal | undefined,
  ): Promise<Transcript | undefined> {
    const { dryRun, transcriber } = this.#options;
    if (whole.seconds <= this.#mostSeconds && whole.sizeBytes <= transcriber.limits.bytes) {
      const stored = await this.#stored(key);
      if (stored) return this.#count(stored, true);
      if (dryRun) return await this.#foretell(key, [whole.seconds], whole.channels);
      return this.#count((await this.#ask(recording, key, whole, signal)).transcript, false);
    }
    const cutter = await openCutter(recording, this.#options.ffmpeg ?? {}, { signal });
    if (!cutter || recording.durationMs === 0) throw tooLong(whole, transcriber);
    const mostBytes = transcriber.limits.bytes - HEADER_BYTES;
    const mostSeconds = Math.min(this.#mostSeconds, mostBytes / cutter.bytesPerSecond);
    if (mostSeconds < LEAST_PART_SECONDS) throw tooLong(whole, transcriber);
    const parts = await this.#parts(key, recording, cutter, mostSeconds, signal);
    const keys = parts.map((part) => keyOfPart(key, part));
    const known = await Promise.all(keys.map((one) => this.#stored(one)));
    const missing = parts.filter((_, i) => known[i] === undefined);
    if (dryRun && missing.length > 0) {
      return this.#foretell(
        key,
        missing.map(({ fromMs, toMs }) => (toMs - fromMs) / 1000),
        whole.channels,
      );
    }
    let done = parts.length - missing.length;
    const hear = async (part: Part, i: number, abort: AbortSignal): Promise<Transcript> => {
      const stored = known[i];
      if (stored) return stored;
      await using sound = await cutter.part(part.fromMs, part.toMs, { signal: abort });
      const { transcript } = await this.#ask(recording, keys[i]!, sound, signal, { part: done, parts: parts.length });
      done++;
      return transcript;
    };
    const heard = mapConcurrent(parts.entries(), ([i, part], abort) => hear(part, i, abort), {
      concurrency: PARTS_AT_ONCE,
      signal,
    });
    const transcripts = await Array.fromAsync(heard);
    return this.#count(
      joinParts(transcripts.map((transcript, i) => ({ part: parts[i]!, transcript }))),
      missing.length === 0,
    );
  }

  /** The cuts of the recording. Each run uses the same cuts. */
  async #parts(
    key: string,
    { durationMs }: UnheardRecording,
    cutter: Cutter,
    mostSeconds: number,
    signal: AbortSignal | undefined,
  ): Promise<Part[]> {
    const { cache, settings = {} } = this.#options;
    const overlapMs = settings.multichannel ? 0 : Math.min(OVERLAP_MS, mostSeconds * 250);
    let plan = (await cache.get(planKey(key))) as CutPlan | undefined; // written below
    if (!plan) {
      const slackMs = Math.min(SLACK_MS, mostSeconds * 62.5);
      const targets = cutTargets(durationMs, mostSeconds * 1000, overlapMs, slackMs);
      const cutsMs: number[] = [];
      for (const target of targets) {
        cutsMs.push(Math.round(await cutter.quietMoment(target - slackMs, target + slackMs, { signal })));
      }
      plan = { cutsMs, durationMs, overlapMs };
      if (!this.#options.dryRun) await cache.put(planKey(key), plan);
    }
    return partsOf(plan);
  }

  async #stored(key: string): Promise<Transcript | undefined> {
    return (await this.#options.cache.get(key)) as Transcript | undefined; // written by `#ask`
  }

  #count(transcript: Transcript, isCached: boolean): Transcript {
    this.#recordings++;
    if (isCached) this.#cached++;
    return transcript;
  }

  get #mostSeconds(): number {
    const { transcriber, settings } = this.#options;
    const { seconds, multichannelSeconds = seconds } = transcriber.limits;
    return settings?.multichannel ? multichannelSeconds : seconds;
  }

  async #foretell(key: string, parts: readonly number[], channels: number): Promise<undefined> {
    this.#foretold.add(key);
    this.#recordings++;
    const price = await this.#price();
    const speed = (await this.#measuredSpeed()) ?? ASSUMED_SPEED;
    for (const sent of parts) {
      const seconds = this.#billed(sent, channels);
      this.#requests++;
      this.#seconds += seconds;
      this.#expectedMs += (sent * 1000) / speed;
      const costUsd = costOf(seconds, price);
      if (costUsd === undefined) this.#isPriced = false;
      else this.#costUsd += costUsd;
    }
    return undefined;
  }

  /** Sends one sound, and stores the answer before it is returned. */
  async #ask(
    { uri }: UnheardRecording,
    key: string,
    sound: Sound,
    signal: AbortSignal | undefined,
    progress: { readonly part: number; readonly parts: number } = { part: 0, parts: 1 },
  ): Promise<TranscriberReply> {
    const { transcriber, cache, meter, settings = {}, onProgress } = this.#options;
    const price = await this.#price();
    if (price === undefined && meter.budgetUsd !== undefined) {
      throw new IbidError('INVALID_ARGUMENT', `a budget needs a price, and none is known for "${transcriber.id}"`, {
        hint: 'Say what an hour of sound costs with `usdPerHour`, or leave the budget out.',
      });
    }
    const seconds = this.#billed(sound.seconds, sound.channels);
    const expected = costOf(seconds, price);
    if (expected === undefined && meter.budgetUsd !== undefined) {
      throw new IbidError(
        'INVALID_ARGUMENT',
        'a budget needs the length of a recording, and this one does not say it',
        {
          hint: 'Install ffmpeg, with which it is counted, or leave the budget out.',
        },
      );
    }
    const keyterms = await this.#terms();
    const ticketKey = `${key} ticket`;
    const ticket = (await cache.get(ticketKey)) as string | undefined; // written below
    const reservation = meter.reserve(expected ?? 0);
    const sentAt = Date.now();
    onProgress?.({ uri, ...progress, seconds: sound.seconds });
    using patient = abortedLater(signal, GRACE_MS);
    let reply: TranscriberReply;
    try {
      reply = await transcriber.transcribe(sound, {
        ...settings,
        ...(keyterms.length > 0 ? { keyterms } : {}),
        ...(ticket === undefined ? {} : { ticket }),
        onTicket: async (id) => await cache.put(ticketKey, id),
        signal: patient.signal,
      });
    } catch (error) {
      const mayBeBilled = signal?.aborted || (error instanceof IbidError && UNANSWERED.has(error.code));
      if (mayBeBilled) this.#unanswered++;
      reservation.settle(mayBeBilled ? (expected ?? 0) : 0);
      // An id that gave nothing for so long is given up: the next run sends the sound again.
      if (ticket !== undefined && error instanceof IbidError && error.code === 'NOT_READY')
        await cache.remove(ticketKey);
      throw error;
    }
    const costUsd = reply.costUsd ?? expected;
    reservation.settle(costUsd ?? 0);
    const elapsedMs = Date.now() - sentAt;
    const receipt: TranscriptReceipt = {
      ...{ run: this.#run, transcriber: transcriber.id, seconds, sentAt, elapsedMs },
      ...(costUsd === undefined ? {} : { costUsd }),
    };
    await cache.put(key, reply.transcript, receipt);
    this.#requests++;
    this.#seconds += seconds;
    if (costUsd === undefined) this.#isPriced = false;
    else this.#costUsd += costUsd;
    onProgress?.({ uri, part: progress.part + 1, parts: progress.parts, seconds: sound.seconds });
    return reply;
  }

  async #price(): Promise<number | undefined> {
    return this.#options.transcriber.price?.((await this.#terms()).length > 0);
  }

  #terms(): Promise<readonly string[]> {
    this.#keyterms ??= this.#options.keyterms?.() ?? Promise.resolve([]);
    return this.#keyterms;
  }

  /** Seconds that are billed: each channel counts where each is a speaker. */
  #billed(seconds: number, channels: number): number {
    return seconds * (this.#options.settings?.multichannel ? Math.max(1, channels) : 1);
  }

  /** Seconds of sound in a second, of all earlier requests; undefined before the first. */
  #measuredSpeed(): Promise<number | undefined> {
    this.#speeds ??= this.#options.cache.receipts().then((all) => {
      const own = all.filter(({ transcriber }) => transcriber === this.#options.transcriber.id);
      const elapsed = own.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0);
      return elapsed > 0 ? (1000 * own.reduce((sum, { seconds }) => sum + seconds, 0)) / elapsed : undefined;
    });
    return this.#speeds;
  }
}

/** Price of some sound, in USD; undefined where its length or the price of an hour is not known. */
function costOf(seconds: number, usdPerHour: number | undefined): number | undefined {
  if (usdPerHour === undefined || (seconds === 0 && usdPerHour > 0)) return undefined;
  return (seconds * usdPerHour) / 3600;
}

/** After these the service may have worked, and billed, although no answer arrived. */
const UNANSWERED: ReadonlySet<string> = new Set(['TIMEOUT', 'CONNECTION_FAILED', 'STREAM_BROKEN', 'RESPONSE_INVALID']);

function tooLong({ seconds, sizeBytes }: Sound, { id, limits }: Transcriber): IbidError {
  const hours = (value: number): string => `${(value / 3600).toFixed(1)} h`;
  const size = (value: number): string => `${(value / 2 ** 20).toFixed(0)} MiB`;
  return new IbidError(
    'FILE_TOO_LARGE',
    `a recording of ${hours(seconds)} and ${size(sizeBytes)}; "${id}" takes ${hours(limits.seconds)} and ${size(limits.bytes)} at a time`,
    { hint: 'Install ffmpeg, with which it is cut at silence, or put a transcript beside it.' },
  );
}
