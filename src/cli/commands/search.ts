import {
  citationOf,
  describePath,
  describePlace,
  hitToJson,
  locate,
  type SearchHit,
  type SearchReport,
  webToJson,
} from '../../index.ts';
import { rerankOf } from '../ask-flags.ts';
import { tellIfEmpty } from '../asking.ts';
import { type CommonFlags, printJson, withIndex } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { questionNeeded } from '../question.ts';
import { say, tell } from '../say.ts';
import { counted, dim, printableLine, snippet } from '../text.ts';
import { tellReport, type WebFlags, webOptions } from '../web.ts';

export interface SearchFlags extends CommonFlags, WebFlags {
  readonly limit: number;
  readonly where?: string;
  readonly mode: 'hybrid' | 'lexical' | 'dense';
  readonly neighbours: number;
  readonly explain?: boolean;
  readonly rerank?: boolean;
  readonly rerankModel?: string;
  readonly verbose?: boolean;
  readonly budget?: number;
}

export async function searchCommand(
  argument: string | undefined,
  flags: SearchFlags,
  signal: AbortSignal,
): Promise<number> {
  const query = await questionNeeded(argument, 'search', signal);
  const web = webOptions(flags);
  return await withIndex(flags, signal, async (index) => {
    const { limit, where, mode, neighbours, explain = false, verbose = false, budget, json } = flags;
    const openedMs = performance.now(); // since the process began
    const options = {
      signal,
      limit,
      where,
      mode,
      neighbours,
      rerank: rerankOf(flags),
      web,
      budget,
      explain: explain || verbose,
    };
    const { hits, report } = await index.search(query, options);
    tellReport(report);
    await tellIfEmpty(index, { hits });
    if (report.corrected !== undefined) tell(`searched for ${printableLine(report.corrected)}`);
    if (verbose) tellSearch(hits, report, openedMs);
    if (json) {
      printJson({
        query,
        ...(report.corrected === undefined ? {} : { corrected: report.corrected }),
        hits: hits.map((hit, i) => hitToJson(explain ? hit : { ...hit, trace: [] }, i + 1)),
        ...(report.shards ? { shards: report.shards } : {}),
        ...(report.web ? { web: webToJson(report.web) } : {}),
      });
    } else if (hits.length === 0) say('nothing found');
    else for (const [i, hit] of hits.entries()) printHit(hit, i + 1, explain);
    return exitCodes.done;
  });
}

/** How a search went, on stderr: what it took, and in how many of the hits each list had a part. */
function tellSearch(
  hits: readonly SearchHit[],
  { mode, costUsd, elapsedMs, web }: SearchReport,
  openedMs: number,
): void {
  const lists = new Map<string, number>();
  for (const { trace } of hits)
    for (const { list, value, weight } of trace)
      lists.set(list, (lists.get(list) ?? 0) + (value * weight === 0 ? 0 : 1));
  const told = [...lists].filter(([, count]) => count > 0).map(([list, count]) => `${list} ${count}`);
  tell(`${mode} search: ${counted(hits.length, 'hit')}, ${costUsd.toFixed(6)} USD`);
  tell(`time: ${openedMs.toFixed(0)} ms to start and open, ${elapsedMs.toFixed(0)} ms to search`);
  if (told.length > 0) tell(`hits by list: ${told.join(', ')}`);
  if (web) {
    const { status, pages, hits: fromWeb, elapsedMs: webMs } = web;
    tell(`web: ${status}, ${counted(pages, 'page')} ranked, ${counted(fromWeb, 'hit')}, ${webMs.toFixed(0)} ms`);
  }
}

function printHit(hit: SearchHit, rank: number, explain: boolean): void {
  const { chunk, score } = hit;
  const where = printableLine(describePlace(locate(chunk, chunk.span)));
  const from = hit.origin === 'web' ? 'web: ' : '';
  say(`${rank}. ${printableLine(describePath(chunk))}  ${dim(score.toFixed(2))}`);
  say(dim(`   ${from}${printableLine(citationOf(hit))}${where ? `, ${where}` : ''}`));
  for (const { text } of hit.before ?? []) say(dim(`   ${snippet(text, 160)}`));
  say(`   ${snippet(chunk.text, 280)}`);
  for (const { text } of hit.after ?? []) say(dim(`   ${snippet(text, 160)}`));
  if (explain) {
    for (const part of hit.trace) {
      const rankText = part.rank === undefined ? '' : ` (rank ${part.rank})`;
      say(
        dim(
          `   ${part.list.padEnd(10)} ${part.value.toFixed(3)} × ${part.weight.toFixed(2)} = ${(part.value * part.weight).toFixed(3)}${rankText}`,
        ),
      );
    }
  }
  say();
}
