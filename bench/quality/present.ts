/** The collections that are there: fetched ones of `datasets/manifests`, and those of the folder IBID_SHARED/data. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadManifests } from '../../datasets/manifest.ts';
import { checksumsOf, type DataSource, type Skipped } from '../support/run-file.ts';
import type { Collection } from './collections.ts';

export interface PresentCollection {
  readonly name: string;
  readonly folder: string;
  readonly split: string;
  readonly queriesInCorpus: boolean;
}

/** Corpora above this are not for an index in memory. */
const mostBytes = 400 * 2 ** 20;

export async function presentCollections(
  shared: string = join(process.env.IBID_SHARED ?? join(import.meta.dirname, '../../../shared'), 'data'),
  cache: string = join(import.meta.dirname, '../../datasets/cache'),
): Promise<{ readonly found: readonly PresentCollection[]; readonly skipped: readonly Skipped[] }> {
  const found: PresentCollection[] = [];
  const skipped: Skipped[] = [];
  const take = (one: PresentCollection): void => {
    if (corpusOf(one.folder) === undefined || !existsSync(join(one.folder, `qrels/${one.split}.tsv`))) return;
    if (sizeOf(one.folder) > mostBytes)
      skipped.push({ what: one.name, reason: 'its corpus is too large for an index in memory' });
    else found.push(one);
  };
  const manifests = await loadManifests();
  for (const { name, split, queriesInCorpus } of manifests.values()) {
    const folder = join(cache, name);
    if (existsSync(folder)) take({ name, folder, split, queriesInCorpus });
    else if (!existsSync(join(shared, name)))
      skipped.push({ what: name, reason: `not fetched: npm run dataset -- ${name}` });
  }
  if (existsSync(shared)) {
    const known = new Set(found.map(({ name }) => name));
    for (const name of readdirSync(shared).sort()) {
      if (!known.has(name)) take({ name, folder: resolve(shared, name), split: 'test', queriesInCorpus: false });
    }
  } else skipped.push({ what: shared, reason: 'there is no such folder; IBID_SHARED names it' });
  // small ones first: should the time run out, it is the large ones that are measured in fewer ways
  const size = ({ folder }: PresentCollection): number => sizeOf(folder);
  return { found: found.sort((a, b) => size(a) - size(b)), skipped };
}

const corpusOf = (folder: string): string | undefined =>
  ['corpus.jsonl', 'corpus.jsonl.gz'].map((file) => join(folder, file)).find((path) => existsSync(path));

/** Bytes of the corpus; of a packed one about what it unpacks to. */
export function sizeOf(folder: string): number {
  const corpus = corpusOf(folder);
  return corpus === undefined ? 0 : statSync(corpus).size * (corpus.endsWith('.gz') ? 3 : 1);
}

export function sourceOf({ folder, split }: PresentCollection, collection: Collection): DataSource {
  const files = ['corpus.jsonl', 'corpus.jsonl.gz', 'documents.jsonl', 'queries.jsonl', `qrels/${split}.tsv`];
  return {
    name: collection.name,
    sha256: checksumsOf(folder, files),
    documents: collection.documents.length,
    queries: collection.queries.length,
  };
}

/** Lines of a file of JSON lines. */
export function jsonLines<T>(path: string): T[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T); // a data set's own layout, described in its README
}
