import { existsSync, readdirSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { IbidError } from '../../core/errors.ts';
import { readIfThere, writeWhole } from '../../core/files.ts';
import { hash32 } from '../../core/hash.ts';

/** In the folder of an index that consists of shards; written last, so that without it there is no such index. */
const LAYOUT_FILE = 'shards.json';
const FORMAT = 1;
const FOLDER = 'shards';
export const MOST_SHARDS = 1024;

/** Which folders are the shards of an index. */
export interface ShardLayout {
  readonly count: number;
  /** Number of the set of folders that readers see. A next generation of the index is another set. */
  readonly set: number;
}

/** @returns undefined when the folder has no index of shards @throws IbidError INDEX_DAMAGED, INDEX_SCHEMA, FILE_UNREADABLE */
export function readLayout(directory: string): ShardLayout | undefined {
  const path = join(directory, LAYOUT_FILE);
  const text = readIfThere(path);
  if (text === undefined && !isLayoutLost(directory)) return undefined;
  if (text === undefined) throw damagedLayout(path, 'is not there, beside shards with documents');
  try {
    const { format, count, set, sum } = JSON.parse(text) as Record<string, unknown>; // checked next
    if (format !== FORMAT && typeof format === 'number')
      throw new IbidError('INDEX_SCHEMA', `${path} has format ${format}, this ibid reads ${FORMAT}`);
    if (isCount(count) && isCount(set, Number.MAX_SAFE_INTEGER) && sum === sumOf({ count, set })) return { count, set };
  } catch (error) {
    if (error instanceof IbidError) throw error;
  }
  throw damagedLayout(path, 'is not what was written');
}

function damagedLayout(path: string, what: string): IbidError {
  return new IbidError('INDEX_DAMAGED', `${path} ${what}`, {
    hint: 'Call `index.repair()`: it makes this file again from the shards.',
  });
}

/** The damage of the layout file, where the index of a folder consists of shards. */
export function layoutDamage(directory: string): { readonly file: string; readonly what: string } | undefined {
  try {
    readLayout(directory);
    return undefined;
  } catch (error) {
    if (!(error instanceof IbidError) || error.code !== 'INDEX_DAMAGED') throw error;
    const isThere = existsSync(join(directory, LAYOUT_FILE));
    return { file: LAYOUT_FILE, what: isThere ? 'is not what was written' : 'is not there' };
  }
}

/** True for shards with documents that no file names. Those of a killed first run have none. */
function isLayoutLost(directory: string): boolean {
  if (namesIn(join(directory, 'lance')).length > 0) return false; // an index without shards was made there
  return namesIn(join(directory, FOLDER)).some((set) => holdsDocuments(directory, Number(set)));
}

/** True when a shard of a set has rows. */
export function holdsDocuments(directory: string, set: number): boolean {
  const folder = join(directory, FOLDER, String(set));
  return namesIn(folder).some((shard) => {
    const tables = join(folder, shard, 'lance');
    return namesIn(tables).some((name) => name.startsWith('chunks_') && namesIn(join(tables, name, 'data')).length > 0);
  });
}

/** The numbers of the shards of a set whose folders are there, in order. */
export function shardsOnDisk(directory: string, set: number): number[] {
  return namesIn(join(directory, FOLDER, String(set)))
    .filter((name) => /^\d{4}$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not there, or no folder
  }
}

export function writeLayout(directory: string, { count, set }: ShardLayout): void {
  const content = { format: FORMAT, count, set, sum: sumOf({ count, set }) };
  writeWhole(join(directory, LAYOUT_FILE), `${JSON.stringify(content)}\n`);
}

const sumOf = ({ count, set }: ShardLayout): string => crc32(`${count} ${set}`).toString(16).padStart(8, '0');

function isCount(value: unknown, most: number = MOST_SHARDS): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= most;
}

export function hasLayout(directory: string): boolean {
  return existsSync(join(directory, LAYOUT_FILE)) || isLayoutLost(directory);
}

/** The folder of one shard: an index of its own. */
export function shardFolder(directory: string, set: number, shard: number): string {
  return join(directory, FOLDER, String(set), nameOf(shard));
}

/** The folders of all shards. */
export function shardFolders(directory: string, { count, set }: ShardLayout): readonly string[] {
  return Array.from({ length: count }, (_, shard) => shardFolder(directory, set, shard));
}

/** The folder of the index that a folder is a shard of; undefined for a shard that was moved elsewhere. */
export function indexOfShard(directory: string): string | undefined {
  const index = dirname(dirname(dirname(directory)));
  try {
    const layout = readLayout(index);
    return layout && shardFolders(index, layout).includes(directory) ? index : undefined;
  } catch {
    return undefined;
  }
}

export function nameOf(shard: number): string {
  return String(shard).padStart(4, '0');
}

/**
 * The shard that a document belongs to: each has a range of the hash by which an ingest orders documents. So the rows of
 * all shards, one after the other, stand as those of one index, and a shard is filled before the next one.
 */
export function shardOf(uri: string, count: number): number {
  return Math.floor((hash32(uri) * count) / 2 ** 32);
}

/** The numbers of all sets on disk, also of those that a killed run left. */
export async function setsOnDisk(directory: string): Promise<number[]> {
  const names = await readdir(join(directory, FOLDER)).catch(() => []);
  return names
    .map(Number)
    .filter(Number.isSafeInteger)
    .sort((a, b) => a - b);
}

/** How many shards a set on disk has. */
export async function countOf(directory: string, set: number): Promise<number> {
  return (await readdir(join(directory, FOLDER, String(set)))).length;
}

export function dropSet(directory: string, set: number): void {
  rmSync(join(directory, FOLDER, String(set)), { recursive: true, force: true });
}
