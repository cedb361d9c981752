import { hash32 } from '../core/hash.ts';
import { isRecordingName } from '../read/names.ts';
import type { SourceItem } from './contract.ts';
import { type Items, NumberList } from './items.ts';
import type { FoundRecording } from './recordings.ts';

const PAGE_BYTES = 2 ** 18;
/** Its bytes can be counted in 16 bits. */
const MOST_CHARS = 2 ** 14;

/** A folder of a scan, from whose first item on its items stand. */
interface Root {
  readonly from: number;
  readonly path: string;
  readonly uriOf: (path: string) => string;
}

/**
 * The files of a scan as bytes: a path below its root, size and time. An object for each would take several times as
 * much, and the collector of garbage would visit all of them again and again.
 */
export class FoundFiles implements Items {
  readonly #itemOf: (uri: string, file: FoundRecording) => SourceItem;
  readonly #roots: Root[] = [];
  readonly #sizes = new NumberList(new Float64Array(64));
  readonly #times = new NumberList(new Float64Array(64));
  /** Where each stands, counted over all pages. */
  readonly #places = new NumberList(new Float64Array(64));
  /** The length of a path in two bytes, then the path. */
  readonly #pages: Buffer[] = [];
  #end = 0;
  /** Recordings, of which more is known, and paths that are very long or no text. */
  readonly #others = new Map<number, FoundRecording>();

  constructor(itemOf: (uri: string, file: FoundRecording) => SourceItem) {
    this.#itemOf = itemOf;
  }

  get length(): number {
    return this.#sizes.length;
  }

  /** The files that come now lie below this path. */
  below(path: string, uriOf: (path: string) => string): void {
    this.#roots.push({ from: this.length, path, uriOf });
  }

  push(file: FoundRecording): void {
    const { path, sizeBytes, mtimeMs } = file;
    const rest = path.slice(this.#roots.at(-1)!.path.length);
    const isOther = isRecordingName(path) || rest.length > MOST_CHARS || !rest.isWellFormed();
    if (isOther) this.#others.set(this.length, file);
    this.#places.push(isOther ? 0 : this.#write(rest));
    this.#sizes.push(sizeBytes);
    this.#times.push(mtimeMs);
  }

  #write(text: string): number {
    const room = PAGE_BYTES * this.#pages.length - this.#end;
    if (room < 2 + 3 * text.length) {
      this.#end += room;
      this.#pages.push(Buffer.allocUnsafeSlow(PAGE_BYTES));
    }
    const place = this.#end;
    const page = this.#pages.at(-1)!;
    const bytes = page.write(text, (place % PAGE_BYTES) + 2);
    page.writeUInt16LE(bytes, place % PAGE_BYTES);
    this.#end += 2 + bytes;
    return place;
  }

  #read(place: number): string {
    const page = this.#pages[Math.floor(place / PAGE_BYTES)]!;
    const from = (place % PAGE_BYTES) + 2;
    return page.toString('utf8', from, from + page.readUInt16LE(from - 2));
  }

  at(number: number): SourceItem {
    const { path: above, uriOf } = this.#rootOf(number);
    const file = this.#others.get(number) ?? {
      path: above + this.#read(this.#places.at(number)),
      sizeBytes: this.#sizes.at(number),
      mtimeMs: this.#times.at(number),
    };
    return this.#itemOf(uriOf(file.path), file);
  }

  /** The last root that begins at or before an item: there may be as many roots as items. */
  #rootOf(number: number): Root {
    let [low, high] = [0, this.#roots.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#roots[middle]!.from <= number) low = middle;
      else high = middle - 1;
    }
    return this.#roots[low]!;
  }

  hashOf(number: number): number {
    return hash32(this.at(number).uri);
  }
}
