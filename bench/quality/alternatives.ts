/**
 * In-process text-search packages that a user could take instead, each with its documented defaults, over the same
 * fields. `npm run bench:install` installs them; a package that is not installed is skipped, with that reason.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { alternativesFolder, alternativeVersion, type Skipped } from '../support/run-file.ts';

/** What ibid sees of a chunk, each field '' where there is none. */
export interface AlternativeDocument {
  readonly title: string;
  readonly headings: string;
  readonly text: string;
}

export interface Alternative {
  readonly name: string;
  /** Rows, best first, at most `limit`. */
  search(query: string, limit: number): Promise<readonly number[]>;
}

/** Names of the packages, for the record of versions. */
export const alternativePackages = ['minisearch', '@orama/orama', 'flexsearch', 'wink-bm25-text-search'] as const;

const allFields = ['title', 'headings', 'text'] as const;

type Maker = (
  module: Record<string, unknown>,
  documents: readonly AlternativeDocument[],
  /** Those that are not empty throughout: an average length of 0 would spoil some packages' scores. */
  fields: readonly (keyof AlternativeDocument)[],
) => Promise<Alternative[]>;

// Only what is called, as each package documents it.
interface MiniSearchLike {
  addAll(documents: readonly object[]): void;
  search(query: string): { readonly id: number }[];
}
interface OramaLike {
  create(options: object): Promise<object>;
  insertMultiple(database: object, documents: readonly object[]): Promise<unknown>;
  search(
    database: object,
    options: object,
  ): Promise<{ readonly hits: { readonly document: { readonly row: number } }[] }>;
}
interface FlexSearchLike {
  add(id: number, text: string): void;
  search(query: string, options: object): number[];
}
interface WinkLike {
  defineConfig(config: object): void;
  definePrepTasks(tasks: readonly ((input: never) => unknown)[]): void;
  addDoc(document: object, id: number): void;
  consolidate(): void;
  search(query: string, limit: number): [id: string, score: number][];
}

const makers: Readonly<Record<(typeof alternativePackages)[number], Maker>> = {
  minisearch: async (module, documents, fields) => {
    const MiniSearch = module.default as new (options: object) => MiniSearchLike;
    const index = new MiniSearch({ fields });
    index.addAll(documents.map((document, id) => ({ id, ...only(document, fields) })));
    return [
      {
        name: 'minisearch',
        search: async (query, limit) =>
          index
            .search(query)
            .slice(0, limit)
            .map(({ id }) => id),
      },
    ];
  },
  '@orama/orama': async (module, documents, fields) => {
    const orama = module as unknown as OramaLike;
    const database = await orama.create({
      schema: { row: 'number', ...Object.fromEntries(fields.map((field) => [field, 'string'])) },
    });
    await orama.insertMultiple(
      database,
      documents.map((document, row) => ({ row, ...only(document, fields) })),
    );
    // By default a word of the query also stands for every longer word it begins, "a" and "of" among them.
    return [
      {
        name: 'orama',
        search: async (term, limit) => {
          const { hits } = await orama.search(database, { term, limit, properties: [...fields] });
          return hits.map(({ document }) => document.row);
        },
      },
    ];
  },
  flexsearch: async (module, documents, fields) => {
    const { Index } = (module.default ?? module) as { readonly Index: new () => FlexSearchLike };
    const index = new Index();
    for (const [id, document] of documents.entries()) index.add(id, fields.map((field) => document[field]).join('\n'));
    // By default every word must match; `suggest` is its documented way to allow some to be missing.
    return [
      { name: 'flexsearch', search: async (query, limit) => index.search(query, { limit }) },
      { name: 'flexsearch, suggest', search: async (query, limit) => index.search(query, { limit, suggest: true }) },
    ];
  },
  'wink-bm25-text-search': async (module, documents, fields) => {
    // It has no default for fields and text preparation; these are those of its README, with every field at weight 1.
    const index = (module.default as () => WinkLike)();
    const require = createRequire(join(alternativesFolder, 'wink-bm25-text-search/package.json'));
    const nlp = (require('wink-nlp') as (model: unknown) => WinkNlp)(require('wink-eng-lite-web-model'));
    const { its } = nlp;
    index.defineConfig({ fldWeights: Object.fromEntries(fields.map((field) => [field, 1])) });
    index.definePrepTasks([
      (text: string): string[] => {
        const tokens: string[] = [];
        nlp
          .readDoc(text)
          .tokens()
          .filter((token) => token.out(its.type) === 'word' && token.out(its.stopWordFlag) !== true)
          .each((token) => {
            tokens.push(token.out(its.negationFlag) === true ? `!${token.out(its.stem)}` : String(token.out(its.stem)));
          });
        return tokens;
      },
    ]);
    for (const [id, document] of documents.entries()) index.addDoc(only(document, fields), id);
    index.consolidate();
    return [
      { name: 'wink-bm25', search: async (query, limit) => index.search(query, limit).map(([id]) => Number(id)) },
    ];
  },
};

function only(document: AlternativeDocument, fields: readonly (keyof AlternativeDocument)[]): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [field, document[field]]));
}

interface WinkToken {
  out(how: unknown): unknown;
}
interface WinkTokens {
  filter(keep: (token: WinkToken) => boolean): WinkTokens;
  each(visit: (token: WinkToken) => void): void;
}
interface WinkNlp {
  readonly its: Readonly<Record<'type' | 'stopWordFlag' | 'negationFlag' | 'stem', unknown>>;
  readDoc(text: string): { tokens(): WinkTokens };
}

/** Each alternative with all documents in it; row = place in `documents`. */
export async function openAlternatives(
  documents: readonly AlternativeDocument[],
): Promise<{ readonly opened: readonly Alternative[]; readonly skipped: readonly Skipped[] }> {
  const fields = allFields.filter((field) => documents.some((document) => document[field] !== ''));
  const opened: Alternative[] = [];
  const skipped: Skipped[] = [];
  for (const name of alternativePackages) {
    if (alternativeVersion(name) === undefined) {
      skipped.push({ what: name, reason: 'not installed: npm run bench:install' });
      continue;
    }
    try {
      const module = (await import(pathToFileURL(entryOf(name)).href)) as Record<string, unknown>;
      opened.push(...(await makers[name](module, documents, fields)));
    } catch (error) {
      skipped.push({ what: name, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { opened, skipped };
}

/** The package's entry for `import`, which `require.resolve` does not give where the two differ. */
function entryOf(name: string): string {
  const folder = join(alternativesFolder, name);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    exports?: { '.'?: unknown } | string;
    module?: string;
    main?: string;
  };
  const root = typeof manifest.exports === 'object' ? (manifest.exports['.'] ?? manifest.exports) : manifest.exports;
  const entry = forImport(root) ?? manifest.module ?? manifest.main ?? 'index.js';
  return join(folder, entry);
}

function forImport(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const conditions = value as Readonly<Record<string, unknown>>;
  for (const key of ['node', 'import', 'default']) {
    const found = conditions[key] === undefined ? undefined : forImport(conditions[key]);
    if (found !== undefined) return found;
  }
  return undefined;
}
