/**
 * Brings a public collection into `datasets/cache/<name>`.
 *
 *     npm run dataset                                   list the collections
 *     npm run dataset -- <name>                         download, verify, unpack
 *     npm run dataset -- <name> --from FOLDER|FILE.zip  take what is on disk already
 *
 * `--cache FOLDER` brings it there instead; `--force` replaces what is there already.
 */
import { readFileSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { headOf } from '../bench/support/flags.ts';
import { type BeirDataset, readBeirFolder } from '../src/eval.ts';
import { IbidError } from '../src/index.ts';
import { type DownloadOptions, download, verifyMd5 } from './download.ts';
import { loadManifests, type Manifest } from './manifest.ts';
import { openZip } from './unzip.ts';

export interface ProvideOptions extends Partial<Omit<DownloadOptions, 'md5'>> {
  /** The cache; the collection ends in a folder of its own in it. */
  readonly cache: string;
  /** A folder in BEIR layout or the archive, instead of the download. */
  readonly from?: string | undefined;
  /** Replace what the cache has. @default false */
  readonly force?: boolean | undefined;
  readonly onStep?: ((message: string) => void) | undefined;
}

/**
 * Makes `cache/<name>` hold the collection, checked against its manifest. What is there already and passes the check
 * is left alone; a new one appears only when it is complete.
 * @returns the folder
 * @throws IbidError DATASET_UNREACHABLE, DATASET_CHECKSUM, DATASET_INVALID
 */
export async function provideDataset(manifest: Manifest, options: ProvideOptions): Promise<string> {
  const { cache, from, force = false, signal, onStep } = options;
  const folder = join(cache, manifest.name);
  if (!force && from === undefined && (await isFolder(folder))) {
    onStep?.(`${folder} is there, checking it`);
    try {
      await verifyCounts(manifest, folder, signal);
    } catch (cause) {
      if (!(cause instanceof IbidError)) throw cause;
      throw new IbidError(cause.code, cause.message, {
        cause,
        hint: 'The cached copy is not whole: run again with --force.',
      });
    }
    return folder;
  }
  await mkdir(cache, { recursive: true });
  const fresh = join(cache, `.${manifest.name}.new`);
  await rm(fresh, { recursive: true, force: true });
  try {
    if (from !== undefined && (await isFolder(from))) {
      onStep?.(`copying ${from}`);
      await copyFolder(from, fresh, signal);
    } else {
      const archive = from ?? join(cache, `${manifest.name}.zip`);
      if (from === undefined) {
        onStep?.(`fetching ${manifest.url}`);
        await download(manifest.url, archive, { ...options, md5: manifest.md5 });
      } else if (manifest.md5 !== null) {
        onStep?.(`checking ${from}`);
        if (!(await stat(from).catch(() => undefined))?.isFile()) {
          throw new IbidError('FILE_UNREADABLE', `${from} does not exist`, {
            hint: 'Give --from a folder or a zip file.',
          });
        }
        await verifyMd5(archive, manifest.md5, signal);
      }
      onStep?.(`unpacking ${basename(archive)}`);
      await unpack(archive, fresh, signal);
      if (from === undefined) await rm(archive);
    }
    onStep?.('counting');
    await verifyCounts(manifest, fresh, signal);
    await rm(folder, { recursive: true, force: true });
    await rename(fresh, folder);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return folder;
}

/** The files of the layout; an archive's other contents stay in it. */
const wanted = /^(corpus|queries|documents)\.jsonl(\.gz)?$|^qrels\/[\w.-]+\.tsv(\.gz)?$/;

async function unpack(archive: string, folder: string, signal?: AbortSignal): Promise<void> {
  const zip = await openZip(archive);
  try {
    const corpus = zip.entries.filter(
      ({ name }) => /(^|\/)corpus\.jsonl(\.gz)?$/.test(name) && !name.startsWith('__MACOSX/'),
    );
    if (corpus.length !== 1) {
      throw new IbidError('DATASET_INVALID', `${archive} holds ${corpus.length} corpora instead of one`);
    }
    const prefix = corpus[0]!.name.replace(/corpus\.jsonl(\.gz)?$/, '');
    for (const entry of zip.entries) {
      const path = entry.name.slice(prefix.length);
      if (entry.name.startsWith(prefix) && wanted.test(path)) await zip.extract(entry, folder, path, signal);
    }
  } finally {
    await zip.close();
  }
}

async function copyFolder(from: string, to: string, signal: AbortSignal | undefined): Promise<void> {
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    signal?.throwIfAborted();
    const source = join(entry.parentPath, entry.name);
    const path = relative(from, source).replaceAll('\\', '/');
    if (entry.isFile() && wanted.test(path)) await cp(source, join(to, path));
  }
  if (!(await isFolder(to))) {
    throw new IbidError('DATASET_INVALID', `${from} has none of the files of a BEIR folder`, {
      hint: 'Expected corpus.jsonl, queries.jsonl and qrels/test.tsv, plain or .gz.',
    });
  }
}

async function verifyCounts(
  { name, split, counts }: Manifest,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const dataset: BeirDataset = await readBeirFolder(folder, { split });
  let corpus = 0;
  for await (const _ of dataset.corpus) {
    signal?.throwIfAborted();
    corpus++;
  }
  const found = {
    corpus,
    queries: dataset.queries.length,
    judgedQueries: dataset.qrels.size,
    judgements: [...dataset.qrels.values()].reduce((sum, grades) => sum + grades.size, 0),
  };
  for (const key of ['corpus', 'queries', 'judgedQueries', 'judgements'] as const) {
    if (counts[key] !== null && counts[key] !== found[key]) {
      throw new IbidError('DATASET_INVALID', `${name}: ${key} is ${found[key]}, published is ${counts[key]}`, {
        hint: 'If the collection was changed on purpose, use its folder as it is: ibid eval FOLDER.',
      });
    }
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

function describe({ name, title, sizeBytes, counts, licence }: Manifest): string {
  const size = sizeBytes === null ? 'size unknown' : `${(sizeBytes / 1e6).toFixed(sizeBytes < 1e8 ? 1 : 0)} MB`;
  return `${name.padEnd(18)}${title}, ${counts.corpus?.toLocaleString('en') ?? '?'} entries, ${size}\n${' '.repeat(18)}licence: ${licence.stated}`;
}

/** Redraws one line on a terminal; elsewhere one line for each tenth. */
function progressPrinter(): DownloadOptions['onProgress'] {
  let tenth = -1;
  return ({ bytes, total }) => {
    const share = total === undefined ? undefined : bytes / total;
    const line = `${(bytes / 1e6).toFixed(1)} MB${share === undefined ? '' : ` of ${(total! / 1e6).toFixed(1)} MB, ${Math.floor(share * 100)} %`}`;
    if (process.stderr.isTTY) process.stderr.write(`\r${line}${share === 1 ? '\n' : ' '}`);
    else if (share !== undefined && Math.floor(share * 10) > tenth) {
      tenth = Math.floor(share * 10);
      process.stderr.write(`${line}\n`);
    }
  };
}

/** @returns the exit status: 0 done, 1 failed, 2 usage, 130 interrupted */
export async function main(argv: readonly string[]): Promise<number> {
  const interrupt = new AbortController();
  process.once('SIGINT', () => interrupt.abort());
  try {
    const { values, positionals } = parseCommandLine(argv);
    const manifests = await loadManifests();
    const [name, ...more] = positionals;
    if (values.help || name === undefined) {
      console.log(`${headOf(readFileSync(import.meta.filename, 'utf8'))}\n`);
      for (const manifest of manifests.values()) console.log(describe(manifest));
      return 0;
    }
    const manifest = manifests.get(name);
    if (manifest === undefined || more.length > 0) {
      throw new IbidError(
        'INVALID_ARGUMENT',
        manifest ? 'only one collection at a time' : `there is no manifest for "${name}"`,
        {
          hint: `Known are: ${[...manifests.keys()].join(', ')}.`,
        },
      );
    }
    const folder = await provideDataset(manifest, {
      cache: resolve(values.cache ?? join(import.meta.dirname, 'cache')),
      from: values.from === undefined ? undefined : resolve(values.from),
      force: values.force,
      signal: interrupt.signal,
      onStep: (message) => process.stderr.write(`${message}\n`),
      onProgress: progressPrinter(),
    });
    console.log(relative('', folder) || folder);
    return 0;
  } catch (error) {
    if (interrupt.signal.aborted) return 130;
    if (error instanceof Error && 'syscall' in error) {
      console.error(`error[FILE_UNREADABLE]: ${error.message}`);
      return 1;
    }
    if (!(error instanceof IbidError)) throw error;
    console.error(`error[${error.code}]: ${error.message}${error.hint === undefined ? '' : `\nhint: ${error.hint}`}`);
    return error.code === 'INVALID_ARGUMENT' ? 2 : 1;
  }
}

function parseCommandLine(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        from: { type: 'string' },
        cache: { type: 'string' },
        force: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (cause) {
    const [message] = (cause instanceof Error ? cause.message : String(cause)).split('. ');
    throw new IbidError('INVALID_ARGUMENT', message!, {
      cause,
      hint: 'npm run dataset -- <name> [--from FOLDER|FILE.zip] [--cache FOLDER] [--force]',
    });
  }
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
