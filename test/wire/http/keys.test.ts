import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { followRedirect, isLoopback, parseBaseUrl } from '../../../src/wire/http/address.ts';
import type { WireError } from '../../../src/wire/http/errors.ts';
import { ApiKey, keyFromEnvironment } from '../../../src/wire/http/keys.ts';
import { createTransport } from '../../../src/wire/http/transport.ts';
import { dialect } from './support.ts';

const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return (error as WireError).code;
  }
  return 'fine';
};

describe('a key', () => {
  it('is never shown', () => {
    const key = new ApiKey('sk-hidden');
    const error = new Error('outer', { cause: { key } });
    const shown = [
      inspect(key, { showHidden: true, depth: 9 }),
      JSON.stringify({ key }),
      `${key}`,
      String(key),
      inspect(error),
      inspect({ deep: { key } }),
    ].join();
    expect(shown).not.toContain('sk-hidden');
    expect(shown).not.toContain(Buffer.from('sk-hidden').toString('hex'));
    expect(key.fingerprint).toMatch(/^[0-9a-f]{12}$/);
    expect(new ApiKey('sk-other').fingerprint).not.toBe(key.fingerprint);
    expect(key.header((value) => value)).toBe('sk-hidden');
  });

  it('loses the spaces of copying, and is refused with others inside', () => {
    expect(new ApiKey(' sk-a\n').header((value) => value)).toBe('sk-a');
    expect(codeOf(() => new ApiKey('sk a'))).toBe('INVALID_ARGUMENT');
    expect(codeOf(() => new ApiKey('sk-\u00e4'))).toBe('INVALID_ARGUMENT');
    expect(codeOf(() => new ApiKey('Bearer sk'))).toBe('INVALID_ARGUMENT');
  });

  it.each(['', '  ', undefined])('%j is missing', (value) => {
    const make = (): ApiKey => new ApiKey(value as string, 'SEARCH_API_KEY'); // a caller without types
    expect(codeOf(make)).toBe('KEY_MISSING');
    expect(make).toThrow('SEARCH_API_KEY');
  });

  it('comes from an environment given as an object, the first that is set', () => {
    expect(keyFromEnvironment({ A: '', B: ' b ' }, 'A', 'B')).toBe('b');
    expect(() => keyFromEnvironment({}, 'A', 'B')).toThrow('no key: A or B is not set');
    expect(codeOf(() => keyFromEnvironment({}, 'A'))).toBe('KEY_MISSING');
  });

  it('is masked in what a service says, escapes of JSON included, and leaves no part where text is cut', () => {
    const key = new ApiKey('sk-0123456789/abcdef');
    const escapes = [...'sk-0123456789/abcdef'].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join('');
    const said = { plain: 'sk-0123456789/abcdef', text: 'a "quote" and a \\ and é' };
    expect(JSON.parse(key.mask(JSON.stringify(said)))).toEqual({ ...said, plain: '[key]' });
    expect(JSON.parse(key.mask(`{"k":"no ${escapes}\\u0022"}`))).toEqual({ k: 'no [key]"' });
    expect(key.mask('{"k":"sk-0123456789\\/abcdef"}')).toBe('{"k":"[key]"}');
    expect(key.mask('{"other":"\\u0041\\/"}')).toBe('{"other":"\\u0041\\/"}');
    // what stands for "no key" at a server of one's own is a word of any text
    expect(new ApiKey('none').mask('there is none')).toBe('there is none');
    expect(key.excerpt(`${'x'.repeat(90)}sk-0123456789/abcdef`, 100)).toBe(`${'x'.repeat(90)}[key]`);
    expect(key.excerpt('said by sk-0123456789/abcdef, twice', 100)).toBe('said by [key], twice');
  });

  it('is scrubbed from errors also where they show its beginning or its end, not from answers', () => {
    const key = new ApiKey('sk-proj-0123456789abcdef');
    expect(key.scrub('bad key sk-proj-0123456789ab****: sk-proj-…89abcdef, twice 6789abcdef6789abcdef')).toBe(
      'bad key [key]****: [key]…[key], twice [key][key]',
    );
    expect(key.scrub('sk-proj, 9abcdef')).toBe('sk-proj, 9abcdef');
    expect(key.mask('keys begin with sk-proj-01')).toBe('keys begin with sk-proj-01');
    expect(new ApiKey('sk-hidden').scrub('sk-hidde')).toBe('sk-hidde'); // as short as a word
  });

  it('is scrubbed from text in every spelling', () => {
    const key = new ApiKey('sk/a+b"c');
    expect(key.scrub('sk/a+b"c sk%2Fa%2Bb%22c {"k":"sk/a+b\\"c"}')).toBe('[key] [key] {"k":"[key]"}');
  });

  describe('in a browser', () => {
    afterEach(() => {
      Reflect.deleteProperty(globalThis, 'window');
      Reflect.deleteProperty(globalThis, 'document');
    });
    it('is refused', () => {
      Object.assign(globalThis, { window: {}, document: {} });
      expect(codeOf(() => new ApiKey('sk-a'))).toBe('INVALID_ARGUMENT');
    });
  });
});

