/**
 * Sets of vectors and their indexes in a folder that stays. They can be built at any time, and searched later, when
 * the machine is quiet.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { VectorFiles, type VectorShape, writeVectors } from './vectors.ts';

/** What building one index took; beside it, and written last. */
export interface Built {
  readonly buildMs: number;
  /** Of all its threads. The clock of a busy machine says little. */
  readonly buildCpuMs: number;
  readonly buildRssBytes: number;
  readonly diskBytes: number;
  /** One-minute load average when it was done. */
  readonly load: number;
}

export interface NotBuilt {
  readonly reason: string;
  /** What it was given; with no more it need not be tried again. */
  readonly limitMs?: number;
}

export class KeptSet {
  readonly folder: string;

  constructor(root: string, { kind, rows, dims }: Omit<VectorShape, 'queries'>) {
    this.folder = join(root, `${kind}-${rows}x${dims}`);
  }

  get isWritten(): boolean {
    return existsSync(join(this.folder, 'truth.json')); // written last
  }

  /** Makes the vectors where they are missing. */
  write(shape: VectorShape, k: number, seed: number): void {
    if (this.isWritten) return;
    mkdirSync(this.folder, { recursive: true });
    writeVectors(this.folder, shape, k, seed);
  }

  vectors(dims: number): VectorFiles {
    return new VectorFiles(this.folder, dims);
  }

  index(label: string): string {
    return join(this.folder, label.replace(/[^\w-]+/g, '-'));
  }

  #note(label: string): string {
    return `${this.index(label)}.json`;
  }

  /** Undefined where nobody has tried to build it. */
  built(label: string): Built | NotBuilt | undefined {
    const path = this.#note(label);
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Built | NotBuilt) : undefined; // written below
  }

  /** An empty folder for an index. */
  clear(label: string): string {
    const place = this.index(label);
    rmSync(this.#note(label), { force: true });
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place);
    return place;
  }

  /** Keeps the note; of an index that was not built, only that. */
  settle(label: string, built: Omit<Built, 'load'> | NotBuilt): Built | NotBuilt {
    const note = 'reason' in built ? built : { ...built, load: loadavg()[0] ?? 0 };
    if ('reason' in built) rmSync(this.index(label), { recursive: true, force: true });
    const path = this.#note(label);
    writeFileSync(`${path}.new`, `${JSON.stringify(note)}\n`);
    renameSync(`${path}.new`, path);
    return note;
  }

  remove(label: string): void {
    rmSync(this.index(label), { recursive: true, force: true });
    rmSync(this.#note(label), { force: true });
  }
}
