import { objectOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import { SearchIndex } from '../search-index/search-index.ts';
import { ofIndex, Refusal } from './problem.ts';

/** The indexes of one server by name. */
export class NamedIndexes {
  readonly #byName: ReadonlyMap<string, SearchIndex>;

  /** @throws IbidError INVALID_ARGUMENT */
  constructor(indexes: SearchIndex | Readonly<Record<string, SearchIndex>>) {
    objectOf(indexes, 'indexes');
    this.#byName = new Map(indexes instanceof SearchIndex ? [['default', indexes]] : Object.entries(indexes));
    if (this.#byName.size === 0) throw new IbidError('INVALID_ARGUMENT', 'a server needs an index');
    for (const [name, index] of this.#byName) {
      objectOf(index, `the index "${name}"`, 'search');
      if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u.test(name))
        throw new IbidError('INVALID_ARGUMENT', `"${name}" cannot be the name of an index`, {
          hint: 'Use letters, digits, ".", "_" and "-".',
        });
    }
  }

  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  /** Whether answers must say which index they are from. */
  get areSeveral(): boolean {
    return this.#byName.size > 1;
  }

  /** @throws Refusal 404 */
  get(name: string): SearchIndex {
    const index = this.#byName.get(name);
    if (!index) throw new Refusal(404, 'NOT_FOUND', 'there is no index of this name');
    return index;
  }

  /** Those asked for; all when none is. @throws Refusal 404 */
  chosen(names: string | readonly string[] | undefined): readonly (readonly [name: string, index: SearchIndex])[] {
    if (names === undefined) return [...this.#byName];
    const wanted = new Set(typeof names === 'string' ? [names] : names);
    if (wanted.size === 0) return [...this.#byName];
    return [...wanted].map((name) => [name, this.get(name)]);
  }
}

/** An index as far as it exists for a caller. */
export interface NamedView {
  readonly view: SearchIndex;
  /** Which index it is of, where the server has several. */
  readonly named: { readonly index?: string };
}

/**
 * What the first of several indexes gives that has the document.
 * @throws IbidError CITATION_NOT_FOUND when none has; the error of an index that could not be asked, which may have it
 */
export async function firstThatHas<T>(
  views: readonly NamedView[],
  get: (view: SearchIndex, named: NamedView['named']) => Promise<T>,
): Promise<T> {
  let missing: unknown;
  let failure: unknown;
  for (const { view, named } of views) {
    try {
      return await ofIndex(named.index, () => get(view, named));
    } catch (error) {
      if (error instanceof IbidError && error.code === 'CITATION_NOT_FOUND') missing ??= error;
      else failure ??= error;
    }
  }
  throw failure ?? missing;
}
