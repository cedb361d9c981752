/** Which operation takes a model. */
export type ModelKind = 'answer' | 'embedding' | 'contextual';

/** One model of the service. `name` is the reference's word; `wireName` is what the profile's service calls it. */
export interface SearchModel {
  readonly name: string;
  readonly wireName: string;
  readonly kind: ModelKind;
  /**
   * Tokens an answer model can see, or an embedding model takes per text (per document for contextual ones; "32K" read
   * strictly).
   */
  readonly contextTokens: number;
  /** Answer models: writes its reasoning inline, in front of the answer. */
  readonly reasons?: boolean;
  /** Answer models: works for minutes with dozens of searches; billed while it works. */
  readonly deep?: boolean;
  /** Embedding models: components of a full vector. */
  readonly dimensions?: number;
}

const small = { contextTokens: 32_000, dimensions: 1024 };
const large = { contextTokens: 32_000, dimensions: 2560 };

/** The models, each with its name at the compatible public service. */
const rows: readonly (Omit<SearchModel, 'wireName'> & { readonly publicName: string })[] = [
  { name: 'answer-base', publicName: 'sonar', kind: 'answer', contextTokens: 127_000 },
  { name: 'answer-pro', publicName: 'sonar-pro', kind: 'answer', contextTokens: 200_000 },
  {
    name: 'answer-reasoning-pro',
    publicName: 'sonar-reasoning-pro',
    kind: 'answer',
    contextTokens: 128_000,
    reasons: true,
  },
  {
    name: 'answer-deep-research',
    publicName: 'sonar-deep-research',
    kind: 'answer',
    contextTokens: 128_000,
    reasons: true,
    deep: true,
  },
  { name: 'embed-v1-0.6b', publicName: 'pplx-embed-v1-0.6b', kind: 'embedding', ...small },
  { name: 'embed-v1-4b', publicName: 'pplx-embed-v1-4b', kind: 'embedding', ...large },
  { name: 'embed-context-v1-0.6b', publicName: 'pplx-embed-context-v1-0.6b', kind: 'contextual', ...small },
  { name: 'embed-context-v1-4b', publicName: 'pplx-embed-context-v1-4b', kind: 'contextual', ...large },
];

/**
 * The models of the reference document. Two answer identifiers are not shown there; their names follow the others'
 * pattern.
 */
export const referenceModels: readonly SearchModel[] = rows.map(({ publicName: _, ...model }) => ({
  ...model,
  wireName: model.name,
}));

/** The same models of the compatible public service. */
export const publicModels: readonly SearchModel[] = rows.map(({ publicName, ...model }) => ({
  ...model,
  wireName: publicName,
}));

/** A model by either of its names; `undefined` when the profile does not list it for this operation. */
export function findModel(models: readonly SearchModel[], kind: ModelKind, name: string): SearchModel | undefined {
  return models.find((model) => model.kind === kind && (model.name === name || model.wireName === name));
}

/**
 * Presets of the research operation, shallow to thorough, with the steps the reference names (a lower bound for the
 * last two).
 */
export const presetSteps: Readonly<Record<string, number>> = {
  'fast-search': 1,
  'pro-search': 3,
  'deep-research': 10,
  'advanced-deep-research': 20,
};
