import { resolve } from 'node:path';
import type {
  EmbedUsage,
  IngestEvent,
  IngestSummary,
  MovedFolder,
  OcrOptions,
  SearchIndexIngestOptions,
} from '../../index.ts';
import type { IngestQueue } from '../../queue.ts';
import { pathsOf } from '../config/settings.ts';
import { type CommonFlags, printJson, withIndex } from '../context.ts';
import { programEnvironment } from '../environment.ts';
import { tellWarning } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';
import { checkSomeOpens } from '../files.ts';
import { failureHints } from '../hints.ts';
import { boundHeap } from '../memory.ts';
import { lowerPriority } from '../priority.ts';
import { type ProgressReporter, progressReporter } from '../progress.ts';
import type { TranscribeFlags } from '../recording-options.ts';
import { redisWords } from '../redis-words.ts';
import { say, tell } from '../say.ts';
import { embedderChoice, type OpenedServers } from '../servers.ts';
import { emptiedLines, leftOutLine, skippedLines } from '../skipped.ts';
import { counted, printableLine } from '../text.ts';
import { transcribeChoice } from '../transcribe-choice.ts';
import { duration, paidLines, printForecast, tellPaid, transcriptionLine, usd } from './paid.ts';

export interface IngestFlags extends CommonFlags, TranscribeFlags {
  readonly embedder?: string;
  readonly dimensions?: number;
  readonly pipeline?: string;
  readonly dryRun?: boolean;
  readonly budget?: number;
  readonly shards?: number;
  readonly rebuild?: boolean;
  readonly force?: boolean;
  readonly verify?: boolean;
  readonly hidden?: boolean;
  readonly maxFileMb: number;
  readonly timeout: number;
  readonly workers?: number;
  readonly queue?: string;
  readonly wait: number;
  readonly ocr: boolean;
  readonly ocrLanguages?: string;
  readonly quiet?: boolean;
}

/** More are more work than help, for what fits on one machine. */
const MANY_SHARDS = 64;

/** @param named paths on the command line; of none, the folders of the configuration are read */
export async function ingestCommand(
  named: readonly string[],
  flags: IngestFlags,
  signal: AbortSignal,
): Promise<number> {
  const paths = pathsOf(named, flags.settings);
  if (flags.pipeline === undefined) checkSomeOpens(paths);
  boundHeap();
  lowerPriority();
  const progress = progressReporter(flags);
  if ((flags.shards ?? 1) > MANY_SHARDS)
    progress.news(
      `note: each of ${flags.shards} shards is an index with tables of its own, which take time to make and to search; 16 hold ten million passages`,
    );
  return await withIndex(
    flags,
    signal,
    async (index) => {
      const heard: Heard = { summary: undefined, warnings: 0, files: 0, billed: undefined };
      try {
        for await (const event of index.ingest(paths, await runOptions(flags, progress, signal))) {
          progress.handle(event);
          hear(event, heard, progress);
        }
      } catch (error) {
        progress.stop();
        tellPaid(heard.billed);
        if (signal.aborted) {
          const held = await index.status().catch(() => undefined); // the run may have ended before there was an index
          tell(`the index has ${counted(held?.documents ?? 0, 'document')} now`);
        }
        throw error;
      } finally {
        progress.stop();
      }
      const { summary, warnings, files } = heard;
      if (!summary) return exitCodes.unexpected;
      if (flags.json) printJson(summary);
      else printReceipt(summary, warnings, flags);
      if (files === 0) tell(`no file was found in ${paths.map((path) => `"${printableLine(path)}"`).join(', ')}`);
      return summary.failed.length > 0 || files === 0 ? exitCodes.someFailed : exitCodes.done;
    },
    opening(flags, progress),
  );
}

/** How the index is opened. */
function opening(flags: IngestFlags, progress: ProgressReporter) {
  const timeoutMs = flags.timeout * 1000;
  const ocr: OcrOptions = {
    languages: flags.ocrLanguages?.split('+'),
    environment: programEnvironment(),
    pageTimeoutMs: timeoutMs,
    onPage: ({ uri, page, pages }) => progress.note(`OCR ${uri}: page ${page} of ${pages}`),
  };
  return {
    create: true,
    reader: { timeoutMs, maxFileBytes: flags.maxFileMb * 2 ** 20, ocr: flags.ocr && ocr },
    waitMs: flags.wait * 1000,
    shards: flags.shards,
    embedder: (servers: OpenedServers) => embedderChoice(flags, servers),
  };
}

async function runOptions(
  flags: IngestFlags,
  progress: ProgressReporter,
  signal: AbortSignal,
): Promise<SearchIndexIngestOptions> {
  return {
    signal,
    force: flags.force,
    verify: flags.verify,
    hidden: flags.hidden,
    dryRun: flags.dryRun,
    budget: flags.budget,
    rebuild: flags.rebuild,
    workers: flags.workers,
    queue: flags.queue === undefined ? undefined : await queueOf(flags.queue, progress),
    maxFileBytes: flags.maxFileMb * 2 ** 20,
    leaveOut: flags.settings.config.leaveOut,
    pipeline: flags.pipeline === undefined ? undefined : resolve(flags.pipeline),
    transcribe: transcribeChoice(flags, ({ uri, part, parts, seconds }) =>
      progress.note(`transcribing ${uri}: part ${part} of ${parts} answered, ${duration(seconds * 1000)} of sound`),
    ),
  };
}

