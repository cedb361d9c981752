/**
 * The part of the WebAssembly interface that the kernels use. Without the DOM types, Node's types do not declare it.
 */
export interface Memory {
  /** A `SharedArrayBuffer` where threads share the memory; views of both work alike. */
  readonly buffer: ArrayBuffer;
  /** @param pages number of pages of 65,536 bytes. Detaches `buffer`. */
  grow(pages: number): number;
}

/** A compiled module; opaque. */
export type Module = object;

interface Instance {
  readonly exports: Readonly<Record<string, unknown>>;
}

interface Api {
  validate(bytes: Uint8Array<ArrayBuffer>): boolean;
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => Module;
  readonly Instance: new (module: Module, imports: { readonly env: { readonly memory: Memory } }) => Instance;
  readonly Memory: new (limits: { readonly initial: number; readonly maximum: number; shared: boolean }) => Memory;
}

// Node's types do not declare this global
const api: Api | undefined = (globalThis as unknown as { readonly WebAssembly?: Api }).WebAssembly;

export const pageBytes = 65_536;

/** Compiles `bytes`. @returns undefined where WebAssembly or its SIMD instructions are missing */
export function compile(bytes: Uint8Array<ArrayBuffer>): Module | undefined {
  return api?.validate(bytes) ? new api.Module(bytes) : undefined;
}

/** The exports of a new instance that uses `memory`. */
export function instantiate(module: Module, memory: Memory): Readonly<Record<string, unknown>> {
  return new api!.Instance(module, { env: { memory } }).exports;
}

/** True where threads can share a WebAssembly memory. */
export const canShareMemory: boolean = api !== undefined;

/**
 * Memory of at least `bytes` that can grow to `maximumBytes`; a plain buffer where WebAssembly is missing.
 * @param shared threads share it; its content then moves with `postMessage` without a copy
 */
export function createMemory(bytes: number, maximumBytes: number, shared: boolean = false): Memory {
  const initial = Math.ceil(bytes / pageBytes);
  if (api) {
    return new api.Memory({ initial, maximum: Math.max(initial, Math.ceil(maximumBytes / pageBytes)), shared });
  }
  let buffer = new ArrayBuffer(initial * pageBytes);
  return {
    get buffer() {
      return buffer;
    },
    grow(pages) {
      const before = buffer.byteLength / pageBytes;
      buffer = buffer.transfer(buffer.byteLength + pages * pageBytes);
      return before;
    },
  };
}
