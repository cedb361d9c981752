import { UnnamedFile } from '../core/unnamed-file.ts';
import { bytesOf, TEXTS_AT } from './manifest-line.ts';

const PAGE_BYTES = 2 ** 18;
/** Lines of more than a hundred thousand documents. */
const KEPT_BYTES = 2 ** 25;
/** Enough for almost every line. */
const LINE_BYTES = 512;

export interface PageOptions {
  /** Bytes of pages that stay in memory; more go to a file. @default 32 MiB */
  readonly keptBytes?: number | undefined;
  /** The folder of this file. Absent: all pages stay in memory. */
  readonly folder?: (() => string) | undefined;
  /** @default 256 KiB */
  readonly pageBytes?: number | undefined;
}

/** The place of a line: valid until the next line is looked at. */
export interface LinePlace {
  readonly page: Buffer;
  readonly at: number;
}

/** The bytes of lines, on pages. Those that were filled first go to a file when there are many. */
export class ManifestPages {
  readonly #keptBytes: number;
  readonly #pageBytes: number;
  readonly #folder: (() => string) | undefined;
  /** Undefined for a page in the file, which stands at its number times the size of a page. */
  readonly #pages: (Buffer | undefined)[] = [];
  #file: UnnamedFile | undefined;
  #kept = 0;
  /** Pages before this one are in the file, or larger than others. */
  #oldest = 0;
  #bytes = 0;
  /** Bytes used in the last page. */
  #taken = 0;
  readonly #options: PageOptions;
  #scratch = Buffer.allocUnsafeSlow(LINE_BYTES);
  /** The page of the file that was read as a whole last. */
  #whole: { readonly number: number; readonly page: Buffer } | undefined;

  constructor(options: PageOptions) {
    const { keptBytes = KEPT_BYTES, pageBytes = PAGE_BYTES, folder } = options;
    this.#options = options;
    this.#keptBytes = keptBytes;
    this.#pageBytes = pageBytes;
    this.#folder = folder;
  }

  /** Without lines, with the same bounds. */
  anew(): ManifestPages {
    return new ManifestPages(this.#options);
  }

  /** Bytes of all pages. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The number of the last page. */
  get last(): number {
    return this.#pages.length - 1;
  }

  /** Takes a full page. */
  take(page: Buffer): void {
    this.#pages.push(page);
    this.#bytes += page.length;
    this.#kept += page.length;
    this.#taken = page.length;
  }

  /** Room for a line at the end of the last page. */
  room(bytes: number): LinePlace {
    let page = this.#pages.at(-1);
    if (page === undefined || this.#taken + bytes > page.length) {
      page = Buffer.allocUnsafeSlow(Math.max(this.#pageBytes, bytes));
      this.take(page);
      this.#taken = 0;
      this.#spill();
    }
    const at = this.#taken;
    this.#taken += bytes;
    return { page, at };
  }

  #spill(): void {
    if (this.#folder === undefined) return;
    for (; this.#kept > this.#keptBytes && this.#oldest < this.last; this.#oldest++) {
      const page = this.#pages[this.#oldest]!;
      if (page.length !== this.#pageBytes) continue;
      this.#file ??= new UnnamedFile(this.#folder());
      this.#file.write(page, this.#oldest * this.#pageBytes);
      this.#pages[this.#oldest] = undefined;
      this.#kept -= page.length;
    }
  }

  /** A line of a page; the object of a page in memory, else a copy of the line. */
  look(number: number, at: number): LinePlace {
    const page = this.#pages[number] ?? (this.#whole?.number === number ? this.#whole.page : undefined);
    if (page) return { page, at };
    const head = this.#read(number, at, Math.max(LINE_BYTES, TEXTS_AT));
    const length = bytesOf(head, 0);
    return { page: length <= head.length ? head : this.#read(number, at, length), at: 0 };
  }

  #read(number: number, at: number, bytes: number): Buffer {
    if (bytes > this.#scratch.length) this.#scratch = Buffer.allocUnsafeSlow(bytes);
    const read = this.#scratch.subarray(0, Math.min(bytes, this.#pageBytes - at));
    this.#file!.read(read, number * this.#pageBytes + at);
    return read;
  }

  /** The same for one line after the other: a page of the file is read once. */
  walk(number: number, at: number): LinePlace {
    if (this.#pages[number] === undefined && this.#whole?.number !== number) {
      const page = Buffer.allocUnsafeSlow(this.#pageBytes);
      this.#file!.read(page, number * this.#pageBytes);
      this.#whole = { number, page };
    }
    return this.look(number, at);
  }

  /** Gives back the space on the disk. */
  close(): void {
    this.#file?.close();
  }
}
