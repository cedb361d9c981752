import { publicModels, type SearchModel, seedModels } from './models.ts';
import { type PriceTable, publicPrices, seedPrices } from './prices.ts';

/** Which of two spellings a request body uses where they differ; a body never holds both. */
export type SearchDialect = 'seed' | 'public';

/** Paths below the base address; `{…}` is filled in per call. */
export interface SearchPaths {
  readonly answers: string;
  readonly asyncAnswers: string;
  readonly research: string;
  readonly search: string;
  readonly embeddings: string;
  readonly contextualEmbeddings: string;
  readonly models: string;
  readonly sandbox: string;
}

/** Everything in which one compatible service may differ from another. Configuration only: no code depends on which one it is. */
export interface SearchProfile {
  readonly dialect: SearchDialect;
  readonly paths: SearchPaths;
  /** The header that carries the key, and what stands before the key in it. */
  readonly keyHeader: { readonly name: string; readonly prefix: string };
  readonly models: readonly SearchModel[];
  readonly prices: PriceTable;
}

const paths: SearchPaths = {
  answers: '/chat/completions',
  asyncAnswers: '/async/chat/completions',
  research: '/v1/responses',
  search: '/search',
  embeddings: '/v1/embeddings',
  contextualEmbeddings: '/v1/contextualizedembeddings',
  models: '/v1/models',
  sandbox: '/v1/sandbox/sessions',
};

const keyHeader = { name: 'authorization', prefix: 'Bearer ' };

/** The reference document's service. */
export const seedProfile: SearchProfile = { dialect: 'seed', paths, keyHeader, models: seedModels, prices: seedPrices };

/** The compatible public service. */
export const publicProfile: SearchProfile = {
  dialect: 'public',
  paths,
  keyHeader,
  models: publicModels,
  prices: publicPrices,
};

/** A partial profile changes the seed profile, or the public one when its `dialect` says so; paths may be given one by one. */
export type SearchProfileOption =
  | SearchDialect
  | (Partial<Omit<SearchProfile, 'paths'>> & { readonly paths?: Partial<SearchPaths> });

export function resolveProfile(profile: SearchProfileOption = 'seed'): SearchProfile {
  if (profile === 'seed') return seedProfile;
  if (profile === 'public') return publicProfile;
  const base = profile.dialect === 'public' ? publicProfile : seedProfile;
  return { ...base, ...profile, paths: { ...base.paths, ...profile.paths } };
}
