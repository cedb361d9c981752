import { IbidError } from '../../core/errors.ts';

const END_OF_CHAIN = 0xfffffffe;
const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
/** Deeper storages are not read. */
const MAX_PATH_CHARS = 1000;
/** Difat entries in the header itself. */
const HEADER_DIFAT = 109;
/** Small sectors have 64 bytes. */
const MINI_SHIFT = 6;

/** The streams of a compound file by path: those in the root by their name, others as `storage/name`. */
export interface CompoundFile {
  readonly names: readonly string[];
  /** Capitals in a name make no difference ([MS-CFB] 2.6.4). */
  has(name: string): boolean;
  /** @throws IbidError FILE_DAMAGED when its chain of sectors leaves the file, has a cycle or ends early */
  stream(name: string): Uint8Array | undefined;
}

/**
 * Reads header, sector tables and directory of a compound file ([MS-CFB]). The number of sectors bounds every chain, so
 * a damaged table cannot cause an endless loop.
 * @throws IbidError FILE_DAMAGED
 */
export function openCompoundFile(bytes: Uint8Array): CompoundFile {
  const sectors = new Sectors(bytes);
  const { header } = sectors;
  const directory = sectors.stream(header.getUint32(48, true));
  const entries = Math.floor(directory.length / ENTRY_BYTES);
  if (entries === 0) throw damaged('it has no directory');
  const streams = streamsIn(directory, entries);
  const places = new Map([...streams].map(([name, place]) => [name.toUpperCase(), place]));
  const cutoff = header.getUint32(56, true);
  let miniature: Miniature | undefined;
  return {
    names: [...streams.keys()],
    has: (name) => places.has(name.toUpperCase()),
    stream: (name) => {
      const found = places.get(name.toUpperCase());
      if (!found) return undefined;
      const { start, length } = found;
      if (length === 0) return new Uint8Array();
      let content: Buffer;
      if (length < cutoff) {
        miniature ??= openMiniature(sectors, directory);
        content = miniatureStream(miniature, start);
      } else content = sectors.stream(start);
      if (content.length < length) throw damaged(`its stream ${name} is cut short`);
      return content.subarray(0, length);
    },
  };
}

/** The sectors of a file, and the table that says which one follows which. */
class Sectors {
  readonly header: DataView;
  readonly #bytes: Uint8Array;
  readonly #size: number;
  readonly #count: number;
  readonly #table: readonly number[];

  constructor(bytes: Uint8Array) {
    this.header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < HEADER_BYTES) throw damaged('its header is cut short');
    const shift = this.header.getUint16(30, true);
    if ((shift !== 9 && shift !== 12) || this.header.getUint16(32, true) !== MINI_SHIFT) {
      throw damaged('its sectors have an impossible size');
    }
    this.#bytes = bytes;
    this.#size = 1 << shift;
    this.#count = Math.max(0, Math.ceil(bytes.length / this.#size) - 1);
    this.#table = this.#readTable();
  }

  /** The stream whose first sector this is. */
  stream(start: number): Buffer {
    return chain(start, this.#table, (id) => this.#sector(id));
  }

  /** The bytes of a sector; the last one of a file may be short. */
  #sector(id: number): Uint8Array {
    if (id >= this.#count) throw damaged('a sector lies outside of the file');
    return this.#bytes.subarray((id + 1) * this.#size, (id + 2) * this.#size);
  }

  #words(id: number): number[] {
    const part = this.#sector(id);
    const inner = new DataView(part.buffer, part.byteOffset, part.byteLength);
    return Array.from({ length: part.byteLength >> 2 }, (_, i) => inner.getUint32(i * 4, true));
  }

  /** The sectors of the table are listed in the header, then in sectors of their own. */
  #readTable(): number[] {
    const ids = Array.from({ length: HEADER_DIFAT }, (_, i) => this.header.getUint32(76 + i * 4, true));
    let next = this.header.getUint32(68, true);
    for (let left = this.#count; next < END_OF_CHAIN; left--) {
      if (left <= 0) throw damaged('its sector table has a cycle');
      const more = this.#words(next);
      next = more.pop() ?? END_OF_CHAIN;
      for (const id of more) ids.push(id);
    }
    const table: number[] = [];
    const seen = new Set<number>();
    for (const id of ids) {
      if (id >= END_OF_CHAIN) continue;
      if (seen.has(id)) throw damaged('a sector is used twice');
      seen.add(id);
      for (const word of this.#words(id)) table.push(word);
    }
    return table;
  }
}

function chain(start: number, table: readonly number[], read: (id: number) => Uint8Array): Buffer {
  const parts: Uint8Array[] = [];
  for (let id = start; id !== END_OF_CHAIN; id = table[id] ?? -1) {
    if (id < 0 || id >= table.length || parts.length >= table.length) throw damaged('a chain of sectors is broken');
    parts.push(read(id));
  }
  return Buffer.concat(parts);
}

function entryOf(directory: Buffer, id: number): Buffer {
  return directory.subarray(id * ENTRY_BYTES, (id + 1) * ENTRY_BYTES);
}

/** First sector and length of each stream, by its path. */
function streamsIn(
  directory: Buffer,
  entries: number,
): Map<string, { readonly start: number; readonly length: number }> {
  const streams = new Map<string, { readonly start: number; readonly length: number }>();
  const visited = new Set<number>([0]);
  const pending: { id: number; folder: string }[] = [{ id: entryOf(directory, 0).readUInt32LE(76), folder: '' }];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const { id, folder } = at;
    if (id >= entries || visited.has(id)) continue;
    visited.add(id);
    const item = entryOf(directory, id);
    pending.push({ id: item.readUInt32LE(68), folder }, { id: item.readUInt32LE(72), folder });
    const name = folder + item.toString('utf16le', 0, Math.min(64, Math.max(2, item.readUInt16LE(64))) - 2);
    if (item[66] === 2) streams.set(name, { start: item.readUInt32LE(116), length: item.readUInt32LE(120) });
    else if (item[66] === 1 && name.length < MAX_PATH_CHARS) {
      pending.push({ id: item.readUInt32LE(76), folder: `${name}/` });
    }
  }
  return streams;
}

/** The stream that holds all short streams, in small sectors with a table of their own. */
interface Miniature {
  readonly table: readonly number[];
  readonly data: Buffer;
}

function openMiniature(sectors: Sectors, directory: Buffer): Miniature {
  const raw = sectors.stream(sectors.header.getUint32(60, true));
  const table = Array.from({ length: raw.length >> 2 }, (_, i) => raw.readUInt32LE(i * 4));
  return { table, data: sectors.stream(entryOf(directory, 0).readUInt32LE(116)) };
}

function miniatureStream({ table, data }: Miniature, start: number): Buffer {
  return chain(start, table, (id) => data.subarray(id << MINI_SHIFT, (id + 1) << MINI_SHIFT));
}

function damaged(what: string): IbidError {
  return new IbidError('FILE_DAMAGED', `the compound file is broken: ${what}`);
}
