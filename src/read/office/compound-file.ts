import { IbidError } from '../../core/errors.ts';

const END_OF_CHAIN = 0xfffffffe;
const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
/** Deeper storages are not read. */
const MAX_PATH_CHARS = 1000;
/** Difat entries in the header itself. */
const HEADER_DIFAT = 109;

/** The streams of a compound file by path: those in the root by their name, others as `storage/name`. */
export interface CompoundFile {
  readonly names: readonly string[];
  /** @throws IbidError FILE_DAMAGED when its chain of sectors leaves the file, has a cycle or ends early */
  stream(name: string): Uint8Array | undefined;
}

/**
 * Reads header, sector tables and directory of a compound file ([MS-CFB]). The number of sectors bounds every chain, so
 * a damaged table cannot cause an endless loop.
 * @throws IbidError FILE_DAMAGED
 */
export function openCompoundFile(bytes: Uint8Array): CompoundFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES) throw damaged('its header is cut short');
  const shift = view.getUint16(30, true);
  const miniShift = view.getUint16(32, true);
  if ((shift !== 9 && shift !== 12) || miniShift !== 6) throw damaged('its sectors have an impossible size');
  const size = 1 << shift;
  const sectors = Math.max(0, Math.ceil(bytes.length / size) - 1);

  /** The bytes of a sector; the last one of a file may be short. */
  const sector = (id: number): Uint8Array => {
    if (id >= sectors) throw damaged('a sector lies outside of the file');
    return bytes.subarray((id + 1) * size, (id + 2) * size);
  };
  const words = (id: number): number[] => {
    const part = sector(id);
    const inner = new DataView(part.buffer, part.byteOffset, part.byteLength);
    return Array.from({ length: part.byteLength >> 2 }, (_, i) => inner.getUint32(i * 4, true));
  };

  const fat: number[] = [];
  const fatIds = Array.from({ length: HEADER_DIFAT }, (_, i) => view.getUint32(76 + i * 4, true));
  let next = view.getUint32(68, true);
  for (let left = sectors; next < END_OF_CHAIN; left--) {
    if (left <= 0) throw damaged('its sector table has a cycle');
    const ids = words(next);
    next = ids.pop() ?? END_OF_CHAIN;
    for (const id of ids) fatIds.push(id);
  }
  const seen = new Set<number>();
  for (const id of fatIds) {
    if (id >= END_OF_CHAIN) continue;
    if (seen.has(id)) throw damaged('a sector is used twice');
    seen.add(id);
    for (const word of words(id)) fat.push(word);
  }

  const chain = (start: number, table: readonly number[], read: (id: number) => Uint8Array): Buffer => {
    const parts: Uint8Array[] = [];
    for (let id = start; id !== END_OF_CHAIN; id = table[id] ?? -1) {
      if (id < 0 || id >= table.length || parts.length >= table.length) throw damaged('a chain of sectors is broken');
      parts.push(read(id));
    }
    return Buffer.concat(parts);
  };

  const directory = chain(view.getUint32(48, true), fat, sector);
  const entryCount = Math.floor(directory.length / ENTRY_BYTES);
  if (entryCount === 0) throw damaged('it has no directory');
  const entry = (id: number): Buffer => directory.subarray(id * ENTRY_BYTES, (id + 1) * ENTRY_BYTES);
  const streams = new Map<string, { readonly start: number; readonly length: number }>();
  const visited = new Set<number>([0]);
  const pending: { id: number; folder: string }[] = [{ id: entry(0).readUInt32LE(76), folder: '' }];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const { id, folder } = at;
    if (id >= entryCount || visited.has(id)) continue;
    visited.add(id);
    const item = entry(id);
    pending.push({ id: item.readUInt32LE(68), folder }, { id: item.readUInt32LE(72), folder });
    const name = folder + item.toString('utf16le', 0, Math.min(64, Math.max(2, item.readUInt16LE(64))) - 2);
    if (item[66] === 2) streams.set(name, { start: item.readUInt32LE(116), length: item.readUInt32LE(120) });
    else if (item[66] === 1 && name.length < MAX_PATH_CHARS) {
      pending.push({ id: item.readUInt32LE(76), folder: `${name}/` });
    }
  }

  const cutoff = view.getUint32(56, true);
  let miniature: { readonly table: readonly number[]; readonly data: Buffer } | undefined;
  const openMiniature = (): { readonly table: readonly number[]; readonly data: Buffer } => {
    const raw = chain(view.getUint32(60, true), fat, sector);
    const table = Array.from({ length: raw.length >> 2 }, (_, i) => raw.readUInt32LE(i * 4));
    return { table, data: chain(entry(0).readUInt32LE(116), fat, sector) };
  };

  return {
    names: [...streams.keys()],
    stream: (name) => {
      const found = streams.get(name);
      if (!found) return undefined;
      const { start, length } = found;
      if (length === 0) return new Uint8Array();
      let content: Buffer;
      if (length < cutoff) {
        miniature ??= openMiniature();
        const { table, data } = miniature;
        content = chain(start, table, (id) => data.subarray(id << miniShift, (id + 1) << miniShift));
      } else content = chain(start, fat, sector);
      if (content.length < length) throw damaged(`its stream ${name} is cut short`);
      return content.subarray(0, length);
    },
  };
}

function damaged(what: string): IbidError {
  return new IbidError('FILE_DAMAGED', `the compound file is broken: ${what}`);
}
