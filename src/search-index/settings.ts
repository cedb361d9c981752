import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { IbidError } from '../core/errors.ts';
import { writeWhole } from '../core/files.ts';
import { resolveTuning, type Tuning } from '../retrieve/tuning.ts';
import { type ChunkOptions, resolveChunkOptions } from '../text/chunk/options.ts';

/**
 * The result of `ibid tune` for one index, in its `settings.json`. Every later `search`, `ask` and `ingest` uses it.
 */
export interface IndexSettings {
  readonly search?: Tuning | undefined;
  /** Used when the index is made or rebuilt; until then its old chunk options stay. */
  readonly chunking?: ChunkOptions | undefined;
}

export const SETTINGS_FILE = 'settings.json';
const FORMAT = 1;

/**
 * A file without its line `sum` was written by hand, and is believed.
 * @returns undefined when there is no file
 * @throws IbidError INDEX_DAMAGED when the file is not what was written, INVALID_ARGUMENT with the error in the file,
 * FILE_UNREADABLE
 */
export function readSettings(indexFolder: string): IndexSettings | undefined {
  const path = join(indexFolder, SETTINGS_FILE);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw new IbidError('FILE_UNREADABLE', `${path} cannot be read`, { cause });
  }
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) throw new Error('not a JSON object');
    const { sum, ...rest } = value;
    if (sum !== undefined && sum !== sumOf(rest)) {
      throw new IbidError('INDEX_DAMAGED', `${path} is not what was written`, {
        hint: 'If you changed the file, remove its line "sum"; else remove the file, or tune again.',
      });
    }
    if (value.format !== FORMAT) throw new Error(`format ${String(value.format)}, this ibid reads ${FORMAT}`);
    const unknown = Object.keys(rest).find((name) => !['format', 'search', 'chunking'].includes(name));
    if (unknown !== undefined) throw new Error(`there is no section "${unknown}"`);
    const settings: IndexSettings = { search: section(value, 'search'), chunking: section(value, 'chunking') };
    if (settings.search !== undefined) {
      section(settings.search, 'weights');
      section(settings.search, 'candidates');
      resolveTuning(settings.search);
    }
    resolveChunkOptions(settings.chunking);
    return settings;
  } catch (cause) {
    if (cause instanceof IbidError && cause.code === 'INDEX_DAMAGED') throw cause;
    throw new IbidError('INVALID_ARGUMENT', `${path}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
      hint: 'Correct the file, or remove it to search with the defaults.',
    });
  }
}

/** Writes the settings; readers see the whole old or new file. @returns the path of the file */
export function writeSettings(indexFolder: string, settings: IndexSettings): string {
  const path = join(indexFolder, SETTINGS_FILE);
  const content = JSON.parse(JSON.stringify({ format: FORMAT, ...settings })) as object; // as it will be read
  writeWhole(path, `${JSON.stringify({ ...content, sum: sumOf(content) }, null, 2)}\n`);
  return path;
}

/** CRC-32 in hex: a flipped bit in a weight would change rankings without a word. */
const sumOf = (content: object): string => crc32(JSON.stringify(content)).toString(16).padStart(8, '0');

function section(value: object, name: string): Readonly<Record<string, never>> | undefined {
  const found = (value as Record<string, unknown>)[name]; // checked below
  if (found === undefined) return undefined;
  if (!isRecord(found)) throw new Error(`"${name}" is not an object`);
  return found as Readonly<Record<string, never>>; // the resolvers check the values
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
