import { IbidError, type Recency, type SearchReport, type WebFilters, type WebOptions } from '../index.ts';
import { failureOfKey } from './config/settings.ts';
import type { CommonFlags } from './context.ts';
import { tellWarning } from './errors.ts';
import { hasKey, howToSet, messagesService, searchService, variable } from './keys.ts';
import { tell } from './say.ts';
import { printable } from './text.ts';

export interface FilterFlags {
  readonly webDomain?: readonly string[];
  readonly webRecency?: Recency;
  /** Days as `YYYY-MM-DD`. */
  readonly webAfter?: string;
  readonly webBefore?: string;
  readonly webUpdatedAfter?: string;
  readonly webUpdatedBefore?: string;
  readonly webLanguage?: readonly string[];
  readonly webCountry?: string;
}

export interface WebFlags extends FilterFlags {
  readonly web?: boolean;
  readonly webQuery?: readonly string[];
  readonly webFetch?: boolean;
  /** Seconds. */
  readonly webDeadline?: number;
}

/** Which pages may be used, of whatever looks at the web; undefined for all. */
export function webFilters(flags: FilterFlags): WebFilters | undefined {
  const filters: WebFilters = {
    domains: flags.webDomain,
    recency: flags.webRecency,
    publishedAfter: flags.webAfter,
    publishedBefore: flags.webBefore,
    updatedAfter: flags.webUpdatedAfter,
    updatedBefore: flags.webUpdatedBefore,
    languages: flags.webLanguage,
    country: flags.webCountry,
  };
  return Object.values(filters).some((filter) => filter !== undefined) ? filters : undefined;
}

/**
 * What `--web` and its like ask for; undefined without them. The one place where the command line decides whether the
 * web takes part.
 * @param looksItself whether a mode that answers looks at the web without `--web`, by the same filters
 * @throws IbidError KEY_MISSING; INVALID_ARGUMENT when something is asked of the web without `--web`
 */
export function webOptions(
  flags: WebFlags & Pick<CommonFlags, 'settings'>,
  looksItself = false,
): WebOptions | undefined {
  const { webQuery: queries, webFetch: fetch, webDeadline } = flags;
  const filters = webFilters(flags);
  if (!flags.web) {
    const isFiltered = filters !== undefined && !looksItself;
    if (!isFiltered && [queries, fetch, webDeadline].every((flag) => flag === undefined)) return undefined;
    throw new IbidError('INVALID_ARGUMENT', 'options of the web were given without --web', { hint: 'Add --web.' });
  }
  const { environment } = flags.settings;
  const failure = [searchService, messagesService]
    .map((service) => failureOfKey(flags.settings, variable(service, 'API_KEY')))
    .find((one) => one !== undefined);
  if (!hasKey(searchService, environment) && !hasKey(messagesService, environment))
    throw (
      failure ??
      new IbidError('KEY_MISSING', '--web needs a key for the search service, and IBID_SEARCH_API_KEY is not set', {
        hint: `${howToSet(searchService)} With ${variable(messagesService, 'API_KEY')}, a model searches instead.`,
      })
    );
  const deadlineMs = webDeadline === undefined ? undefined : Math.round(1000 * webDeadline);
  return { ...filters, queries, fetch, deadlineMs };
}

/** Says on stderr what the searches could not do. */
export function tellReport(report: SearchReport | undefined): void {
  for (const warning of report?.warnings ?? []) tellWarning(warning);
  const { web } = report ?? {};
  if (!web?.error) return;
  const what = { ok: 'the web, in part', late: 'without the web', failed: 'without the web' }[web.status];
  tell(`${what}: ${printable(web.error.message)}`);
}
