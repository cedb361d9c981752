import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { rooms } from './rooms.ts';

const root = join(import.meta.dirname, '../..');

/** Each package that ibid asks for, and the reason. The table of the rooms says which room imports it. */
export const packages: Readonly<Record<string, string>> = {
  '@lancedb/lancedb': 'the database; nearly all of it is one native library',
  '@modelcontextprotocol/server': 'the Model Context Protocol; loaded by `ibid mcp` and with the first call of `/mcp`',
  '@opentelemetry/api': 'spans of calls for an application that collects them; the database asks for it too',
  'apache-arrow': 'the format of tables; the database asks for it too',
  chardet: 'guesses the encoding of a text',
  'cli-progress': 'progress bars',
  commander: 'arguments and help',
  'eventsource-parser': 'server-sent events',
  'gpt-tokenizer':
    'the vocabulary of o200k_base for exact token counts; 4 MB are read, the rest are other vocabularies and copies',
  htmlparser2: 'HTML',
  hyparquet: 'Parquet files',
  'hyparquet-writer': 'Parquet files that `ibid export` writes',
  ignore: '`.gitignore` and `.ibidignore`',
  'markdown-it': 'Markdown',
  'music-metadata': 'length, codec, title, chapters and lyrics of recordings, without decoding',
  'p-limit': 'bounded concurrency',
  saxes: 'XML: office documents, books, feeds',
  'smol-toml': 'front matter in TOML',
  stemmer: 'stems of English words',
  undici: 'HTTP and WebSocket with time limits, pools and proxies',
  unpdf: 'PDF',
  yaml: 'front matter, YAML files',
};

interface Locked {
  readonly dev?: boolean;
  /** For development, and asked for as optional by a package of users. */
  readonly devOptional?: boolean;
  /** The platforms a package is made for. */
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const lock = (
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>; // npm's documented shape
  }
).packages;

const ofUsers = Object.values(lock).filter(({ dev }) => !dev);
const neededByUsers = new Set(ofUsers.flatMap(({ dependencies = {} }) => Object.keys(dependencies)));

/** What a package of users can work with and npm does not bring: here because something for development asks for it. */
const optionalPeers = new Set(
  ofUsers.flatMap(({ peerDependenciesMeta = {} }) =>
    Object.keys(peerDependenciesMeta).filter(
      (name) => peerDependenciesMeta[name]!.optional && !neededByUsers.has(name),
    ),
  ),
);

/** Folders below `node_modules` that a user's install makes; those of optional packages may be missing. */
export const production: readonly string[] = Object.keys(lock).filter(
  (folder) => folder !== '' && !lock[folder]!.dev && !(lock[folder]!.devOptional && optionalPeers.has(nameOf(folder))),
);

const forPlatform = (folder: string): boolean => (lock[folder]?.os ?? lock[folder]?.cpu) !== undefined;

/** Where `name` is for the package in `folder`: in its own `node_modules` or in one above. */
function resolve(folder: string, name: string): string[] {
  const parts = `/${folder}`.split('/node_modules/').slice(1);
  for (let depth = parts.length; depth >= 0; depth--) {
    const found = [...parts.slice(0, depth), name].map((part) => `node_modules/${part}`).join('/');
    if (lock[found]) return [found];
  }
  return [];
}

/** Adds a package and all that it needs, without what is optional and made for every platform. */
function addNeeded(folder: string, to: Set<string>): Set<string> {
  if (to.has(folder)) return to;
  to.add(folder);
  const { dependencies, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = lock[folder]!;
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  const native = Object.keys(optionalDependencies).filter((name) => forPlatform(`node_modules/${name}`));
  for (const name of [...Object.keys(dependencies ?? {}), ...peers, ...native])
    for (const found of resolve(folder, name)) addNeeded(found, to);
  return to;
}

function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Optional packages of the database, which npm installs where it can. */
const optional: typeof packages = {
  openai: 'optional for the database, never loaded: an HTTP client, and what fetch needed before Node had it',
  '@huggingface/transformers':
    'optional for the database, never loaded: left out by npm where its download of a runtime fails',
};

/** A package with the folders that it adds to those before it. */
export interface Brought {
  readonly name: string;
  readonly folders: readonly string[];
}

/** A folder that is needed by several stands with the first. */
export function broughtPackages(): readonly Brought[] {
  const seen = new Set<string>();
  return Object.keys({ ...packages, ...optional }).map((name) => {
    const [folder] = resolve(name in optional ? 'node_modules/@lancedb/lancedb' : '', name);
    const needed = [...addNeeded(folder!, new Set())];
    // another version of one of ours, nested in who asks for it, comes with who asks
    const isOwn = (one: string): boolean => one === `node_modules/${nameOf(one)}` && nameOf(one) in packages;
    const folders = needed.filter((one) => one === folder || !(seen.has(one) || isOwn(one)));
    for (const one of folders) seen.add(one);
    return { name, folders };
  });
}

/** Whole megabytes of the files in this checkout; nothing where the package is not installed. */
export function megabytes({ folders }: Brought): number | undefined {
  if (!existsSync(join(root, folders[0]!))) return undefined;
  return Math.round(folders.reduce((sum, folder) => sum + bytesIn(join(root, folder)), 0) / 1e6);
}

/** Bytes of the files in a folder, without packages nested in it. */
function bytesIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + (entry.name === 'node_modules' ? 0 : bytesIn(path));
    return sum + (entry.isFile() ? statSync(path).size : 0);
  }, 0);
}

/** The list of what an install brings, for the architecture text. */
export function packagesTable(sizes: (brought: Brought) => number | string): string {
  const rows = broughtPackages().map((brought) => {
    const { name } = brought;
    const room = rooms.find(({ owns }) => owns?.includes(name))?.name;
    const why = packages[name] ?? optional[name];
    const others = brought.folders.slice(1).filter((folder) => !forPlatform(folder));
    const brings = [...new Set(others.map(nameOf))].sort().join(' ');
    return `| \`${name}\` | ${room ? `\`${room}/\`` : ''} | ${sizes(brought)} | ${why} | ${brings} |`;
  });
  return ['| package | room | MB | reason | brings |', '| --- | --- | --: | --- | --- |', ...rows].join('\n');
}
