import { plans } from '../../src/wire/audio/prices.ts';
import { modelPrices, priceFactors } from '../../src/wire/messages/index.ts';
import { referencePrices } from '../../src/wire/search/index.ts';

/** What the whole run may cost, in USD. Kept by one meter. */
export const budgetUsd = 0.5;

/** The models asked; other services have other names for them. */
export const model: string = process.env.IBID_LIVE_MODEL || 'assistant-small-4-5';
export const answerModel: string = process.env.IBID_LIVE_ANSWER_MODEL || 'answer-base';
export const embedder: string = process.env.IBID_LIVE_EMBEDDER || 'embed-context-v1-0.6b';

/** Longest answer, in tokens. */
export const maxTokens = 400;
export const passages = 4;
/** All documents together are far below this. */
const DOCUMENT_TOKENS = 3000;
const PROMPT_TOKENS = 3000;

/** One sentence, spoken by the service and heard by it again. */
export const spoken = 'The lamp of Skerry Point burns rapeseed oil.';
/** Its sound lasts a few seconds; billed is perhaps a whole minute. */
const HEARD_MINUTES = 1;
/** Above what the wire reference knows of any plan. */
const USD_PER_HOUR_HEARD = 1;

/** What the environment must say before anything is sent. */
export const yes = 'IBID_LIVE=yes';

export function isAgreed(): boolean {
  return process.env.IBID_LIVE === 'yes';
}

export type Part =
  | 'embeddings'
  | 'web search'
  | 'grounded'
  | 'agent'
  | 'answer'
  | 'research'
  | 'batch'
  | 'speech'
  | 'transcript';

type KeyName = 'SEARCH' | 'MESSAGES' | 'AUDIO';

/** The service whose key each part needs. */
export const serviceOf: Readonly<Record<Part, KeyName>> = {
  embeddings: 'SEARCH',
  'web search': 'SEARCH',
  grounded: 'MESSAGES',
  agent: 'MESSAGES',
  answer: 'SEARCH',
  research: 'SEARCH',
  batch: 'MESSAGES',
  speech: 'AUDIO',
  transcript: 'AUDIO',
};

/** The most each part should cost, from the price lists. A model that is in none is reckoned as the dearest. */
export function plan(): Readonly<Record<Part, number>> {
  const dearest = modelPrices['assistant-large-4-6']!;
  const { input, output } = modelPrices[model] ?? dearest;
  const call = (tokens: number): number => (tokens * input * priceFactors.cacheWrite5m + maxTokens * output) / 1e6;
  const answer = referencePrices.answers[answerModel] ?? referencePrices.answers['answer-pro']!;
  return {
    embeddings: (10 * DOCUMENT_TOKENS * (referencePrices.embeddings[embedder] ?? 0.05)) / 1e6,
    'web search': 2 * referencePrices.search,
    grounded: call(DOCUMENT_TOKENS + PROMPT_TOKENS),
    agent: 3 * call(2 * DOCUMENT_TOKENS + PROMPT_TOKENS),
    answer: (PROMPT_TOKENS * answer.inputPerMillion + maxTokens * answer.outputPerMillion) / 1e6 + 0.006,
    // the service's choice of model, its prices in no list: as dear as the dearest, with pages of the web to read
    research:
      2 *
      (Object.values(referencePrices.tools).reduce((sum, usd) => sum + usd) +
        (20_000 * dearest.input + maxTokens * dearest.output) / 1e6),
    batch: 2 * call(DOCUMENT_TOKENS + PROMPT_TOKENS) * priceFactors.batch,
    speech: (spoken.length / 1000) * plans.creator.overageUsdPer1000!,
    transcript: (HEARD_MINUTES / 60) * USD_PER_HOUR_HEARD,
  };
}

/** What the environment gives keys for, and why the rest is left out. */
export function missing(...services: readonly KeyName[]): string | undefined {
  const without = services.filter((name) => (process.env[`IBID_${name}_API_KEY`] ?? '').trim() === '');
  return without.length === 0 ? undefined : without.map((name) => `IBID_${name}_API_KEY`).join(' and ');
}
