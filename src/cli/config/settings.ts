import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { IbidError } from '../../index.ts';
import type { Environment } from '../../wire.ts';
import { type KeyedService, keyedServices, variable } from '../keys.ts';
import type { Configuration } from './description.ts';
import { type ConfigFile, findConfig } from './file.ts';
import { homeOf, isNamedIn, keysPath, readKeysFile } from './keys-file.ts';

/** What holds for a command besides its flags: environment, then keys file, then configuration. */
export interface Settings {
  /** The configuration that holds. */
  readonly file: ConfigFile | undefined;
  /** Its content; empty without one. */
  readonly config: Configuration;
  /** What services are opened with: the environment, completed by keys file and configuration. */
  readonly environment: Environment;
  /** Where a value of `environment` comes from: `environment`, or the path of a file. */
  readonly originOf: (name: string) => string | undefined;
  /** Addresses that the person who runs the command has named: no value of the configuration. */
  readonly trusted: Environment;
  /** Why the keys file could not be read: only what needs a key fails with that. */
  readonly keysFailure: IbidError | undefined;
  /** The same, where that file names the index: what then looks for an index would find another one. */
  readonly indexFailure: IbidError | undefined;
}

/** The address of the index. */
export const INDEX_VARIABLE = 'IBID_INDEX';

/** @throws IbidError INVALID_ARGUMENT, FILE_UNREADABLE for a configuration */
export function readSettings(environment: Environment = process.env, cwd: string = process.cwd()): Settings {
  const file = findConfig(cwd, homeOf(environment));
  const keys = keysPath(environment);
  const read = keysOrFailure(keys);
  const keysFailure = read instanceof IbidError ? read : undefined;
  const trusted = { ...(read instanceof IbidError ? {} : read), ...definedOnly(environment) };
  const configured = file ? variablesOf(file.values) : {};
  return {
    file,
    config: file?.values ?? {},
    environment: { ...configured, ...trusted },
    ...{ trusted, keysFailure },
    indexFailure: keysFailure && isNamedIn(keys, INDEX_VARIABLE) ? unnamedIndex(keys, keysFailure) : undefined,
    originOf: (name) => {
      if (environment[name] !== undefined) return 'environment';
      return trusted[name] === undefined ? configured[name] && file?.path : keys;
    },
  };
}

function unnamedIndex(path: string, { code, message, hint = '' }: IbidError): IbidError {
  return new IbidError(code, `${INDEX_VARIABLE} stands in ${path}, which is not used: ${message}`, {
    hint: `${hint} Or name the index with \`--index\`.`.trim(),
  });
}

function keysOrFailure(path: string): Environment | IbidError {
  try {
    return readKeysFile(path);
  } catch (error) {
    if (error instanceof IbidError) return error;
    throw error;
  }
}

/** Why a key that is not there may stand in the keys file; undefined where the environment has it, or switches it off. */
export function failureOfKey({ environment, keysFailure }: Settings, name: string): IbidError | undefined {
  return environment[name] === undefined ? keysFailure : undefined;
}

const definedOnly = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));

/** Addresses and dialects of a configuration, under the names that the environment has for them. */
function variablesOf({ services = {} }: Configuration): Environment {
  return Object.fromEntries(
    Object.values(keyedServices).flatMap((service) => {
      const { baseUrl, profile } = services[service.name] ?? {};
      return [
        ...(baseUrl === undefined ? [] : [[variable(service, 'BASE_URL'), baseUrl] as const]),
        ...(profile === undefined ? [] : [[variable(service, 'PROFILE'), profile] as const]),
      ];
    }),
  );
}

/**
 * The paths of a command, else the folders of the configuration. @throws IbidError INVALID_ARGUMENT when there are
 * neither
 */
export function pathsOf(named: readonly string[], { file }: Settings): readonly string[] {
  if (named.length > 0) return named;
  const folders = file?.values.folders ?? [];
  if (file && folders.length > 0) return folders.map((folder) => resolve(file.folder, folder));
  throw new IbidError('INVALID_ARGUMENT', 'no folder was named', {
    hint: file
      ? `Name one, or put "folders" into ${file.path}.`
      : 'Name one: `ibid ingest ./docs`. `ibid init` writes a configuration with the folders of this place.',
  });
}

/**
 * A configuration may come with a folder from elsewhere, and would send keys wherever it says. A key goes only to an
 * address that its owner has named beside it, to the live service, or to this machine.
 * @throws IbidError UNSAFE_ADDRESS
 */
export function checkKeyAddress(
  { trusted, file }: Settings,
  { name, baseUrl, service }: { readonly name: string; readonly baseUrl: string; readonly service?: KeyedService },
): void {
  if (!URL.canParse(baseUrl)) return; // said by whoever opens it
  const { origin, hostname } = new URL(baseUrl);
  const variableName = name.replace(/_API_KEY$/, '_BASE_URL');
  const named = [trusted[variableName], service?.address].flatMap((one) =>
    one !== undefined && URL.canParse(one) ? [new URL(one).origin] : [],
  );
  const isHere =
    hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
  if (isHere || named.includes(origin)) return;
  throw new IbidError('UNSAFE_ADDRESS', `${file?.path ?? 'the configuration'} would send ${name} to ${origin}`, {
    hint: `If that is meant, say so beside the key: ${variableName}=${baseUrl}`,
  });
}

/** The advice of the command line for http to another machine; any other error as it is. */
export function withPrivateHint(error: IbidError, baseUrl: string): IbidError {
  if (error.code !== 'UNSAFE_ADDRESS' || !baseUrl.startsWith('http:')) return error;
  const hint =
    'Use https. For a host in your own network, name the address under `privateAddresses` in ibid.config.json.';
  return new IbidError(error.code, error.message, { hint, cause: error });
}

/** True for an address that the configuration names as one in a private network. */
export function isNamedPrivate({ config }: Settings, baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const { origin } = new URL(baseUrl);
  return (config.privateAddresses ?? []).some((one) => URL.canParse(one) && new URL(one).origin === origin);
}
