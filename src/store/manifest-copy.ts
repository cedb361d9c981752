import { rm } from 'node:fs/promises';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { type Address, copiesFolder } from './address.ts';
import { readDescribed, writeDescribed } from './described-file.ts';
import { ManifestMap, type ManifestSums } from './manifest-map.ts';
import type { PageOptions } from './manifest-pages.ts';
import { newestVersion } from './newest-version.ts';
import { type GenerationTables, type Tables, tableNames } from './schema.ts';

/** More is not kept: it would be written after every change of one file. */
const MOST_BYTES = 2 ** 26;

interface Described {
  readonly format: 1;
  readonly endianness: string;
  /** The versions of all tables of the generation. */
  readonly mark: string;
  /** Where each line begins, and its hash: two lists of 32-bit numbers come after the text, and then the lines. */
  readonly lines: number;
  readonly sums: ManifestSums;
}

/** What a manifest was at certain versions of the tables, as it is in memory. */
export interface ManifestCopy {
  readonly manifest: ManifestMap;
  readonly mark: string;
}

function pathOf(address: Address, { documents }: GenerationTables): string | undefined {
  const folder = copiesFolder(address, documents);
  return folder && join(folder, 'manifest');
}

/** A text for the newest versions of all tables of a generation; undefined where one is not known. */
export function markOf(address: Address, generation: number): string | undefined {
  if (address.kind !== 'local') return undefined;
  const marks: string[] = [];
  for (const name of Object.values(tableNames(generation))) {
    const newest = newestVersion(join(address.uri, `${name}.lance`));
    if (newest === undefined) return undefined;
    marks.push(`${name} ${newest.mark}`);
  }
  return marks.join(', ');
}

/**
 * The manifest of a generation by the copy beside its tables; undefined where there is none, where it is not what was
 * written, or where one of the tables has another version now.
 */
export async function readManifestCopy(
  address: Address,
  generation: number,
  pages?: PageOptions,
): Promise<ManifestCopy | undefined> {
  const path = pathOf(address, tableNames(generation));
  const mark = markOf(address, generation);
  if (path === undefined || mark === undefined) return undefined;
  const file = await readDescribed(path);
  const described = file?.described as Described | undefined; // of `keepManifest`
  if (file === undefined || described?.format !== 1 || described.mark !== mark) return undefined;
  if (described.endianness !== endianness()) return undefined;
  const { bytes } = file;
  const { lines, sums } = described;
  let at = 0;
  const numbers = (): Uint32Array<ArrayBuffer> => {
    at += 4 * lines;
    return new Uint32Array(new Uint8Array(bytes.subarray(at - 4 * lines, at)).buffer); // a copy, which is aligned
  };
  const [starts, hashes] = [numbers(), numbers()];
  return { manifest: ManifestMap.over(bytes.subarray(at), starts, hashes, sums, pages), mark };
}

/**
 * Keeps what a manifest is now, for the next run over unchanged files. Called by the writer that holds the lock; where
 * the disk has no room there is no copy.
 * @param known the mark of the copy that is there
 */
export async function keepManifest(
  address: Address,
  generation: number,
  { documents, chunks }: Pick<Tables, 'documents' | 'chunks'>,
  manifest: ManifestMap,
  known: string | undefined,
): Promise<void> {
  const path = pathOf(address, tableNames(generation));
  const mark = markOf(address, generation);
  if (address.kind !== 'local' || path === undefined || mark === undefined || mark === known) return;
  // what is in memory is what these versions hold, and no other writer's
  for (const table of [documents, chunks]) {
    const newest = newestVersion(join(address.uri, `${table.name}.lance`));
    if (newest?.version !== (await table.version())) return;
  }
  try {
    if (manifest.sizeBytes > MOST_BYTES) return await rm(path, { force: true });
    const lines = manifest.size;
    const [starts, hashes] = [new Uint32Array(lines), new Uint32Array(lines)];
    const parts: Buffer[] = [];
    let at = 0;
    for (const [bytes, hash] of manifest.lines()) {
      starts[parts.length] = at;
      hashes[parts.length] = hash;
      parts.push(bytes);
      at += bytes.length;
    }
    const described: Described = { format: 1, endianness: endianness(), mark, lines, sums: manifest.sums() };
    await writeDescribed(path, described, [Buffer.from(starts.buffer), Buffer.from(hashes.buffer), ...parts]);
  } catch {
    // no copy, as after a change by another writer
  }
}
