import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readQuestionFile, type TunedSetting, type TuneReport, tuneFolder, tunePlot } from '../../eval.ts';
import { IbidError, readSettings, writeSettings } from '../../index.ts';
import { isRemoteAddress } from '../config/remote.ts';
import { pathsOf } from '../config/settings.ts';
import { type CommonFlags, printJson, withIndex } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { checkWritable, replaceFile } from '../files.ts';
import { locateIndex } from '../locate-index.ts';
import { say, tell } from '../say.ts';
import { counted } from '../text.ts';

export interface TuneFlags extends CommonFlags {
  readonly questions?: string;
  readonly minutes: number;
  readonly apply?: boolean;
  readonly dryRun?: boolean;
  readonly plot?: string;
}

interface Target {
  readonly base: string;
  /** Where settings are written; absent for an index that is not a folder here. */
  readonly folder: string | undefined;
}

export async function tuneCommand(named: readonly string[], flags: TuneFlags, signal: AbortSignal): Promise<number> {
  const paths = pathsOf(named, flags.settings);
  const questions = flags.questions === undefined ? undefined : readQuestionFile(resolve(flags.questions));
  const { base, folder } = await targetOf(flags, signal);
  const plot = resolve(flags.plot ?? (folder === undefined ? 'ibid-tune.svg' : join(folder, 'tune.svg')));
  if (!flags.dryRun) for (const path of [plot, ...(folder ? [join(folder, 'settings.json')] : [])]) checkWritable(path);
  const report = await tuneFolder(paths, {
    base,
    exclude: folder,
    leaveOut: flags.settings.config.leaveOut,
    questions,
    minutes: flags.minutes,
    signal,
    onProgress: (note) => tell(note),
  });
  signal.throwIfAborted();
  const written = flags.dryRun ? undefined : write(report, folder, plot);
  if (!flags.json) printReport(report, flags, written, plot);
  if (flags.apply && !flags.dryRun && report.chunking.accepted) await apply(paths, flags, signal);
  // last: where the rebuild fails, its error is the one value on stdout
  if (flags.json) printJson({ ...withoutScores(report), ...(written && { written, plot }) });
  return exitCodes.done;
}

/** @throws IbidError INVALID_ARGUMENT for an index with vectors of a service */
async function targetOf(flags: TuneFlags, signal: AbortSignal): Promise<Target> {
  const { address, base } = locateIndex(flags);
  const remote = isRemoteAddress(address);
  const folder = remote ? undefined : address;
  const isThere = [join('lance', 'meta.lance'), 'shards.json'].some((name) => existsSync(join(address, name)));
  if (!remote && !isThere) return { base, folder };
  return await withIndex(flags, signal, async (index) => {
    const { embedder } = await index.status({ signal });
    if (embedder !== undefined && !/^(local-|untrained$)/.test(embedder)) {
      throw new IbidError(
        'INVALID_ARGUMENT',
        `the index has vectors of "${embedder}"; tuning knows the local embedder only`,
        {
          hint: 'Tune into an index of its own: `ibid tune ./docs --index ./other`.',
        },
      );
    }
    return { base: index.base, folder };
  });
}

/** @returns the path of the settings, or undefined where there is no place for them, or nothing to say */
function write(report: TuneReport, folder: string | undefined, plot: string): string | undefined {
  mkdirSync(dirname(plot), { recursive: true }); // the index may not be there yet
  replaceFile(plot, tunePlot(report));
  if (folder === undefined) return undefined;
  const { search, chunking } = report;
  const earlier = readSettings(folder);
  const tuned = search.accepted && search.tuning ? { search: search.tuning } : {};
  const cut = chunking.accepted ? { maxTokens: chunking.maxTokens } : earlier?.chunking;
  if (earlier === undefined && !search.accepted && !chunking.accepted) return undefined; // the defaults need no file
  return writeSettings(folder, { ...tuned, ...(cut && { chunking: cut }) });
}

async function apply(paths: readonly string[], flags: TuneFlags, signal: AbortSignal): Promise<void> {
  await withIndex(
    flags,
    signal,
    async (index) => {
      tell('rebuilding the index with the new chunk size');
      for await (const event of index.ingest(paths, { signal, rebuild: true, force: true })) {
        if (event.type === 'done')
          process.stderr.write(
            `${counted(event.summary.documents, 'document')}, ${counted(event.summary.chunks, 'chunk')} in the index\n`,
          );
      }
    },
    { create: true },
  );
}

function withoutScores({ settings, ...report }: TuneReport): Record<string, unknown> {
  return { ...report, settings: settings.map(({ scores: _, ...setting }) => setting) };
}

function printReport(report: TuneReport, flags: TuneFlags, written: string | undefined, plot: string): void {
  const { kinds, split, search, chunking, settings, skipped } = report;
  const counts = Object.entries(kinds).filter(([, count]) => count > 0);
  say(
    `${counted(report.documents, 'document')}, ${counted(report.chunks, 'chunk')}; ${counted(report.questions.length, 'question')} ` +
      `(${counts.map(([kind, count]) => `${count} ${kind}`).join(', ')}): ${split.tune.length} to choose by, ${split.heldOut.length} held out`,
  );
  say(`\n${table(settings, [search.best, chunking.best])}`);
  if (kinds.own === 0) {
    say('* chosen on the tuning half. Made questions repeat words of the documents: your own (--questions) tell more.');
  }
  for (const { what, reason } of skipped) say(`not tried: ${what} (${reason})`);
  const parts = settings.find(({ name }) => name === search.best)?.parts;
  const best = parts ? `${search.best} (${parts.join(', ')})` : search.best;
  say();
  say(
    search.accepted
      ? `search: ${best} is ${search.reason}`
      : `search: the defaults are kept; ${best === undefined ? '' : `${best}: `}${search.reason}`,
  );
  say(
    chunking.accepted
      ? `chunks: at most ${chunking.maxTokens} tokens, ${chunking.reason} (recall within 2,000 tokens read)`
      : `chunks: the default size is kept; ${chunking.best === undefined ? '' : `${chunking.best}: `}${chunking.reason}`,
  );
  if (flags.dryRun) {
    say('dry run, nothing written');
    return;
  }
  say(`plot: ${plot}`);
  if (written !== undefined) say(`settings: ${written}; \`search\`, \`ask\` and \`ingest\` honour them`);
  else if (search.accepted) say(`pass to openIndex: tuning: ${JSON.stringify(search.tuning)}`);
  if (chunking.accepted && !flags.apply) {
    say('the chunk size needs the index rebuilt: `ibid ingest --rebuild` over its folders, or tune with --apply');
  }
}

function table(settings: readonly TunedSetting[], best: readonly (string | undefined)[]): string {
  const head = ['setting', 'nDCG@10', 'held out', 'recall@10', 'held out', 'recall@2000t', 'held out', 'ms'];
  const rows = settings.map(({ name, tune, heldOut, msPerQuery }) => [
    `${best.includes(name) ? '* ' : '  '}${name}`,
    ...(['nDCG@10', 'recall@10', 'recall@2000t'] as const).flatMap((metric) => [
      tune[metric].toFixed(3),
      heldOut[metric].toFixed(3),
    ]),
    msPerQuery.toFixed(1),
  ]);
  const widths = head.map((cell, i) => Math.max(cell.length, ...rows.map((row) => row[i]!.length)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
