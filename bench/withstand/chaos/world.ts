import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ExportedChunk, IbidError, openIndex } from '../../../src/index.ts';
import { documentsOf, libraryOf, nameOf, writeLibrary } from './library.ts';
import { addressOf, given, indexOptions, type OperationName, type Order, operate, optionsOf } from './operation.ts';

/** Starting a process takes longer than most operations. */
const compiledHere: string = join(import.meta.dirname, '../../../node_modules/.cache/ibid-compiled');

/** How long a process may outlive the one that it worked for. */
const OUTLIVE_MS = 5000;

/** What an operation comes to when it is left alone. */
export interface Undisturbed {
  readonly exported: string;
  readonly ms: number;
  /** File operations on the index; 0 without the shim. */
  readonly fileOperations: number;
}

/** A folder of its own with a small index, copied for each attempt. */
export class World {
  readonly root: string = mkdtempSync(join(tmpdir(), 'ibid-chaos-'));
  /** Stands between a process and its files; undefined without a C compiler. */
  readonly shim: string | undefined;
  readonly #undisturbed = new Map<OperationName, Promise<Undisturbed>>();
  #places = 0;

  /** Whether kills also damage a file, which must be found. */
  readonly careless: boolean;

  private constructor(careless: boolean) {
    this.careless = careless;
    this.shim = compiled(this.root);
  }

  static async make(careless: boolean = false): Promise<World> {
    const world = new World(careless);
    const base = world.base;
    mkdirSync(join(base, 'docs'), { recursive: true });
    writeLibrary(base, libraryOf(0));
    await using index = await openIndex(addressOf(base), { ...indexOptions, create: true });
    await index.ingest(join(base, 'docs'));
    await index.add(given);
    return world;
  }

  get base(): string {
    return join(this.root, 'base');
  }

  /** A copy of the first state, made ready for an operation. @param folder where, instead of the temporary folder */
  async place(operation: Order['operation'], folder: string = this.root): Promise<string> {
    const place = join(folder, `place-${this.#places++}`);
    cpSync(this.base, place, { recursive: true, preserveTimestamps: true });
    if (operation === 'first') rmSync(addressOf(place), { recursive: true });
    if (operation !== 'versions' && operation !== 'pages') writeLibrary(place, libraryOf(1));
    if (operation === 'repair') flip(addressOf(place));
    return place;
  }

  /** The result, the time and the file operations of an operation that nothing disturbs, measured once. */
  undisturbed(operation: OperationName): Promise<Undisturbed> {
    const measured = this.#undisturbed.get(operation) ?? this.#measure(operation);
    this.#undisturbed.set(operation, measured);
    return measured;
  }

