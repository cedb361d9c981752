import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { EmbedDocument, Embedder } from '../../../src/index.ts';
import { openLocalEmbedder } from '../../../src/internal.ts';
import type { Phase } from '../../support/run-file.ts';

/** Something that turns a folder of files into an index and answers queries from it. */
export interface System {
  readonly name: string;
  /** Package of bench/alternatives it needs. */
  readonly package?: string | undefined;
  readonly work: Work;
  /** Which vectors it can work with; [] = it searches words alone. */
  readonly embedders: readonly EmbedderName[];
  /** @param home a folder of its own, for what it keeps on disk */
  ingest(docs: string, home: string, embedder: Embedder | undefined): Promise<Ingested>;
}

/** What an ingest of a system leaves, so that nobody takes less work for more speed. */
export interface Work {
  /** What no passage exceeds. */
  readonly bound: 'tokens' | 'characters' | 'whole file';
  readonly vectors: 'on disk' | 'in memory' | 'none';
  readonly words: 'on disk' | 'in memory' | 'none';
}

export interface Ingested {
  /** Passages it cut the documents into. */
  readonly chunks: number;
  readonly phases?: readonly Phase[];
  /** The best ten. @returns how many came */
  search(query: string): Promise<number>;
  close(): Promise<void>;
}

/**
 * `words`: a fixed function of the words, cheap enough that everything else shows. `trained`: ibid's own model of
 * these documents, trained beforehand and given to all. `own`: what ibid does by itself, training included.
 */
export type EmbedderName = 'words' | 'trained' | 'own';

const DIMENSIONS = 256;

/** Every word adds ±1 to three components that its hash chooses. */
function embed(text: string): Int8Array {
  const sums = new Int32Array(DIMENSIONS);
  let hash = 2166136261;
  const end = (): void => {
    for (let i = 0, h = hash; i < 3; i++, h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)) {
      sums[(h >>> 8) % DIMENSIONS]! += h & 1 ? 1 : -1;
    }
  };
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i) | 32;
    if (code > 96 && code < 123) hash = Math.imul(hash ^ code, 16777619);
    else if (hash !== 2166136261) {
      end();
      hash = 2166136261;
    }
  }
  if (hash !== 2166136261) end();
  const vector = new Int8Array(DIMENSIONS);
  for (let i = 0; i < DIMENSIONS; i++) vector[i] = Math.max(-127, Math.min(127, sums[i]!));
  return vector;
}

const wordsEmbedder: Embedder = {
  id: 'bench-words',
  dimensions: DIMENSIONS,
  limits: { documents: Infinity, chunks: Infinity, tokens: Infinity, tokensPerDocument: Infinity },
  embedDocuments: async (documents) => documents.map(({ chunks }) => chunks.map(({ text }) => embed(text))),
  embedQuery: async (query) => embed(query),
  close: async () => {},
};

export function embedderOf(name: EmbedderName, modelPath: string): Embedder | undefined {
  if (name === 'own') return undefined;
  return name === 'words' ? wordsEmbedder : openLocalEmbedder(readFileSync(modelPath));
}

/** Passages of one document as floats: what the frameworks' embedding interfaces ask for. */
export async function embedTexts(embedder: Embedder, texts: readonly string[]): Promise<number[][]> {
  const document: EmbedDocument = { title: '', chunks: texts.map((text) => ({ text, headings: [] })) };
  return (await embedder.embedDocuments([document]))[0]!.map((vector) => Array.from(vector));
}

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** All files below a folder, as the frameworks' own loaders read them: one after the other, as they are. */
export function readFiles(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(folder, path), text: readFileSync(path, 'utf8') }));
}
