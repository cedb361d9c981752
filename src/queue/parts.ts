import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { sha256 } from '../ingest/content-hash.ts';
import type { CutShape } from '../ingest/contract.ts';
import { type CutFile, received, type SentDocument, sent } from '../ingest/cut.ts';

const [zip, unzip] = [promisify(gzip), promisify(gunzip)];

/**
 * Documents that are cut and not yet in the index, a file each. The name follows from what the part was made of, so the
 * same part may be made twice and never differs. A part is written whole or not at all.
 */
export class PartFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  static nameOf(uri: string, contentHash: string, shape: CutShape): string {
    return sha256(Buffer.from(JSON.stringify([uri, contentHash, shape])));
  }

  #path(name: string): string {
    return join(this.#folder, name.slice(0, 2), `${name}.json.gz`);
  }

  async has(name: string): Promise<boolean> {
    return await stat(this.#path(name)).then(
      () => true,
      () => false,
    );
  }

  async write(name: string, cut: CutFile): Promise<void> {
    const path = this.#path(name);
    const begun = `${path}.${randomUUID()}`;
    await mkdir(dirname(path), { recursive: true });
    try {
      await writeFile(begun, await zip(JSON.stringify(sent(cut)), { level: 1 }));
      await rename(begun, path);
    } catch (error) {
      await rm(begun, { force: true });
      throw error;
    }
  }

  /** Undefined for a part that is not there, or cannot be read. */
  async read(name: string): Promise<CutFile | undefined> {
    try {
      const json = await unzip(await readFile(this.#path(name)));
      return received(JSON.parse(json.toString()) as SentDocument); // written by `write`
    } catch {
      return undefined;
    }
  }

  async clear(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
