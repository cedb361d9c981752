import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Engine, requireAlternative } from './engine.ts';
import type { VectorFiles } from './vectors.ts';

// Only what is called, as the package documents it.
interface SqliteVec {
  load(database: DatabaseSync): void;
}

/** Reading one takes it as long as some ten thousand signs: with more, a scan of all vectors is as fast. */
const CANDIDATES = [50, 100, 200, 500];

function openFile(folder: string): DatabaseSync {
  const database = new DatabaseSync(join(folder, 'vectors.db'), { allowExtension: true });
  (requireAlternative('sqlite-vec') as SqliteVec).load(database);
  return database;
}

/** One bit a component: whether it is above 0. */
function signsOf(vector: Int8Array): Uint8Array {
  const bits = new Uint8Array(vector.length / 8);
  for (let i = 0; i < vector.length; i++) if (vector[i]! > 0) bits[i >> 3]! |= 1 << (i & 7);
  return bits;
}

function fill(database: DatabaseSync, files: VectorFiles, progress: (rows: number) => void): void {
  const { dims } = files;
  database.exec(
    `create virtual table vectors using vec0(vector int8[${dims}] distance_metric=cosine, signs bit[${dims}])`,
  );
  const insert = database.prepare('insert into vectors (rowid, vector, signs) values (?, vec_int8(?), vec_bit(?))');
  for (const { first, rows, vectors } of files.batches()) {
    database.exec('begin');
    for (let i = 0; i < rows; i++) {
      const vector = vectors.subarray(i * dims, (i + 1) * dims);
      insert.run(BigInt(first + i), vector, signsOf(vector));
    }
    database.exec('commit');
    progress(first + rows);
  }
}

/**
 * Scans of one file, nothing kept in memory: of all int8 vectors, or of signs, of whose best the int8 vectors decide,
 * as it documents.
 */
export const sqliteVec: Engine = {
  name: 'sqlite-vec',
  package: 'sqlite-vec',
  componentBytes: 0.1,
  methods: ['signs, then int8, on disk', 'exact, int8 on disk'],
  async build(files, folder, progress) {
    const database = openFile(folder);
    fill(database, files, progress);
    database.close();
  },
  async open(method, folder) {
    const database = openFile(folder);
    const isExact = method.startsWith('exact');
    const exact = database.prepare('select rowid from vectors where vector match vec_int8(?) and k = ?');
    const bySigns = database.prepare(
      `with nearest as (select rowid as id, vector from vectors where signs match vec_bit(?) and k = ?)
       select id as rowid from nearest order by vec_distance_cosine(vec_int8(vector), vec_int8(?)) limit ?`,
    );
    let candidates = 0;
    return {
      settings: isExact ? ['default'] : CANDIDATES.map((count) => `${count} candidates`),
      async use(setting) {
        candidates = Number.parseInt(setting, 10);
      },
      async search(query, k) {
        const rows = isExact ? exact.all(query, k) : bySigns.all(signsOf(query), candidates, query, k);
        return rows.map(({ rowid }) => Number(rowid));
      },
      close: async () => database.close(),
    };
  },
};