describe('a base address', () => {
  it.each([
    ['https://api.example.com', 'fine'],
    ['https://api.example.com/v1/', 'fine'],
    ['http://127.0.0.1:8080', 'fine'],
    ['http://127.9.9.9', 'fine'],
    ['http://localhost:1', 'fine'],
    ['http://[::1]:1', 'fine'],
    ['http://api.example.com', 'UNSAFE_ADDRESS'],
    ['http://127.0.0.1.example.com', 'UNSAFE_ADDRESS'],
    ['http://localhost.example.com', 'UNSAFE_ADDRESS'],
    ['http://10.0.0.1', 'UNSAFE_ADDRESS'],
    ['ftp://api.example.com', 'UNSAFE_ADDRESS'],
    ['https://user:pass@api.example.com', 'UNSAFE_ADDRESS'],
    ['https://api.example.com?key=1', 'INVALID_ARGUMENT'],
    ['https://api.example.com#a', 'INVALID_ARGUMENT'],
    ['api.example.com', 'INVALID_ARGUMENT'],
    ['', 'INVALID_ARGUMENT'],
  ])('%s: %s', (baseUrl, expected) => {
    expect(codeOf(() => parseBaseUrl(baseUrl))).toBe(expected);
    if (expected !== 'fine') expect(codeOf(() => createTransport(dialect, { apiKey: 'k', baseUrl }))).toBe(expected);
  });

  it('knows loopback by name and number', () => {
    expect(['LOCALHOST', 'a.localhost', '127.0.0.1', '[::1]'].filter((host) => !isLoopback(host))).toEqual([]);
    expect(['example.com', '0.0.0.0', '192.168.0.1', '127.0.0.1.nip.io', '::1.example'].filter(isLoopback)).toEqual([]);
  });

  it('does not leave its error with the password it was given', () => {
    try {
      parseBaseUrl('https://user:hunter2@api.example.com');
    } catch (error) {
      expect(inspect(error)).not.toContain('hunter2');
    }
  });
});

describe('a redirect', () => {
  const from = new URL('https://a.example/x');
  it.each([
    ['/y', 'GET', 'fine'],
    ['https://a.example/y', 'GET', 'fine'],
    ['http://a.example/y', 'GET', 'UNSAFE_ADDRESS'],
    ['https://b.example/y', 'GET', 'UNSAFE_ADDRESS'],
    ['https://a.example:444/y', 'GET', 'UNSAFE_ADDRESS'],
    ['//b.example/y', 'GET', 'UNSAFE_ADDRESS'],
    ['https://u:p@a.example/y', 'GET', 'UNSAFE_ADDRESS'],
    ['/y', 'POST', 'UNSAFE_ADDRESS'],
    ['http://', 'GET', 'RESPONSE_INVALID'],
    [undefined, 'GET', 'RESPONSE_INVALID'],
  ])('to %s of a %s: %s', (location, method, expected) => {
    expect(codeOf(() => followRedirect(from, location, method))).toBe(expected);
  });
});
