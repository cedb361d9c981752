import { lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { IbidError } from '../../index.ts';
import { readText, reasonOf } from '../files.ts';
import { type Problem, printedPath, problemsOf, type Schema } from './check.ts';
import { type Configuration, description } from './description.ts';
import { brokenLine, lineOf } from './json-lines.ts';
import { keysIn } from './key-like.ts';
import { isRemoteAddress } from './remote.ts';

export const CONFIG_NAME = 'ibid.config.json';

/** A configuration and where it stands. */
export interface ConfigFile {
  readonly path: string;
  /** Paths in the configuration are relative to this folder. */
  readonly folder: string;
  readonly values: Configuration;
}

/**
 * The nearest configuration in a folder or above it; the home folder is the last that is looked at.
 * @throws IbidError INVALID_ARGUMENT, FILE_UNREADABLE
 */
export function findConfig(from: string, home: string | undefined): ConfigFile | undefined {
  const last = home === undefined ? [] : [resolve(home), realPathOf(resolve(home))]; // a working folder is a real path
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, CONFIG_NAME);
    if (isThere(path)) return readConfig(path);
    if (last.includes(folder) || dirname(folder) === folder) return undefined;
  }
}

/** Also for a link that leads nowhere: the configuration behind it may hold a budget. @throws IbidError FILE_UNREADABLE */
function isThere(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false }) ?? lstatSync(path, { throwIfNoEntry: false });
    return found !== undefined && (found.isFile() || found.isSymbolicLink());
  } catch (cause) {
    throw new IbidError('FILE_UNREADABLE', `${path} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

/** @throws IbidError INVALID_ARGUMENT naming file, line and place; FILE_UNREADABLE */
export function readConfig(path: string): ConfigFile {
  const text = readText(path);
  if (text === undefined) throw new IbidError('FILE_UNREADABLE', `"${path}" does not exist`);
  try {
    return parseConfig(text, path);
  } catch (cause) {
    if (cause instanceof IbidError) throw cause;
    throw new IbidError('FILE_UNREADABLE', `"${path}" names what cannot be opened: ${reasonOf(cause)}`, { cause });
  }
}

/** @param path where the text stands or will stand @throws IbidError INVALID_ARGUMENT */
export function parseConfig(text: string, path: string): ConfigFile {
  const folder = dirname(path);
  const values = checkedConfig(parsed(text, path), text, path);
  for (const name of values.folders ?? []) refuseOutside('folders', name, folder, path);
  if (values.index !== undefined && !isRemoteAddress(values.index)) refuseOutside('index', values.index, folder, path);
  return { path, folder, values };
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new IbidError('INVALID_ARGUMENT', `${path}:${brokenLine(text)}: this is not JSON`, {
      hint: 'JSON has double quotes around names and texts, no comma before a closing bracket, and no comments.',
    });
  }
}

const shown = 5;

function checkedConfig(value: unknown, text: string, path: string): Configuration {
  const keys = keysIn(value);
  const misfits = problemsOf(value, description satisfies Schema);
  // what follows the schema is typed
  const others = misfits.length > 0 ? misfits : contradictions(value as Configuration);
  const keyPlaces = new Set(keys.map((one) => printedPath(one.path)));
  // any other message about the same place would repeat the key
  const problems = [...keys, ...others.filter((one) => !keyPlaces.has(printedPath(one.path)))];
  if (problems.length === 0) return value as Configuration; // as checked
  const lines = problems
    .slice(0, shown)
    .map((one) => `${path}:${lineOf(text, one.path)}: ${printedPath(one.path) || 'the configuration'} ${one.message}`);
  const more = problems.length > shown ? `\n… and ${problems.length - shown} more` : '';
  throw new IbidError('INVALID_ARGUMENT', lines.join('\n') + more, {
    hint:
      keys.length > 0
        ? 'Put keys into the environment or into ~/.config/ibid/keys; `ibid config` says where each comes from.'
        : 'All fields are described in ibid.config.schema.json of the package; `ibid init --force` writes the file anew.',
  });
}

/** What the schema cannot say. */
function contradictions(config: Configuration): readonly Problem[] {
  const { servers = {}, services = {}, models = {}, embedder, speech, privateAddresses = [] } = config;
  const problems: Problem[] = [];
  const known = Object.keys(servers);
  const needServer = (path: Problem['path'], name: string): void => {
    if (Object.hasOwn(servers, name)) return;
    const message = `names the server "${name}"; under servers ${known.length > 0 ? `are ${known.join(', ')}` : 'is none'}`;
    problems.push({ path, message });
  };
  if (typeof embedder === 'object') needServer(['embedder', 'server'], embedder.server);
  for (const [job, { server, service }] of Object.entries(models)) {
    if ((server === undefined) === (service === undefined))
      problems.push({ path: ['models', job], message: 'needs "server" or "service", one of them' });
    else if (server !== undefined) needServer(['models', job, 'server'], server);
  }
  if (speech?.server !== undefined) {
    needServer(['speech', 'server'], speech.server);
    if (speech.service !== undefined)
      problems.push({ path: ['speech'], message: 'needs "server" or "service", not both' });
    if (speech.model === undefined) problems.push({ path: ['speech'], message: 'needs the "model" of the server' });
  }
  const addresses: [Problem['path'], string | undefined][] = [
    ...Object.entries(servers).map(([name, { baseUrl }]): [Problem['path'], string] => [
      ['servers', name, 'baseUrl'],
      baseUrl,
    ]),
    ...Object.entries(services).map(([name, { baseUrl }]): [Problem['path'], string | undefined] => [
      ['services', name, 'baseUrl'],
      baseUrl,
    ]),
    ...privateAddresses.map((address, i): [Problem['path'], string] => [['privateAddresses', i], address]),
  ];
  for (const [path, address] of addresses)
    if (address !== undefined && !isAddress(address))
      problems.push({ path, message: 'must be an address that begins with http:// or https://' });
  return problems;
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/**
 * A configuration may come with a folder from elsewhere: what it has read, asked and written must not reach beyond that
 * folder, through a link either.
 */
function refuseOutside(field: string, name: string, folder: string, path: string): void {
  const target = realPathOf(resolve(folder, name));
  const inner = target === undefined ? '..' : relative(realPathOf(folder) ?? folder, target);
  if (inner !== '..' && !inner.startsWith(`..${sep}`) && resolve(inner) !== inner) return;
  throw new IbidError('INVALID_ARGUMENT', `${path}: ${field}: "${name}" leads out of ${folder}`, {
    hint: 'Put the configuration higher, or name the place on the command line: `ibid ingest <path>`, `--index <address>`.',
  });
}

/** Of a place that need not be there yet: what of its path is there is followed through links. Undefined: a link to nothing. */
function realPathOf(path: string): string | undefined {
  if (lstatSync(path, { throwIfNoEntry: false }))
    return statSync(path, { throwIfNoEntry: false }) && realpathSync(path);
  const above = dirname(path);
  const real = above === path ? above : realPathOf(above);
  return real && join(real, basename(path));
}
