import { canonicalUrl } from '../core/url.ts';

/** Public suffixes of two labels that are common enough to matter for counting sites; the full list is not shipped. */
const doubled = /^(?:co|com|net|org|gov|edu|ac|ne|or|go)$/;

/**
 * The site an address belongs to, for capping how many results one site may have: `docs.example.co.uk` →
 * `example.co.uk`.
 */
export function siteOf(address: string): string {
  const host = canonicalUrl(address)?.split(/[/?#:]/, 1)[0] ?? address;
  const labels = host.split('.');
  if (labels.length <= 2 || /^[\d.]+$/.test(host)) return host;
  const count = doubled.test(labels.at(-2)!) && labels.at(-1)!.length === 2 ? 3 : 2;
  return labels.slice(-count).join('.');
}

/**
 * Whether an address lies within one of the sites: a domain and all below it, `example.com/docs` and all below that
 * path.
 */
export function isWithin(address: string, domains: readonly string[]): boolean {
  const canonical = canonicalUrl(address);
  if (canonical === undefined) return false;
  const [host = ''] = canonical.split(/[/?#]/, 1);
  return domains.some((domain) => {
    const wanted = canonicalUrl(`https://${domain.replace(/^-/, '').replace(/^\./, '')}`) ?? domain;
    const slash = wanted.indexOf('/');
    const wantedHost = slash < 0 ? wanted : wanted.slice(0, slash);
    const isHost = host === wantedHost || host.endsWith(`.${wantedHost}`);
    if (!isHost || slash < 0) return isHost;
    const path = canonical.slice(host.length);
    const wantedPath = wanted.slice(slash);
    return path === wantedPath || path.startsWith(`${wantedPath}/`) || path.startsWith(`${wantedPath}?`);
  });
}
