import { connect, Index, type Table } from '@lancedb/lancedb';
import {
  Table as ArrowTable,
  Field,
  FixedSizeList,
  Float32,
  Int32,
  makeData,
  makeVector,
  RecordBatch,
  Schema,
  Struct,
} from 'apache-arrow';
import type { Engine } from './engine.ts';
import type { VectorFiles } from './vectors.ts';

interface Setting {
  readonly nprobes?: number;
  readonly ef?: number;
  /** Of so many times as many rows the float vectors are read, and decide. */
  readonly refine?: number;
}

const nameOf = ({ nprobes, ef, refine }: Setting): string =>
  [
    nprobes === undefined ? '' : `${nprobes} probes`,
    ef === undefined ? '' : `ef ${ef}`,
    refine === undefined ? '' : `refine ${refine}`,
  ]
    .filter((part) => part !== '')
    .join(', ') || 'defaults';

function arrowTable(dims: number, first: number, rows: number, vectors: Int8Array): ArrowTable {
  const type = new FixedSizeList(dims, new Field('item', new Float32(), true));
  const schema = new Schema([new Field('id', new Int32(), false), new Field('vector', type, true)]);
  const values = makeData({ type: new Float32(), data: Float32Array.from(vectors) });
  const lists = makeData({ type, length: rows, nullCount: 0, child: values });
  const ids = makeVector(Int32Array.from({ length: rows }, (_, i) => first + i)).data[0]!;
  const data = makeData({ type: new Struct(schema.fields), length: rows, nullCount: 0, children: [ids, lists] });
  return new ArrowTable([new RecordBatch(schema, data)]);
}

async function write(files: VectorFiles, folder: string, progress: (rows: number) => void): Promise<Table> {
  const database = await connect(folder);
  let table: Table | undefined;
  for (const { first, rows, vectors } of files.batches()) {
    const batch = arrowTable(files.dims, first, rows, vectors);
    if (table === undefined) table = await database.createTable('rows', batch);
    else await table.add(batch);
    progress(0); // the index, not the rows, is what takes the time
  }
  return table!;
}

/** LanceDB's own index over float32 vectors, built with its defaults but for `short`. */
function floatIndex(name: string, make: () => Index, settings: readonly Setting[]): Engine {
  return {
    name: 'lancedb',
    // rows go to disk as they come, inverted files are made from parts of them
    componentBytes: name.includes('HNSW') ? 4 : 1,
    methods: [name],
    async build(files, folder, progress) {
      const table = await write(files, folder, progress);
      await table.optimize({ cleanupOlderThan: new Date() }); // few large files, as its documentation advises
      await table.createIndex('vector', { config: make() });
      // what was compacted away is only let go of now, and so is an index that the first of these calls writes anew
      for (let time = 0; time < 3; time++) {
        if ((await table.optimize({ cleanupOlderThan: new Date() })).prune.bytesRemoved === 0) break;
      }
      table.close();
    },
    async open(_method, folder) {
      const table = await (await connect(folder)).openTable('rows');
      let current: Setting = {};
      return {
        settings: settings.map(nameOf),
        async use(setting) {
          current = settings.find((one) => nameOf(one) === setting)!;
        },
        async search(query, k) {
          let search = table
            .query()
            .nearestTo(Float32Array.from(query))
            .distanceType('cosine')
            .limit(k)
            .select(['id', '_distance']);
          if (current.nprobes !== undefined) search = search.nprobes(current.nprobes);
          if (current.ef !== undefined) search = search.ef(current.ef);
          if (current.refine !== undefined) search = search.refineFactor(current.refine);
          return [...((await search.toArrow()).getChild('id')!.toArray() as Int32Array)]; // the schema above
        },
        async close() {
          table.close();
        },
      };
    },
  };
}

const probed = (refine: number): Setting[] => [20, 50, 100, 200].map((nprobes) => ({ nprobes, refine }));

/**
 * The default trains for 50 rounds on 256 rows a partition: hours for a million rows on two cores. This is what other
 * libraries default to (10 rounds), on a quarter of the rows.
 */
const short = { maxIterations: 10, sampleRate: 64 };

const flat: readonly Setting[] = [5, 10, 20, 50, 100, 200].map((nprobes) => ({ nprobes })); // 20 is its default
const pq: readonly Setting[] = [{}, { refine: 5 }, { refine: 10 }, ...probed(30).slice(1)];

export const lancedb: readonly Engine[] = [
  floatIndex('IVF_FLAT', () => Index.ivfFlat({ distanceType: 'cosine' }), flat),
  floatIndex('IVF_PQ', () => Index.ivfPq({ distanceType: 'cosine' }), pq),
  floatIndex('IVF_RQ', () => Index.ivfRq({ distanceType: 'cosine' }), [
    {},
    { refine: 5 },
    { refine: 10 },
    ...probed(20),
  ]),
  floatIndex('IVF_HNSW_SQ', () => Index.hnswSq({ distanceType: 'cosine' }), [
    {},
    { refine: 2 },
    { ef: 50, refine: 2 },
    { ef: 100, refine: 2 },
    { ef: 300, refine: 2 },
  ]),
  {
    ...floatIndex('short training, IVF_FLAT', () => Index.ivfFlat({ distanceType: 'cosine', ...short }), flat),
    standsInFor: 'IVF_FLAT',
  },
  {
    ...floatIndex('short training, IVF_PQ', () => Index.ivfPq({ distanceType: 'cosine', ...short }), pq),
    standsInFor: 'IVF_PQ',
  },
];
