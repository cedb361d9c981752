import { createRequire } from 'node:module';
import { join } from 'node:path';
import { alternativesFolder } from '../support/run-file.ts';
import type { VectorFiles } from './vectors.ts';

/** Something that builds an index of vectors in a folder and finds neighbours in it. Ids are row numbers. */
export interface Engine {
  readonly name: string;
  /** Package beside ibid it needs; undefined for what ibid has anyway. */
  readonly package?: string | undefined;
  /** About so many bytes of memory a component of all rows takes while it builds or searches. */
  readonly componentBytes: number;
  /** Ways to search one and the same index. */
  readonly methods: readonly string[];
  /** The first method of the same package's engine that it replaces where that one takes too long to build. */
  readonly standsInFor?: string | undefined;
  /** @param progress call it with the rows done so far: it throws when the build would take too long */
  build(files: VectorFiles, folder: string, progress: (rows: number) => void): Promise<void>;
  open(method: string, folder: string, files: VectorFiles): Promise<OpenEngine>;
}

export interface OpenEngine {
  /** Cheapest first. */
  readonly settings: readonly string[];
  /** Called before the queries of each setting; not timed. */
  use(setting: string): Promise<void>;
  search(query: Int8Array, k: number): Promise<readonly number[]>;
  close(): Promise<void>;
}

/** A package of bench/alternatives that is CommonJS. @throws where it is not installed */
export function requireAlternative(name: string): unknown {
  return createRequire(join(alternativesFolder, name, 'package.json'))(name);
}
