import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { isLoopback, isPrivateHttp, requirePrivate } from './address.ts';
import type { ProxyOptions } from './contract.ts';
import { WireError } from './errors.ts';

/** One message of a socket, unpacked. */
const MAX_MESSAGE_BYTES = 67_108_864;

/** The connections of one transport: kept alive, one request at a time each, through a proxy where one is set. */
export function openDispatcher(base: URL, proxy: ProxyOptions | undefined): Dispatcher {
  // Time limits are the exchange's, per call; undici's own would fire at a second's grain.
  const options = {
    allowH2: false,
    webSocket: { maxPayloadSize: MAX_MESSAGE_BYTES },
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: 0,
    connect: { timeout: 0 },
  };
  if (isPrivateHttp(base)) return new Agent({ ...options, connect: { timeout: 0, lookup: privateLookup(base) } });
  if (proxy === undefined || isLoopback(base.hostname) || (proxy.http === undefined && proxy.https === undefined)) {
    return new Agent(options);
  }
  for (const [name, value] of Object.entries({ http: proxy.http, https: proxy.https })) {
    if (value !== undefined && !(URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))) {
      throw new WireError('INVALID_ARGUMENT', `proxy.${name} is not an http or https address`);
    }
  }
  // '' instead of undefined: where an option is missing undici would look into the environment by itself.
  return new EnvHttpProxyAgent({
    ...options,
    httpProxy: proxy.http ?? '',
    httpsProxy: proxy.https ?? '',
    noProxy: proxy.noProxy ?? '',
  });
}

/** Resolves a name, and fails if any of its addresses is public: the connection goes to the addresses checked here. */
export const privateLookup =
  (base: URL, resolve: typeof lookup = lookup): LookupFunction =>
  (name, options, done) => {
    resolve(name, { ...options, all: true }, (error, found) => {
      if (error) return done(error, []);
      try {
        for (const { address } of found) requirePrivate(address, base);
      } catch (unsafe) {
        return done(unsafe as WireError, []); // `requirePrivate` throws nothing else
      }
      if (options.all) done(null, found);
      else done(null, found[0]!.address, isIP(found[0]!.address));
    });
  };
