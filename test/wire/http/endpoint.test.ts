import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { shaped } from '../../../src/wire/http/answer.ts';
import * as check from '../../../src/wire/http/check.ts';
import type { FormPart, StreamReply, Transport, WireCallOptions } from '../../../src/wire/http/contract.ts';
import { bytes, type EndpointTable, endpoints, nothing, type Sent } from '../../../src/wire/http/endpoint.ts';
import { poll } from '../../../src/wire/http/poll.ts';
import { chooseProfile } from '../../../src/wire/http/profile.ts';
import { FakeTransport } from '../messages/fake.ts';

interface Shelf {
  get(id: string, options?: WireCallOptions): Promise<{ readonly id: string }>;
  list(query?: { readonly limit?: number }, options?: WireCallOptions): Promise<{ readonly data: readonly unknown[] }>;
  readonly books: {
    move(id: string, bookId: string, change: { readonly to: string }, options?: WireCallOptions): Promise<object>;
    add(book: { readonly name: string }, options?: WireCallOptions): Promise<object>;
    burn(id: string, options?: WireCallOptions): Promise<void>;
    read(request: { readonly book_id: string; readonly page?: number }): Promise<StreamReply<Uint8Array>>;
    later(id: string): string;
  };
}

interface Dialect {
  readonly loud: boolean;
}

const part = (value: string): FormPart => ({ name: 'name', value });
const table: EndpointTable<Shelf, Dialect> = endpoints<Shelf, Dialect>(
  { service: 'messages', prefix: 'shelf', group: 'reads' },
  {
    get: { at: 'GET /shelves/{id}', answer: { id: 'string' } },
    list: { at: 'GET /shelves', query: check.fields({ limit: check.integer(1, 10) }), answer: { data: 'array' } },
    books: {
      move: {
        at: 'POST /shelves/{id}/books/{book_id}',
        repeat: 'always',
        json: check.fields({ to: check.required(check.text) }),
        spell: ([, , { to }], { loud }) => (loud ? { json: { to: to.toUpperCase() } } : {}),
      },
      add: { at: 'POST /books', name: 'shelf.add', group: 'writes', form: ([{ name }]) => [part(name)] },
      burn: { at: 'DELETE /books/{id}', answer: nothing },
      read: {
        at: 'POST /books/{book_id}/read',
        genAi: 'chat',
        json: check.anything,
        idsInRequest: true,
        answer: bytes,
      },
      later: { at: 'GET /books/{id}/later', pages: ({ call }: Sent<Dialect>) => `later: ${call.path?.id}` },
    },
  },
);

const open = (transport: Transport, loud = false): Shelf =>
  table.client(() => ({ transport, profile: { loud }, finish: (body, { status }) => ({ ...body, status }) }));
const sent = (transport: FakeTransport): unknown => transport.sent.map(({ call }) => call);

