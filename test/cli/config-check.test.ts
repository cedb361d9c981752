import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { printedPath, problemsOf } from '../../src/cli/config/check.ts';
import { description } from '../../src/cli/config/description.ts';
import { readConfig } from '../../src/cli/config/file.ts';
import { brokenLine, lineOf } from '../../src/cli/config/json-lines.ts';
import { keysIn } from '../../src/cli/config/key-like.ts';
import { schemaPath } from '../support/cli-readme.ts';
import { tempFolder } from '../support/temp.ts';

/** For the other library a list is an object. */
const noList = v.custom<object>((one) => !Array.isArray(one));
const strict = <E extends v.ObjectEntries>(entries: E) => v.pipe(noList, v.strictObject(entries));
const record = <V extends v.GenericSchema>(name: v.StringSchema<undefined>, value: V) =>
  v.pipe(noList, v.record(name, value));

/** The rules once more, in the words of another library. */
const text = v.pipe(v.string(), v.minLength(1));
const texts = v.array(text);
const whole = (least: number) => v.pipe(v.number(), v.integer(), v.minValue(least));
const headers = record(v.string(), v.string());
const model = strict({
  service: v.optional(v.literal('messages')),
  server: v.optional(text),
  model: text,
});
const service = strict({
  baseUrl: v.optional(text),
  profile: v.optional(v.picklist(['reference', 'public'])),
  headers: v.optional(headers),
  timeoutMs: v.optional(whole(1)),
});
const usd = v.pipe(v.number(), v.minValue(0));
const rules = strict({
  $schema: v.optional(v.string()),
  folders: v.optional(texts),
  leaveOut: v.optional(texts),
  index: v.optional(text),
  indexCache: v.optional(strict({ folder: text, megabytes: v.optional(whole(1)) })),
  embedder: v.optional(
    v.union([
      text,
      strict({
        server: text,
        model: text,
        dimensions: v.optional(whole(1)),
        queryPrefix: v.optional(v.string()),
        documentPrefix: v.optional(v.string()),
        context: v.optional(v.picklist(['none', 'headings', 'neighbours'])),
        maxTokens: v.optional(whole(1)),
        batch: v.optional(whole(1)),
      }),
    ]),
  ),
  models: v.optional(strict({ writer: v.optional(model), reranker: v.optional(model), agent: v.optional(model) })),
  servers: v.optional(
    record(
      v.string(),
      strict({
        baseUrl: text,
        headers: v.optional(headers),
        timeoutMs: v.optional(whole(1)),
        key: v.optional(v.pipe(v.string(), v.regex(/^IBID_[A-Z0-9_]+_API_KEY$/))),
      }),
    ),
  ),
  services: v.optional(
    strict({ search: v.optional(service), messages: v.optional(service), audio: v.optional(service) }),
  ),
  prices: v.optional(record(v.string(), strict({ input: usd, output: usd }))),
  privateAddresses: v.optional(texts),
  ocr: v.optional(strict({ languages: v.optional(texts) })),
  speech: v.optional(
    strict({
      service: v.optional(v.picklist(['audio', 'espeak-ng'])),
      server: v.optional(text),
      model: v.optional(text),
      voices: v.optional(texts),
      speed: v.optional(v.pipe(v.number(), v.minValue(0.25))),
      format: v.optional(v.picklist(['wav', 'mp3', 'ogg', 'opus'])),
      dictionaries: v.optional(v.array(strict({ id: text, version: v.optional(text) }))),
      plan: v.optional(v.picklist(['free', 'starter', 'creator', 'pro', 'scale', 'business', 'enterprise'])),
      usdPer1000Characters: v.optional(usd),
    }),
  ),
  fees: v.optional(
    strict({
      search: v.optional(usd),
      researchSearch: v.optional(usd),
      researchPage: v.optional(usd),
      sandbox: v.optional(usd),
      modelSearch: v.optional(usd),
      transcribedHour: v.optional(usd),
    }),
  ),
  budget: v.optional(usd),
});

