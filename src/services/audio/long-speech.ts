import { objectOf, optionsOf, textOf } from '../../core/arguments.ts';
import { mapConcurrent } from '../../core/async.ts';
import { type Alignment, joinAlignments, shiftAlignment } from '../../wire/audio/alignment.ts';
import type { AudioService } from '../../wire/audio/client.ts';
import { chooseFormat, chooseModel } from '../../wire/audio/context.ts';
import { looksShort } from '../../wire/audio/endings.ts';
import { type AudioFormat, secondsOf } from '../../wire/audio/formats.ts';
import type { SpeechRequest } from '../../wire/audio/speech-request.ts';
import { integer, number, partly, refuse, requireText } from '../../wire/http/check.ts';
import type { WireCallOptions } from '../../wire/http/contract.ts';
import { bareSound, type JoinedSound, SoundJoiner, silence } from './join-sound.ts';
import { keptOrMade, type SegmentStore, type StoredSegment, segmentKey, signalOf } from './segment-store.ts';
import { splitText, type TextSegment } from './split-text.ts';

export interface LongOptions extends WireCallOptions {
  /** Longest segment in UTF-16 units. @default the model's limit less the margin */
  readonly maxCharacters?: number | undefined;
  /**
   * Share of the model's limit that is left free: what the service counts as a character is not documented. @default
   * 0.05
   */
  readonly margin?: number | undefined;
  /** Silence between segments. @default 0 */
  readonly silenceMs?: number | undefined;
  /** One RIFF header before pcm samples. @default true */
  readonly wav?: boolean | undefined;
  /** Ask for times and return one alignment of the whole. @default false */
  readonly timestamps?: boolean | undefined;
  /**
   * How segments learn of their neighbours; `auto` takes what the model allows: ids, else texts, else nothing. @default
   * auto
   */
  readonly continuity?: 'auto' | 'text' | 'none' | undefined;
  /** Segments at once where they do not wait for each other's ids. @default 2 */
  readonly concurrency?: number | undefined;
  /**
   * Join mp3 or opus files byte by byte: most players play that, but lengths are wrong and joins are heard. @default
   * false
   */
  readonly joinEncoded?: boolean | undefined;
  /**
   * Finished segments are kept here, so that a run that was stopped (429, 402) pays for none of them twice; what is
   * under way when another fails is waited for.
   */
  readonly store?: SegmentStore | undefined;
  /** Times a segment that is far too short for its text is asked for again; each is billed. @default 0 */
  readonly retakes?: number | undefined;
  /** Told of each segment that is finished, in the order of the text. */
  readonly onSegment?: ((segment: LongSegment) => void) | undefined;
  /** Milliseconds since 1970, for the age of request ids. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** One request of a long speech. */
export interface LongSegment extends TextSegment {
  readonly index: number;
  readonly requestId: string | undefined;
  /**
   * Credits charged in this run, for all takes: 0 when it came from the store, `undefined` when the service did not say.
   */
  readonly credits: number | undefined;
  readonly fromStore: boolean;
  /** Where its sound starts in the whole, seconds; `undefined` when the format cannot be measured. */
  readonly startSeconds: number | undefined;
  readonly seconds: number | undefined;
}

/** A text of any length as one sound. */
export interface LongSpeech extends JoinedSound {
  readonly segments: readonly LongSegment[];
  /** With `timestamps`; times count from the start of the whole. */
  readonly alignment: Alignment | null;
  /** Sum of the segments'; `undefined` as soon as one is unknown. */
  readonly credits: number | undefined;
}

const checkOptions = partly({
  silenceMs: number(0, 60_000),
  margin: number(0, 0.5),
  retakes: integer(0, 10),
  concurrency: integer(1, 64),
});

/** Ids older than this are no longer known to the service. */
const ID_LIFE_MS = 2 * 60 * 60 * 1_000;
/** Characters of a neighbour that are sent along. */
const NEIGHBOUR = 1_000;

interface Spoken extends StoredSegment {
  readonly segment: TextSegment;
  readonly index: number;
  readonly fromStore: boolean;
}

/**
 * A text of any length: split at the model's limit, spoken in order with continuity, joined into one file.
 * @throws IbidError INVALID_ARGUMENT when the format cannot be joined
 */
export async function longSpeech(
  audio: Pick<AudioService, 'speech' | 'settings'>,
  request: SpeechRequest,
  options: LongOptions = {},
): Promise<LongSpeech> {
  objectOf(audio, 'the client', 'speech', 'settings');
  textOf(objectOf(request, 'the request').text, 'text');
  optionsOf(options);
  const { speech, settings } = audio;
  requireText('text', request.text);
  checkOptions('options', options);
  const { model } = chooseModel(settings, request.model_id ?? settings.profile.defaultSpeechModel, 'speech');
  const format = chooseFormat(settings, request.output_format ?? 'pcm_24000');
  const gap = joinable(format, options);
  const segments = splitText(request.text, segmentLength(model?.maxCharacters, options));
  const mode = continuityOf(model?.continuity ?? 'none', request, options);
  const plain: SpeechRequest = { ...request, output_format: format.name };
  const done: Spoken[] = [];
  const spoken = mapConcurrent(
    segments.map((segment, index) => ({ segment, index })),
    ({ segment, index }, signal) => {
      const own = requestFor(plain, segments, index, mode, done, options);
      return speakSegment(speech, own, segment, index, format, { ...options, signal: signalOf(options, signal) });
    },
    // A segment that names the ids before it waits for them.
    { concurrency: mode === 'ids' ? 1 : (options.concurrency ?? 2), signal: options.signal },
  );
  for await (const item of spoken) done.push(item);
  return joinSpoken(done, format, gap, options);
}

/** Silence between two segments. @throws INVALID_ARGUMENT when the format cannot be joined */
function joinable(format: AudioFormat, options: LongOptions): Uint8Array {
  const gap = silence(format, options.silenceMs ?? 0);
  if (gap !== undefined) return gap;
  if (options.joinEncoded !== true) {
    refuse(
      'output_format',
      `${format.name} segments do not join cleanly`,
      'Ask for pcm (the default here), or set joinEncoded.',
    );
  }
  if ((options.silenceMs ?? 0) > 0) refuse('silenceMs', `cannot be put between ${format.name} segments`);
  return new Uint8Array();
}

function segmentLength(limit: number | undefined, options: LongOptions): number {
  const most = limit === undefined ? 5_000 : Math.floor(limit * (1 - (options.margin ?? 0.05)));
  if (options.maxCharacters === undefined) return most;
  integer(130, limit)('maxCharacters', options.maxCharacters);
  return options.maxCharacters;
}

function continuityOf(
  allowed: 'ids' | 'text' | 'none',
  request: SpeechRequest,
  options: LongOptions,
): 'ids' | 'text' | 'none' {
  const wish = options.continuity ?? 'auto';
  if (wish === 'none' || allowed === 'none') return 'none';
  return wish === 'text' || allowed === 'text' || request.enable_logging === false ? 'text' : 'ids';
}

/** The request of one segment; the caller's own continuity fields belong to the first and the last. */
function requestFor(
  request: SpeechRequest,
  segments: readonly TextSegment[],
  index: number,
  mode: 'ids' | 'text' | 'none',
  done: readonly Spoken[],
  options: LongOptions,
): SpeechRequest {
  const { previous_text, next_text, previous_request_ids, next_request_ids, ...rest } = request;
  const first = index === 0 ? { previous_text, previous_request_ids } : {};
  const last = index === segments.length - 1 ? { next_text, next_request_ids } : {};
  const own = { ...rest, text: segments[index]!.text, ...first, ...last };
  if (mode === 'none') return own;
  const before = index === 0 ? undefined : tailOf(segments[index - 1]!.text);
  const after = index === segments.length - 1 ? undefined : headOf(segments[index + 1]!.text);
  const next = after === undefined ? {} : { next_text: after };
  const ids = mode === 'ids' ? freshIds(done, (options.now ?? Date.now)()) : [];
  if (ids.length > 0) return { ...own, ...next, previous_request_ids: ids };
  return before === undefined ? { ...own, ...next } : { ...own, ...next, previous_text: before };
}

/** Ids of the up to three segments just before, oldest first, unbroken. */
function freshIds(done: readonly Spoken[], now: number): string[] {
  const ids: string[] = [];
  for (const { requestId, createdAt } of done.slice(-3).reverse()) {
    if (requestId === undefined || now - createdAt > ID_LIFE_MS) break;
    ids.unshift(requestId);
  }
  return ids;
}

const tailOf = (text: string): string => text.slice(-NEIGHBOUR).replace(/^[\udc00-\udfff]/, '');
const headOf = (text: string): string => text.slice(0, NEIGHBOUR).replace(/[\ud800-\udbff]$/, '');

async function speakSegment(
  speech: AudioService['speech'],
  request: SpeechRequest,
  segment: TextSegment,
  index: number,
  format: AudioFormat,
  options: LongOptions,
): Promise<Spoken> {
  const key = segmentKey(request, options.timestamps === true);
  const make = () => takeSegment(speech, request, segment, format, options);
  return { ...(await keptOrMade(options.store, key, options.signal, make)), segment, index };
}

async function takeSegment(
  speech: AudioService['speech'],
  request: SpeechRequest,
  segment: TextSegment,
  format: AudioFormat,
  options: LongOptions,
): Promise<StoredSegment> {
  const now = options.now ?? Date.now;
  let credits: number | undefined = 0;
  let best: Pick<StoredSegment, 'audio' | 'requestId' | 'alignment'> | undefined;
  for (let take = 0; ; take++) {
    const result =
      options.timestamps === true
        ? await speech.withTimestamps(request, options)
        : { ...(await speech.create(request, options)), alignment: null };
    if (result.format !== format.name) {
      refuse('output_format', `the service gave ${result.format} instead of ${format.name}, which cannot be joined`);
    }
    credits = credits === undefined || result.credits === undefined ? undefined : credits + result.credits;
    const audio = bareSound(format, result.audio);
    const seconds = secondsOf(format, audio.length);
    const short = looksShort(segment.text, seconds, request.voice_settings?.speed);
    const { requestId, alignment } = result;
    if (best === undefined || audio.length > best.audio.length) best = { audio, requestId, alignment };
    if (short && take < (options.retakes ?? 0)) continue;
    return { ...best, credits, createdAt: now() };
  }
}

function joinSpoken(done: readonly Spoken[], format: AudioFormat, gap: Uint8Array, options: LongOptions): LongSpeech {
  const sound = new SoundJoiner(format, gap);
  const alignments: Alignment[] = [];
  const segments: LongSegment[] = [];
  for (const { segment, index, audio, requestId, credits, alignment, fromStore } of done) {
    const startSeconds = sound.add(audio);
    if (alignment !== null) {
      if (startSeconds === undefined) refuse('timestamps', `sound in ${format.name} cannot be measured`);
      alignments.push(shiftAlignment(alignment, startSeconds));
    }
    const seconds = secondsOf(format, audio.length);
    segments.push({ ...segment, index, requestId, credits: fromStore ? 0 : credits, fromStore, startSeconds, seconds });
    options.onSegment?.(segments.at(-1)!);
  }
  const unknown = segments.some(({ credits }) => credits === undefined);
  return {
    ...sound.finish(options.wav),
    segments,
    alignment: options.timestamps === true ? joinAlignments(alignments) : null,
    credits: unknown ? undefined : segments.reduce((sum, { credits }) => sum + credits!, 0),
  };
}
