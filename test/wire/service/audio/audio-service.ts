import type { Dialect, WireService } from '../contract.ts';
import { accountRoutes } from './account.ts';
import { agentRoutes } from './agents.ts';
import { type AudioContext, type Plan, type SpeechModel, statusFailure } from './context.ts';
import { dialogueRoutes } from './dialogue.ts';
import { dialogueSockets } from './dialogue-socket.ts';
import { dictionaryRoutes } from './dictionaries.ts';
import { dubbingRoutes } from './dubbing.ts';
import { musicRoutes } from './music.ts';
import { realtimeSockets } from './realtime.ts';
import type { AudioScript } from './script.ts';
import { speechRoutes } from './speech.ts';
import { speechSockets } from './speech-socket.ts';
import { studioRoutes } from './studio.ts';
import { transcriptionRoutes } from './transcribe.ts';
import { readingTranscriber, type Transcriber } from './transcriber.ts';
import { defaultShared, defaultVoices, VoiceStore } from './voice-store.ts';
import { voiceRoutes } from './voices.ts';

export interface AudioServiceOptions {
  /** @default reference */
  readonly dialect?: Dialect | undefined;
  /** Header of the key. @default x-audio-api-key */
  readonly keyHeader?: string | undefined;
  /** Spelling of the key in bodies. @default x_audio_api_key */
  readonly bodyKey?: string | undefined;
  /** @default ['test-audio-key'] */
  readonly apiKeys?: readonly string[] | undefined;
  /** Decides formats, concurrency, cloning, logging. @default pro */
  readonly plan?: Plan | undefined;
  /** Credits of the plan. @default 500,000 */
  readonly credits?: number | undefined;
  /** @default the models of the reference */
  readonly models?: readonly SpeechModel[] | undefined;
  /** Newest first; only the first takes key terms. @default scribe_v2, scribe_v1 */
  readonly transcriptionModels?: readonly string[] | undefined;
  /** Where `output_format` and `enable_logging` stand. @default query */
  readonly formatPlacement?: 'query' | 'body' | undefined;
  readonly transcriber?: Transcriber | undefined;
  readonly script?: AudioScript | undefined;
  /** Unix milliseconds. @default Date.now */
  readonly now?: (() => number) | undefined;
}

export interface AudioService extends WireService {
  /** Misbehaviour in force; set its fields at any time. */
  readonly script: AudioScript;
  readonly credits: AudioContext['credits'];
  readonly generations: AudioContext['generations'];
}

function model(
  id: string,
  maxCharacters: number,
  group: SpeechModel['group'],
  traits: Partial<SpeechModel> = {},
): SpeechModel {
  return {
    id,
    name: id.replaceAll('_', ' '),
    maxCharacters,
    creditsPerCharacter: group === 'fast' ? 0.5 : 1,
    group,
    stitching: true,
    socket: true,
    v3: false,
    phonemes: false,
    ...traits,
  };
}

const v3 = { stitching: false, socket: false, v3: true, phonemes: true };

export const defaultSpeechModels: readonly SpeechModel[] = [
  model('voice_v3', 5_000, 'standard', v3),
  model('voice_multilingual_v2', 10_000, 'standard'),
  model('voice_flash_v2_5', 40_000, 'fast'),
  model('voice_turbo_v2_5', 40_000, 'fast'),
  model('voice_flash_v2', 30_000, 'fast', { phonemes: true }),
  model('voice_turbo_v2', 30_000, 'fast', { phonemes: true }),
  model('voice_monolingual_v1', 10_000, 'standard'),
];

/** Speech, dialogue, transcription, voices and the rest, strict in what they take and scripted in what they give. */
export function audioService(options: AudioServiceOptions = {}): AudioService {
  const counters = new Map<string, number>();
  const script = options.script ?? {};
  const keyHeader = (options.keyHeader ?? 'x-audio-api-key').toLowerCase();
  const context: AudioContext = {
    dialect: options.dialect ?? 'reference',
    keyHeader,
    bodyKey: options.bodyKey ?? 'x_audio_api_key',
    apiKeys: new Set(options.apiKeys ?? ['test-audio-key']),
    plan: options.plan ?? 'pro',
    models: options.models ?? defaultSpeechModels,
    transcriptionModels: options.transcriptionModels ?? ['scribe_v2', 'scribe_v1'],
    realtimeModel: 'scribe_v2_realtime',
    formatPlacement: options.formatPlacement ?? 'query',
    voices: new VoiceStore(defaultVoices, defaultShared),
    transcriber: options.transcriber ?? readingTranscriber,
    script,
    credits: { used: 0, limit: options.credits ?? 500_000 },
    generations: new Map(),
    history: [],
    dictionaries: new Map(),
    tokens: new Map(),
    inFlight: { standard: 0, fast: 0, transcription: 0 },
    now: options.now ?? Date.now,
    nextId(kind) {
      const count = (counters.get(kind) ?? 0) + 1;
      counters.set(kind, count);
      return `${kind}_${count}`;
    },
  };
  return {
    name: 'audio',
    script,
    credits: context.credits,
    generations: context.generations,
    routes: [
      ...speechRoutes(context),
      ...dialogueRoutes(context),
      ...transcriptionRoutes(context),
      ...voiceRoutes(context),
      ...accountRoutes(context),
      ...dictionaryRoutes(context),
      ...studioRoutes(context),
      ...musicRoutes(context),
      ...dubbingRoutes(context),
      ...agentRoutes(context),
    ],
    sockets: [...speechSockets(context), ...dialogueSockets(context), ...realtimeSockets(context)],
    claims: (headers) => (headers[keyHeader] === undefined ? 0 : 2),
    fail: (status, message) => statusFailure(status, message),
    headers: (_, { status = 200 }) => ({
      'x-region': 'test',
      ...(status < 400 ? { 'x-trace-id': context.nextId('trace') } : {}),
    }),
  };
}
