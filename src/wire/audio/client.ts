import type { LimitOptions, ServiceDialect, Transport, TransportOptions, WireCallOptions } from '../http/contract.ts';
import { readConcurrencyLimits } from '../http/limit-headers.ts';
import { createTransport } from '../http/transport.ts';
import type { AccountApi, ListedModel } from './account.ts';
import { accountApi, listModels } from './account.ts';
import type { AgentsApi } from './agents.ts';
import { agentsApi } from './agents.ts';
import { checkChoice, requireText, shaped } from './check.ts';
import type { AudioContext, AudioSettings, AudioWarning } from './context.ts';
import type { DialogueApi } from './dialogue.ts';
import { dialogueApi } from './dialogue.ts';
import type { DictionariesApi } from './dictionaries.ts';
import { dictionariesApi } from './dictionaries.ts';
import type { DubbingApi } from './dubbing.ts';
import { dubbingApi } from './dubbing.ts';
import { audioOperations as operations } from './operations.ts';
import type { CreditEstimate, PlanName } from './prices.ts';
import { estimateTextCredits, plans } from './prices.ts';
import type { AlignmentApi, IsolationApi, PodcastsApi, VoiceChangerApi, VoiceDesignApi } from './products.ts';
import { alignmentApi, isolationApi, podcastsApi, voiceChangerApi, voiceDesignApi } from './products.ts';
import type { AudioProfile, ProfileOption } from './profile.ts';
import { findModel, resolveProfile } from './profile.ts';
import type { MusicApi, SoundEffectsApi } from './sounds.ts';
import { musicApi, soundEffectsApi } from './sounds.ts';
import type { SpeechApi } from './speech.ts';
import { speechApi } from './speech.ts';
import type { TranscriptsApi } from './transcripts.ts';
import { transcriptsApi } from './transcripts.ts';
import type { VoicesApi } from './voices.ts';
import { voicesApi } from './voices.ts';

export interface AudioServiceOptions extends TransportOptions {
  /** `reference`: the reference document's dialect; `public`: the compatible public one; or single rows of a profile. @default reference */
  readonly profile?: ProfileOption | undefined;
  /** The plan of the key: formats it does not hold are refused before sending, and its simultaneous requests are used. */
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
  models(options?: WireCallOptions): Promise<ListedModel[]>;
  /** Credits a text will cost; sends nothing. */
  estimateCredits(request: {
    readonly text: string;
    readonly model_id?: string | undefined;
    readonly voiceRate?: number | undefined;
  }): CreditEstimate;
  readonly settings: AudioSettings;
  close(): Promise<void>;
}

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
  const { profile: profileOption, plan, stepDown = false, onWarning, transport: given, ...transportOptions } = options;
  checkChoice('plan', plan, Object.keys(plans));
  const profile = resolveProfile(profileOption);
  const transport = given ?? createTransport(audioDialect(profile, plan), transportOptions);
  const settings: AudioSettings = { profile, plan, stepDown, warn: (warning) => onWarning?.(warning) };
  const context: AudioContext = { ...settings, transport };
  return {
    speech: speechApi(context),
    dialogue: dialogueApi(context),
    transcripts: transcriptsApi(context),
    voices: voicesApi(context),
    account: accountApi(context),
    dictionaries: dictionariesApi(context),
    soundEffects: soundEffectsApi(context),
    music: musicApi(context),
    dubbing: dubbingApi(context),
    voiceDesign: voiceDesignApi(context),
    voiceChanger: voiceChangerApi(context),
    isolation: isolationApi(context),
    alignment: alignmentApi(context),
    podcasts: podcastsApi(context),
    agents: agentsApi(context),
    tokens: {
      async create(type, callOptions) {
        checkChoice('type', type, ['realtime_scribe', 'batch_scribe', 'tts_websocket']);
        requireText('type', type);
        const reply = await transport.json(operations.singleUseToken, { path: { type }, options: callOptions });
        return { token: shaped<{ token: string }>(reply.body, operations.singleUseToken, { token: 'string' }).token };
      },
    },
    models: (callOptions) => listModels(context, callOptions),
    estimateCredits({ text, model_id, voiceRate }) {
      const { model } = findModel(profile, model_id ?? profile.defaultSpeechModel);
      if (model === undefined)
        return { characters: [...text].length, credits: undefined, cost: undefined, overageUsd: undefined };
      return estimateTextCredits(text, model, { plan, voiceRate });
    },
    settings,
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport.close(),
  };
}
