import type { Embedder } from '../embed/contract.ts';
import type { DocumentRecord, Manifest, ManifestEntry } from '../store/contract.ts';
import { ManifestMap } from '../store/manifest-map.ts';
import type { IngestTarget, RenamedDocument } from './ingest.ts';
import { fixedVectors, type Vectors } from './vectors.ts';

/** The target of a dry run: updates only the manifest in memory. */
export class CountingTarget implements IngestTarget {
  readonly #entries: ManifestMap;

  constructor(manifest: ReadonlyMap<string, ManifestEntry>) {
    this.#entries = new ManifestMap(manifest.values());
  }

  async manifest(): Promise<Manifest> {
    return this.#entries;
  }

  async replaceDocuments(records: readonly DocumentRecord[]): Promise<void> {
    for (const { uri, source, chunks } of records) this.#entries.set(uri, { uri, ...source, chunks: chunks.length });
  }

  async removeDocuments(uris: readonly string[]): Promise<void> {
    for (const uri of uris) this.#entries.delete(uri);
  }

  async renameDocuments(renames: readonly RenamedDocument[]): Promise<void> {
    for (const { from, to } of renames) {
      const entry = this.#entries.get(from);
      this.#entries.delete(from);
      if (entry) this.#entries.set(to, { ...entry, uri: to });
    }
  }

  async recordEntries(entries: readonly ManifestEntry[]): Promise<void> {
    for (const entry of entries) this.#entries.set(entry.uri, entry);
  }

  async refreshVectors(): Promise<boolean> {
    return false;
  }

  async finish(): Promise<void> {}

  async isFinished(): Promise<boolean> {
    return true;
  }
}

const nothing: Embedder = {
  id: 'none',
  dimensions: 0,
  limits: { documents: Infinity, chunks: Infinity, tokens: Infinity, tokensPerDocument: Infinity },
  embedDocuments: async (documents) => documents.map(({ chunks }) => chunks.map(() => new Int8Array(0))),
  embedQuery: async () => new Int8Array(0),
  close: async () => {},
};

/** Empty vectors, for a dry run. */
export const nullVectors: Vectors = fixedVectors(nothing);
