import { objectOf } from '../../core/arguments.ts';
import { oneOf } from '../http/check.ts';
import type {
  LimitOptions,
  Operation,
  ServiceDialect,
  Transport,
  TransportOptions,
  WireCallOptions,
} from '../http/contract.ts';
import { type EndpointTable, endpoints } from '../http/endpoint.ts';
import { readConcurrencyLimits } from '../http/limit-headers.ts';
import { createTransport } from '../http/transport.ts';
import { type AccountApi, accountRows, allHistory, type ListedModel, listModels } from './account.ts';
import { type AgentsApi, agentRows } from './agents.ts';
import { type AudioContext, type AudioSettings, type AudioWarning, audioWiring } from './context.ts';
import { type DictionariesApi, dictionaryRows } from './dictionaries.ts';
import { type DubbingApi, type DubbingCalls, dubbingApi, dubbingRows } from './dubbing.ts';
import { type CreditEstimate, estimateTextCredits, type PlanName, plans } from './prices.ts';
import {
  type AlignmentApi,
  alignmentRows,
  type IsolationApi,
  isolationRows,
  type PodcastsApi,
  podcastRows,
  type VoiceChangerApi,
  type VoiceDesignApi,
  voiceChangerRows,
  voiceDesignRows,
} from './products.ts';
import { type AudioProfile, findModel, type ProfileOption, resolveProfile } from './profile.ts';
import { type MusicApi, musicRows, type SoundEffectsApi, soundEffectRows } from './sounds.ts';
import { type DialogueApi, dialogueRows, type SpeechApi, speechRows } from './spoken.ts';
import { type TranscriptsApi, transcriptRows } from './transcripts.ts';
import { allVoices, type VoicesApi, voiceRows, wholeList } from './voices.ts';
import { verifyWebhook } from './webhook.ts';

export interface AudioServiceOptions extends TransportOptions {
  /**
   * `reference`: the reference document's dialect; `public`: the compatible public one; or single rows of a profile.
   * @default reference
   */
  readonly profile?: ProfileOption | undefined;
  /**
   * The plan of the key: formats it does not hold are refused before sending, and its simultaneous requests are used.
   */
  readonly plan?: PlanName | undefined;
  /** Take the default format where the plan refuses the one asked for. @default false */
  readonly stepDown?: boolean | undefined;
  /** Told when something was done differently from what was asked, or looks wrong. */
  readonly onWarning?: ((warning: AudioWarning) => void) | undefined;
  /** Instead of one of its own; `close` closes it. */
  readonly transport?: Transport | undefined;
}

export type TokenType = 'realtime_scribe' | 'batch_scribe' | 'tts_websocket';

/** The audio service. Request and response bodies keep the wire's spelling; options and additions are camelCase. */
export interface AudioService extends AsyncDisposable {
  readonly speech: SpeechApi;
  readonly dialogue: DialogueApi;
  readonly transcripts: TranscriptsApi;
  readonly voices: VoicesApi;
  readonly account: AccountApi;
  readonly dictionaries: DictionariesApi;
  readonly soundEffects: SoundEffectsApi;
  readonly music: MusicApi;
  readonly dubbing: DubbingApi;
  readonly voiceDesign: VoiceDesignApi;
  readonly voiceChanger: VoiceChangerApi;
  readonly isolation: IsolationApi;
  readonly alignment: AlignmentApi;
  readonly podcasts: PodcastsApi;
  readonly agents: AgentsApi;
  readonly tokens: {
    /** A key for one use in a browser, good for 15 minutes. */
    create(type: TokenType, options?: WireCallOptions): Promise<{ readonly token: string }>;
  };
  models(options?: WireCallOptions): Promise<readonly ListedModel[]>;
  /** Credits a text will cost; sends nothing. */
  estimateCredits(request: {
    readonly text: string;
    readonly model_id?: string | undefined;
    readonly voiceRate?: number | undefined;
  }): CreditEstimate;
  readonly settings: AudioSettings;
  close(): Promise<void>;
}

