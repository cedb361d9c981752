import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

interface NewestVersion {
  readonly version: number;
  /** Differs for any two versions, also of tables of one name: the file of a version lists data files by random names. */
  readonly mark: string;
}

/** Names of versions count down from the largest 64-bit number. */
const NAME = /^\d{20}\.manifest$/;

/** The newest version of a table in a local folder; undefined where no file says so. */
export function newestVersion(tableFolder: string): NewestVersion | undefined {
  const folder = join(tableFolder, '_versions');
  try {
    let newest: string | undefined;
    for (const name of readdirSync(folder)) if (NAME.test(name) && !(newest && newest < name)) newest = name;
    if (newest === undefined) return undefined;
    const bytes = readFileSync(join(folder, newest));
    const version = Number(2n ** 64n - 1n - BigInt(newest.slice(0, 20)));
    return { version, mark: `${version} ${bytes.length} ${crc32(bytes).toString(16)}` };
  } catch {
    return undefined; // no such table, or pruned between the two calls
  }
}
