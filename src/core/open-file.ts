import fs from 'node:fs';
import { promisify } from 'node:util';

const openFile = promisify(fs.open);
/** Half the time of a `FileHandle`'s own `read`. */
const readAt = promisify(fs.read);

const descriptors = new FinalizationRegistry<number>((fd) => fs.close(fd, () => {}));

/** A read that the thread waits for is not this long where the system has the bytes in memory. */
const SLOW_MS = 0.5;
/** Reads of a file that are left to the background after a slow one. */
const LEFT = 256;

/**
 * How long a thread may wait for reads, all told. What the system has in memory is there in a microsecond or two, and a
 * read in the background takes ten.
 */
export class Patience {
  readonly #until: number;

  /** @param ms `Infinity` in a thread that has nothing else to do */
  constructor(ms: number) {
    this.#until = performance.now() + ms;
  }

  get isOver(): boolean {
    return performance.now() >= this.#until;
  }
}

/**
 * A file that is open for reading for as long as somebody holds this object: whoever reads a little of it in each query
 * need not know which query is the last.
 */
export class OpenFile {
  readonly #fd: number;
  /** Reads that the background does, whatever the patience. */
  #left = 0;

  private constructor(fd: number) {
    this.#fd = fd;
    descriptors.register(this, fd);
  }

  /** @throws NodeJS.ErrnoException */
  static async open(path: string): Promise<OpenFile> {
    return new OpenFile(await openFile(path, 'r'));
  }

  /**
   * Fills `buffer` with what is at `position`, while the thread waits.
   * @returns bytes read; undefined where that is better left to the background
   */
  readNow(buffer: Uint8Array, position: number, patience: Patience): number | undefined {
    if (this.#left > 0 || patience.isOver) return undefined;
    const startedAt = performance.now();
    const bytesRead = fs.readSync(this.#fd, buffer, 0, buffer.length, position);
    if (performance.now() - startedAt > SLOW_MS) this.#left = LEFT;
    return bytesRead;
  }

  /**
   * Fills `buffer` with what is at `position`.
   * @param patience the thread waits for the read as long as it lasts; without, the background reads
   * @returns bytes read: fewer at the end of the file
   */
  async read(buffer: Uint8Array, position: number, patience?: Patience): Promise<number> {
    const readNow = patience && this.readNow(buffer, position, patience);
    if (readNow !== undefined) return readNow;
    if (this.#left > 0) this.#left--;
    const { bytesRead } = await readAt(this.#fd, buffer, 0, buffer.length, position);
    return bytesRead;
  }
}