const whatever = {
  $schema: './node_modules/ibid/ibid.config.schema.json',
  folders: ['docs', 'mail'],
  leaveOut: ['*.tmp'],
  index: '.ibid',
  indexCache: { folder: '.cache', megabytes: 512 },
  embedder: {
    server: 'ollama',
    model: 'nomic-embed-text',
    dimensions: 768,
    queryPrefix: '',
    context: 'neighbours',
    maxTokens: 8192,
    batch: 32,
  },
  models: { writer: { server: 'ollama', model: 'qwen3' }, reranker: { service: 'messages', model: 'small' } },
  servers: { ollama: { baseUrl: 'http://127.0.0.1:11434', headers: { 'x-team': 'docs' }, key: 'IBID_OLLAMA_API_KEY' } },
  services: { search: { baseUrl: 'https://api.perplexity.ai', profile: 'public', timeoutMs: 30_000 } },
  prices: { qwen3: { input: 0, output: 0.5 } },
  fees: { search: 0.004, modelSearch: 0.01 },
  privateAddresses: ['http://10.0.0.5:8080'],
  ocr: { languages: ['deu', 'eng'] },
  speech: { voices: ['en'], speed: 1.5, format: 'mp3', dictionaries: [{ id: 'd', version: 'v' }], plan: 'pro' },
  budget: 1,
};

/** Every place of a value, the value itself too. */
function placesOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([name, inner]) =>
      placesOf(inner, [...path, Array.isArray(value) ? Number(name) : name]),
    ),
  ];
}

