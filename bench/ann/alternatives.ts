import { join } from 'node:path';
import { type Engine, requireAlternative } from './engine.ts';
import { sqliteVec } from './sqlite-vec.ts';

// Only what is called, as each package documents it.
interface Hnswlib {
  readonly HierarchicalNSW: new (
    space: 'cosine',
    dims: number,
  ) => {
    initIndex(options: { maxElements: number }): void;
    addPoint(point: number[], label: number): void;
    searchKnn(point: number[], k: number): { readonly neighbors: number[] };
    setEf(ef: number): void;
    writeIndexSync(path: string): void;
    readIndexSync(path: string): void;
  };
}

interface UsearchConfig {
  readonly dimensions: number;
  readonly metric: 'cos';
  readonly quantization: 'f32' | 'i8';
  readonly connectivity?: number;
  readonly expansion_add?: number;
  readonly expansion_search?: number;
}
interface UsearchIndex {
  add(keys: BigUint64Array, vectors: Float32Array | Int8Array, threads: number): void;
  search(vector: Float32Array | Int8Array, k: number, threads: number): { readonly keys: BigUint64Array };
  save(path: string): void;
  load(path: string): void;
  view(path: string): void;
}
interface Usearch {
  readonly Index: new (config: UsearchConfig) => UsearchIndex;
}

interface Vectra {
  readonly LocalIndex: new (
    folder: string,
  ) => {
    createIndex(): Promise<void>;
    beginUpdate(): Promise<void>;
    insertItem(item: { vector: number[]; metadata: { row: number } }): Promise<unknown>;
    endUpdate(): Promise<void>;
    queryItems(
      vector: number[],
      query: string,
      k: number,
    ): Promise<{ readonly item: { readonly metadata: { row: number } } }[]>;
  };
}

const hnswlib: Engine = {
  name: 'hnswlib-node',
  package: 'hnswlib-node',
  componentBytes: 4,
  methods: ['HNSW, float32 in memory'],
  async build(files, folder, progress) {
    const { HierarchicalNSW } = requireAlternative('hnswlib-node') as Hnswlib;
    const index = new HierarchicalNSW('cosine', files.dims);
    index.initIndex({ maxElements: files.rows });
    for (const { first, rows, vectors } of files.batches()) {
      for (let i = 0; i < rows; i++)
        index.addPoint(Array.from(vectors.subarray(i * files.dims, (i + 1) * files.dims)), first + i);
      progress(first + rows);
    }
    index.writeIndexSync(join(folder, 'index'));
  },
  async open(_method, folder, files) {
    const { HierarchicalNSW } = requireAlternative('hnswlib-node') as Hnswlib;
    const index = new HierarchicalNSW('cosine', files.dims);
    index.readIndexSync(join(folder, 'index'));
    return {
      settings: [10, 20, 50, 100, 200, 400, 800].map((ef) => `ef ${ef}`), // 10 is its default
      use: async (setting) => index.setEf(Number(setting.slice(3))),
      search: async (query, k) => index.searchKnn(Array.from(query), k).neighbors,
      close: async () => {},
    };
  },
};

/** Its constants for connectivity and for the breadth of insertion stay at their defaults. */
function usearch(quantization: 'f32' | 'i8'): Engine {
  const kept = quantization === 'f32' ? 'float32' : 'int8';
  // Given int8, it keeps the components as they are; given floats, it would scale them to unit length first and keep
  // a few bits.
  const prepared = (vectors: Int8Array): Float32Array | Int8Array =>
    quantization === 'f32' ? Float32Array.from(vectors) : vectors;
  return {
    name: 'usearch',
    package: 'usearch',
    componentBytes: quantization === 'f32' ? 4 : 1,
    methods: [`HNSW, ${kept} in memory`, `HNSW, ${kept} mapped from disk`],
    async build(files, folder, progress) {
      const { Index } = requireAlternative('usearch') as Usearch;
      const index = new Index({ dimensions: files.dims, metric: 'cos', quantization });
      for (const { first, rows, vectors } of files.batches()) {
        const keys = BigUint64Array.from({ length: rows }, (_, i) => BigInt(first + i));
        index.add(keys, prepared(vectors), 0); // 0: all processors
        progress(first + rows);
      }
      index.save(join(folder, 'index'));
    },
    async open(method, folder, files) {
      const { Index } = requireAlternative('usearch') as Usearch;
      let index: UsearchIndex | undefined;
      return {
        settings: [16, 64, 128, 256, 512].map((breadth) => `expansion ${breadth}`), // 64 is its default
        async use(setting) {
          const breadth = Number(setting.slice('expansion '.length));
          index = new Index({ dimensions: files.dims, metric: 'cos', quantization, expansion_search: breadth });
          if (method.endsWith('disk')) index.view(join(folder, 'index'));
          else index.load(join(folder, 'index'));
        },
        search: async (query, k) => Array.from(index!.search(prepared(query), k, 1).keys, Number),
        close: async () => {},
      };
    },
  };
}

const vectra: Engine = {
  name: 'vectra',
  package: 'vectra',
  componentBytes: 20, // numbers as JSON
  methods: ['exact, a JSON file in memory'],
  async build(files, folder, progress) {
    const { LocalIndex } = requireAlternative('vectra') as Vectra;
    const index = new LocalIndex(folder);
    await index.createIndex();
    await index.beginUpdate();
    for (const { first, rows, vectors } of files.batches()) {
      for (let i = 0; i < rows; i++) {
        const vector = Array.from(vectors.subarray(i * files.dims, (i + 1) * files.dims));
        await index.insertItem({ vector, metadata: { row: first + i } });
      }
      progress(first + rows);
    }
    await index.endUpdate();
  },
  async open(_method, folder) {
    const { LocalIndex } = requireAlternative('vectra') as Vectra;
    const index = new LocalIndex(folder);
    return {
      settings: ['default'],
      use: async () => {},
      search: async (query, k) =>
        (await index.queryItems(Array.from(query), '', k)).map(({ item }) => item.metadata.row),
      close: async () => {},
    };
  },
};

export const alternatives: readonly Engine[] = [hnswlib, usearch('f32'), usearch('i8'), sqliteVec, vectra];