/** The operations among the methods of the service. */
interface AudioCalls
  extends Omit<
    AudioService,
    | 'transcripts'
    | 'voices'
    | 'account'
    | 'dubbing'
    | 'estimateCredits'
    | 'settings'
    | 'close'
    | typeof Symbol.asyncDispose
  > {
  readonly transcripts: Omit<TranscriptsApi, 'verifyWebhook'>;
  readonly voices: Omit<VoicesApi, 'all'>;
  readonly account: Omit<AccountApi, 'history'> & { readonly history: Omit<AccountApi['history'], 'all'> };
  readonly dubbing: DubbingCalls;
}

const table: EndpointTable<AudioCalls, AudioContext> = endpoints<AudioCalls, AudioContext>(
  { service: 'audio', group: 'account' },
  {
    speech: speechRows,
    dialogue: dialogueRows,
    transcripts: transcriptRows,
    voices: voiceRows,
    models: { at: 'GET /v1/models', answer: listModels },
    account: accountRows,
    dictionaries: dictionaryRows,
    soundEffects: soundEffectRows,
    music: musicRows,
    dubbing: dubbingRows,
    voiceDesign: voiceDesignRows,
    voiceChanger: voiceChangerRows,
    isolation: isolationRows,
    alignment: alignmentRows,
    podcasts: podcastRows,
    agents: agentRows,
    tokens: { create: { at: 'POST /v1/single-use-token/{type}', answer: { token: 'string' } } },
  },
);

/** Every operation of the service, in the order of the reference. */
export const audioOperations: readonly Operation[] = table.operations;

/** What the transport needs to know of this service. */
export function audioDialect(profile: AudioProfile, plan?: PlanName): ServiceDialect {
  return {
    service: 'audio',
    auth: (key) => ({ [profile.keyHeader]: key }),
    requestIdHeaders: ['request-id', 'x-trace-id'],
    limits: planLimits(plan),
    readLimits: readConcurrencyLimits,
  };
}

/** Two at once where nothing is known; the service's own figure replaces that. */
function planLimits(plan: PlanName | undefined): LimitOptions {
  const known = plan === undefined ? undefined : plans[plan].concurrency;
  const of = (concurrency: number): { readonly concurrency: number } => ({ concurrency });
  return {
    speech: of(known?.standard ?? 2),
    dialogue: of(known?.standard ?? 2),
    transcripts: of(known?.transcripts ?? 2),
    ...Object.fromEntries(['dialogue-socket', 'sounds', 'music', 'dubbing', 'podcasts'].map((group) => [group, of(2)])),
  };
}

/**
 * Opens the audio service.
 * @throws WireError KEY_MISSING, UNSAFE_ADDRESS, INVALID_ARGUMENT
 */
export function createAudioService(options: AudioServiceOptions): AudioService {
  objectOf(options, 'the options');
  const { profile: profileOption, plan, stepDown = false, onWarning, transport: given, ...transportOptions } = options;
  oneOf(Object.keys(plans))('plan', plan);
  const profile = resolveProfile(profileOption);
  const transport = given ?? createTransport(audioDialect(profile, plan), transportOptions);
  const settings: AudioSettings = { profile, plan, stepDown, warn: (warning) => onWarning?.(warning) };
  const wiring = audioWiring({ ...settings, transport });
  const calls = table.client(() => wiring);
  const { voices, account, transcripts } = calls;
  return {
    ...calls,
    transcripts: { ...transcripts, verifyWebhook: (delivery) => verifyWebhook(delivery, profile.signatureHeader) },
    voices: { ...voices, list: wholeList(voices), all: allVoices(voices.search) },
    account: { ...account, history: { ...account.history, all: allHistory(account.history.list) } },
    dubbing: dubbingApi(calls.dubbing),
    estimateCredits(request) {
      const { text, model_id, voiceRate } = objectOf(request, 'the request', 'text');
      const { model } = findModel(profile, model_id ?? profile.defaultSpeechModel);
      if (model !== undefined) return estimateTextCredits(text, model, { plan, voiceRate });
      return { characters: [...text].length, credits: undefined, cost: undefined, overageUsd: undefined };
    },
    settings,
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport.close(),
  };
}
