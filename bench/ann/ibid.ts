import {
  calibrationKey,
  type DocumentRecord,
  openStore,
  openWriter,
  type SignCalibration,
  SignCode,
  type Snapshot,
  type Store,
  type StoreOptions,
} from '../../src/internal.ts';
import { recordOf } from '../support/vector-record.ts';
import type { Engine } from './engine.ts';

const CHUNKS = 8;

/** What a calibration may have found: candidates by signs, and how many of them, reordered, are read from disk. */
type Setting = readonly [candidates: number, kept?: number];

const methods: Readonly<Record<string, { readonly options: StoreOptions; readonly sweep: readonly Setting[] }>> = {
  'as chosen': { options: {}, sweep: [] },
  'exact, int8 in memory': { options: { exactBytes: Infinity, residentBytes: Infinity }, sweep: [] },
  'signs and int8 in memory': {
    options: { exactBytes: 0, residentBytes: Infinity },
    sweep: [[50], [100], [200], [400], [1000], [2000]],
  },
  'signs in memory, int8 on disk': {
    options: { exactBytes: 0, residentBytes: 0 },
    sweep: [
      [1000, 50],
      [1000, 100],
      [1000, 200],
      [1000, 400],
    ],
  },
  'nothing in memory': { options: { residency: 'none', exactBytes: 0 }, sweep: [[400], [1000]] },
};

/** Where a kept index remembers what its own calibration found, while settings of the sweep stand in its place. */
const measuredKey = 'bench: candidates as measured';

/** As good as no note: the store then uses no signs. */
const unmeasured: SignCalibration = { candidates: 0, recall: 0, rows: 0 };

/**
 * The store as it is: documents of eight chunks whose text is one letter, so that its disk figure includes all that
 * an index keeps.
 */
export const ibid: Engine = {
  name: 'ibid',
  componentBytes: 1,
  methods: Object.keys(methods),
  async build(files, folder, progress) {
    const writer = await openWriter(folder, { fingerprint: { embedder: 'bench', dimensions: files.dims } });
    for (const { first, rows, vectors } of files.batches()) {
      const records: DocumentRecord[] = [];
      for (let at = 0; at < rows; at += CHUNKS) {
        const chunks = Array.from({ length: Math.min(CHUNKS, rows - at) }, (_, i) =>
          vectors.slice((at + i) * files.dims, (at + i + 1) * files.dims),
        );
        records.push(recordOf(first + at, chunks));
      }
      await writer.current.replaceDocuments(records);
      progress(first + rows);
    }
    await writer.finish();
    await writer.close();
  },
  async open(method, folder, files) {
    const { options, sweep } = methods[method]!;
    // of few dimensions no signs are stored: there the store scans exactly, whatever it is told
    const isMoot = sweep.length > 0 && !new SignCode(files.dims).isStored && !method.endsWith('on disk');
    const named = new Map(
      sweep.map(([candidates, kept]) => [
        kept === undefined ? `${candidates} candidates` : `${candidates} candidates, ${kept} read`,
        { first: 2 * candidates, candidates, kept, recall: 0, rows: files.rows } satisfies SignCalibration,
      ]),
    );
    const before = await openStore(folder);
    const measured = (await before.getMeta(measuredKey)) ?? (await before.getMeta(calibrationKey)) ?? unmeasured;
    await before.close();
    let store: Store | undefined;
    let snapshot: Snapshot | undefined;
    return {
      settings: isMoot ? [] : sweep.length === 0 ? ['default'] : [...named.keys()],
      async use(setting) {
        await store?.close();
        const writer = await openWriter(folder);
        await writer.putMeta(measuredKey, measured);
        await writer.putMeta(calibrationKey, named.get(setting) ?? measured);
        await writer.close();
        store = await openStore(folder, options);
        snapshot = await store.snapshot();
      },
      search: async (query, k) => Array.from((await snapshot!.searchVectors(query, k)).ordinals),
      close: async () => await store?.close(),
    };
  },
};