/** What the events of a run have told. */
interface Heard {
  summary: IngestSummary | undefined;
  warnings: number;
  files: number;
  billed: EmbedUsage | undefined;
}

function hear(event: IngestEvent, heard: Heard, progress: ProgressReporter): void {
  if (event.type === 'warning' && event.leftOut === undefined) heard.warnings++;
  if (event.type === 'refilled') tellWarning(event.warning);
  if (event.type === 'billed') {
    heard.billed = event.embedding;
    const { requests, chunks, costUsd } = event.embedding;
    progress.note(`paid: ${counted(requests, 'request')}, ${counted(chunks, 'chunk')}, ${usd(costUsd)}`);
  }
  if (event.type === 'scanned') heard.files = event.files;
  if (event.type === 'done') heard.summary = event.summary;
}

/** What `--queue` names; the package of the queue is loaded only then. */
async function queueOf(address: string, progress: ProgressReporter): Promise<IngestQueue> {
  const { ingestQueue } = await import('../../queue.ts');
  let isTold = false;
  return ingestQueue(address, {
    onNoWorker: (others) => {
      const besides = others > 0 ? ` (${redisWords.others(others)})` : '';
      progress.news(`no worker listens: start \`ibid worker --queue …\`${besides}`);
    },
    onGone: () => progress.news(redisWords.gone),
    onBack: () => progress.news(redisWords.back),
    onRefused: (reason) => progress.news(`${redisWords.refused}: ${printableLine(reason)}`),
    onReadHere: (reason) => {
      if (!isTold)
        progress.news(`no worker could read some files, which this run reads itself: ${printableLine(reason)}`);
      isTold = true;
    },
  });
}

const FAILURES_SHOWN = 20;

/** A folder that is away, and whose documents this run has found elsewhere. */
function movedLine({ from, documents, found, disk }: MovedFolder, { rebuild }: IngestFlags): string {
  const place = from === '.' ? 'what lay beside the index' : printableLine(from);
  if (found === documents && disk === undefined)
    return `${place} has moved: its ${counted(documents, 'document')} ${rebuild ? 'have new names' : 'keep their vectors'}`;
  const command = from === '.' ? 'ibid remove' : `ibid remove "${printableLine(from)}"`;
  const again = `${found} of its ${counted(documents, 'document')} are stored again under other names`;
  const away = disk === undefined ? place : `the disk ${printableLine(disk)} with ${place}`;
  return `note: ${away} is not there, and ${again}; \`${command}\` forgets the old ones`;
}

function printReceipt(summary: IngestSummary, warnings: number, flags: IngestFlags): void {
  for (const { uri, code, message } of summary.failed.slice(0, FAILURES_SHOWN)) {
    tell(`failed  ${printableLine(uri)}: ${printableLine(message)} [${code}]`);
  }
  const hidden = summary.failed.length - FAILURES_SHOWN;
  if (hidden > 0) tell(`        … and ${hidden} more; \`ibid status\` lists them all`);
  for (const line of failureHints(summary.failed)) tell(line);
  for (const folder of summary.moved ?? []) tell(movedLine(folder, flags));
  for (const line of emptiedLines(summary)) tell(line);
  for (const line of skippedLines(summary.skipped, flags)) tell(line);
  const leftOut = leftOutLine(summary.leftOut);
  if (leftOut !== undefined) tell(leftOut);
  const changes = (['added', 'updated', 'renamed', 'removed', 'unchanged'] as const)
    .filter((kind) => summary[kind] > 0)
    .map((kind) => `${summary[kind]} ${kind}`);
  if (summary.failed.length > 0) changes.push(`${summary.failed.length} failed`);
  if (summary.skipped.length > 0) changes.push(`${summary.skipped.length} skipped`);
  if (warnings > 0) changes.push(`${counted(warnings, 'warning')} (see \`ibid status\`)`);
  const seconds = (summary.elapsedMs / 1000).toFixed(1);
  const said = changes.length > 0 ? changes.join(', ') : 'nothing to do';
  say(`${flags.dryRun ? 'dry run, nothing written: ' : ''}${said} in ${seconds} s`);
  say(
    `${counted(summary.documents, 'document')}, ${counted(summary.chunks, 'chunk')} ${flags.dryRun ? 'would be ' : ''}in the index; ` +
      `${counted(summary.tokens, 'token')} read, ` +
      `${summary.costUsd.toFixed(summary.embedding ? 4 : 2)} USD`,
  );
  if (summary.transcription) say(transcriptionLine(summary.transcription));
  if (!summary.embedding) return;
  if (flags.dryRun) printForecast(summary, summary.embedding);
  else for (const line of paidLines(summary.embedding)) say(line);
}
