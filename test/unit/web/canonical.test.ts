import { describe, expect, it } from 'vitest';
import { isWithin, siteOf } from '../../../src/web/canonical.ts';

describe('addresses', () => {
  it.each([
    ['https://docs.example.co.uk/a', 'example.co.uk'],
    ['https://docs.example.com/a', 'example.com'],
    ['http://192.0.2.7/a', '192.0.2.7'],
    ['https://co.uk', 'co.uk'],
  ])('belong to a site: %s', (address, site) => expect(siteOf(address)).toBe(site));

  it.each([
    ['https://docs.example.com/a', ['example.com'], true],
    ['https://example.com/docs/a', ['example.com/docs'], true],
    ['https://example.com/docs', ['example.com/docs/'], true],
    ['https://example.com/docsets', ['example.com/docs'], false],
    ['https://notexample.com/', ['example.com'], false],
    ['https://example.com.evil.test/', ['example.com'], false],
    ['https://agency.gov/', ['.gov'], true],
    ['https://example.org/', ['-example.org'], true],
    ['mailto:a@example.com', ['example.com'], false],
  ])('lie within sites or not: %s in %s', (address, domains, expected) => {
    expect(isWithin(address, domains)).toBe(expected);
  });
});
