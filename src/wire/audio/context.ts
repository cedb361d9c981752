import { IbidError } from '../../core/errors.ts';
import type { Call, Operation, Reply, ReplyInfo, StreamReply, Transport, WireCallOptions } from '../http/contract.ts';
import type { Cost } from '../http/cost.ts';
import { costOf } from '../http/cost.ts';
import { badAnswer, invalid } from './check.ts';
import type { AudioFormat } from './formats.ts';
import { defaultFormat, formatAllowed, parseFormat } from './formats.ts';
import type { ModelJob } from './models.ts';
import type { PlanName } from './prices.ts';
import { chargedCredits } from './prices.ts';
import type { AudioProfile, NamedModel } from './profile.ts';
import { findModel } from './profile.ts';

/** Something that was done differently from what was asked, or that looks wrong though it is allowed. */
export interface AudioWarning {
  readonly code: 'STABILITY_SNAPPED' | 'FORMAT_STEPPED_DOWN' | 'LANGUAGE_DROPPED' | 'MODEL_DEPRECATED' | 'AUDIO_SHORT';
  readonly message: string;
}

/** How the service was opened. */
export interface AudioSettings {
  readonly profile: AudioProfile;
  readonly plan: PlanName | undefined;
  /** A format the plan does not hold becomes the default one instead of an error. */
  readonly stepDown: boolean;
  readonly warn: (warning: AudioWarning) => void;
}

/** What every part of the service works with. */
export interface AudioContext extends AudioSettings {
  readonly transport: Transport;
}

