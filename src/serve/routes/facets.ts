import type { Metadata } from '../../core/types.ts';
import type { DocumentPageOptions, IndexedDocument } from '../../search-index/documents.ts';
import { facetsAnswer, servedShards } from '../answer-shapes.ts';
import type { NamedView } from '../indexes.ts';
import { ofIndex } from '../problem.ts';
import { type DocumentsRequest, documentsRequest } from '../request-shapes.ts';
import { type Route, route } from '../route.ts';
import { viewsOf } from './documents.ts';

/** Documents that are counted, values that are told of each, and values that are told apart. */
const MOST_DOCUMENTS = 20_000;
const MOST_VALUES = 20;
const MOST_KEYS = 50;
const MOST_TOLD_APART = 2000;

export const facetsRoute: Route = route<Pick<DocumentsRequest, 'where' | 'index'>>({
  path: '/api/facets',
  methods: ['GET', 'POST'],
  summary: 'What documents can be filtered by: formats, folders, and keys of metadata with their values.',
  scope: 'read',
  request: {
    type: 'object',
    properties: { where: documentsRequest.properties.where, index: documentsRequest.properties.index },
    additionalProperties: false,
  },
  answer: facetsAnswer,
  handle: async (call) => {
    const facets = new Facets();
    const { where, index } = call.input;
    const { signal } = call;
    const views = viewsOf(call, index);
    const all = await countAll(facets, views, { where, signal });
    const pages = await Promise.all(
      views.map(({ view, named }) => ofIndex(named.index, () => view.documentPage({ where, limit: 0, signal }))),
    );
    const { shards } = servedShards(pages.map((page) => page.shards));
    return { json: { ...facets.json(all && !shards?.missing.length), ...(shards && { shards }) } };
  },
});

/** @returns false when there are more documents than are counted */
async function countAll(
  facets: Facets,
  views: readonly NamedView[],
  options: Pick<DocumentPageOptions, 'where' | 'signal'>,
): Promise<boolean> {
  for (const { view, named } of views) {
    const isWhole = await ofIndex(named.index, async () => {
      for await (const document of view.documents(options)) if (!facets.add(document)) return false;
      return true;
    });
    if (!isWhole) return false;
  }
  return true;
}

type Value = string | number | boolean;

interface Key {
  documents: number;
  readonly values: Map<Value, number>;
  least?: Value;
  most?: Value;
}

class Facets {
  #documents = 0;
  readonly #formats = new Map<Value, number>();
  readonly #folders = new Map<Value, number>();
  readonly #keys = new Map<string, Key>();

  /** @returns false when no more documents are counted */
  add({ uri, format, metadata }: IndexedDocument): boolean {
    if (this.#documents >= MOST_DOCUMENTS) return false;
    this.#documents++;
    addOne(this.#formats, format);
    for (const folder of foldersOf(uri)) addOne(this.#folders, folder);
    this.#addMetadata(metadata);
    return true;
  }

  #addMetadata(metadata: Metadata): void {
    for (const [name, value] of Object.entries(metadata)) {
      if (value === null) continue;
      const known = this.#keys.get(name);
      if (!known && this.#keys.size >= MOST_KEYS) continue;
      const key: Key = known ?? { documents: 0, values: new Map() };
      this.#keys.set(name, key);
      key.documents++;
      addOne(key.values, value);
      if (typeof value === 'boolean') continue;
      if (key.least === undefined || value < key.least) key.least = value;
      if (key.most === undefined || value > key.most) key.most = value;
    }
  }

  json(complete: boolean): object {
    return {
      documents: this.#documents,
      complete,
      formats: mostFrequent(this.#formats),
      folders: mostFrequent(this.#folders),
      metadata: [...this.#keys]
        .sort((a, b) => b[1].documents - a[1].documents)
        .map(([key, { documents, values, least, most }]) => ({
          ...{ key, documents, values: mostFrequent(values) },
          ...(isOrdered(least) && isOrdered(most) && { least, most }),
        })),
    };
  }
}

/** The two outermost folders of a document; the first one of a page of the web is its site. */
function foldersOf(uri: string): readonly string[] {
  const [scheme = ''] = /^[a-z][a-z\d+.-]*:\/\//i.exec(uri) ?? [];
  const folders = uri.slice(scheme.length).split('/').slice(0, -1).slice(0, 2);
  return folders.map((_, i) => `${scheme}${folders.slice(0, i + 1).join('/')}/`);
}

function addOne(counts: Map<Value, number>, value: Value): void {
  const count = counts.get(value);
  if (count !== undefined || counts.size < MOST_TOLD_APART) counts.set(value, (count ?? 0) + 1);
}

function mostFrequent(counts: ReadonlyMap<Value, number>): readonly object[] {
  const sorted = [...counts].sort((a, b) => b[1] - a[1] || (String(a[0]) < String(b[0]) ? -1 : 1));
  return sorted.slice(0, MOST_VALUES).map(([value, documents]) => ({ value, documents }));
}

/** Numbers, and dates as ISO 8601 writes them. */
function isOrdered(value: Value | undefined): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}(?:$|[T ])/.test(value));
}
