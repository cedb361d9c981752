import { IbidError } from '../core/errors.ts';
import type { Recency } from '../web/contract.ts';
import type { WebOptions, WebReport } from '../web/options.ts';
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

/** The web's part in one command. */
export interface OpenedWeb {
  readonly options: WebOptions;
  /** Of the last search; undefined before it. */
  readonly report: WebReport | undefined;
  /** Says on stderr what of the web is missing. */
  tell(): void;
}

/**
 * What `--web` and its like ask for; undefined without them. The one place where the command line decides whether the web takes part.
 * @throws IbidError KEY_MISSING; INVALID_ARGUMENT when something is asked of the web without `--web`
 */
export function openWeb(flags: WebFlags, environment: NodeJS.ProcessEnv = process.env): OpenedWeb | undefined {
  if (!flags.web) {
    const alone = [flags.webDomain, flags.webRecency, flags.webQuery, flags.webFetch, flags.webDeadline];
    if (alone.every((flag) => flag === undefined)) return undefined;
    throw new IbidError('INVALID_ARGUMENT', 'options of the web were given without --web', { hint: 'Add --web.' });
  }
  if ((environment.IBID_SEARCH_API_KEY ?? '').trim() === '') {
    throw new IbidError('KEY_MISSING', '--web needs a key for the search service, and IBID_SEARCH_API_KEY is not set', {
      hint: 'Set IBID_SEARCH_API_KEY to your key, or leave --web out to search your documents alone.',
    });
  }
  let costUsd = 0;
  let last: WebReport | undefined;
  return {
    options: {
      queries: flags.webQuery,
      domains: flags.webDomain,
      recency: flags.webRecency,
      fetch: flags.webFetch,
      deadlineMs: flags.webDeadline === undefined ? undefined : Math.round(1000 * flags.webDeadline),
      onReport: (report) => {
        costUsd += report.costUsd; // an agent may search several times
        last = { ...report, costUsd };
      },
    },
    get report() {
      return last;
    },
    tell() {
      if (!last?.error) return;
      const what = { ok: 'the web, in part', late: 'without the web', failed: 'without the web' }[last.status];
      process.stderr.write(`${what}: ${printable(last.error.message)}\n`);
    },
  };
}