/** What the service said beside the body. */
export interface AudioInfo {
  readonly status: number;
  /** The id that continuity fields take; `undefined` when the service sent none. */
  readonly requestId: string | undefined;
  /** Credits charged; `undefined` is unknown, not free. */
  readonly credits: number | undefined;
  /** The same as a `Cost`, to be summed with others; `undefined` when unknown. */
  readonly cost: Cost | undefined;
  readonly attempts: number;
  readonly elapsedMs: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface AudioResult extends AudioInfo {
  readonly audio: Uint8Array;
  /** `output_format` that was asked for in the end. */
  readonly format: string;
  /** Derived from the format: the service declares `audio/mpeg` for everything. */
  readonly mediaType: string;
}

/** Audio as it is made. Chunk edges are arbitrary: they may lie inside an MP3 frame or a 16-bit sample. */
export interface AudioStream extends AudioInfo, AsyncIterable<Uint8Array> {
  readonly format: string;
  readonly mediaType: string;
  /** Ends the connection without reading on. */
  cancel(): Promise<void>;
}

/** A JSON answer with what was known beside it. */
export type WithInfo<T> = T & { readonly info: AudioInfo };

export function infoOf(profile: AudioProfile, reply: ReplyInfo): AudioInfo {
  const { status, headers, attempts, elapsedMs } = reply;
  const requestId = headers['request-id'] ?? reply.requestId;
  const credits = chargedCredits(headers, profile.costHeaders);
  const cost = credits === undefined ? undefined : costOf([{ name: 'audio', credits }], 'service');
  return { status, requestId, credits, cost, attempts, elapsedMs, headers };
}

/** The format after the plan had its say. @throws IbidError PERMISSION_DENIED when the plan does not hold it */
export function chooseFormat(context: AudioSettings, name: string = defaultFormat): AudioFormat {
  const format = parseFormat(name, context.profile.extraFormats);
  if (context.plan === undefined || formatAllowed(name, context.plan)) return format;
  if (!context.stepDown) {
    throw new IbidError('PERMISSION_DENIED', `output_format: "${name}" is not in the plan "${context.plan}"`, {
      hint: `Ask for ${defaultFormat}, take a larger plan, or set stepDown to fall back by itself.`,
    });
  }
  context.warn({
    code: 'FORMAT_STEPPED_DOWN',
    message: `${name} is not in the plan "${context.plan}"; ${defaultFormat} is used`,
  });
  return parseFormat(defaultFormat);
}

/** Looks the model up and checks that it does the job. @throws IbidError INVALID_ARGUMENT */
export function chooseModel(context: AudioSettings, name: string, job: ModelJob): NamedModel {
  const named = findModel(context.profile, name);
  const { model } = named;
  if (model === undefined) return named;
  if (!model.jobs.includes(job)) {
    const fitting = Object.entries(context.profile.models).filter(([, row]) => row.jobs.includes(job));
    throw invalid('model_id', `"${name}" does not do ${job}`, `One of ${fitting.map(([id]) => id).join(', ')} does.`);
  }
  if (model.deprecated && context.profile.warnDeprecated) {
    context.warn({ code: 'MODEL_DEPRECATED', message: `${name} is deprecated` });
  }
  return named;
}

/** `output_format` and `enable_logging` in the dialect's place. */
export function place(
  profile: AudioProfile,
  fields: { readonly output_format?: string | undefined; readonly enable_logging?: boolean | undefined },
  body: Readonly<Record<string, unknown>>,
  query: Call['query'] = {},
): Pick<Call, 'query' | 'json'> {
  return profile.placement === 'query'
    ? { query: { ...query, ...fields }, json: body }
    : { query, json: { ...body, ...fields } };
}

const looksLikeJson = (bytes: Uint8Array): boolean => {
  let i = 0;
  while (i < bytes.length && i < 64 && (bytes[i] === 0x20 || bytes[i] === 0x0a || bytes[i] === 0x0d)) i++;
  if (bytes[i] !== 0x7b) return false;
  return /^\{\s*"[a-z_]+"\s*:/i.test(new TextDecoder().decode(bytes.subarray(i, i + 80)));
};

const notAudio = (operation: Operation, what: string): IbidError =>
  badAnswer(operation, `${what} where audio was expected`, 'The service answered 200 without sound.');

/** Passes the chunks of an audio body on, and refuses an empty or a JSON one. @param ended told the size at the end */
export async function* soundOnly(
  operation: Operation,
  reply: StreamReply<Uint8Array>,
  ended?: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const type = reply.headers['content-type'] ?? '';
  let bytes = 0;
  if (/\bjson\b|text\/html/i.test(type)) {
    await reply.cancel();
    throw notAudio(operation, `a body of type ${type.split(';')[0]}`);
  }
  for await (const chunk of reply) {
    if (chunk.length === 0) continue;
    if (bytes === 0 && looksLikeJson(chunk)) throw notAudio(operation, 'a JSON body');
    bytes += chunk.length;
    yield chunk;
  }
  if (bytes === 0) throw notAudio(operation, 'an empty body');
  ended?.(bytes);
}

export function concatBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}

/** Sends, reads the sound to its end, and checks that it is sound. */
export async function readAudio(
  context: AudioContext,
  operation: Operation,
  call: Call,
): Promise<Omit<AudioResult, 'format' | 'mediaType'>> {
  const reply = await context.transport.bytes(operation, call);
  const chunks: Uint8Array[] = [];
  for await (const chunk of soundOnly(operation, reply)) chunks.push(chunk);
  return { ...infoOf(context.profile, reply), audio: concatBytes(chunks) };
}

/** Sends and hands the sound on as it comes. */
export async function streamAudio(
  context: AudioContext,
  operation: Operation,
  call: Call,
  format: Pick<AudioFormat, 'name' | 'mediaType'>,
  ended?: (bytes: number) => void,
): Promise<AudioStream> {
  const reply = await context.transport.bytes(operation, call);
  return {
    ...infoOf(context.profile, reply),
    format: format.name,
    mediaType: format.mediaType,
    cancel: () => reply.cancel(),
    [Symbol.asyncIterator]: () => soundOnly(operation, reply, ended),
  };
}

/** Options of a call without the entries that are this room's own. */
export function callOptions(options: WireCallOptions | undefined): Pick<Call, 'options'> {
  return options === undefined ? {} : { options };
}

export function withInfo<T extends object>(context: AudioContext, reply: Reply<unknown>, body: T): WithInfo<T> {
  return Object.assign(body, { info: infoOf(context.profile, reply) });
}
