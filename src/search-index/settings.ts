import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { namedOf, objectOf, objectsOf, textOf } from '../core/arguments.ts';
import { IbidError, messageOf } from '../core/errors.ts';
import { readIfThere, writeWhole } from '../core/files.ts';
import { isRecord } from '../core/records.ts';
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

const SETTINGS_FILE = 'settings.json';
const FORMAT = 1;

/**
 * A file without its line `sum` was written by hand, and is believed.
 * @returns undefined when there is no file
 * @throws IbidError INDEX_DAMAGED when the file is not what was written, INVALID_ARGUMENT with the error in the file,
 * FILE_UNREADABLE
 */
export function readSettings(indexFolder: string): IndexSettings | undefined {
  const path = join(textOf(indexFolder, 'the folder of the index'), SETTINGS_FILE);
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) throw new Error('not a JSON object');
    const { sum, ...rest } = value;
    if (sum !== undefined && sum !== sumOf(rest)) {
      throw new IbidError('INDEX_DAMAGED', `${path} is not what was written`, {
        hint: 'If you changed the file, remove its line "sum"; else remove the file, or tune again.',
      });
    }
    const { format, ...sections } = rest;
    if (format !== FORMAT) throw new Error(`format ${String(format)}, this ibid reads ${FORMAT}`);
    return settingsOf(sections);
  } catch (cause) {
    if (cause instanceof IbidError && cause.code === 'INDEX_DAMAGED') throw cause;
    throw new IbidError('INVALID_ARGUMENT', `${path}: ${messageOf(cause)}`, {
      cause,
      hint: 'Correct the file, or remove it to search with the defaults.',
    });
  }
}

/** @throws IbidError INVALID_ARGUMENT */
function settingsOf(sections: object): IndexSettings {
  const settings = namedOf<IndexSettings>(sections, ['search', 'chunking'], 'a file of settings');
  objectsOf(settings, ['search', 'chunking']);
  if (settings.search !== undefined) resolveTuning(namedOf(settings.search, ['weights', 'candidates'], 'search'));
  resolveChunkOptions(settings.chunking);
  return settings;
}

/**
 * Writes the settings; readers see the whole old or new file.
 * @returns the path of the file
 * @throws IbidError INVALID_ARGUMENT for what `readSettings` would refuse
 */
export function writeSettings(indexFolder: string, settings: IndexSettings): string {
  const path = join(textOf(indexFolder, 'the folder of the index'), SETTINGS_FILE);
  settingsOf(objectOf(settings, 'the settings'));
  const content = JSON.parse(JSON.stringify({ format: FORMAT, ...settings })) as object; // as it will be read
  writeWhole(path, `${JSON.stringify({ ...content, sum: sumOf(content) }, null, 2)}\n`);
  return path;
}

/** CRC-32 in hex: a flipped bit in a weight would change rankings without a word. */
const sumOf = (content: object): string => crc32(JSON.stringify(content)).toString(16).padStart(8, '0');