function replaced(value: unknown, [first, ...rest]: readonly (string | number)[], by: unknown): unknown {
  if (first === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
  copy[first] = replaced(copy[first], rest, by);
  return copy;
}

describe('the check of a configuration', () => {
  it('takes and refuses what another library does with the same rules', () => {
    const places = placesOf(whatever);
    const values = fc.oneof(
      fc.constantFrom<unknown>('', 'x', 'messages', 'public', 'IBID_X_API_KEY', 0, 1, 8, 7.5, -1, null, true, [], {}),
      fc.constantFrom<unknown>(
        ['a', ''],
        ['a', 1],
        { model: 'm' },
        { server: 's', model: 'm' },
        { input: 1, output: 2 },
      ),
      fc.dictionary(
        fc.constantFrom('model', 'server', 'baseUrl', 'writer', 'folders', 'x'),
        fc.constantFrom('a', '', 1),
      ),
    );
    const seen = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(fc.constantFrom(...places), values, (place, value) => {
        const config = replaced(whatever, place, value);
        const ours = problemsOf(config, description).length === 0;
        expect(ours, `${printedPath(place)} = ${JSON.stringify(value)}`).toBe(v.safeParse(rules, config).success);
        seen[ours ? 'taken' : 'refused']++;
      }),
      { numRuns: 3000 },
    );
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(100);
  });

  it('is what the published schema says (node test/support/cli-readme.ts --write)', () => {
    expect(JSON.parse(readFileSync(schemaPath, 'utf8'))).toEqual(description); // the formatter may have broken its lines
  });

  it('says the line of every value, as counting the lines of its print does', () => {
    const print = JSON.stringify(whatever, null, 2);
    for (const place of placesOf(whatever)) {
      const marked = JSON.stringify(replaced(whatever, place, '<here>'), null, 2);
      expect(lineOf(print, place), printedPath(place)).toBe(
        marked.slice(0, marked.indexOf('<here>')).split('\n').length,
      );
    }
    expect(lineOf('{"a":[\n1,\n{"b}":"],{",\n"c":2}]}', ['a', 1, 'c'])).toBe(4);
    expect(lineOf('{\n"a": {"c": 1},\n"b": {"c": 2}}', ['b', 'c'])).toBe(3);
  });

  it('says the line where a text stops to be JSON', () => {
    const lines = JSON.stringify(whatever, null, 2).split('\n');
    for (const [i, line] of lines.entries()) {
      const wrong = [...lines.slice(0, i), `${line.replace(/[^\s]/, '?')}`, ...lines.slice(i + 1)].join('\n');
      expect(() => JSON.parse(wrong)).toThrow();
      expect(brokenLine(wrong), wrong).toBe(i + 1);
    }
    expect(brokenLine('{"a": 1,\n}')).toBe(2);
    expect(brokenLine('{"a": 1\n"b": 2}')).toBe(2);
    expect(brokenLine("{\n'a': 1}")).toBe(2);
    expect(brokenLine('{"a": [1,\n2')).toBe(2);
    expect(brokenLine('{"a": 1}\n}')).toBe(2);
  });

  const read = (content: unknown): string => {
    const folder = tempFolder();
    const path = join(folder, 'ibid.config.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
    try {
      readConfig(path);
      return '';
    } catch (error) {
      return `${(error as Error).message}\n${(error as { hint?: string }).hint}`.replaceAll(folder, '');
    }
  };

  it.each([
    [{ folder: ['docs'] }, '/ibid.config.json:2: folder is not known; did you mean "folders"?'],
    [{ services: { serach: {} } }, ':3: services.serach is not known; did you mean "search"?'],
    [{ budget: '1' }, ':2: budget must be a number, not "1"'],
    [{ folders: ['a', ''] }, ':4: folders[1] must not be empty'],
    [{ embedder: 5 }, ':2: embedder must be a text or an object'],
    [{ embedder: { server: 'x' } }, ':2: embedder needs "model"'],
    [{ embedder: { server: 'x', model: 'm' } }, 'embedder.server names the server "x"; under servers is none'],
    [{ models: { writer: { model: 'm' } } }, 'models.writer needs "server" or "service", one of them'],
    [{ servers: { a: { baseUrl: 'localhost:1' } } }, 'servers.a.baseUrl must be an address'],
    [{ servers: { a: { baseUrl: 'http://localhost', key: 'AWS_SECRET' } } }, 'must match ^IBID_'],
    [{ folders: ['../elsewhere'] }, 'folders: "../elsewhere" leads out of'],
    [{ index: '../elsewhere/.ibid' }, 'index: "../elsewhere/.ibid" leads out of'],
    ['{"folders": ["docs",],\n}', ':1: this is not JSON'],
    ['', ':1: this is not JSON'],
    ['[]', ':1: the configuration must be an object, not a list'],
  ])('%j: %s', (content, said) => {
    expect(read(content)).toContain(said);
  });

  it('takes a folder that is a link to one below it, and no link that leads out', async () => {
    const { symlinkSync, mkdirSync } = await import('node:fs');
    const folder = tempFolder({ 'project/docs/a.md': '# A', 'private/b.md': '# B' });
    const path = join(folder, 'project/ibid.config.json');
    symlinkSync('docs', join(folder, 'project/inside'));
    symlinkSync('../private', join(folder, 'project/outside'));
    mkdirSync(join(folder, 'project/..docs'));
    writeFileSync(path, JSON.stringify({ folders: ['inside', '..docs', '.'] }));
    expect(readConfig(path).values.folders).toHaveLength(3);
    symlinkSync('../nowhere', join(folder, 'project/dangling'));
    for (const out of [
      { folders: ['outside'] },
      ...['outside', 'outside/new/.ibid', 'dangling', 'dangling/.ibid'].map((index) => ({ index })),
    ]) {
      writeFileSync(path, JSON.stringify(out));
      expect(() => readConfig(path), JSON.stringify(out)).toThrow('leads out of');
    }
    for (const index of ['inside/new/.ibid', 'new/.ibid', '.']) {
      writeFileSync(path, JSON.stringify({ index }));
      expect(readConfig(path).values.index).toBe(index);
    }
  });

  it.each([
    ['a header that carries one', { servers: { a: { baseUrl: 'http://localhost', headers: { Authorization: 'x' } } } }],
    ['a header with such a name', { services: { search: { headers: { 'X-Api-Key': 'abc' } } } }],
    ['a bearer token', { services: { search: { headers: { 'x-forward': 'Bearer abcdef' } } } }],
    ['a key of a service', { leaveOut: ['sk-ant-abcdefghijklmnop1234'] }],
    ['hexadecimal digits', { servers: { a: { baseUrl: 'http://localhost/0123456789abcdef0123456789abcdef' } } }],
    ['a long mixed word', { index: 'Zx81kQp0Lm3Nb7Vc5Xs9Wd2E' }],
    ['a key in place of its name', { servers: { a: { baseUrl: 'http://localhost', key: 'sk-abcdefghijklmnop1234' } } }],
    ['a key in place of a number', { budget: 'sk-abcdefghijklmnop1234' }],
    ['a key in place of a server', { embedder: { server: 'sk-abcdefghijklmnop1234', model: 'm' } }],
    ['a password in an address', { servers: { a: { baseUrl: 'http://me:secret@localhost' } } }],
  ])('refuses %s, and does not repeat it', (_, content) => {
    const said = read(content);
    expect(said).toContain('looks like a key');
    expect(said).toContain('~/.config/ibid/keys');
    expect(said).not.toMatch(/abcdef|secret|Zx81/);
  });

  it('names the known fields in a sentence of their own', () => {
    expect(read({ zzzzzzzz: 1 })).toContain('zzzzzzzz is not known. Known are $schema, folders');
  });

  it('takes no name of a model, folder or pattern for a key', () => {
    const names = [
      'claude-sonnet-4-5-20250929',
      'pplx-embed-context-v1-0.6b',
      'sentence-transformers/all-MiniLM-L6-v2',
      'hf.co/Qwen/Qwen3-Embedding-0.6B-GGUF:Q8_0',
      'handbook/Data-Retention-2023-final',
      'search_document: ',
      '**/*.generated.ts',
    ];
    expect(keysIn({ leaveOut: names })).toEqual([]);
  });
});
