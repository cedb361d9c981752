import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { textsOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import { Refusal } from './problem.ts';

/** True for an address to listen on that only this machine reaches. */
export function isOfThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** An origin as browsers send it: of a page of the web, of an extension, or `null`. @throws IbidError INVALID_ARGUMENT */
function checkOrigin(origin: string): void {
  const { protocol, origin: meant } = URL.canParse(origin) ? new URL(origin) : { protocol: '', origin: '' };
  const isWeb = protocol === 'http:' || protocol === 'https:';
  if (isWeb ? origin === meant : origin === 'null' || /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/.test(origin)) return;
  throw new IbidError('INVALID_ARGUMENT', `"${origin}" is no origin of a page`, {
    hint: `Write it as a browser sends it: ${isWeb ? meant : 'https://intranet.example'}`,
  });
}

/** A name as the header `Host` has it; any other would let nobody in, and say nothing. @throws IbidError INVALID_ARGUMENT */
function checkHost(name: string): void {
  if (/^(?:\[[\da-f:.]+\]|[^\s:/?#@]+)(?::\d+)?$/i.test(name)) return;
  throw new IbidError('INVALID_ARGUMENT', `"${name}" is no name of a server`, {
    hint: 'Write it without https:// and without a path: search.example, or search.example:8443',
  });
}

/**
 * Knows the names of this server and the pages that may call it. A name that leads to this address by a stranger's DNS is
 * not among them, so that no page of another site can read answers through it.
 */
export class Guard {
  readonly #hosts: ReadonlySet<string>;
  readonly #anyAddress: boolean;
  readonly #origins: ReadonlySet<string>;

  /**
   * @param host the address that is listened on
   * @param hosts further names, without or with a port
   */
  constructor(host: string, hosts: readonly string[], origins: readonly string[]) {
    for (const name of textsOf(hosts, 'hosts')) checkHost(name);
    this.#hosts = new Set(
      ['localhost', '127.0.0.1', '[::1]', nameOf(host), ...hosts].map((name) => name.toLowerCase()),
    );
    // Listening beyond loopback, any of the machine's addresses may be called; an address cannot be rebound.
    this.#anyAddress = !isOfThisMachine(host);
    for (const origin of textsOf(origins, 'origins')) checkOrigin(origin);
    this.#origins = new Set(origins);
  }

  /**
   * @param isOpen whether the path tells nothing of an index, and costs nothing
   * @returns headers for the answer: those that let a named page read it
   * @throws Refusal 403, 421
   */
  check(request: IncomingMessage, isOpen: boolean): Readonly<Record<string, string>> {
    const host = (request.headers.host ?? '').toLowerCase();
    if (!this.#knows(host))
      throw new Refusal(421, 'FORBIDDEN', 'this server does not go by that name', {
        hint: 'Whoever runs the server can give it this name.',
      });
    const { origin } = request.headers;
    if (origin === undefined) {
      // of another site, in browsers that say so: its links may lead to the page, and its frames could ask unseen
      const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } = request.headers;
      const isForeign = site === 'cross-site' || site === 'same-site';
      const isLink = request.method === 'GET' && mode === 'navigate' && dest === 'document';
      if (isForeign && !(isLink && isOpen)) throw new Refusal(403, 'FORBIDDEN', 'pages of other sites may not call');
      return {};
    }
    if (origin === `http://${host}` || origin === `https://${host}`) return {};
    if (!this.#origins.has(origin))
      throw new Refusal(403, 'FORBIDDEN', 'pages of this origin may not call', {
        hint: 'Whoever runs the server can let this origin call.',
      });
    return { 'access-control-allow-origin': origin, vary: 'Origin', 'access-control-expose-headers': 'x-request-id' };
  }

  /**
   * The answer to a browser that asks before it calls from a named origin. Clients send names of their own; the star
   * stands for all but `authorization`.
   */
  static readonly preflight: Readonly<Record<string, string>> = {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': 'authorization, *',
    'access-control-max-age': '600',
  };

  #knows(host: string): boolean {
    const name = host.replace(/:\d{1,5}$/, '');
    return (
      this.#hosts.has(name) ||
      this.#hosts.has(host) ||
      (this.#anyAddress && isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0)
    );
  }
}

function nameOf(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
