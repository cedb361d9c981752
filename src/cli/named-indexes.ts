import { dirname, join } from 'node:path';
import { IbidError, type OpenIndexOptions, openIndex, type SearchIndex } from '../index.ts';
import { isRemoteAddress, locateIndex } from './locate-index.ts';
import { boundReadAhead } from './memory.ts';
import { openServices } from './services.ts';

export type NamedAddresses = readonly (readonly [name: string, address: string])[];

export interface OpenedIndexes extends AsyncDisposable {
  readonly indexes: Readonly<Record<string, SearchIndex>>;
}

/** Opens the indexes a server is for, with the services of the environment. */
export async function openNamed(
  addresses: NamedAddresses,
  signal: AbortSignal,
  options: Pick<OpenIndexOptions, 'create'> = {},
): Promise<OpenedIndexes> {
  await using opened = new AsyncDisposableStack();
  const { services } = opened.use(await openServices());
  const indexes: Record<string, SearchIndex> = {};
  for (const [name, address] of addresses) {
    boundReadAhead(address);
    const base = isRemoteAddress(address) ? process.cwd() : dirname(address);
    indexes[name] = opened.use(await openIndex(address, { signal, services, base, ...options }));
  }
  const kept = opened.move();
  return { indexes, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** `name=address` or `address`, which is then called by its number or, alone, `default`. @throws IbidError INVALID_ARGUMENT */
export function addressesOf(given: readonly string[] | undefined): NamedAddresses {
  if (!given || given.length === 0) return [['default', locateIndex(undefined)]];
  const named = given.map((text, i): readonly [string, string] => {
    const [, name, address] = /^([\p{L}\p{N}][\p{L}\p{N}._-]*)=(.+)$/u.exec(text) ?? [];
    const alone = given.length === 1 ? 'default' : String(i + 1);
    return name === undefined ? [alone, locateIndex(text)] : [name, locateIndex(address)];
  });
  const twice = named.find(([name], i) => named.findIndex(([other]) => other === name) !== i);
  if (twice) throw new IbidError('INVALID_ARGUMENT', `two indexes are called "${twice[0]}"`);
  return named;
}

/** The file of tokens: the one that is named, else one in the first index. @throws IbidError INVALID_ARGUMENT */
export function tokensFile(named: string | undefined, addresses: NamedAddresses): string {
  if (named !== undefined) return named;
  const local = addresses.find(([, address]) => !isRemoteAddress(address));
  if (!local)
    throw new IbidError('INVALID_ARGUMENT', 'tokens of remote indexes need a file', { hint: 'Name it with --tokens.' });
  return join(local[1], 'tokens.json');
}
