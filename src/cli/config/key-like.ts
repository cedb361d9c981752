import type { Path, Problem } from './check.ts';

/** Prefixes that services give their keys, `Bearer …`, and long words that nobody reads. */
const keyForms: readonly RegExp[] = [
  /^(?:bearer|basic|token)\s+\S/i,
  /\b(?:(?:sk|pk|rk|pplx|xai|gsk|hf|ghp|gho|glpat|xox[abp])[-_](?:[a-z]+\d*-)?|AKIA|AIza)\w{16,}/,
  /\b[0-9a-f]{32,}\b/i,
  /\b(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])\w{24,}/,
];
const keyHeaders = /^(?:authorization|proxy-authorization|cookie)$|(?:^|[-_])(?:key|token|secret|password)$/i;

/** Values that look like keys. No message repeats them. */
export function keysIn(value: unknown, path: Path = []): readonly Problem[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inner]) =>
      keysIn(inner, [...path, Array.isArray(value) ? Number(name) : name]),
    );
  if (typeof value !== 'string') return [];
  const isHeader = path.at(-2) === 'headers' && keyHeaders.test(String(path.at(-1)));
  if (!isHeader && !keyForms.some((form) => form.test(value)) && !hasPassword(value)) return [];
  return [{ path, message: 'looks like a key; a key has no place in a file that is shared' }];
}

function hasPassword(text: string): boolean {
  return URL.canParse(text) && new URL(text).password !== '';
}
