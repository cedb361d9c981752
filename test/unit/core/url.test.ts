import { describe, expect, it } from 'vitest';
import { canonicalUrl } from '../../../src/core/url.ts';

describe('canonical addresses', () => {
  it.each([
    ['https://www.Example.com/a/', 'http://example.com/a#part'],
    ['https://m.example.com/a?utm_source=x&b=2&a=1', 'https://example.com:443/a?a=1&b=2&gclid=9'],
    ['https://example.com', 'http://www.example.com/index.html'],
    ['https://en.m.wiki.org/x', 'https://en.wiki.org/x'],
    ['https://example.com/%7Euser/%e2%82%ac', 'https://example.com//~user/%E2%82%AC/'],
    ['https://example.com/news/amp/', 'https://example.com/news'],
  ])('are one for %s and %s', (a, b) => {
    expect(canonicalUrl(a)).toBe(canonicalUrl(b));
    expect(canonicalUrl(a)).toBeDefined();
  });

  it.each([
    ['https://example.com/a', 'https://example.com/A'],
    ['https://example.com/?id=1', 'https://example.com/?id=2'],
    ['https://example.com/#/one', 'https://example.com/#/two'],
    ['https://example.com:8080/', 'https://example.com/'],
    ['https://a.example.com/', 'https://b.example.com/'],
    ['https://example.com/%2F', 'https://example.com/'],
    ['https://www.com/', 'https://com/'],
  ])('tell %s from %s', (a, b) => {
    expect(canonicalUrl(a)).not.toBe(canonicalUrl(b));
  });

  it.each(['', 'nonsense', 'ftp://example.com/', 'javascript:alert(1)', 'file:///etc/passwd', '//example.com'])(
    'are not given for %j',
    (address) => expect(canonicalUrl(address)).toBeUndefined(),
  );
});
