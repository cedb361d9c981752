import type { CallOptions } from '../core/types.ts';
import type { RowSet, Snapshot } from '../store/contract.ts';
import { OrdinalSet } from '../store/row-set.ts';

/** The rows without those that hold, in title, headings or text, all terms of one of the excluded parts. */
export async function withoutExcluded(
  { lexical }: Pick<Snapshot, 'lexical'>,
  excluded: readonly (readonly string[])[],
  within: RowSet | undefined,
  { signal }: CallOptions,
): Promise<RowSet | undefined> {
  if (excluded.length === 0) return within;
  const out = new Uint8Array(lexical.rows);
  for (const terms of excluded) {
    const distinct = [...new Set(terms)];
    const held = new Uint8Array(lexical.rows);
    for (const { ordinals } of await lexical.terms(distinct, { signal }))
      for (const row of ordinals) if (++held[row]! === distinct.length) out[row] = 1;
  }
  const rows = within?.ordinals ?? Uint32Array.from(out.keys());
  return new OrdinalSet(rows.filter((row) => out[row] === 0 && lexical.isLive(row)));
}
