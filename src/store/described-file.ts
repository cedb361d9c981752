import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

/** A CRC-32 of all that follows, and the length of the JSON text that follows. */
const HEADER_BYTES = 8;

/** A file beside the tables: a text that describes it, then bytes. Whoever finds other bytes than were written has none. */
interface DescribedFile {
  readonly described: unknown;
  readonly bytes: Buffer;
}

/** Undefined where there is no such file, or not what was written. */
export async function readDescribed(path: string): Promise<DescribedFile | undefined> {
  const file = await readFile(path).catch(() => undefined);
  if (file === undefined || file.length < HEADER_BYTES || crc32(file.subarray(4)) !== file.readUInt32LE(0))
    return undefined;
  const end = HEADER_BYTES + file.readUInt32LE(4);
  return { described: JSON.parse(file.toString('utf8', HEADER_BYTES, end)), bytes: file.subarray(end) };
}

/** Writes the whole file, or leaves what was there. Makes the folder. */
export async function writeDescribed(path: string, described: object, parts: readonly Uint8Array[]): Promise<void> {
  const text = Buffer.from(JSON.stringify(described));
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(text.length, 4);
  const file = Buffer.concat([header, text, ...parts]);
  file.writeUInt32LE(crc32(file.subarray(4)), 0);
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(`${path}.new`, file, { flush: true });
    await rename(`${path}.new`, path);
  } catch (error) {
    await rm(`${path}.new`, { force: true });
    throw error;
  }
}
