import { evaluateFolder } from '../../eval.ts';
import { type CommonFlags, printJson } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { locateIndex } from '../locate-index.ts';
import { say, tell } from '../say.ts';
import { counted } from '../text.ts';

export interface EvalFlags extends CommonFlags {
  readonly split: string;
  readonly mode: 'hybrid' | 'lexical' | 'dense';
}

export async function evalCommand(folder: string, flags: EvalFlags, signal: AbortSignal): Promise<number> {
  const report = await evaluateFolder(folder, {
    signal,
    split: flags.split,
    mode: flags.mode,
    index: flags.index === undefined ? undefined : locateIndex(flags).address,
    onProgress: (text) => tell(text),
  });
  if (flags.json) {
    printJson(report);
    return exitCodes.done;
  }
  say(
    `${report.dataset}: ${counted(report.documents, 'document')}, ${counted(report.queries, 'query', 'queries')}, ${report.mode}, ${report.embedder}`,
  );
  for (const [name, value] of Object.entries(report.metrics)) say(`  ${name.padEnd(11)} ${value.toFixed(4)}`);
  const { ingest, queryP50, queryP95 } = report.ms;
  say(`  ingest ${(ingest / 1000).toFixed(1)} s, query p50 ${queryP50.toFixed(1)} ms, p95 ${queryP95.toFixed(1)} ms`);
  return exitCodes.done;
}
