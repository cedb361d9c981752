import { UnnamedFile } from './unnamed-file.ts';

const PAGE_BYTES = 2 ** 20;
/** So many pages are held before there is a file: few data never touch the disk. */
const MOST_PAGES = 16;

/** Bytes that are appended once and read at any place: the first in memory, more in a file. */
export class Spool {
  readonly #folder: () => string;
  #file: UnnamedFile | undefined;
  /** Bytes in the file: all but those in the pages. */
  #filed = 0;
  #pages: Buffer[] = [];
  #length = 0;

  /** @param folder where a file goes, if there has to be one */
  constructor(folder: () => string) {
    this.#folder = folder;
  }

  get length(): number {
    return this.#length;
  }

  /** @throws IbidError STORE_FAILED */
  append(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      const held = this.#length - this.#filed;
      if (held === PAGE_BYTES * this.#pages.length) this.#addPage();
      const at = (this.#length - this.#filed) % PAGE_BYTES;
      const some = bytes.subarray(from, from + PAGE_BYTES - at);
      this.#pages.at(-1)!.set(some, at);
      this.#length += some.length;
      from += some.length;
    }
  }

  /** All pages are full. */
  #addPage(): void {
    if (this.#file === undefined && this.#pages.length < MOST_PAGES) {
      this.#pages.push(Buffer.allocUnsafeSlow(PAGE_BYTES));
      return;
    }
    this.#file ??= new UnnamedFile(this.#folder());
    for (const page of this.#pages) {
      this.#file.write(page, this.#filed);
      this.#filed += page.length;
    }
    this.#pages.length = 1;
  }

  /** What was appended at `at`, or less where it ends before. @throws IbidError STORE_FAILED */
  read(at: number, bytes: number): Buffer {
    const found = Buffer.allocUnsafe(Math.min(bytes, this.#length - at));
    const inFile = Math.max(0, Math.min(this.#filed - at, found.length));
    if (inFile > 0) this.#file!.read(found.subarray(0, inFile), at);
    for (let done = inFile; done < found.length; ) {
      const from = at + done - this.#filed;
      const page = this.#pages[Math.floor(from / PAGE_BYTES)]!;
      done += page.copy(found, done, from % PAGE_BYTES);
    }
    return found;
  }

  /** Gives back the space on the disk. */
  close(): void {
    this.#file?.close();
    this.#file = undefined;
    this.#pages = [];
  }
}
