import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IbidError } from '../src/index.ts';

/** What is known of a public collection in BEIR layout. `null`: no published figure could be confirmed, see `notes`. */
export interface Manifest {
  /** The name of the archive, of the folder in it, and of the folder in the cache. */
  readonly name: string;
  readonly title: string;
  readonly url: string;
  readonly sizeBytes: number | null;
  /** Lower-case hex, of the archive. */
  readonly md5: string | null;
  readonly language: string;
  /** Which fields of a corpus entry hold text. */
  readonly textFields: readonly string[];
  /** The judgements that published figures are about. */
  readonly split: string;
  readonly counts: {
    readonly corpus: number | null;
    /** Lines of queries.jsonl, all splits. */
    readonly queries: number | null;
    /** Queries and lines of `qrels/<split>.tsv`, without its header. */
    readonly judgedQueries: number | null;
    readonly judgements: number | null;
  };
  /** The queries are entries of the corpus too; rankings are scored without the query's own id. */
  readonly queriesInCorpus: boolean;
  readonly licence: { readonly stated: string; readonly source: string };
  /** Where the figures were published. */
  readonly sources: readonly string[];
  readonly notes: readonly string[];
}

/** All manifests of a folder, by name. @throws IbidError DATASET_INVALID naming the file and field */
export async function loadManifests(
  folder: string = join(import.meta.dirname, 'manifests'),
): Promise<Map<string, Manifest>> {
  const manifests = new Map<string, Manifest>();
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()) {
    let value: unknown;
    try {
      value = JSON.parse(await readFile(join(folder, file), 'utf8'));
    } catch (cause) {
      throw new IbidError('DATASET_INVALID', `${file}: not JSON`, { cause });
    }
    const manifest = parseManifest(value, file);
    if (`${manifest.name}.json` !== file)
      throw new IbidError('DATASET_INVALID', `${file}: its name is "${manifest.name}"`);
    manifests.set(manifest.name, manifest);
  }
  return manifests;
}

/** @throws IbidError DATASET_INVALID naming the field that is missing, unknown or wrong */
export function parseManifest(value: unknown, file: string): Manifest {
  const wrong = (field: string, expected: string): IbidError =>
    new IbidError('DATASET_INVALID', `${file}: "${field}" must be ${expected}`);
  const check = (record: unknown, path: string, shape: Readonly<Record<string, Rule>>): void => {
    if (typeof record !== 'object' || record === null) throw wrong(path, 'an object');
    for (const key of Object.keys(record))
      if (!(key in shape)) throw wrong(path ? `${path}.${key}` : key, 'left out: it is not a known field');
    for (const [key, rule] of Object.entries(shape)) {
      const field = (record as Record<string, unknown>)[key]; // an object by the check above
      if (!rule.test(field)) throw wrong(path ? `${path}.${key}` : key, rule.expected);
    }
  };
  check(value, '', topLevel);
  const manifest = value as Manifest; // its own fields are checked, the nested ones are next
  check(manifest.counts, 'counts', { corpus: count, queries: count, judgedQueries: count, judgements: count });
  check(manifest.licence, 'licence', { stated: text, source: text });
  const unknowns = [manifest.sizeBytes, manifest.md5, ...Object.values(manifest.counts)].some(
    (field) => field === null,
  );
  if (unknowns && manifest.notes.length === 0) throw wrong('notes', 'given where a figure is null');
  return manifest;
}

interface Rule {
  readonly expected: string;
  test(value: unknown): boolean;
}

const text: Rule = {
  expected: 'a string that is not empty',
  test: (value) => typeof value === 'string' && value !== '',
};
const count: Rule = {
  expected: 'a positive integer or null',
  test: (value) => value === null || (Number.isSafeInteger(value) && Number(value) > 0),
};
const list: Rule = {
  expected: 'a list of strings',
  test: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
};
const matching = (pattern: RegExp, expected: string): Rule => ({
  expected,
  test: (value) => typeof value === 'string' && pattern.test(value),
});

const topLevel: Readonly<Record<string, Rule>> = {
  name: matching(/^[a-z0-9][a-z0-9-]*$/, 'lower-case letters, digits and hyphens'),
  title: text,
  url: matching(/^https?:\/\/\S+\.zip$/, 'the address of a zip file'),
  sizeBytes: count,
  md5: {
    expected: '32 lower-case hex digits or null',
    test: (value) => value === null || /^[0-9a-f]{32}$/.test(String(value)),
  },
  language: matching(/^[a-z]{2}$/, 'a two-letter language code'),
  textFields: list,
  split: matching(/^[\w-]+$/, 'the name of a split'),
  counts: { expected: 'an object', test: (value) => typeof value === 'object' },
  queriesInCorpus: { expected: 'true or false', test: (value) => typeof value === 'boolean' },
  licence: { expected: 'an object', test: (value) => typeof value === 'object' },
  sources: list,
  notes: list,
};
