import { refuse } from '../http/check.ts';
import { chooseProfile, type ProfileName, type Profiles } from '../http/profile.ts';
import { type ModelPrice, modelPrices } from './prices.ts';
import type { Effort, ThinkingConfig } from './types.ts';

/** What is known of one model. An absent field means: do not check. */
export interface ModelRules {
  readonly maxInputTokens?: number;
  readonly maxOutputTokens?: number;
  /** Cap inside batches with the long-output beta. */
  readonly maxBatchOutputTokens?: number;
  /** The last message may be an assistant turn that the model continues. */
  readonly allowPrefill?: boolean;
  readonly thinking?: readonly ThinkingConfig['type'][];
  /** Empty: the model takes no effort. */
  readonly effort?: readonly Effort[];
  readonly inferenceGeo?: boolean;
  readonly compaction?: boolean;
  /** Prefixes shorter than this are not cached, silently. */
  readonly minCacheTokens?: number;
  readonly maxImages?: number;
  /** Web tools of 2026 need `allowed_callers: ["direct"]`. */
  readonly directCallersOnly?: boolean;
  /** `false`: later models refuse `temperature`, `top_p` and `top_k`. */
  readonly sampling?: boolean;
}

/** Every way in which the dialects of the service differ. */
export interface MessagesProfile {
  readonly name: string;
  readonly toolSchemaKey: 'parameters' | 'input_schema';
  /** A named tool can only be said in object form and is, in both; `disable_parallel_tool_use` needs `object`. */
  readonly toolChoiceForm: 'string' | 'object';
  readonly effortPlacement: 'top' | 'output_config';
  /** Prefix of the version, beta and rate-limit headers. */
  readonly headerPrefix: string;
  readonly version: string;
  /** `x-api-key`, or `authorization: Bearer`. */
  readonly auth: 'x-api-key' | 'bearer';
  /** Beta name sent with file calls and messages that use a file; `false` where files are generally available. */
  readonly filesBetaHeader: string | false;
  readonly compactionBeta: string;
  readonly contextManagementBeta: string;
  readonly longOutputBeta: string;
  /** `max_tokens: 0` writes the cache and answers nothing. */
  readonly allowZeroMaxTokens: boolean;
  /** Refuse models that are not in `models`. */
  readonly knownModelsOnly: boolean;
  readonly models: Readonly<Record<string, ModelRules>>;
  /** Names of the reference → names of this service. Requests may use either, and this service's name is sent. */
  readonly modelNames: Readonly<Record<string, string>>;
  /** Models that are used where a call names none. */
  readonly defaults: DefaultModels;
  /** USD per 1M tokens, by this service's names. */
  readonly prices: Readonly<Record<string, ModelPrice>>;
}

export interface DefaultModels {
  /** Writes answers, searches as an agent, rewrites follow-up questions. */
  readonly writer: string;
  /** Scores passages. */
  readonly reranker: string;
}

const models = {
  'assistant-large-4-6': {
    maxInputTokens: 1_000_000,
    maxOutputTokens: 128_000,
    maxBatchOutputTokens: 300_000,
    thinking: ['enabled', 'adaptive', 'disabled'],
    effort: ['low', 'medium', 'high', 'max'],
    inferenceGeo: true,
    compaction: true,
    minCacheTokens: 4096,
    maxImages: 600,
  },
  'assistant-medium-4-6': {
    maxInputTokens: 1_000_000,
    maxOutputTokens: 128_000, // 64K when the reference was taken, 128K later; the service knows better which
    maxBatchOutputTokens: 300_000,
    thinking: ['enabled', 'adaptive', 'disabled'],
    effort: ['low', 'medium', 'high'],
    inferenceGeo: true,
    compaction: false,
    minCacheTokens: 2048,
    maxImages: 600,
  },
  'assistant-small-4-5': {
    maxInputTokens: 200_000,
    maxOutputTokens: 64_000,
    maxBatchOutputTokens: 64_000,
    thinking: ['enabled', 'disabled'],
    effort: [],
    inferenceGeo: false,
    compaction: false,
    minCacheTokens: 4096,
    maxImages: 100,
    directCallersOnly: true,
  },
} as const satisfies Record<string, ModelRules>;

