import { locate, type SearchHit } from '../../index.ts';
import { type CommonFlags, printJson, withIndex } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { citationOf, hitToJson, webToJson } from '../json.ts';
import { questionNeeded } from '../question.ts';
import { describePlace, dim, printable, snippet } from '../text.ts';
import { openWeb, tellOfWarnings, tellOfWeb, type WebFlags } from '../web.ts';

export interface SearchFlags extends CommonFlags, WebFlags {
  readonly limit: number;
  readonly where?: string;
  readonly mode: 'hybrid' | 'lexical' | 'dense';
  readonly neighbours: number;
  readonly explain?: boolean;
  readonly rerank?: boolean;
}

export async function searchCommand(
  argument: string | undefined,
  flags: SearchFlags,
  signal: AbortSignal,
): Promise<number> {
  const query = await questionNeeded(argument, signal);
  const web = openWeb(flags);
  return await withIndex(flags, signal, async (index) => {
    const { hits, report } = await index.search(query, {
      signal,
      limit: flags.limit,
      where: flags.where,
      mode: flags.mode,
      neighbours: flags.neighbours,
      explain: flags.explain,
      rerank: flags.rerank,
      web,
    });
    tellOfWarnings(report.warnings);
    tellOfWeb(report.web);
    if (flags.json) {
      printJson({
        query,
        hits: hits.map((hit, i) => hitToJson(hit, i + 1)),
        ...(report.web ? { web: webToJson(report.web) } : {}),
      });
    } else if (hits.length === 0) {
      console.log('nothing found');
    } else {
      hits.forEach((hit, i) => {
        printHit(hit, i + 1, flags.explain === true);
      });
    }
    return exitCodes.done;
  });
}

function printHit(hit: SearchHit, rank: number, explain: boolean): void {
  const { chunk, score } = hit;
  const where = describePlace(locate(chunk, chunk.span));
  const from = hit.origin === 'web' ? 'web: ' : '';
  console.log(`${rank}. ${printable([chunk.title, ...chunk.headings].join(' › '))}  ${dim(score.toFixed(2))}`);
  console.log(dim(`   ${from}${printable(chunk.uri)}${where ? `, ${where}` : ''}  (${citationOf(hit)})`));
  for (const { text } of hit.before ?? []) console.log(dim(`   ${snippet(text, 160)}`));
  console.log(`   ${snippet(chunk.text, 280)}`);
  for (const { text } of hit.after ?? []) console.log(dim(`   ${snippet(text, 160)}`));
  if (explain) {
    for (const part of hit.trace) {
      const rankText = part.rank === undefined ? '' : ` (rank ${part.rank})`;
      console.log(
        dim(
          `   ${part.list.padEnd(10)} ${part.value.toFixed(3)} × ${part.weight.toFixed(2)} = ${(part.value * part.weight).toFixed(3)}${rankText}`,
        ),
      );
    }
  }
  console.log();
}
