import {
  type EmbedderComparison,
  type EmbedUsage,
  IbidError,
  type RankingScores,
  type ReembedEvent,
  type ReembedQuery,
  type ReembedSummary,
} from '../../index.ts';
import { type CommonFlags, printJson, withIndex } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { readText } from '../files.ts';
import { boundHeap } from '../memory.ts';
import { lowerPriority } from '../priority.ts';
import { say, tell } from '../say.ts';
import { embedderChoice } from '../servers.ts';
import { counted, printableLine } from '../text.ts';
import { paidLines, printForecast, tellPaid, usd } from './paid.ts';

export interface ReembedFlags extends CommonFlags {
  readonly to?: string;
  readonly dimensions?: number;
  readonly queries?: string;
  readonly sample: number;
  readonly dryRun?: boolean;
  readonly budget?: number;
  readonly keep?: boolean;
  readonly yes?: boolean;
  readonly wait: number;
  readonly quiet?: boolean;
}

export async function reembedCommand(flags: ReembedFlags, signal: AbortSignal): Promise<number> {
  boundHeap();
  lowerPriority();
  const queries = flags.queries === undefined ? [] : readQueries(flags.queries);
  const say = (text: string): void => {
    if (!flags.quiet) tell(text);
  };
  let saidAt = performance.now();
  return await withIndex(
    flags,
    signal,
    async (index, servers) => {
      const to = await embedderChoice({ ...flags, ...(flags.to !== undefined && { embedder: flags.to }) }, servers);
      if (to === undefined)
        throw new IbidError('INVALID_ARGUMENT', 'no embedder was named', {
          hint: 'Name it: `--to local`, or configure one.',
        });
      let summary: ReembedSummary | undefined;
      const events = index.reembed({
        signal,
        queries,
        to,
        sample: flags.sample,
        dryRun: flags.dryRun,
        budget: flags.budget,
        switch: flags.keep ? 'never' : flags.yes ? 'always' : 'unless-worse',
      });
      let billed: EmbedUsage | undefined;
      const handle = (event: ReembedEvent): void => {
        if (event.type === 'planned') say(`from ${event.from} to ${event.to}: ${counted(event.chunks, 'chunk')}`);
        else if (event.type === 'training') say(`training on ${counted(event.chunks, 'chunk')}`);
        else if (event.type === 'embedded') say(`${event.chunks} of ${event.of} chunks`);
        else if (event.type === 'comparing') say('asking both');
        else if (event.type === 'done') summary = event.summary;
        else if (event.type === 'billed') {
          billed = event.embedding;
          if (performance.now() - saidAt < 5000) return;
          saidAt = performance.now();
          const { requests, chunks, costUsd } = billed;
          say(`paid: ${counted(requests, 'request')}, ${counted(chunks, 'chunk')}, ${usd(costUsd)}`);
        }
      };
      try {
        for await (const event of events) handle(event);
      } catch (error) {
        tellPaid(billed);
        throw error;
      }
      if (!summary) return exitCodes.unexpected;
      if (flags.json) printJson(summary);
      else printSummary(summary);
      if (summary.reason !== 'worse') return exitCodes.done;
      tell(
        `not switched: ${summary.to} ranks significantly worse than ${summary.from} on these queries\n` +
          'hint: `--yes` switches all the same, at no further cost; `--queries` lets your own queries judge.',
      );
      return exitCodes.unexpected;
    },
    { waitMs: flags.wait * 1000 },
  );
}

/** @throws IbidError FILE_UNREADABLE, INVALID_ARGUMENT naming the line */
function readQueries(path: string): readonly ReembedQuery[] {
  const text = readText(path);
  if (text === undefined)
    throw new IbidError('FILE_UNREADABLE', `there are no queries in "${path}": it does not exist`);
  const lines = text.split(/\r?\n/u).map((line, i) => ({ line: line.trim(), number: i + 1 }));
  const queries = lines.filter(({ line }) => line !== '');
  if (queries.length === 0) throw new IbidError('INVALID_ARGUMENT', `${path} holds no query`);
  if (!/\.jsonl$/i.test(path)) return queries.map(({ line }) => ({ text: line }));
  return queries.map(({ line, number }) => parseQuery(line, `${path}:${number}`));
}

function parseQuery(line: string, where: string): ReembedQuery {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new IbidError('INVALID_ARGUMENT', `${where} is not JSON`, { cause });
  }
  const { text, relevant } = (value ?? {}) as { readonly text?: unknown; readonly relevant?: unknown }; // checked next
  if (typeof text !== 'string' || text.trim() === '')
    throw new IbidError('INVALID_ARGUMENT', `${where}: text is missing`);
  if (relevant === undefined) return { text };
  if (!Array.isArray(relevant) || !relevant.every((one) => typeof one === 'string')) {
    throw new IbidError('INVALID_ARGUMENT', `${where}: relevant must be a list of uris or citations`);
  }
  return { text, relevant };
}

function printSummary(summary: ReembedSummary): void {
  const { comparison, embedding, reason, switched, from, to } = summary;
  if (reason === 'dry-run') {
    if (embedding) printForecast(summary, embedding);
    else
      say(
        `${counted(summary.documents, 'document')}, ${counted(summary.chunks, 'chunk')}; the local embedder costs nothing`,
      );
    say('dry run, nothing changed');
    return;
  }
  if (comparison) printComparison(comparison);
  if (embedding) for (const line of paidLines(embedding)) say(line);
  if (summary.costUsd !== (embedding?.costUsd ?? 0))
    say(`${usd(summary.costUsd)} in all, queries of the old model included`);
  say(switched ? `switched: the index has ${to} now` : `kept: the index has ${from} as before`);
}

function printComparison({ queries, before, after, difference, overlapAt10, oldFailed }: EmbedderComparison): void {
  if (oldFailed) {
    say(`the old embedder failed (${printableLine(oldFailed.message)} [${oldFailed.code}]); words alone stand for it`);
  }
  const { given, judged, generated } = queries;
  const judges = judged > 0 ? `${judged} judged queries of yours` : `${generated} queries made from the documents`;
  if (before && after && difference) {
    say(`${judges}:`);
    say(
      `${''.padEnd(30)}${['dense R@10', 'nDCG@10', 'hybrid R@10', 'nDCG@10'].map((name) => name.padStart(12)).join('')}`,
    );
    for (const { embedder, dense, hybrid } of [before, after]) {
      say(`${embedder.padEnd(30)}${[...cells(dense), ...cells(hybrid)].join('')}`);
    }
    const sign = difference.difference < 0 ? '' : '+';
    say(
      `hybrid nDCG@10 ${sign}${difference.difference.toFixed(4)}, p = ${difference.pValue.toFixed(3)} (paired randomisation)`,
    );
  } else say('no query says what should be found, and none could be made from the documents');
  const share = (value: number): string => `${Math.round(100 * value)} %`;
  const on = given > 0 ? `${given} queries of yours` : 'the same queries';
  const dense = overlapAt10.dense === undefined ? '' : `, dense ${share(overlapAt10.dense)}`;
  say(`the ten best of ${on} agree: hybrid ${share(overlapAt10.hybrid)}${dense}`);
}

function cells(scores: RankingScores | undefined): string[] {
  const values = scores ? [scores['recall@10'].toFixed(4), scores['nDCG@10'].toFixed(4)] : ['-', '-'];
  return values.map((value) => value.padStart(12));
}
