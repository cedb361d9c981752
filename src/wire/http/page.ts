import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Agent, request } from 'undici';
import type { CallOptions } from '../../core/types.ts';
import { WireError } from './errors.ts';
import { isPublicAddress } from './public-address.ts';

export interface PageFetchOptions extends CallOptions {
  /** Content types that are wanted; others are refused. @default any */
  readonly accept?: readonly string[] | undefined;
  /** @default 4194304 */
  readonly maxBytes?: number | undefined;
  /** For all of it, redirects included. @default 10,000 */
  readonly timeoutMs?: number | undefined;
  /** @default 5 */
  readonly maxRedirects?: number | undefined;
  /** All addresses of a name. @default the system's resolver */
  readonly resolve?: ((hostname: string) => Promise<readonly string[]>) | undefined;
  /** Which addresses may be connected to. @default `isPublicAddress` */
  readonly allows?: ((address: string) => boolean) | undefined;
  /** @default the schemes' own: 80 and 443 */
  readonly ports?: readonly number[] | undefined;
}

export interface FetchedPage {
  /** After redirects. */
  readonly url: string;
  /** Lower case, without parameters. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

const AGENT = 'ibid';

/**
 * Gets a page of the public web that somebody else named. The name is resolved once; if any of its addresses is
 * private, loopback, link-local or otherwise not public, nothing is connected to, and the connection goes to the very
 * addresses that were checked. Each redirect is checked like the first address. No key, no cookie, no proxy, no script.
 * @throws WireError UNSAFE_ADDRESS, CONNECTION_FAILED, TIMEOUT, RESPONSE_INVALID, REQUEST_TOO_LARGE; the caller's abort
 * as it is
 */
export async function fetchPublicPage(address: string, options: PageFetchOptions = {}): Promise<FetchedPage> {
  const { timeoutMs = 10_000, maxRedirects = 5, signal: caller } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = caller ? AbortSignal.any([caller, timeout]) : timeout;
  let url = address;
  try {
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const next = await getOnce(url, signal, options);
      if ('page' in next) return next.page;
      url = next.location;
    }
  } catch (error) {
    caller?.throwIfAborted();
    if (timeout.aborted) throw new WireError('TIMEOUT', `${shown(address)} took longer than ${timeoutMs} ms`);
    if (error instanceof WireError) throw error;
    throw new WireError('CONNECTION_FAILED', `${shown(url)} cannot be reached`, { cause: error });
  }
  throw new WireError('RESPONSE_INVALID', `${shown(address)} redirects more than ${maxRedirects} times`);
}

type Hop = { readonly page: FetchedPage } | { readonly location: string };

async function getOnce(address: string, signal: AbortSignal, options: PageFetchOptions): Promise<Hop> {
  const { accept, maxBytes = 4 * 2 ** 20, resolve = resolveAll, allows = isPublicAddress, ports = [80, 443] } = options;
  const url = checkAddress(address, ports);
  const addresses = await addressesOf(url, resolve, signal);
  const refused = addresses.find((one) => !allows(one));
  if (refused !== undefined || addresses.length === 0) {
    throw new WireError('UNSAFE_ADDRESS', `${url.hostname} does not lead to the public web`, {
      hint: 'Pages of private networks are not fetched.',
    });
  }
  const dispatcher = new Agent({
    connect: {
      // The answer is what was checked: a second look-up could be told something else.
      lookup: (_name, { all }, done) => {
        const known = addresses.map((one) => ({ address: one, family: isIP(one) }));
        if (all) done(null, known);
        else done(null, known[0]!.address, known[0]!.family);
      },
    },
  });
  try {
    const headers = { 'user-agent': AGENT, accept: accept?.join(', ') ?? '*/*', 'accept-encoding': 'identity' };
    const reply = await request(url, { dispatcher, signal, method: 'GET', headers });
    const { statusCode, body } = reply;
    body.on('error', () => {}); // what is not read to its end is destroyed below, and says so
    const location = headerOf(reply.headers, 'location');
    if (statusCode >= 300 && statusCode < 400 && location !== undefined) {
      if (!URL.canParse(location, url.href))
        throw new WireError('RESPONSE_INVALID', `${shown(address)} redirects to no address`);
      return { location: new URL(location, url).href };
    }
    if (statusCode !== 200) {
      throw new WireError('RESPONSE_INVALID', `${shown(address)} answered ${statusCode}`, { status: statusCode });
    }
    const contentType = (headerOf(reply.headers, 'content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
    if (accept && !accept.includes(contentType)) {
      throw new WireError('RESPONSE_INVALID', `${shown(address)} is "${contentType.slice(0, 80)}"`);
    }
    const encoding = headerOf(reply.headers, 'content-encoding') ?? 'identity';
    if (encoding !== 'identity') {
      throw new WireError('RESPONSE_INVALID', `${shown(address)} is packed although it was asked not to be`);
    }
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of body as AsyncIterable<Uint8Array>) {
      size += part.byteLength;
      if (size > maxBytes)
        throw new WireError('REQUEST_TOO_LARGE', `${shown(address)} is larger than ${maxBytes} bytes`);
      parts.push(part);
    }
    return { page: { url: url.href, contentType, bytes: Buffer.concat(parts) } };
  } finally {
    await dispatcher.destroy();
  }
}

function checkAddress(address: string, ports: readonly number[]): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !isWeb || url.username !== '' || url.password !== '') {
    throw new WireError('UNSAFE_ADDRESS', `${shown(address)} is not an http address without a user name`);
  }
  const port = Number(url.port) || (url.protocol === 'http:' ? 80 : 443);
  if (!ports.includes(port)) throw new WireError('UNSAFE_ADDRESS', `port ${port} is not one of web pages`);
  return url;
}

async function addressesOf(
  { hostname }: URL,
  resolve: (hostname: string) => Promise<readonly string[]>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (isIP(bare) !== 0) return [bare];
  signal.throwIfAborted();
  return await new Promise((done, failed) => {
    const onAbort = (): void => failed(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    resolve(bare)
      .then(done, failed)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}

async function resolveAll(hostname: string): Promise<readonly string[]> {
  return (await systemLookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);
}

function headerOf(headers: Readonly<Record<string, string | string[] | undefined>>, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** An address without query and fragment, which may hold anything, and without a password. */
function shown(address: string): string {
  const [plain = ''] = address.split(/[?#]/, 1);
  return plain.replace(/\/\/[^/]*@/, '//').slice(0, 200);
}
