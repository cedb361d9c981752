import type { Meter } from '../core/meter.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import { Refusal } from './problem.ts';
import type { DailyBudgets } from './spent.ts';
import type { Scope, TokenRecord, TokenStore } from './tokens.ts';

/** The rights of a caller, and the part of the index that exists for the caller. */
export interface Access {
  /** Id of the token; absent without one. */
  readonly token?: TokenRecord | undefined;
  has(scope: Scope): boolean;
  /** The index as far as it exists for the caller: every route reads through it. */
  view(index: SearchIndex): SearchIndex;
  /** The rest of the day's budget. With a budget of 0 only free calls pass. */
  readonly budget: Meter;
}

/** @throws Refusal 403 for what costs money where no budget was given for it */
export function mustPay({ budget }: Access): void {
  if (budget.budgetUsd === 0)
    throw new Refusal(403, 'PERMISSION_DENIED', 'this costs money, and there is no budget for it', {
      hint: 'Whoever runs the server gives a budget for each day.',
    });
}

/** Without tokens: whoever reaches the server may read and ask. */
const open: ReadonlySet<Scope> = new Set(['read', 'ask', 'admin']);

/** Views of one index that are kept; each has some megabytes of caches. */
const VIEWS = 32;

/** Says who a request is from, and gives each the same view and budget every time. */
export class Doorkeeper {
  readonly #tokens: TokenStore | undefined;
  #asks = false;
  readonly #dailyBudgetUsd: number;
  readonly #views = new WeakMap<SearchIndex, Map<string, SearchIndex>>();
  readonly #budgets: DailyBudgets;

  /** @param open whether nobody is asked for a token until there is one */
  constructor(tokens: TokenStore | undefined, open: boolean, dailyBudgetUsd: number, budgets: DailyBudgets) {
    this.#tokens = tokens;
    this.#budgets = budgets;
    this.#dailyBudgetUsd = dailyBudgetUsd;
    this.#asks = tokens !== undefined && (!open || tokens.list().length > 0); // a file that is no such file is refused here
  }

  /** Once a token was asked for, it always is: revoking the last one, or losing their file, lets nobody in. */
  get asksForToken(): boolean {
    this.#asks ||= (this.#tokens?.list().length ?? 0) > 0;
    return this.#asks;
  }

  /** For what everybody may call: it reads no index. */
  anybody(): Access {
    return this.#accessOf(undefined, new Set());
  }

  /** @param authorization the header @throws Refusal 401 */
  access(authorization: string | undefined): Access {
    const secret = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    // Clients of other services send a key always; where no token is asked for, it may be any.
    if (!this.asksForToken) return this.#accessOf(undefined, open);
    const token = secret === undefined ? undefined : this.#tokens!.find(secret);
    if (!token)
      throw new Refusal(401, 'UNAUTHORIZED', secret === undefined ? 'a token is needed' : 'the token is not valid', {
        hint: 'Send it in the header Authorization, as Bearer and the token.',
        headers: { 'www-authenticate': 'Bearer' },
      });
    return this.#accessOf(token, new Set(token.scopes));
  }

  #accessOf(token: TokenRecord | undefined, held: ReadonlySet<Scope>): Access {
    const where = token?.where;
    return {
      token,
      has: (scope) => held.has('admin') || held.has(scope) || (scope === 'read' && held.has('ask')),
      view: (index) => (where === undefined ? index : this.#view(index, where)),
      budget: this.#budgets.meter(token?.id ?? '', token?.dailyBudgetUsd ?? this.#dailyBudgetUsd),
    };
  }

  #view(index: SearchIndex, where: NonNullable<TokenRecord['where']>): SearchIndex {
    const views = this.#views.get(index) ?? new Map<string, SearchIndex>();
    this.#views.set(index, views);
    const key = JSON.stringify(where);
    const view = views.get(key) ?? index.within(where);
    views.delete(key); // to the end: the first ones are dropped first
    views.set(key, view);
    for (const oldest of views.keys()) {
      if (views.size <= VIEWS) break;
      views.delete(oldest);
    }
    return view;
  }
}
