import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IbidError } from '../core/errors.ts';
import { writeWhole } from '../core/files.ts';
import { resolveTuning, type Tuning } from '../retrieve/tuning.ts';
import { type ChunkOptions, resolveChunkOptions } from '../text/chunk/options.ts';

/**
 * What `ibid tune` found for one index, in its `settings.json`; every later `search`, `ask` and `ingest` honours it.
 */
export interface IndexSettings {
  readonly search?: Tuning | undefined;
  /** Taken up when the index is made or rebuilt; until then it is cut as it was. */
  readonly chunking?: ChunkOptions | undefined;
}

export const SETTINGS_FILE = 'settings.json';
const FORMAT = 1;

/** @returns undefined where there are none @throws IbidError INVALID_ARGUMENT naming what in the file is wrong */
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
      hint: 'Mend the file, or remove it to search with the defaults.',
    });
  }
}

/** Whole or not at all: a reader never sees half of it. @returns its path */
export function writeSettings(indexFolder: string, settings: IndexSettings): string {
  const path = join(indexFolder, SETTINGS_FILE);
  writeWhole(path, `${JSON.stringify({ format: FORMAT, ...settings }, null, 2)}\n`);
  return path;
}

function section(value: object, name: string): Readonly<Record<string, never>> | undefined {
  const found = (value as Record<string, unknown>)[name]; // looked at before it is believed
  if (found === undefined) return undefined;
  if (!isRecord(found)) throw new Error(`"${name}" is not an object`);
  return found as Readonly<Record<string, never>>; // its values are checked by those who resolve it
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