  async #measure(operation: OperationName): Promise<Undisturbed> {
    const root = await this.place(operation);
    const count = join(root, 'count');
    const startedAt = performance.now();
    const run = this.start({ operation, root }, { CHAOS_COUNT: count });
    await run.ended;
    const ms = performance.now() - startedAt;
    if (run.failed !== undefined) throw new Error(`${operation} fails when nothing disturbs it: ${run.failed}`);
    const fileOperations = existsSync(count) ? Number(readFileSync(count, 'utf8')) : 0;
    const exported = JSON.stringify(await exportOf(root));
    rmSync(root, { recursive: true });
    return { exported, ms, fileOperations };
  }

  /** Starts an operation in a process group of its own. @param shimmed settings of the shim */
  start(order: Order, shimmed: Readonly<Record<string, string>> = {}, wrapper: readonly string[] = []): Run {
    const shim = this.shim === undefined ? {} : { LD_PRELOAD: this.shim, CHAOS_PATH: '/.ibid', ...shimmed };
    return new Run(order, Object.keys(shimmed).length > 0 ? shim : {}, wrapper);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** A running operation. */
class Run {
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
  /** The messages of the process. */
  readonly said: unknown[] = [];
  /** The last failure that the process told, with its code. */
  failed: string | undefined;

  constructor(order: Order, env: Readonly<Record<string, string>>, wrapper: readonly string[]) {
    const program = [process.execPath, join(import.meta.dirname, 'operation.ts'), JSON.stringify(order)];
    const [command, ...args] = [...wrapper, ...program];
    this.child = spawn(command!, args, {
      env: { NODE_COMPILE_CACHE: compiledHere, ...process.env, ...env, UV_USE_IO_URING: '0' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      detached: true,
    });
    this.child.on('message', (message) => {
      this.said.push(message);
      if (typeof message === 'string' && message.startsWith('failed ')) this.failed = message.slice('failed '.length);
    });
    this.child.on('error', () => {});
    this.ended = once(this.child, 'close').then(() => {
      if (this.child.exitCode) this.failed ??= `exit ${this.child.exitCode}`;
    });
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** Processes of its group that are still there some seconds after its end. */
  async survivors(): Promise<string[]> {
    const deadline = performance.now() + OUTLIVE_MS;
    for (;;) {
      const left = groupOf(this.child.pid!);
      if (left.length === 0 || performance.now() > deadline) return left;
      await sleep(50);
    }
  }
}

/** The living processes of a group, by their command. */
function groupOf(group: number): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [state, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(pgrp) !== group || state === 'Z') return [];
      return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 120)}`];
    } catch {
      return []; // ended meanwhile
    }
  });
}

/** The shim as a library; undefined without a C compiler. */
function compiled(folder: string): string | undefined {
  const library = join(folder, 'shim.so');
  try {
    const source = join(import.meta.dirname, 'shim.c');
    execFileSync('cc', ['-O1', '-shared', '-fPIC', '-o', library, source, '-ldl'], { stdio: 'ignore' });
    return library;
  } catch {
    return undefined;
  }
}

/** Changes a byte in the middle of the largest file with rows. */
export function flip(address: string): void {
  const folder = join(address, 'lance/chunks_1.lance/data');
  const files = readdirSync(folder).map((name) => join(folder, name));
  const sized = files.map((file) => ({ file, bytes: readFileSync(file) }));
  const [{ file, bytes }] = sized.sort((a, b) => b.bytes.length - a.bytes.length) as [(typeof sized)[0]];
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(file, bytes);
}

/** Everything in the index, by document. */
async function exportOf(root: string): Promise<ExportedChunk[]> {
  await using index = await openIndex(addressOf(root), indexOptions);
  const chunks = await Array.fromAsync(index.export({ vectors: true }));
  return chunks.sort((a, b) => (a.uri < b.uri ? -1 : a.uri > b.uri ? 1 : a.span.start - b.span.start));
}

/**
 * The file that names the newest version of a table: the database empties the file before it writes the file again, and
 * a disk may be full then. No reader needs the file, `check` names it, and the next run writes it.
 */
const onlyHint = /^lance\/\w+\.lance\/_versions\/latest_version_hint\.json names no version that was written$/;

/**
 * Reads the index in every way.
 * @param running a run was stopped or is under way, so that the manifest may be behind
 * @returns what must not be, in words
 */
export async function readAll(root: string, versions: readonly number[], running: boolean): Promise<string[]> {
  const address = addressOf(root);
  const wrong: string[] = [];
  try {
    await using index = await openIndex(address, indexOptions);
    const { broken, documents } = documentsOf(await Array.fromAsync(index.export()));
    wrong.push(...broken);
    for (const [uri, { version }] of documents) {
      if (uri.startsWith('docs/') && !versions.includes(version)) wrong.push(`${uri} is of version ${version}`);
    }
    for (const [uri] of [...documents].filter((_, i) => i % 7 === 3)) {
      const number = /document-(\d+)/.exec(uri)?.[1];
      if (number === undefined) continue;
      const { hits } = await index.search(nameOf(Number(number)), { limit: 20 });
      if (!hits.some(({ chunk }) => chunk.uri === uri)) wrong.push(`${uri} is not found by its word`);
    }
    await index.ask('What does the note say of document 2?');
    await index.status();
    for (const { check, ok, detail } of await index.check()) {
      if (!ok && !(running && (check === 'manifest' || onlyHint.test(detail)))) wrong.push(`check ${check}: ${detail}`);
    }
  } catch (error) {
    wrong.push(told(error));
  }
  return wrong;
}

export function told(error: unknown): string {
  return error instanceof IbidError
    ? `${error.code}: ${error.message}`
    : `NOT AN ERROR OF OURS: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

/**
 * Runs the operation once more, to its end, and compares the index with one that was left alone.
 * @returns what must not be, in words
 */
export async function recovered(world: World, operation: OperationName, root: string): Promise<string[]> {
  try {
    await using index = await openIndex(addressOf(root), { ...(await optionsOf(addressOf(root))), create: true });
    await operate(index, { operation, root });
    await index.remove('nothing of this name'); // where the operation was done, the next writer tidies up
  } catch (error) {
    return [`the next run: ${told(error)}`];
  }
  const { exported } = await world.undisturbed(operation);
  const wrong = (await readAll(root, operation === 'first' ? [1] : [0, 1], false)).map((what) => `afterwards ${what}`);
  if (JSON.stringify(await exportOf(root)) !== exported) wrong.push('afterwards the index differs from one left alone');
  return [...wrong, ...leftBehind(addressOf(root)).map((file) => `left behind: ${file}`)];
}

/** Files of ours in the index that serve nothing any more. */
export function leftBehind(address: string): string[] {
  const files = readdirSync(address, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(address, join(entry.parentPath, entry.name)));
  const tables = new Set(readdirSync(join(address, 'lance')).map((name) => name.replace(/\.lance$/, '')));
  const generations = [...tables].filter((name) => name.startsWith('chunks_'));
  return [
    ...files.filter((file) => /^locks\/|\.new$|\.json\.tmp$/.test(file)),
    ...files.filter(
      (file) => file.startsWith('checksums/') && file.endsWith('.json') && !tables.has(file.slice(10, -5)),
    ),
    ...(generations.length > 1 ? generations : []),
  ];
}
