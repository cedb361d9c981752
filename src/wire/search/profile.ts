import { chooseProfile, type ProfileName, type Profiles } from '../http/profile.ts';
import { publicModels, referenceModels, type SearchModel } from './models.ts';
import { type PriceTable, publicPrices, referencePrices } from './prices.ts';

/** Which of two spellings a request body uses where they differ; a body never holds both. */
export type SearchDialect = ProfileName;

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

/**
 * Everything in which one compatible service may differ from another. Configuration only: no code depends on which one
 * it is.
 */
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
export const referenceProfile: SearchProfile = {
  dialect: 'reference',
  paths,
  keyHeader,
  models: referenceModels,
  prices: referencePrices,
};

/** The compatible public service. */
export const publicProfile: SearchProfile = {
  dialect: 'public',
  paths,
  keyHeader,
  models: publicModels,
  prices: publicPrices,
};

const searchProfiles: Profiles<SearchProfile> = { reference: referenceProfile, public: publicProfile };

/**
 * A partial profile changes the reference profile, or the public one when its `dialect` says so; paths may be given one
 * by one.
 */
export type SearchProfileOption =
  | SearchDialect
  | (Partial<Omit<SearchProfile, 'paths'>> & { readonly paths?: Partial<SearchPaths> });

export function resolveProfile(profile?: SearchProfileOption): SearchProfile {
  const base = typeof profile === 'object' && profile.dialect === 'public' ? publicProfile : referenceProfile;
  const choice = profile as ProfileName | Partial<SearchProfile> | undefined; // single paths are merged
  return chooseProfile(searchProfiles, choice, ['paths'], base);
}
