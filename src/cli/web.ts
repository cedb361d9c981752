import { IbidError, type Recency, type SearchReport, type WebOptions } from '../index.ts';
import type { CommonFlags } from './context.ts';
import { commandHint } from './hints.ts';
import { hasKey, searchService } from './keys.ts';
import { tell } from './say.ts';
import { printable } from './text.ts';

export interface WebFlags {
  readonly web?: boolean;
  readonly webDomain?: readonly string[];
  readonly webRecency?: Recency;
  readonly webQuery?: readonly string[];
  readonly webFetch?: boolean;
  /** Seconds. */
  readonly webDeadline?: number;
}

/**
 * What `--web` and its like ask for; undefined without them. The one place where the command line decides whether the
 * web takes part.
 * @throws IbidError KEY_MISSING; INVALID_ARGUMENT when something is asked of the web without `--web`
 */
export function webOptions(flags: WebFlags & Pick<CommonFlags, 'settings'>): WebOptions | undefined {
  const { webDomain: domains, webRecency: recency, webQuery: queries, webFetch: fetch, webDeadline } = flags;
  if (!flags.web) {
    if ([domains, recency, queries, fetch, webDeadline].every((flag) => flag === undefined)) return undefined;
    throw new IbidError('INVALID_ARGUMENT', 'options of the web were given without --web', { hint: 'Add --web.' });
  }
  if (!hasKey(searchService, flags.settings.environment))
    throw new IbidError('KEY_MISSING', '--web needs a key for the search service, and IBID_SEARCH_API_KEY is not set');
  const deadlineMs = webDeadline === undefined ? undefined : Math.round(1000 * webDeadline);
  return { queries, domains, recency, fetch, deadlineMs };
}

/** Says on stderr what the searches could not do. */
export function tellReport(report: SearchReport | undefined): void {
  for (const warning of report?.warnings ?? []) {
    const hint = commandHint(warning);
    tell(`note: ${printable(warning.message)}${hint ? ` (${hint})` : ''}`);
  }
  const { web } = report ?? {};
  if (!web?.error) return;
  const what = { ok: 'the web, in part', late: 'without the web', failed: 'without the web' }[web.status];
  tell(`${what}: ${printable(web.error.message)}`);
}
