/** Which operation takes a model. */
export type ModelKind = 'answer' | 'embedding' | 'contextual';

/** One model of the service. `name` is the reference's word; `wireName` is what the profile's service calls it. */
export interface SearchModel {
  readonly name: string;
  readonly wireName: string;
  readonly kind: ModelKind;
  /** Tokens an answer model can see, or an embedding model takes per text (per document for contextual ones; "32K" read strictly). */
  readonly contextTokens: number;
  /** Answer models: writes its reasoning inline, in front of the answer. */
  readonly reasons?: boolean;
  /** Answer models: works for minutes with dozens of searches; billed while it works. */
  readonly deep?: boolean;
  /** Embedding models: components of a full vector. */
  readonly dimensions?: number;
}

/** The models of the reference document. Two answer identifiers are not shown there; their names follow the others' pattern. */
export const referenceModels: readonly SearchModel[] = [
  { name: 'answer-base', wireName: 'answer-base', kind: 'answer', contextTokens: 127_000 },
  { name: 'answer-pro', wireName: 'answer-pro', kind: 'answer', contextTokens: 200_000 },
  {
    name: 'answer-reasoning-pro',
    wireName: 'answer-reasoning-pro',
    kind: 'answer',
    contextTokens: 128_000,
    reasons: true,
  },
  {
    name: 'answer-deep-research',
    wireName: 'answer-deep-research',
    kind: 'answer',
    contextTokens: 128_000,
    reasons: true,
    deep: true,
  },
  {
    name: 'embed-v1-0.6b',
    wireName: 'embed-v1-0.6b',
    kind: 'embedding',
    contextTokens: 32_000,
    dimensions: 1024,
  },
  { name: 'embed-v1-4b', wireName: 'embed-v1-4b', kind: 'embedding', contextTokens: 32_000, dimensions: 2560 },
  {
    name: 'embed-context-v1-0.6b',
    wireName: 'embed-context-v1-0.6b',
    kind: 'contextual',
    contextTokens: 32_000,
    dimensions: 1024,
  },
  {
    name: 'embed-context-v1-4b',
    wireName: 'embed-context-v1-4b',
    kind: 'contextual',
    contextTokens: 32_000,
    dimensions: 2560,
  },
];

/** Names of the compatible public service, by the reference's names. */
const publicNames: Readonly<Record<string, string>> = {
  'answer-base': 'sonar',
  'answer-pro': 'sonar-pro',
  'answer-reasoning-pro': 'sonar-reasoning-pro',
  'answer-deep-research': 'sonar-deep-research',
  'embed-v1-0.6b': 'pplx-embed-v1-0.6b',
  'embed-v1-4b': 'pplx-embed-v1-4b',
  'embed-context-v1-0.6b': 'pplx-embed-context-v1-0.6b',
  'embed-context-v1-4b': 'pplx-embed-context-v1-4b',
};

export const publicModels: readonly SearchModel[] = referenceModels.map((model) => ({
  ...model,
  wireName: publicNames[model.name] ?? model.name,
}));

/** A model by either of its names; `undefined` when the profile does not list it for this operation. */
export function findModel(models: readonly SearchModel[], kind: ModelKind, name: string): SearchModel | undefined {
  return models.find((model) => model.kind === kind && (model.name === name || model.wireName === name));
}

/** Presets of the research operation, shallow to thorough, with the steps the reference names (a lower bound for the last two). */
export const presetSteps: Readonly<Record<string, number>> = {
  'fast-search': 1,
  'pro-search': 3,
  'deep-research': 10,
  'advanced-deep-research': 20,
};
