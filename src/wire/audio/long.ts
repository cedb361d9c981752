import { mapConcurrent } from '../../core/async.ts';
import type { WireCallOptions } from '../http/contract.ts';
import type { Alignment } from './alignment.ts';
import { joinAlignments, shiftAlignment } from './alignment.ts';
import { checkRange, invalid, requireText } from './check.ts';
import type { AudioContext } from './context.ts';
import { chooseFormat, chooseModel, concatBytes } from './context.ts';
import { looksShort } from './endings.ts';
import type { AudioFormat } from './formats.ts';
import { secondsOf } from './formats.ts';
import type { SegmentStore, StoredSegment } from './long-store.ts';
import { segmentKey } from './long-store.ts';
import { bareSound, silence, wavHeader } from './pcm.ts';
import type { SpeechApi } from './speech.ts';
import type { SpeechRequest } from './speech-request.ts';
import type { TextSegment } from './split.ts';
import { splitText } from './split.ts';

export interface LongOptions extends WireCallOptions {
  /** Longest segment in UTF-16 units. @default the model's limit less the margin */
  readonly maxCharacters?: number | undefined;
  /** Share of the model's limit that is left free: what the service counts as a character is not documented. @default 0.05 */
  readonly margin?: number | undefined;
  /** Silence between segments. @default 0 */
  readonly silenceMs?: number | undefined;
  /** One RIFF header before pcm samples. @default true */
  readonly wav?: boolean | undefined;
  /** Ask for times and return one alignment of the whole. @default false */
  readonly timestamps?: boolean | undefined;
  /** How segments learn of their neighbours; `auto` takes what the model allows: ids, else texts, else nothing. @default auto */
  readonly continuity?: 'auto' | 'text' | 'none' | undefined;
  /** Segments at once where they do not wait for each other's ids. @default 2 */
  readonly concurrency?: number | undefined;
  /** Join mp3 or opus files byte by byte: most players play that, but lengths are wrong and joins are heard. @default false */
  readonly joinEncoded?: boolean | undefined;
  /** Finished segments are kept here, so that a run that was stopped (429, 402) pays for none of them twice. */
  readonly store?: SegmentStore | undefined;
  /** Times a segment that is far too short for its text is asked for again; each is billed. @default 0 */
  readonly retakes?: number | undefined;
  readonly onSegment?: ((segment: LongSegment) => void) | undefined;
  /** Milliseconds since 1970, for the age of request ids. @default Date.now */
  readonly now?: (() => number) | undefined;
}

export interface LongSegment extends TextSegment {
  readonly index: number;
  readonly requestId: string | undefined;
  /** Credits charged in this run: 0 when it came from the store, `undefined` when the service did not say. */
  readonly credits: number | undefined;
  readonly fromStore: boolean;
  /** Where its sound starts in the whole, seconds; `undefined` when the format cannot be measured. */
  readonly startSeconds: number | undefined;
  readonly seconds: number | undefined;
}

export interface LongSpeech {
  readonly audio: Uint8Array;
  /** `output_format` of the segments. */
  readonly format: string;
  readonly mediaType: string;
  readonly segments: readonly LongSegment[];
  /** With `timestamps`; times count from the start of the whole. */
  readonly alignment: Alignment | null;
  /** Sum of the segments'; `undefined` as soon as one is unknown. */
  readonly credits: number | undefined;
  readonly seconds: number | undefined;
}

/** Ids older than this are no longer known to the service. */
const ID_LIFE_MS = 2 * 60 * 60 * 1_000;
/** Characters of a neighbour that are sent along. */
const NEIGHBOUR = 1_000;

interface Spoken extends StoredSegment {
  readonly segment: TextSegment;
  readonly index: number;
  readonly fromStore: boolean;
}

/** Behind `speech.long`. */
export async function longSpeech(
  context: AudioContext,
  speech: Pick<SpeechApi, 'create' | 'withTimestamps'>,
  request: SpeechRequest,
  options: LongOptions = {},
): Promise<LongSpeech> {
  requireText('text', request.text);
  checkRange('silenceMs', options.silenceMs, 0, 60_000);
  checkRange('margin', options.margin, 0, 0.5);
  checkRange('retakes', options.retakes, 0, 10, true);
  checkRange('concurrency', options.concurrency, 1, 64, true);
  const named = chooseModel(context, request.model_id ?? context.profile.defaultSpeechModel, 'speech');
  const format = chooseFormat(context, request.output_format ?? 'pcm_24000');
  const gap = joinable(format, options);
  const segments = splitText(request.text, segmentLength(named.model?.maxCharacters, options));
  const mode = continuityOf(named.model?.continuity ?? 'none', request, options);
  const plain: SpeechRequest = { ...request, output_format: format.name };
  const done: Spoken[] = [];
  const speak = (segment: TextSegment, index: number, signal: AbortSignal | undefined): Promise<Spoken> =>
    speakSegment(speech, requestFor(plain, segments, index, mode, done, options), segment, index, format, {
      ...options,
      signal,
    });
  if (mode === 'ids') {
    for (const [index, segment] of segments.entries()) done.push(await speak(segment, index, options.signal));
  } else {
    const spoken = mapConcurrent(
      segments.map((segment, index) => ({ segment, index })),
      ({ segment, index }, signal) => speak(segment, index, signal),
      { concurrency: options.concurrency ?? 2, signal: options.signal },
    );
    for await (const item of spoken) done.push(item);
  }
  return joinSpoken(done, format, gap, options);
}

