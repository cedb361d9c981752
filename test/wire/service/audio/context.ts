import { type Dialect, type Exchange, type RecordedRequest, Refusal, type Reply, type Route } from '../contract.ts';
import { Misfit } from '../shape.ts';
import type { AudioScript } from './script.ts';
import type { Transcriber } from './transcriber.ts';
import type { VoiceStore } from './voice-store.ts';

const plans = ['free', 'starter', 'creator', 'pro', 'scale', 'business', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

export interface SpeechModel {
  readonly id: string;
  readonly name: string;
  readonly maxCharacters: number;
  readonly creditsPerCharacter: number;
  readonly group: 'standard' | 'fast';
  readonly stitching: boolean;
  readonly socket: boolean;
  readonly v3: boolean;
  /** Phoneme rules have an effect. */
  readonly phonemes: boolean;
}

export interface AudioContext {
  readonly dialect: Dialect;
  /** Lower-case name of the key's header. */
  readonly keyHeader: string;
  /** Spelling of the key inside socket messages and profiles. */
  readonly bodyKey: string;
  readonly apiKeys: ReadonlySet<string>;
  readonly plan: Plan;
  readonly models: readonly SpeechModel[];
  readonly transcriptionModels: readonly string[];
  readonly realtimeModel: string;
  readonly formatPlacement: 'query' | 'body';
  readonly voices: VoiceStore;
  readonly transcriber: Transcriber;
  readonly script: AudioScript;
  /** Credits used of those the plan has. */
  readonly credits: { used: number; readonly limit: number };
  /** Generations by request id: what stitching may refer to. */
  readonly generations: Map<string, Generation>;
  readonly history: HistoryItem[];
  readonly dictionaries: Map<string, Dictionary>;
  /** Single-use tokens not yet used: token → kind and when it was made, in Unix ms. */
  readonly tokens: Map<string, { readonly kind: string; readonly madeAt: number }>;
  readonly inFlight: Record<'standard' | 'fast' | 'transcription', number>;
  /** Unix ms. */
  now(): number;
  nextId(kind: string): string;
}

export interface Generation {
  readonly madeAt: number;
  readonly model: string;
  /** The body was sent to its end. */
  complete: boolean;
  readonly logged: boolean;
}

export interface HistoryItem {
  readonly id: string;
  readonly requestId: string;
  readonly voiceId: string;
  readonly modelId: string;
  readonly text: string;
  readonly dateUnix: number;
  readonly costFrom: number;
  readonly costTo: number;
  readonly contentType: string;
  readonly audio: Uint8Array;
  readonly source: 'TTS' | 'STS' | 'Dialogue';
}

export interface Rule {
  readonly type: 'alias' | 'phoneme';
  readonly string_to_replace: string;
  readonly alias?: string;
  readonly phoneme?: string;
  readonly alphabet?: string;
}

export interface Dictionary {
  readonly id: string;
  name: string;
  readonly description: string | null;
  readonly createdAt: number;
  archived: boolean;
  /** Latest last. */
  readonly versions: { readonly id: string; readonly rules: readonly Rule[] }[];
}

const typeOfStatus: Readonly<Record<number, string>> = {
  400: 'validation_error',
  401: 'authentication_error',
  402: 'payment_required',
  403: 'authorization_error',
  404: 'not_found',
  409: 'conflict',
  429: 'rate_limit_error',
  500: 'internal_error',
  503: 'service_unavailable',
};

/** What the legacy object calls a code. */
const legacyNames: Readonly<Record<string, string>> = {
  text_too_long: 'max_character_limit_exceeded',
  voice_not_found: 'voice_does_not_exist',
  concurrent_limit_exceeded: 'too_many_concurrent_requests',
  invalid_api_key: 'needs_authorization',
  insufficient_permissions: 'missing_permissions',
};

/** The current object, or the legacy one by script. `status` may differ from `code`. */
export function refuse(
  context: AudioContext,
  status: number,
  code: string,
  message: string,
  extra: { param?: string; status?: string; legacy?: boolean } = {},
): never {
  const legacyName = extra.status ?? legacyNames[code] ?? code;
  const traceId = context.nextId('trace');
  const headers = { 'x-trace-id': traceId };
  if (context.script.legacyErrors === true || extra.legacy === true) {
    const legacyStatus = code === 'voice_not_found' ? 400 : status;
    throw new Refusal({ status: legacyStatus, headers, json: { detail: { status: legacyName, message } } });
  }
  throw new Refusal({
    status,
    headers,
    json: {
      detail: {
        type: typeOfStatus[status] ?? 'internal_error',
        code,
        message,
        status: extra.status ?? code,
        request_id: traceId,
        ...(extra.param === undefined ? {} : { param: extra.param }),
      },
    },
  });
}

/** What the harness refuses by itself. */
export function statusFailure(status: number, message: string): Reply {
  if (status === 404) return { status, json: { detail: 'Not Found' } };
  if (status === 405) return { status, json: { detail: 'Method Not Allowed' } };
  const codes: Readonly<Record<number, string>> = {
    400: 'malformed_json',
    429: 'rate_limit_exceeded',
    500: 'internal_error',
    503: 'maintenance',
  };
  const code = codes[status] ?? 'internal_error';
  return { status, json: { detail: { type: typeOfStatus[status] ?? 'internal_error', code, message, status: code } } };
}

function schemaRefusal(misfits: readonly Misfit[]): Refusal {
  return new Refusal({
    status: 422,
    json: {
      detail: misfits.map(({ kind, path, message, input, context: ctx }) => ({
        type: kind,
        loc: path,
        msg: message,
        input,
        ...(ctx === undefined ? {} : { ctx }),
      })),
    },
  });
}

function checkKey(context: AudioContext, request: RecordedRequest): void {
  const key = request.headers[context.keyHeader];
  if (key === undefined) {
    // A bearer is no key here.
    refuse(context, 401, 'missing_api_key', 'No API key was sent', { status: 'needs_authorization' });
  }
  if (!context.apiKeys.has(key))
    refuse(context, 401, 'invalid_api_key', 'Invalid API key', { status: 'invalid_api_key' });
}

export interface Operation<T> {
  /** Shape only: a misfit is a 422, before the key is looked at. */
  readonly read: (exchange: Exchange) => T;
  readonly handle: (input: T, exchange: Exchange) => Reply | Promise<Reply>;
  /** A single-use token of this kind (query `token`) does instead of the key. */
  readonly token?: string;
  readonly maxBytes?: number;
}

export function operation<T>(context: AudioContext, method: Route['method'], path: string, spec: Operation<T>): Route {
  return {
    method,
    path,
    ...(spec.maxBytes === undefined ? {} : { maxBytes: spec.maxBytes }),
    handle(exchange) {
      const input = shaped(() => spec.read(exchange));
      const token = exchange.request.query.get('token');
      if (spec.token === undefined || token === null || !useToken(context, token, spec.token))
        checkKey(context, exchange.request);
      return spec.handle(input, exchange);
    },
  };
}

function shaped<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Misfit ? schemaRefusal([error]) : error;
  }
}