describe('a table of endpoints', () => {
  it('names its operations by their place, and repeats what changes nothing', () => {
    expect(
      table.operations.map(({ name, method, path, repeat, group }) => [name, method, path, repeat, group]),
    ).toEqual([
      ['shelf.get', 'GET', '/shelves/{id}', 'always', 'reads'],
      ['shelf.list', 'GET', '/shelves', 'always', 'reads'],
      ['shelf.books.move', 'POST', '/shelves/{id}/books/{book_id}', 'always', 'reads'],
      ['shelf.add', 'POST', '/books', 'refused', 'writes'],
      ['shelf.books.burn', 'DELETE', '/books/{id}', 'always', 'reads'],
      ['shelf.books.read', 'POST', '/books/{book_id}/read', 'refused', 'reads'],
      ['shelf.books.later', 'GET', '/books/{id}/later', 'always', 'reads'],
    ]);
    expect(table.of.books.read.genAi).toBe('chat');
  });

  it('takes ids, request and options in this order, and adds to the answer what the service says beside it', async () => {
    const transport = new FakeTransport({ id: 'a' }, { data: [] }, {}, {}, {}, undefined, [[]]);
    const options = { maxRetries: 0 };
    expect(await open(transport).get('a', options)).toEqual({ id: 'a', status: 200 });
    await open(transport).list();
    await open(transport).books.move('a', 'b', { to: 'c' }, options);
    await open(transport, true).books.move('a', 'b', { to: 'c' });
    await open(transport).books.add({ name: 'n' }, options);
    expect(await open(transport).books.burn('b')).toBeUndefined();
    await open(transport).books.read({ book_id: 'b', page: 2 });
    expect(open(transport).books.later('b')).toBe('later: b');
    expect(sent(transport)).toEqual([
      { path: { id: 'a' }, options },
      { path: {}, query: {}, options: undefined },
      { path: { id: 'a', book_id: 'b' }, json: { to: 'c' }, options },
      { path: { id: 'a', book_id: 'b' }, json: { to: 'C' }, options: undefined },
      { path: {}, form: [part('n')], options },
      { path: { id: 'b' }, options: undefined },
      { path: { book_id: 'b' }, json: { page: 2 }, options: undefined },
    ]);
  });

  it.each<[string, (shelf: Shelf) => unknown]>([
    ['id: must not be empty', (shelf) => shelf.get(' ')],
    ['id: must be an id, got ".."', (shelf) => shelf.get('..')],
    ['book_id: must be a string, got nothing', (shelf) => shelf.books.read({} as { book_id: string })],
    ['limit: must be a whole number from 1 to 10, got 11', (shelf) => shelf.list({ limit: 11 })],
    ['to: is required', (shelf) => shelf.books.move('a', 'b', {} as { to: string })],
    ['id: must not be empty', async (shelf) => shelf.books.later('')],
  ])('refuses before sending: %s', async (message, call) => {
    const transport = new FakeTransport();
    await expect(call(open(transport))).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(message),
    });
    expect(transport.sent).toEqual([]);
  });

  it('looks at the answer', async () => {
    await expect(open(new FakeTransport({ id: 7 })).get('a')).rejects.toMatchObject({
      code: 'RESPONSE_INVALID',
      message: 'shelf.get: id is number, string was expected',
      requestId: 'req_1',
      operation: 'shelf.get',
    });
    await expect(open(new FakeTransport([])).books.add({ name: 'n' })).rejects.toThrow(
      'shelf.add: the body is array, object was expected',
    );
  });
});

describe('the shape of an answer', () => {
  const where = { operation: table.of.get };
  const shape = { id: 'string', note: 'string?', parts: [{ id: 'number' }] } as const;

  it('lets absent and unknown fields pass', () => {
    const body = { id: 'a', note: null, parts: [{ id: 1, more: true }], later: {} };
    expect(shaped(where, body, shape)).toBe(body);
  });

  it.each([
    ['id is nothing, string was expected', {}],
    ['note is number, string was expected', { id: 'a', note: 1 }],
    ['parts is object, array was expected', { id: 'a', parts: {} }],
    ['parts[1].id is string, number was expected', { id: 'a', parts: [{ id: 1 }, { id: 'b' }] }],
    ['parts[0] is null, object was expected', { id: 'a', parts: [null] }],
  ])('says what is wrong: %s', (message, body) => {
    expect(() => shaped(where, body, shape)).toThrow(message);
  });
});

