import type { Operation, Transport } from '../http/contract.ts';
import { WireError } from '../http/errors.ts';
import { type CommonOperations, commonOperations } from './operations.ts';

/** What a call is sent by. */
export interface CommonContext {
  readonly transport: Transport;
  readonly routes: CommonRoutes;
}

/** One way to ask for something: an operation, and how its request is sent. */
export type Way<T> = (operations: CommonOperations) => {
  readonly operation: Operation;
  readonly send: () => Promise<T>;
};

/**
 * Which paths a server has. Most begin with `/v1`, some have none, and lists of scores come in two forms. The first way
 * that the server knows is kept for this client, so that it is found out once.
 */
export class CommonRoutes {
  readonly #prefixes: readonly CommonOperations[];
  readonly #found = new Map<string, number>();

  /** @param prefix `/v1`, or another version that the base address ends in */
  constructor(prefix: string) {
    this.#prefixes = ['', ...(prefix === '' ? [] : [prefix])].reverse().map(commonOperations);
  }

  /** @param ways in the order they are tried, each below each prefix @throws WireError of the first way */
  async first<T>(name: string, ...ways: readonly Way<T>[]): Promise<T> {
    const all = ways.flatMap((way, i) => {
      // a second form is only of servers without a prefix
      return (i === 0 ? this.#prefixes : this.#prefixes.slice(-1)).map(way);
    });
    const known = this.#found.get(name);
    if (known !== undefined) return await all[known]!.send();
    let first: unknown;
    for (const [at, { send }] of all.entries()) {
      try {
        const result = await send();
        this.#found.set(name, at);
        return result;
      } catch (error) {
        first ??= error;
        if (!isOtherPath(error, at > 0)) throw at === 0 || !isOtherPath(first, false) ? first : error;
      }
    }
    throw first;
  }
}

/**
 * Whether a refusal says that there is no such path, or that a request should look otherwise, rather than that a model
 * is missing.
 */
function isOtherPath(error: unknown, isOtherForm: boolean): boolean {
  if (!(error instanceof WireError)) return false;
  if (error.code === 'REMOTE_NOT_FOUND') return !/model/i.test(error.body ?? '');
  return isOtherForm && error.code === 'REQUEST_REJECTED';
}

/** The base address without a version at its end, and that version. */
export function splitVersion(baseUrl: string): { readonly baseUrl: string; readonly prefix: string } {
  const [, base, version] = /^(.*?)(\/v\d+\w*)?\/*$/s.exec(baseUrl)!; // every text fits
  return { baseUrl: base!, prefix: version ?? '/v1' };
}
