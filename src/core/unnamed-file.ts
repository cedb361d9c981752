import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { IbidError } from './errors.ts';
import { FREE_SPACE, reasonOf } from './files.ts';

let opened = 0;

/** For whoever has no end of its own, such as a map. */
const forgotten = new FinalizationRegistry<number>((file) => closeSync(file));

/**
 * A file for what does not fit into memory. It has no name as soon as it is open, so that it goes with its process,
 * however that ends. It stands beside the index, where there is room for as much: the folder for temporary files is
 * memory on some machines.
 */
export class UnnamedFile {
  readonly #file: number;
  readonly #path: string;

  /**
   * @param folder one in which `removeHalfWritten` clears up after a process that was killed in here
   * @throws IbidError STORE_FAILED
   */
  constructor(folder: string) {
    this.#path = join(folder, `held.${opened++}.${process.pid}.new`);
    this.#file = this.#do(() => openSync(this.#path, 'wx+', 0o600));
    rmSync(this.#path, { force: true });
    forgotten.register(this, this.#file, this);
  }

  /** @throws IbidError STORE_FAILED */
  write(bytes: Uint8Array, at: number): void {
    this.#do(() => {
      for (let done = 0; done < bytes.length; )
        done += writeSync(this.#file, bytes, done, bytes.length - done, at + done);
    });
  }

  /** Fills `into` with what was written at `at`. @throws IbidError STORE_FAILED */
  read(into: Uint8Array, at: number): void {
    this.#do(() => {
      for (let done = 0; done < into.length; ) {
        const read = readSync(this.#file, into, done, into.length - done, at + done);
        if (read === 0) throw new Error('it ends early');
        done += read;
      }
    });
  }

  close(): void {
    forgotten.unregister(this);
    closeSync(this.#file);
  }

  #do<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw new IbidError('STORE_FAILED', `cannot keep data in ${this.#path}: ${reasonOf(cause)}`, {
        cause,
        hint: FREE_SPACE,
      });
    }
  }
}
