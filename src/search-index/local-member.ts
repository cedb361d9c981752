import { IbidError } from '../core/errors.ts';
import { openStore, type Store } from '../store/index.ts';

/** How long an index that cannot be opened is not tried again, in milliseconds. */
const AGAIN_MS = 5000;

/** With the way out that one of several indexes has: the joined index makes and repairs none. */
export function failureOfMember(error: IbidError): IbidError {
  const { code, message, cause } = error;
  const hint = {
    INDEX_NOT_FOUND: 'Bring this index back, or leave it out of the list.',
    INDEX_DAMAGED: 'Open this index alone and call `repair()`, or leave it out of the list.',
  }[code as string];
  return hint === undefined ? error : new IbidError(code, message, { hint, cause });
}

/** An index on this machine that takes part in a joined one. It may come when the others have been read for long. */
export class LocalMember {
  readonly #address: string;
  #store: Store | undefined;
  #opening: Promise<Store> | undefined;
  #failed: { readonly error: IbidError; readonly at: number } | undefined;

  constructor(address: string) {
    this.#address = address;
  }

  /** Undefined until it could be opened. */
  get store(): Store | undefined {
    return this.#store;
  }

  /** @throws IbidError INDEX_NOT_FOUND, INDEX_SCHEMA, INDEX_MISMATCH, INDEX_DAMAGED */
  async open(): Promise<Store> {
    if (this.#store) return this.#store;
    if (this.#failed && performance.now() - this.#failed.at < AGAIN_MS) throw this.#failed.error;
    this.#opening ??= openStore(this.#address).finally(() => {
      this.#opening = undefined;
    });
    try {
      this.#store = await this.#opening;
      return this.#store;
    } catch (error) {
      if (!(error instanceof IbidError)) throw error;
      this.#failed = { error: failureOfMember(error), at: performance.now() };
      throw this.#failed.error;
    }
  }

  async close(): Promise<void> {
    const opening = await this.#opening?.catch(() => undefined);
    await (this.#store ?? opening)?.close();
  }
}