/** The dialect of the reference document. */
export const referenceProfile: MessagesProfile = {
  name: 'reference',
  toolSchemaKey: 'parameters',
  toolChoiceForm: 'string',
  effortPlacement: 'top',
  headerPrefix: 'x-service-',
  version: '2023-06-01',
  auth: 'x-api-key',
  filesBetaHeader: 'files-api-2025-04-14',
  compactionBeta: 'compact-2026-01-12',
  contextManagementBeta: 'context-management-2025-06-27',
  longOutputBeta: 'output-300k-2026-03-24',
  allowZeroMaxTokens: false,
  knownModelsOnly: true,
  models,
  modelNames: {},
  defaults: { writer: 'assistant-medium-4-6', reranker: 'assistant-small-4-5' },
  prices: modelPrices,
};

/** What the live service calls the models of the reference: the types of its official client name them. */
const liveNames = {
  'assistant-large-4-6': 'claude-opus-4-6',
  'assistant-medium-4-6': 'claude-sonnet-4-6',
  'assistant-small-4-5': 'claude-haiku-4-5',
} as const satisfies Record<keyof typeof models, string>;
const large = liveNames['assistant-large-4-6'];
const medium = liveNames['assistant-medium-4-6'];
const small = liveNames['assistant-small-4-5'];

/** The dialect of the live service: other spellings, headers and model names, no prefill on the 4-6 models. */
export const publicProfile: MessagesProfile = {
  ...referenceProfile,
  name: 'public',
  headerPrefix: 'anthropic-',
  toolSchemaKey: 'input_schema',
  toolChoiceForm: 'object',
  effortPlacement: 'output_config',
  filesBetaHeader: false,
  allowZeroMaxTokens: true,
  knownModelsOnly: false,
  models: {
    [large]: { ...models['assistant-large-4-6'], allowPrefill: false },
    [medium]: {
      ...models['assistant-medium-4-6'],
      allowPrefill: false,
      compaction: true,
      effort: ['low', 'medium', 'high', 'max'],
      minCacheTokens: 1024,
    },
    [small]: { ...models['assistant-small-4-5'], allowPrefill: true },
  },
  modelNames: liveNames,
  defaults: { writer: medium, reranker: small },
  prices: Object.fromEntries(Object.entries(liveNames).map(([name, live]) => [live, modelPrices[name]!])),
};

const profiles: Profiles<MessagesProfile> = { reference: referenceProfile, public: publicProfile };

/** A name, or the reference dialect with some switches set; `{ ...publicProfile, … }` starts from the other. */
export type ProfileChoice = ProfileName | Partial<MessagesProfile>;

export function resolveProfile(choice?: ProfileChoice): MessagesProfile {
  const profile = chooseProfile(profiles, choice);
  if (!/^[a-z0-9-]+-$/.test(profile.headerPrefix)) {
    refuse('profile.headerPrefix', `must be lower case and end in "-", got "${profile.headerPrefix}"`);
  }
  return profile;
}

/** What this service calls a model. A name that the profile does not know is the service's own. */
export function modelName(profile: Pick<MessagesProfile, 'modelNames'>, model: string): string {
  return Object.hasOwn(profile.modelNames, model) ? profile.modelNames[model]! : model;
}

/** The row of a model in a table of the profile; a dated name (`…-20251001`) follows the model it is a snapshot of. */
function rowOf<T>(profile: MessagesProfile, table: Readonly<Record<string, T>>, model: string): T | undefined {
  const name = modelName(profile, model);
  return table[name] ?? table[name.replace(/-\d{8}$/, '')];
}

/** The rules of a model. */
export function modelRules(profile: MessagesProfile, model: string): ModelRules | undefined {
  return rowOf(profile, profile.models, model);
}