describe('checks', () => {
  const { fields, required, text } = check;
  it.each<[string, check.Check, readonly unknown[], readonly unknown[]]>([
    ['text', text, ['a', undefined], ['', ' \n', 1, null]],
    ['string', check.string, ['', 'a'], [1, null]],
    ['boolean', check.boolean, [true, false, undefined], [0, 'true', null]],
    ['integer', check.integer(0, 3), [0, 3, undefined], [-1, 4, 1.5, '1', Number.NaN]],
    ['number', check.number(0, 1), [0, 0.5, 1], [-0.1, 1.1, Number.NaN, '0']],
    ['oneOf', check.oneOf(['a', 'b']), ['a', undefined], ['c', ['a'], null]],
    ['characters', check.characters(1, 2), ['a', '😀😀'], ['', 'abc', 1]],
    ['list', check.list(text, 2, 1), [['a'], undefined], [[], ['a', 'b', 'c'], [''], [undefined], 'a']],
    ['filled', check.filled(text), [['a']], [[]]],
    ['nullable', check.nullable(text), [null, 'a'], ['']],
    ['textOr', check.textOr(check.list(text)), ['a', ['a']], ['', [''], 1]],
    ['pattern', check.pattern(/^a+$/, 'letters a'), ['aa'], ['b', 1]],
    ['url', check.url(['https']), ['https://a.example/x'], ['http://a.example', 'a', 1]],
    ['required', required(text), ['a'], [undefined, '']],
    ['record', check.record, [{}], [[], null, 'a']],
    ['fields', fields({ a: required(text), b: text }), [{ a: 'x' }, undefined], [{}, { a: 'x', c: 1 }, { a: 1 }, []]],
    ['partly', check.partly({ a: text }), [{ c: 1 }, { a: 'x' }], [{ a: '' }, null]],
    ['kinds', check.kinds({ a: { n: required(text) } }), [{ type: 'a', n: 'x' }], [{ type: 'b' }, { type: 'a' }, {}]],
  ])('%s', (_name, one, fits, others) => {
    for (const value of fits) expect(() => one('field', value)).not.toThrow();
    for (const value of others) {
      expect(() => one('field', value)).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringMatching(/^field(\.\w+|\[0\])?: /) }),
      );
    }
  });

  it('name the nearest field for a misspelt one, else all', () => {
    const known = fields({ page_size: text });
    const hint = (value: unknown): unknown => {
      try {
        return known('', value);
      } catch (error) {
        return (error as { hint?: string }).hint;
      }
    };
    expect(hint({ pageSize: 1 })).toBe('Did you mean "page_size"?');
    expect(hint({ size: 1 })).toBe('Known here: page_size.');
    expect(hint({ toString: 1 })).toBe('Known here: page_size.');
  });

  it('ask for exactly one of several fields, and for a change that changes', () => {
    expect(() => check.exactlyOne({ a: 1, b: undefined })).not.toThrow();
    expect(() => check.exactlyOne({ a: undefined, b: undefined })).toThrow('a, b: one of them is needed');
    expect(() => check.exactlyOne({ a: 1, b: 2 })).toThrow('only one is allowed, given are a, b');
    expect(() => check.requireChange({ a: 0 })).not.toThrow();
    expect(() => check.requireChange({ a: undefined })).toThrow('names nothing to change');
  });

  it('never show a whole text', () => {
    expect(check.shown('x'.repeat(100))).toBe(`"${'x'.repeat(60)}…"`);
    expect(check.shown([1])).toBe('a list');
  });
});

describe('polling', () => {
  const plan = (states: number[], more: Partial<Parameters<typeof poll<number>>[0]> = {}): Promise<number> =>
    poll({
      look: async () => states.shift() ?? 0,
      done: (state) => state === 9,
      late: (last) => new Error(`late at ${last}`),
      ...{ pollMs: 1, maxPollMs: 2, waitMs: 0 },
      ...more,
    });

  it('looks until it is done', async () => {
    const states = [1, 2, 9, 4];
    expect(await plan(states)).toBe(9);
    expect(states).toEqual([4]);
  });

  it('takes a pause beyond what a timer can be set to for a long one, not for none', async () => {
    const abort = new AbortController();
    const states = Array.from({ length: 100 }, () => 1);
    const waiting = plan(states, { signal: abort.signal, pollMs: 2 ** 40, maxPollMs: 2 ** 40 });
    await sleep(30);
    abort.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(states).toHaveLength(99);
  });

  it('ends late, aborted, or refused', async () => {
    await expect(plan([], { waitMs: 5 })).rejects.toThrow('late at 0');
    await expect(plan([], { pollMs: 1.5 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    const abort = new AbortController();
    const reason = new Error('enough');
    const waiting = plan([], { signal: abort.signal, pollMs: 60_000, maxPollMs: 60_000 });
    setImmediate(() => abort.abort(reason));
    await expect(waiting).rejects.toBe(reason);
  });
});

describe('a profile', () => {
  const profiles = {
    reference: { name: 'r', paths: { a: '/a', b: '/b' } },
    public: { name: 'p', paths: { a: '/x', b: '/y' } },
  };

  it('is chosen by name, or is the reference with some fields replaced', () => {
    expect(chooseProfile(profiles)).toBe(profiles.reference);
    expect(chooseProfile(profiles, 'public')).toBe(profiles.public);
    const own = chooseProfile(profiles, { paths: { a: '/c' } } as Partial<typeof profiles.public>, ['paths']);
    expect(own).toEqual({ name: 'r', paths: { a: '/c', b: '/b' } });
    expect(chooseProfile(profiles, { name: 'q' }, [], profiles.public)).toEqual({ ...profiles.public, name: 'q' });
  });

  it('has one of two names', () => {
    expect(() => chooseProfile(profiles, 'seed' as 'public')).toThrow('must be "reference", "public" or an object');
  });
});