/** @returns whether it was good; it is spent either way */
export function useToken(context: AudioContext, token: string, kind: string): boolean {
  const known = context.tokens.get(token);
  context.tokens.delete(token);
  return known?.kind === kind && context.now() - known.madeAt <= 15 * 60_000;
}

/** A route without a body or with nothing in it to check. */
export function plain(
  context: AudioContext,
  method: Route['method'],
  path: string,
  handle: (exchange: Exchange) => Reply | Promise<Reply>,
): Route {
  return operation(context, method, path, { read: () => undefined, handle: (_, exchange) => handle(exchange) });
}

export const atLeast = (plan: Plan, wanted: Plan): boolean => plans.indexOf(plan) >= plans.indexOf(wanted);

const limits: Readonly<Record<Plan, readonly [standard: number, fast: number, transcription: number]>> = {
  free: [2, 4, 10],
  starter: [3, 6, 15],
  creator: [5, 10, 25],
  pro: [10, 20, 50],
  scale: [15, 30, 75],
  business: [15, 30, 75],
  enterprise: [100, 200, 300],
};

export type Group = keyof AudioContext['inFlight'];

function concurrencyLimit(context: AudioContext, group: Group): number {
  return limits[context.plan][group === 'standard' ? 0 : group === 'fast' ? 1 : 2];
}

/** Counts a piece of work against the plan; refuses with 429 above it. */
export async function counted<T>(
  context: AudioContext,
  group: Group,
  work: (headers: Readonly<Record<string, string>>) => T | Promise<T>,
): Promise<T> {
  const limit = concurrencyLimit(context, group);
  if (context.inFlight[group] >= limit) {
    refuse(context, 429, 'concurrent_limit_exceeded', `Too many concurrent requests: the plan allows ${limit}`);
  }
  context.inFlight[group] += 1;
  const headers = {
    'current-concurrent-requests': String(context.inFlight[group]),
    'maximum-concurrent-requests': String(limit),
  };
  try {
    if (context.script.holdMs !== undefined) await new Promise((done) => setTimeout(done, context.script.holdMs));
    return await work(headers);
  } finally {
    context.inFlight[group] -= 1;
  }
}

/** Takes credits, or refuses when they are used up. */
export function charge(context: AudioContext, credits: number): void {
  if (context.credits.used + credits > context.credits.limit) {
    const message = `This request exceeds your quota. You have ${context.credits.limit - context.credits.used} credits remaining, while ${credits} credits are required.`;
    if (context.script.quotaStatus === 402) refuse(context, 402, 'insufficient_credits', message);
    refuse(context, 401, 'quota_exceeded', message, { legacy: true });
  }
  context.credits.used += credits;
}

export function costHeaders(context: AudioContext, credits: number): Record<string, string> {
  switch (context.script.characterCost) {
    case 'absent':
      return {};
    case 'old-name':
      return { 'x-character-count': String(credits) };
    default:
      return { 'character-cost': String(credits) };
  }
}
