import { formatCitation } from '../../answer/citation.ts';
import { locate } from '../../core/location.ts';
import type { SearchHit } from '../../retrieve/search.ts';
import { type CommonFlags, printJson, withIndex } from '../context.ts';
import { exitCodes } from '../errors.ts';
import { hitToJson } from '../json.ts';
import { describePlace, dim, snippet } from '../text.ts';

export interface SearchFlags extends CommonFlags {
  readonly limit: number;
  readonly where?: string;
  readonly mode: 'hybrid' | 'lexical' | 'dense';
  readonly neighbours: number;
  readonly explain?: boolean;
}

export async function searchCommand(query: string, flags: SearchFlags, signal: AbortSignal): Promise<number> {
  return await withIndex(flags, signal, async (index) => {
    const hits = await index.search(query, {
      signal,
      limit: flags.limit,
      where: flags.where,
      mode: flags.mode,
      neighbours: flags.neighbours,
      explain: flags.explain,
    });
    if (flags.json) {
      printJson({ query, hits: hits.map((hit, i) => hitToJson(hit, i + 1)) });
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
  console.log(`${rank}. ${[chunk.title, ...chunk.headings].join(' › ')}  ${dim(score.toFixed(2))}`);
  console.log(dim(`   ${chunk.uri}${where ? `, ${where}` : ''}  (${formatCitation(chunk)})`));
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
