import { hash32 } from '../core/hash.ts';
import type { SourceItem } from './contract.ts';

/**
 * The items of a run, by number. A source that knows how to make an item anew holds a few bytes for each: a run may
 * have millions.
 */
export interface Items {
  readonly length: number;
  at(number: number): SourceItem;
  /** `hash32` of the uri of an item. */
  hashOf(number: number): number;
  /** Tells that an item is not asked for again. */
  release?(number: number): void;
  /** Called for an item with the uri of an earlier one. Absent: the later one is left out. @throws IbidError */
  repeated?(number: number): void;
}

/** Items that are objects of whoever made them. */
export class ListedItems implements Items {
  readonly #items: (SourceItem | undefined)[];

  constructor(items: (SourceItem | undefined)[]) {
    this.#items = items;
  }

  get length(): number {
    return this.#items.length;
  }

  at(number: number): SourceItem {
    return this.#items[number]!;
  }

  hashOf(number: number): number {
    return hash32(this.at(number).uri);
  }

  release(number: number): void {
    this.#items[number] = undefined;
  }
}

/** The items of a source of ours. Whoever iterates gets them one by one. */
export class ItemList implements AsyncIterable<SourceItem> {
  readonly #make: () => Promise<Items>;

  constructor(make: () => Promise<Items>) {
    this.#make = make;
  }

  all(): Promise<Items> {
    return this.#make();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SourceItem, void, undefined> {
    const items = await this.#make();
    for (let number = 0; number < items.length; number++) yield items.at(number);
  }
}

/** All items of a source, in their order. */
export async function itemsOf(items: AsyncIterable<SourceItem>): Promise<Items> {
  return items instanceof ItemList ? await items.all() : new ListedItems(await Array.fromAsync(items));
}

/** A list of numbers that grows outside the JavaScript heap. */
export class NumberList<T extends Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>> {
  #values: T;
  #length = 0;

  /** @param empty an array of the kind that is wanted, with some room */
  constructor(empty: T) {
    this.#values = empty;
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new (this.#values.constructor as new (length: number) => T)(2 * this.#length); // the kind of `empty`
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  at(i: number): number {
    return this.#values[i]!;
  }

  /** Those that are there, without a copy. */
  all(): T {
    return this.#values.subarray(0, this.#length) as T;
  }
}
