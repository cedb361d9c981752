import { createHash, randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gunzipSync, gzip, gzipSync } from 'node:zlib';
import { makeFolders } from '../core/files.ts';
import type { EmbeddedParts } from '../embed/local/compose.ts';
import { modelInfo } from '../embed/local/model.ts';
import { sha256 } from '../ingest/content-hash.ts';
import type { CutShape } from '../ingest/contract.ts';
import { type CutFile, received, type SentDocument, sent } from '../ingest/cut.ts';
import type { SegmentData } from '../lexical/contract.ts';
import { analysisVersion } from '../text/analysis/analysis.ts';
import { textVersion } from '../text/version.ts';

const [gzipElsewhere, gunzipElsewhere] = [promisify(gzip), promisify(gunzip)];

/** Up to this size it takes longer to hand bytes to another thread than to pack or unpack them. */
const MOST_HERE_BYTES = 64 * 1024;

function zip(json: string): Buffer | Promise<Buffer> {
  const options = { level: 1 };
  return json.length <= MOST_HERE_BYTES ? gzipSync(json, options) : gzipElsewhere(json, options);
}

function unzip(bytes: Buffer): Buffer | Promise<Buffer> {
  return bytes.length <= MOST_HERE_BYTES ? gunzipSync(bytes) : gunzipElsewhere(bytes);
}

/** A part of vectors, or a segment, begins with a checksum of all that follows. */
const SUM_BYTES = 32;
/** Of vectors: the tokens, and those without a vector. */
const COUNT_BYTES = 16;

/** The head before the bytes of a segment: their lengths. */
interface SegmentLayout {
  readonly header: number;
  readonly blocks: readonly (readonly [firstTerm: string, bytes: number])[];
}

/**
 * What is made and not yet in the index, a file each: documents that are cut, models, vectors, segments. The name
 * follows from what the part was made of, so the same part may be made twice and never differs. A part is written whole
 * or not at all; one that is damaged is as good as absent.
 */
export class PartFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  static nameOf(uri: string, contentHash: string, shape: CutShape): string {
    return sha256(Buffer.from(JSON.stringify([textVersion, uri, contentHash, shape])));
  }

  /** @param documents names of their parts, in order @param model its id, which has a hash of its content */
  static vectorsOf(documents: readonly string[], model: string): string {
    return sha256(Buffer.from(JSON.stringify([model, documents])));
  }

  /** @param documents names of their parts, in order */
  static segmentOf(documents: readonly string[]): string {
    return sha256(Buffer.from(JSON.stringify([analysisVersion, documents])));
  }

  #cutPath(name: string): string {
    return join(this.#folder, name.slice(0, 2), `${name}.json.gz`);
  }

  #vectorsPath(name: string): string {
    return join(this.#folder, name.slice(0, 2), `${name}.vectors`);
  }

  #segmentPath(name: string): string {
    return join(this.#folder, name.slice(0, 2), `${name}.segment`);
  }

  #modelPath(id: string): string {
    return join(this.#folder, 'models', id);
  }

  has(name: string): Promise<boolean> {
    return isThere(this.#cutPath(name));
  }

  async write(name: string, cut: CutFile): Promise<void> {
    await writeWhole(this.#cutPath(name), await zip(JSON.stringify(sent(cut))));
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
    const counts = Buffer.alloc(COUNT_BYTES);
    counts.writeDoubleLE(tokens);
    counts.writeDoubleLE(unknown, 8);
    const components = new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.length);
    await writeSummed(this.#vectorsPath(name), [counts, components]);
  }

  /** Undefined for a part that is not there, or is damaged. */
  async readVectors(name: string): Promise<EmbeddedParts | undefined> {
    const bytes = await readSummed(this.#vectorsPath(name));
    return (
      bytes && {
        vectors: new Int8Array(bytes.subarray(COUNT_BYTES)),
        tokens: bytes.readDoubleLE(),
        unknown: bytes.readDoubleLE(8),
      }
    );
  }

  hasSegment(name: string): Promise<boolean> {
    return isThere(this.#segmentPath(name));
  }

  async writeSegment(name: string, { header, blocks }: SegmentData): Promise<void> {
    const layout: SegmentLayout = {
      header: header.length,
      blocks: blocks.map(({ firstTerm, bytes }) => [firstTerm, bytes.length]),
    };
    const json = Buffer.from(JSON.stringify(layout));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(json.length);
    await writeSummed(this.#segmentPath(name), [length, json, header, ...blocks.map(({ bytes }) => bytes)]);
  }

  /** Undefined for a part that is not there, or is damaged. */
  async readSegment(name: string): Promise<SegmentData | undefined> {
    const bytes = await readSummed(this.#segmentPath(name));
    if (!bytes) return undefined;
    let at = 0;
    const next = (length: number): Buffer => {
      at += length;
      return bytes.subarray(at - length, at);
    };
    const layout = JSON.parse(next(next(4).readUInt32LE()).toString()) as SegmentLayout; // written by `writeSegment`
    const header = next(layout.header);
    return { header, blocks: layout.blocks.map(([firstTerm, length]) => ({ firstTerm, bytes: next(length) })) };
  }

  /** So that a damaged segment is made again. */
  async removeSegment(name: string): Promise<void> {
    await rm(this.#segmentPath(name), { force: true });
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

  /** What a worker writes meanwhile, for a run that was killed, stays for the next run to clear: it harms nothing. */
  async clear(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

function sumOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

async function writeSummed(path: string, pieces: readonly Uint8Array[]): Promise<void> {
  const content = Buffer.concat(pieces);
  await writeWhole(path, Buffer.concat([sumOf(content), content]));
}

/** The bytes after the checksum; undefined where the checksum does not match, or there is no file. */
async function readSummed(path: string): Promise<Buffer | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  const content = bytes?.subarray(SUM_BYTES);
  return content && sumOf(content).equals(bytes!.subarray(0, SUM_BYTES)) ? content : undefined;
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const begun = `${path}.${randomUUID()}`;
  try {
    await writeFile(begun, bytes).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      makeFolders(dirname(path)); // rarely: there are 256 folders, and one of models
      await writeFile(begun, bytes);
    });
    await rename(begun, path);
  } catch (error) {
    await rm(begun, { force: true });
    throw error;
  }
}
