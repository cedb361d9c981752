import { IbidError, type Recency, type WebOptions, type WebReport } from '../index.ts';
import { commandHint } from './hints.ts';
import { hasKey, searchService } from './keys.ts';
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
 * What `--web` and its like ask for; undefined without them. The one place where the command line decides whether the web takes part.
 * @throws IbidError KEY_MISSING; INVALID_ARGUMENT when something is asked of the web without `--web`
 */
export function openWeb(flags: WebFlags, environment: NodeJS.ProcessEnv = process.env): WebOptions | undefined {
  if (!flags.web) {
    const alone = [flags.webDomain, flags.webRecency, flags.webQuery, flags.webFetch, flags.webDeadline];
    if (alone.every((flag) => flag === undefined)) return undefined;
    throw new IbidError('INVALID_ARGUMENT', 'options of the web were given without --web', { hint: 'Add --web.' });
  }
  if (!hasKey(searchService, environment))
    throw new IbidError('KEY_MISSING', '--web needs a key for the search service, and IBID_SEARCH_API_KEY is not set');
  return {
    queries: flags.webQuery,
    domains: flags.webDomain,
    recency: flags.webRecency,
    fetch: flags.webFetch,
    deadlineMs: flags.webDeadline === undefined ? undefined : Math.round(1000 * flags.webDeadline),
  };
}

/** Says on stderr what of the web is missing. */
export function tellOfWeb(report: WebReport | undefined): void {
  if (!report?.error) return;
  const what = { ok: 'the web, in part', late: 'without the web', failed: 'without the web' }[report.status];
  process.stderr.write(`${what}: ${printable(report.error.message)}\n`);
}

/** Says on stderr what did not work and was got around. */
export function tellOfWarnings(warnings: readonly IbidError[]): void {
  for (const warning of warnings) {
    const hint = commandHint(warning);
    console.error(`note: ${printable(warning.message)}${hint ? ` (${hint})` : ''}`);
  }
}
