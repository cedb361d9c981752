import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { EmbeddedParts } from '../embed/local/compose.ts';
import { modelInfo } from '../embed/local/model.ts';
import { sha256 } from '../ingest/content-hash.ts';
import type { CutShape } from '../ingest/contract.ts';
import { type CutFile, received, type SentDocument, sent } from '../ingest/cut.ts';

const [zip, unzip] = [promisify(gzip), promisify(gunzip)];

/** Of a part with vectors: a checksum of all that follows, then the tokens and those without a vector. */
const SUM_BYTES = 32;
const COUNT_BYTES = 16;

/**
 * What is made and not yet in the index, a file each: documents that are cut, models, vectors. The name follows from
 * what the part was made of, so the same part may be made twice and never differs. A part is written whole or not at
 * all; one that is damaged is as good as absent.
 */
export class PartFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  static nameOf(uri: string, contentHash: string, shape: CutShape): string {
    return sha256(Buffer.from(JSON.stringify([uri, contentHash, shape])));
  }

  /** @param documents names of their parts, in order @param model its id, which has a hash of its content */
  static vectorsOf(documents: readonly string[], model: string): string {
    return sha256(Buffer.from(JSON.stringify([model, documents])));
  }

  #cutPath(name: string): string {
    return join(this.#folder, name.slice(0, 2), `${name}.json.gz`);
  }

  #vectorsPath(name: string): string {
    return join(this.#folder, name.slice(0, 2), `${name}.vectors`);
  }

  #modelPath(id: string): string {
    return join(this.#folder, 'models', id);
  }

  has(name: string): Promise<boolean> {
    return isThere(this.#cutPath(name));
  }

  async write(name: string, cut: CutFile): Promise<void> {
    await writeWhole(this.#cutPath(name), await zip(JSON.stringify(sent(cut)), { level: 1 }));
  }

  /** Undefined for a part that is not there, or cannot be read. */
  async read(name: string): Promise<CutFile | undefined> {
    try {
      const json = await unzip(await readFile(this.#cutPath(name)));
      return received(JSON.parse(json.toString()) as SentDocument); // written by `write`
    } catch {
      return undefined;
    }
  }

  /** So that a damaged part is made again. */
  async remove(name: string): Promise<void> {
    await rm(this.#cutPath(name), { force: true });
  }

  async writeVectors(name: string, { vectors, tokens, unknown }: EmbeddedParts): Promise<void> {
    const out = Buffer.alloc(SUM_BYTES + COUNT_BYTES + vectors.length);
    out.writeDoubleLE(tokens, SUM_BYTES);
    out.writeDoubleLE(unknown, SUM_BYTES + 8);
    out.set(new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.length), SUM_BYTES + COUNT_BYTES);
    sumOf(out).copy(out);
    await writeWhole(this.#vectorsPath(name), out);
  }

  /** Undefined for a part that is not there, or is damaged. */
  async readVectors(name: string): Promise<EmbeddedParts | undefined> {
    const bytes = await readFile(this.#vectorsPath(name)).catch(() => undefined);
    if (!bytes || bytes.length < SUM_BYTES + COUNT_BYTES) return undefined;
    if (!sumOf(bytes).equals(bytes.subarray(0, SUM_BYTES))) return undefined;
    return {
      vectors: new Int8Array(bytes.subarray(SUM_BYTES + COUNT_BYTES)),
      tokens: bytes.readDoubleLE(SUM_BYTES),
      unknown: bytes.readDoubleLE(SUM_BYTES + 8),
    };
  }

  async writeModel(id: string, model: Uint8Array): Promise<void> {
    if (!(await this.readModel(id))) await writeWhole(this.#modelPath(id), model);
  }

  /** Undefined for a model that is not there, is damaged, or is not the one of this name. */
  async readModel(id: string): Promise<Uint8Array | undefined> {
    try {
      const model = await readFile(this.#modelPath(id));
      return modelInfo(model).id === id ? model : undefined;
    } catch {
      return undefined;
    }
  }

  async clear(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function sumOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes.subarray(SUM_BYTES)).digest();
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const begun = `${path}.${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(begun, bytes);
    await rename(begun, path);
  } catch (error) {
    await rm(begun, { force: true });
    throw error;
  }
}
