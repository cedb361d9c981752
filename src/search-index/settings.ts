import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
 * @returns undefined when there is no file
 * @throws IbidError INVALID_ARGUMENT with the error in the file, FILE_UNREADABLE
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
    if (value.format !== FORMAT) throw new Error(`format ${String(value.format)}, this ibid reads ${FORMAT}`);
    const settings: IndexSettings = { search: section(value, 'search'), chunking: section(value, 'chunking') };
    if (settings.search !== undefined) {
      section(settings.search, 'weights');
      section(settings.search, 'candidates');
      resolveTuning(settings.search);
    }
    resolveChunkOptions(settings.chunking);
    return settings;
  } catch (cause) {
    throw new IbidError('INVALID_ARGUMENT', `${path}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
      hint: 'Correct the file, or remove it to search with the defaults.',
    });
  }
}

/** Writes the settings; readers see the whole old or new file. @returns the path of the file */
export function writeSettings(indexFolder: string, settings: IndexSettings): string {
  const path = join(indexFolder, SETTINGS_FILE);
  writeWhole(path, `${JSON.stringify({ format: FORMAT, ...settings }, null, 2)}\n`);
  return path;
}

function section(value: object, name: string): Readonly<Record<string, never>> | undefined {
  const found = (value as Record<string, unknown>)[name]; // checked below
  if (found === undefined) return undefined;
  if (!isRecord(found)) throw new Error(`"${name}" is not an object`);
  return found as Readonly<Record<string, never>>; // the resolvers check the values
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
