import { isIP } from 'node:net';
import { WireError } from './errors.ts';
import { isPublicAddress } from './public-address.ts';

/** True for a host, as `URL.hostname` gives it, that stands for this machine: it is always reached without TLS. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Whether a base address is reached without TLS in a private network: then what it resolves to must be private. */
export const isPrivateHttp = (base: URL): boolean => base.protocol === 'http:' && !isLoopback(base.hostname);

/** @throws WireError UNSAFE_ADDRESS for an IP address of the public internet */
export function requirePrivate(address: string, base: URL): void {
  if (!isPublicAddress(address)) return;
  throw new WireError('UNSAFE_ADDRESS', `${base.host} is in the public internet, and http can be read on the way`, {
    hint: 'Use https, or an address in a private network.',
  });
}

/**
 * The base address of a service, checked; with `/v1` at its end or without, it is the same.
 * @param privateAddress http may go to a host in a private network too
 * @throws WireError UNSAFE_ADDRESS when not https (http on loopback only), or with a user name or password;
 * INVALID_ARGUMENT when not an address, or with a query or fragment
 */
export function parseBaseUrl(baseUrl: string, privateAddress: boolean = false): URL {
  if (!URL.canParse(baseUrl)) {
    throw new WireError('INVALID_ARGUMENT', 'baseUrl is not an address', {
      hint: 'Write it like https://api.example.com.',
    });
  }
  const url = new URL(baseUrl);
  if (url.username !== '' || url.password !== '') {
    throw new WireError('UNSAFE_ADDRESS', 'baseUrl holds a user name or password', { hint: 'Pass the key as apiKey.' });
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && (isLoopback(url.hostname) || privateAddress))) {
    throw new WireError('UNSAFE_ADDRESS', `baseUrl must be https, not ${url.protocol}//${url.host}`, {
      hint: 'http is for loopback addresses, and with `privateAddress` for a host in a private network.',
    });
  }
  const bare = url.hostname.replace(/^\[|\]$/g, '');
  if (isPrivateHttp(url) && isIP(bare) !== 0) requirePrivate(bare, url);
  if (url.search !== '' || url.hash !== '') {
    throw new WireError('INVALID_ARGUMENT', 'baseUrl holds a query or a fragment', {
      hint: 'Give the address up to the path.',
    });
  }
  url.pathname = url.pathname.replace(/\/v1\/*$/, '/'); // the paths of the operations begin with it
  return url;
}

/** The address a redirect leads to, when a request with a key may follow it: same origin, and a read. */
export function followRedirect(from: URL, location: string | undefined, method: string): URL {
  if (location === undefined || !URL.canParse(location, from.href)) {
    throw new WireError('RESPONSE_INVALID', 'the service redirects, but not to an address');
  }
  const to = new URL(location, from);
  if (to.origin !== from.origin || to.username !== '' || to.password !== '') {
    throw new WireError('UNSAFE_ADDRESS', `the service redirects to ${to.origin}, and keys are not carried elsewhere`, {
      hint: `If ${to.origin} is the service's own address, set it as baseUrl.`,
    });
  }
  if (method !== 'GET') {
    throw new WireError('UNSAFE_ADDRESS', `the service redirects a ${method} request to ${to.pathname}`, {
      hint: 'Set baseUrl to the address it redirects to.',
    });
  }
  return to;
}