/** Silence between two segments. @throws INVALID_ARGUMENT when the format cannot be joined */
function joinable(format: AudioFormat, options: LongOptions): Uint8Array {
  const gap = silence(format, options.silenceMs ?? 0);
  if (gap !== undefined) return gap;
  if (options.joinEncoded !== true) {
    throw invalid(
      'output_format',
      `${format.name} segments do not join cleanly`,
      'Ask for pcm (the default here), or set joinEncoded.',
    );
  }
  if ((options.silenceMs ?? 0) > 0) throw invalid('silenceMs', `cannot be put between ${format.name} segments`);
  return new Uint8Array();
}

function segmentLength(limit: number | undefined, options: LongOptions): number {
  const most = limit === undefined ? 5_000 : Math.floor(limit * (1 - (options.margin ?? 0.05)));
  if (options.maxCharacters === undefined) return most;
  checkRange('maxCharacters', options.maxCharacters, 130, limit ?? Number.MAX_SAFE_INTEGER, true);
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
  speech: Pick<SpeechApi, 'create' | 'withTimestamps'>,
  request: SpeechRequest,
  segment: TextSegment,
  index: number,
  format: AudioFormat,
  options: LongOptions,
): Promise<Spoken> {
  const key = segmentKey(request, options.timestamps === true);
  const kept = await options.store?.get(key);
  if (kept !== undefined) return { ...kept, segment, index, fromStore: true };
  const now = options.now ?? Date.now;
  for (let take = 0; ; take++) {
    const result =
      options.timestamps === true
        ? await speech.withTimestamps(request, options)
        : { ...(await speech.create(request, options)), alignment: null };
    if (result.format !== format.name) {
      throw invalid(
        'output_format',
        `the service gave ${result.format} instead of ${format.name}, which cannot be joined`,
      );
    }
    const audio = bareSound(format, result.audio);
    const seconds = secondsOf(format, audio.length);
    const short = looksShort(segment.text, seconds, request.voice_settings?.speed);
    if (short && take < (options.retakes ?? 0)) continue;
    const { requestId, credits, alignment } = result;
    const stored: StoredSegment = { audio, requestId, credits, alignment, createdAt: now() };
    await options.store?.put(key, stored);
    return { ...stored, segment, index, fromStore: false };
  }
}

function joinSpoken(done: readonly Spoken[], format: AudioFormat, gap: Uint8Array, options: LongOptions): LongSpeech {
  const pieces: Uint8Array[] = [];
  const alignments: Alignment[] = [];
  const segments: LongSegment[] = [];
  let bytes = 0;
  for (const { segment, index, audio, requestId, credits, alignment, fromStore } of done) {
    if (index > 0) {
      pieces.push(gap);
      bytes += gap.length;
    }
    const startSeconds = secondsOf(format, bytes);
    if (alignment !== null) {
      if (startSeconds === undefined) throw invalid('timestamps', `sound in ${format.name} cannot be measured`);
      alignments.push(shiftAlignment(alignment, startSeconds));
    }
    pieces.push(audio);
    bytes += audio.length;
    const seconds = secondsOf(format, audio.length);
    segments.push({ ...segment, index, requestId, credits: fromStore ? 0 : credits, fromStore, startSeconds, seconds });
    options.onSegment?.(segments.at(-1)!);
  }
  const samples = format.codec === 'pcm' || format.codec === 'wav';
  const header = samples && (options.wav ?? true);
  if (header) pieces.unshift(wavHeader(format.sampleRate, bytes));
  const unknown = segments.some(({ credits }) => credits === undefined);
  return {
    audio: concatBytes(pieces),
    format: format.name,
    mediaType: header ? 'audio/wav' : samples ? 'audio/pcm' : format.mediaType,
    segments,
    alignment: options.timestamps === true ? joinAlignments(alignments) : null,
    credits: unknown ? undefined : segments.reduce((sum, { credits }) => sum + credits!, 0),
    seconds: secondsOf(format, bytes),
  };
}
