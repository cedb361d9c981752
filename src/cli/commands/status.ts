import { KEPT_DAYS } from '../../embed/service/prune-cache.ts';
import { type CommonFlags, printJson, withIndex } from '../context.ts';
import { exitCodes } from '../errors.ts';
import { usd } from './paid.ts';

const WARNINGS_SHOWN = 50;

export async function statusCommand(flags: CommonFlags, signal: AbortSignal): Promise<number> {
  return await withIndex(flags, signal, async (index) => {
    const status = await index.status({ signal });
    if (flags.json) {
      printJson(status);
      return exitCodes.done;
    }
    console.log(`${status.address}`);
    console.log(`${status.documents} documents, ${status.chunks} chunks, embedder ${status.embedder ?? 'none yet'}`);
    if (status.paid) {
      const { requests, chunks, tokens, costUsd } = status.paid;
      console.log(
        `paid for vectors in all runs: ${usd(costUsd)}, ${requests} requests, ${chunks} chunks, ${tokens} tokens`,
      );
    }
    const size = (bytes: number): string => (bytes === 0 ? '' : `, ${(bytes / 2 ** 20).toFixed(1)} MiB`);
    if (status.keptVectors) {
      const { entries, unneeded, bytes } = status.keptVectors;
      console.log(
        `kept of them: ${entries} documents or windows${size(bytes)}; ${unneeded} no document needs, dropped after ${KEPT_DAYS} days`,
      );
    }
    if (status.webPages) {
      const { pages, bytes } = status.webPages;
      console.log(`pages of the web kept for citations: ${pages}${size(bytes)}; none is dropped unasked`);
    }
    if (status.bytesOnDisk !== undefined) console.log(`${(status.bytesOnDisk / 2 ** 20).toFixed(1)} MiB on disk`);
    const formats = Object.entries(status.formats).sort((a, b) => b[1] - a[1]);
    if (formats.length > 0) console.log(formats.map(([format, documents]) => `${format} ${documents}`).join(', '));
    for (const { uri, code, message, stale } of status.failed) {
      console.log(`${stale ? 'stale ' : 'failed'}  ${uri}: ${message} [${code}]`);
    }
    const said = status.warnings.slice(0, WARNINGS_SHOWN);
    for (const { uri, code, message } of said) console.log(`warning ${uri}: ${message} [${code}]`);
    const rest = status.warnings.length - said.length;
    if (rest > 0) console.log(`        … and ${rest} more warnings; --json lists them all`);
    return exitCodes.done;
  });
}
