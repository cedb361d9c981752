import { describePlace } from '../../core/describe-place.ts';
import type { Place } from '../../core/types.ts';
import { oneLine } from '../../text/one-line.ts';
import type { ServedShards } from '../answer-shapes.ts';

/** Names the shards that could not be read: else a model would say that no document holds the answer. */
export function withoutShards({ asked, missing }: ServedShards = { asked: 0, missing: [] }): readonly string[] {
  if (missing.length === 0) return [];
  const codes = [...new Set(missing)].join(', ');
  return [
    `Incomplete: ${missing.length} of ${asked} shards could not be read (${codes}); their documents are missing.`,
  ];
}

export function placeOf(place: Place, heading: string | undefined): string {
  return [heading, describePlace(place)].filter((part) => part !== undefined && part !== '').join(', ');
}

/** A reference as `read` takes it, with its index where there are several. */
export function pointed({ ref, index: of }: { readonly ref: string; readonly index?: string }): string {
  return of === undefined ? ref : `${ref} (index ${of})`;
}

/** In one line: a line break in the name of a file must not begin a line that reads as ours. */
export function described(
  one: Parameters<typeof pointed>[0] & { readonly title: string; readonly place: string },
): string {
  const { title, place } = one;
  return `${pointed(one)} ${oneLine([title, place].filter((part) => part !== '').join(' › '))}`;
}
