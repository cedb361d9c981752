/** Parameters that describe where a visitor came from, not the page. */
const tracking =
  /^(?:utm_.+|gclid|gbraid|wbraid|dclid|fbclid|msclkid|yclid|twclid|igshid|mc_[ce]id|_hs(?:enc|mi)|mkt_tok|ref|ref_src|referrer|source|cmpid|ncid|spm|share|si|vero_id|_ga|_gl|trk|trkcampaign|amp)$/i;

const mobile = /^(?:www\d?|m|mobile|amp)\.(?=[^.]+\.)/;

/**
 * One spelling for all addresses of a page: to detect that two results are the same page, not to fetch it. Removes
 * scheme, `www.` and mobile hosts, default ports, fragments, tracking parameters, index files, doubled and trailing
 * slashes; sorts the parameters. Keeps a fragment that is a route (`#!/…`).
 * @returns undefined for an address that is not http or https
 */
export function canonicalUrl(address: string): string | undefined {
  let url: URL;
  try {
    url = new URL(address.trim());
  } catch {
    return undefined;
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const host = url.hostname
    .replace(/\.$/, '')
    .replace(mobile, '')
    .replace(/^(\w\w)\.m\./, '$1.');
  const port = url.port === '' || url.port === '80' || url.port === '443' ? '' : `:${url.port}`;
  const path = spelledOut(url.pathname)
    .replace(/\/{2,}/g, '/')
    .replace(/\/(?:index|default)\.(?:html?|php|aspx?|jsp)$/i, '/')
    .replace(/\/amp\/?$/i, '/')
    .replace(/\/$/, '');
  const parameters = [...url.searchParams].filter(([name]) => !tracking.test(name));
  parameters.sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : x > y ? 1 : 0));
  const query = parameters.length > 0 ? `?${new URLSearchParams(parameters)}` : '';
  const route = /^#!?\//.test(url.hash) ? url.hash : '';
  return `${host}${port}${path}${query}${route}`;
}

/** Decodes escapes of unreserved characters and writes other escapes in upper case (RFC 3986, section 6.2.2). */
function spelledOut(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (triplet) => {
    const char = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
    return /[A-Za-z0-9\-._~]/.test(char) ? char : triplet.toUpperCase();
  });
}
