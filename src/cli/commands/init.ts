import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { IbidError } from '../../index.ts';
import type { Configuration } from '../config/description.ts';
import { CONFIG_NAME, parseConfig } from '../config/file.ts';
import { printJson } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { replaceFile } from '../files.ts';
import { INDEX_FOLDER } from '../locate-index.ts';
import { say } from '../say.ts';

export interface InitFlags {
  readonly folders?: readonly string[];
  readonly leaveOut?: readonly string[];
  readonly embedder?: string;
  readonly server?: string;
  readonly budget?: number;
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

const SCHEMA = 'node_modules/ibid/ibid.config.schema.json';

/**
 * Writes a configuration into the working folder. Asks on a terminal for what no flag says.
 * @throws IbidError INVALID_ARGUMENT when there is one already, or a value is none
 */
export async function initCommand(flags: InitFlags, signal: AbortSignal): Promise<number> {
  const folder = process.cwd();
  const path = join(folder, CONFIG_NAME);
  if (existsSync(path) && !flags.force)
    throw new IbidError('INVALID_ARGUMENT', `${path} exists already`, {
      hint: 'Edit it, or write it anew with --force. `ibid config` shows what holds.',
    });
  const isAsking = process.stdin.isTTY && process.stdout.isTTY && !flags.yes && !flags.json;
  const answers = isAsking ? await asked(flags, signal) : flags;
  await checkEmbedder(answers.embedder ?? 'local');
  const config = configOf(answers, folder);
  const text = `${JSON.stringify(config, null, 2)}\n`;
  parseConfig(text, path); // says what a flag says wrongly
  replaceFile(path, text);
  if (flags.json) printJson({ path, config });
  else {
    say(`${path} is written`);
    say('next: `ibid ingest` reads its folders, `ibid config` shows what holds');
  }
  return exitCodes.done;
}

/** Asks for what no flag says; an empty line takes the value in brackets. */
async function asked(flags: InitFlags, signal: AbortSignal): Promise<InitFlags> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT')); // as of any other command
  signal.addEventListener('abort', () => lines.close(), { once: true });
  const typed = lines[Symbol.asyncIterator](); // keeps lines that are pasted together
  const ask = async (question: string, usual: string): Promise<string> => {
    lines.setPrompt(`${question} [${usual}] `);
    lines.prompt();
    const { value, done } = await typed.next();
    signal.throwIfAborted();
    if (done) throw new IbidError('INVALID_ARGUMENT', 'nothing was written: the questions were not all answered');
    return value.trim() || usual;
  };
  try {
    const folders = flags.folders ?? list(await ask('Folders with documents, separated by commas?', '.'));
    const leaveOut = flags.leaveOut ?? list(await ask('Patterns of files to leave out, separated by commas?', 'none'));
    const embedder =
      flags.embedder ?? (await ask('Embedder: local, a model of the search service, or server/model?', 'local'));
    const { server = serverOf(embedder) && (await ask('Address of that server?', 'http://127.0.0.1:11434')) } = flags;
    const limit = flags.budget ?? (await ask('What may one command cost at most, in USD?', 'no limit'));
    const budget = limit === 'no limit' ? {} : { budget: usdOf(String(limit)) };
    return { ...flags, folders, leaveOut, embedder, ...(server !== undefined && { server }), ...budget };
  } finally {
    lines.close();
  }
}

const list = (line: string): string[] =>
  line
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'none');

/** @throws IbidError INVALID_ARGUMENT */
function usdOf(text: string): number {
  const usd = Number(text);
  if (Number.isFinite(usd) && usd >= 0) return usd;
  throw new IbidError('INVALID_ARGUMENT', `"${text}" is no number of US dollars`);
}

/** The name before the slash of `ollama/nomic-embed-text`. */
const serverOf = (embedder: string): string | undefined => /^([^/]+)\/(.+)$/.exec(embedder)?.[1];

/** @throws IbidError INVALID_ARGUMENT for a name that no command could use */
async function checkEmbedder(name: string): Promise<void> {
  if (name === 'local' || serverOf(name) !== undefined) return;
  const { search } = await import('../../wire.ts'); // only now: it brings what speaks HTTP
  const models = [...search.referenceModels, ...search.publicModels];
  const kinds = ['contextual', 'embedding'] as const;
  if (kinds.some((kind) => search.findModel(models, kind, name))) return;
  const known = models.filter(({ kind }) => kind === 'contextual' || kind === 'embedding').map((model) => model.name);
  throw new IbidError('INVALID_ARGUMENT', `there is no embedder "${name}"`, {
    hint: `Use local, server/model, or a model of the search service: ${[...new Set(known)].join(', ')}.`,
  });
}

/** @throws IbidError INVALID_ARGUMENT */
function configOf(
  { folders = ['.'], leaveOut = [], embedder = 'local', server, budget }: InitFlags,
  folder: string,
): Configuration {
  const missing = folders.find((name) => !statSync(resolve(folder, name), { throwIfNoEntry: false }));
  if (missing !== undefined) throw new IbidError('INVALID_ARGUMENT', `there is no folder "${missing}" here`);
  const name = serverOf(embedder);
  if (name === undefined && server !== undefined)
    throw new IbidError('INVALID_ARGUMENT', '--server needs an embedder of it', {
      hint: 'Name it as server/model: --embedder ollama/nomic-embed-text.',
    });
  if (name !== undefined && server === undefined)
    throw new IbidError('INVALID_ARGUMENT', `the embedder "${embedder}" needs the address of its server`, {
      hint: 'Add --server http://127.0.0.1:11434.',
    });
  return {
    ...schemaOf(folder),
    folders: folders.map((one) => relative(folder, resolve(folder, one)).replaceAll('\\', '/') || '.'),
    ...(leaveOut.length > 0 && { leaveOut }),
    index: INDEX_FOLDER,
    embedder: name === undefined ? embedder : { server: name, model: embedder.slice(name.length + 1) },
    ...(name !== undefined && { servers: { [name]: { baseUrl: server! } } }),
    ...(budget !== undefined && { budget }),
  };
}

/** The schema of the package that is installed here or above, for editors. */
function schemaOf(from: string): Pick<Configuration, '$schema'> {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, SCHEMA);
    if (existsSync(path)) return { $schema: `./${relative(from, path)}`.replaceAll('\\', '/').replace('./../', '../') };
    if (dirname(folder) === folder) return {};
  }
}
