import { IbidError } from '../../core/errors.ts';
import { type Cost, costOf } from '../http/cost.ts';
import { type AudioModel, countCharacters } from './models.ts';

export type PlanName = 'free' | 'starter' | 'creator' | 'pro' | 'scale' | 'business' | 'enterprise';

/** A row of the plan table; `undefined` is "not given". */
export interface Plan {
  readonly usdPerMonth: number | undefined;
  readonly creditsPerMonth: number | undefined;
  /** USD per 1,000 characters beyond the quota. */
  readonly overageUsdPer1000: number | undefined;
  /** Simultaneous requests per model family. */
  readonly concurrency: { readonly standard: number; readonly fast: number; readonly transcripts: number } | undefined;
}

const at = (standard: number, fast: number, transcripts: number): Plan['concurrency'] => ({
  standard,
  fast,
  transcripts,
});

/**
 * Prices and quotas of the reference document; Creator's price and the simultaneous requests are of the wire reference.
 */
export const plans: Readonly<Record<PlanName, Plan>> = {
  free: { usdPerMonth: 0, creditsPerMonth: 10_000, overageUsdPer1000: undefined, concurrency: at(2, 4, 10) },
  starter: { usdPerMonth: 5, creditsPerMonth: undefined, overageUsdPer1000: undefined, concurrency: at(3, 6, 15) },
  creator: { usdPerMonth: 22, creditsPerMonth: undefined, overageUsdPer1000: 0.3, concurrency: at(5, 10, 25) },
  pro: { usdPerMonth: 99, creditsPerMonth: 500_000, overageUsdPer1000: 0.24, concurrency: at(10, 20, 50) },
  scale: { usdPerMonth: 330, creditsPerMonth: undefined, overageUsdPer1000: 0.18, concurrency: at(15, 30, 75) },
  business: { usdPerMonth: 1_320, creditsPerMonth: undefined, overageUsdPer1000: 0.12, concurrency: at(15, 30, 75) },
  enterprise: {
    usdPerMonth: undefined,
    creditsPerMonth: undefined,
    overageUsdPer1000: undefined,
    concurrency: undefined,
  },
};

/** Smallest plan that may ask for a format; a format that is not here has no known minimum. */
export const formatPlans: Readonly<Record<string, PlanName>> = {
  mp3_44100_128: 'free',
  mp3_44100_192: 'creator',
  pcm_44100: 'pro',
  wav_44100: 'pro',
  ulaw_8000: 'starter',
  opus: 'starter',
};

const order: readonly string[] = Object.keys(plans);

/** Position in the plan table, from 0. */
export function planRank(plan: PlanName): number {
  return order.indexOf(plan);
}

/** Shares added to the price of a transcript. */
export const transcriptSurcharges: Readonly<Record<string, number>> = {
  keyterms: 0.2,
  entity_detection: 0.3,
  entity_redaction: 0.3,
  detect_speaker_roles: 0.1,
};

export interface CreditEstimate {
  readonly characters: number;
  /** `undefined` when the model's rate is not given. */
  readonly credits: number | undefined;
  /** The credits as a `Cost`, to be summed with others or checked against a budget. */
  readonly cost: Cost | undefined;
  /** What the credits cost beyond the quota; `undefined` without a plan or where its overage price is not given. */
  readonly overageUsd: number | undefined;
}

export interface CreditOptions {
  readonly plan?: PlanName | undefined;
  /** `rate` of a shared voice, which multiplies the cost. @default 1 */
  readonly voiceRate?: number | undefined;
}

/** What a text costs before it is sent; the answer's own figure is in `credits` of every result. */
export function estimateTextCredits(text: string, model: AudioModel, options: CreditOptions = {}): CreditEstimate {
  const rate = options.voiceRate ?? 1;
  if (!(rate >= 0)) throw new IbidError('INVALID_ARGUMENT', `voiceRate: ${rate} is not a number from 0 up`);
  const characters = countCharacters(text);
  const exact = model.creditsPerCharacter === undefined ? undefined : characters * model.creditsPerCharacter * rate;
  // 100 * 1.1 is a little more than 110 to the machine
  const credits = exact === undefined ? undefined : Math.ceil(Number(exact.toPrecision(12)));
  const per1000 = options.plan === undefined ? undefined : plans[options.plan].overageUsdPer1000;
  const overageUsd = per1000 === undefined || credits === undefined ? undefined : (credits / 1_000) * per1000;
  const cost = credits === undefined ? undefined : costOf([{ name: 'characters', credits, quantity: characters }]);
  return { characters, credits, cost, overageUsd };
}

/**
 * Credits a finished call was charged.
 * @param headers lower-case names
 * @param names headers to try, first one wins
 * @returns `undefined` when the service did not say; that is not the same as 0
 */
export function chargedCredits(
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
): number | undefined {
  for (const name of names) {
    const text = headers[name]?.trim();
    if (text === undefined || text === '') continue;
    const value = Number(text);
    if (Number.isFinite(value) && value >= 0) return value;
  }
  return undefined;
}
