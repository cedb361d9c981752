import type { SearchIndex, ShardsReport } from '../../index.ts';
import { type CommonFlags, printJson, withIndex, withoutServers } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { failureHints } from '../hints.ts';
import { say, tell, writeData } from '../say.ts';
import { servedModels } from '../servers.ts';
import { skippedLines } from '../skipped.ts';
import { counted, jsonText, printableLine, size } from '../text.ts';
import { duration, usd } from './paid.ts';

const WARNINGS_SHOWN = 50;
/** How long vectors are kept that no document needs; the test compares it with the library's. */
export const KEPT_DAYS = 30;

export interface StatusFlags extends CommonFlags {
  readonly documents?: boolean;
}

export async function statusCommand(flags: StatusFlags, signal: AbortSignal): Promise<number> {
  return await withIndex(withoutServers(flags), signal, async (index) => {
    if (flags.documents) return await listDocuments(index, flags, signal);
    const status = await index.status({ signal });
    if (flags.json) {
      printJson(status);
      return exitCodes.done;
    }
    say(`${status.address}`);
    const onShards = status.shards ? ` on ${counted(status.shards.asked, 'shard')}` : '';
    say(
      `${counted(status.documents, 'document')}, ${counted(status.chunks, 'chunk')}${onShards}, embedder ${status.embedder ?? 'none yet'}`,
    );
    for (const line of missingLines(status.shards)) say(line);
    if (status.rebuild) say(`must be rebuilt (\`ibid ingest --rebuild\` over its folders): ${status.rebuild}`);
    for (const { job, server, model } of servedModels(flags.settings))
      say(`${job} ${model} of server ${server}, ${flags.settings.config.servers?.[server]?.baseUrl}`);
    if (status.int8Recall) {
      const { recall, vectors, queries } = status.int8Recall;
      say(
        `vectors rounded to eight bits: recall@10 ${recall.toFixed(3)} against the floats, ${counted(queries, 'query', 'queries')} among ${counted(vectors, 'vector')}`,
      );
    }
    if (status.paid) {
      const { requests, chunks, tokens, costUsd } = status.paid;
      say(
        `${costUsd > 0 ? 'paid' : 'asked'} for vectors in all runs: ${usd(costUsd)}, ${counted(requests, 'request')}, ${counted(chunks, 'chunk')}, ${counted(tokens, 'token')}`,
      );
    }
    if (status.keptVectors) {
      const { entries, unneeded, bytes } = status.keptVectors;
      say(
        `kept of them: ${entries} documents or windows${sizeIfKnown(bytes)}; ${unneeded} no document needs, dropped after ${KEPT_DAYS} days`,
      );
    }
    if (status.transcribed) {
      const { requests, seconds, costUsd } = status.transcribed;
      const price = costUsd === undefined ? 'price not known' : usd(costUsd);
      say(`transcribed in all runs: ${duration(seconds * 1000)} of sound, ${counted(requests, 'request')}, ${price}`);
    }
    if (status.webPages) {
      const { pages, bytes } = status.webPages;
      say(`pages of the web kept for citations: ${pages}${sizeIfKnown(bytes)}; none is dropped unasked`);
    }
    if (status.bytesOnDisk !== undefined) say(`${size(status.bytesOnDisk)} on disk`);
    const formats = Object.entries(status.formats).sort((a, b) => b[1] - a[1]);
    if (formats.length > 0) say(formats.map(([format, documents]) => `${format} ${documents}`).join(', '));
    for (const { uri, code, message, stale } of status.failed) {
      say(`${stale ? 'stale ' : 'failed'}  ${printableLine(uri)}: ${printableLine(message)} [${code}]`);
    }
    for (const line of failureHints(status.failed)) say(line);
    for (const line of skippedLines(status.skipped)) say(line);
    const meant = status.warnings.filter(({ leftOut }) => leftOut !== undefined);
    if (meant.length > 0) {
      const lines = meant.reduce((sum, { leftOut = 0 }) => sum + leftOut, 0);
      const documents = counted(new Set(meant.map(({ uri }) => uri)).size, 'document');
      say(
        `running headers, footers, repeated titles of tables, numbers of pages and lines, comments and points of tracks left out: ${counted(lines, 'line')} of ${documents}`,
      );
    }
    const warnings = status.warnings.filter(({ leftOut }) => leftOut === undefined);
    const said = warnings.slice(0, WARNINGS_SHOWN);
    for (const { uri, code, message } of said)
      say(`warning ${printableLine(uri)}: ${printableLine(message)} [${code}]`);
    const rest = warnings.length - said.length;
    if (rest > 0) say(`        … and ${counted(rest, 'more warning')}; --json lists them all`);
    return exitCodes.done;
  });
}

/** A line for each document, in the order of the index; as JSON a list. Memory does not grow with their number. */
async function listDocuments(index: SearchIndex, { json }: StatusFlags, signal: AbortSignal): Promise<number> {
  let count = 0;
  for await (const document of index.documents({ signal })) {
    const { uri, format, chunks } = document;
    if (json) await writeData(`${count === 0 ? '[' : ','}\n${jsonText(document)}`, signal);
    else await writeData(`${printableLine(uri)}  ${format}, ${counted(chunks, 'chunk')}\n`, signal);
    count++;
  }
  if (json) await writeData(count === 0 ? '[]\n' : '\n]\n', signal);
  const { shards } = await index.documentPage({ limit: 0, signal });
  for (const line of missingLines(shards)) tell(`note: ${line}`);
  return exitCodes.done;
}

/** Of an index of shards, those whose documents are not counted. */
function missingLines({ missing }: ShardsReport = { asked: 0, missing: [] }): readonly string[] {
  return missing.map(
    ({ name, code }) => `without shard ${name}, which cannot be read [${code}]; \`ibid doctor\` says what to do`,
  );
}

function sizeIfKnown(bytes: number): string {
  return bytes === 0 ? '' : `, ${size(bytes)}`;
}
