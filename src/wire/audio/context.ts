import { IbidError } from '../../core/errors.ts';
import { refuse } from '../http/check.ts';
import type { Call, Reply, ReplyInfo, Transport } from '../http/contract.ts';
import { type Cost, costOf } from '../http/cost.ts';
import type { Rows, Sent, Wiring } from '../http/endpoint.ts';
import { type AudioFormat, defaultFormat, formatAllowed, parseFormat } from './formats.ts';
import type { ModelJob } from './models.ts';
import { chargedCredits, type PlanName } from './prices.ts';
import { type AudioProfile, findModel, type NamedModel, wireModel } from './profile.ts';

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

/** Operations as a table, their requests spelt by the context. */
export type AudioRows<Api> = Rows<Api, AudioContext>;
export type AudioSent = Sent<AudioContext>;

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

/** A JSON answer with what was known beside it. */
export type WithInfo<T> = T & { readonly info: AudioInfo };
export type Answer<T> = Promise<WithInfo<T>>;

export function infoOf(profile: AudioProfile, reply: ReplyInfo): AudioInfo {
  const { status, headers, attempts, elapsedMs } = reply;
  const requestId = headers['request-id']; // the id of the trace continues nothing
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
    refuse('model_id', `"${name}" does not do ${job}`, `One of ${fitting.map(([id]) => id).join(', ')} does.`);
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

/** A request with its format and its model in the service's spelling. */
export function withFormat(
  context: AudioContext,
  name: string | undefined,
  body: { readonly model_id?: string | undefined },
): { readonly format: AudioFormat; readonly call: Call } {
  const format = chooseFormat(context, name);
  const json = { ...body, model_id: wireModel(context.profile, body.model_id) };
  return {
    format,
    call: place(context.profile, { output_format: name === undefined ? undefined : format.name }, json),
  };
}

/** The wiring of the table: every JSON answer gets what was known beside it. */
export function audioWiring(context: AudioContext): Wiring<AudioContext> {
  const finish = (body: object, reply: Reply<unknown>): object => withInfo(context, reply, body);
  return { transport: context.transport, profile: context, finish };
}

export function withInfo<T extends object>(context: AudioContext, reply: ReplyInfo, body: T): WithInfo<T> {
  return Object.assign(body, { info: infoOf(context.profile, reply) });
}
