/** Slanted or turned text that stands at one place of most pages: watermarks, marks of a publisher in the margin. */
import type { Layer, Segment } from './runs.ts';

/** In points. */
const SAME_PLACE = 3;
const FEWEST_PAGES = 3;

interface Mark {
  readonly place: Segment;
  /** Of each page that has it. */
  readonly segments: Map<number, Segment>;
}

/** @returns of each page, the marks that a page before it has; the first one of a kind may name the document */
export function findWatermarks(pages: readonly (readonly Layer[])[]): ReadonlySet<Segment>[] {
  const marks = new Map<string, Mark[]>();
  for (const [page, layers] of pages.entries()) {
    for (const { direction, segments } of layers.slice(1)) {
      for (const segment of segments) {
        if (!/\p{L}/u.test(segment.text)) continue;
        const key = `${direction} ${segment.text}`;
        const alike = marks.get(key) ?? [];
        marks.set(key, alike);
        const mark = alike.find(({ place }) => isAt(place, segment));
        if (mark) mark.segments.set(page, segment);
        else alike.push({ place: segment, segments: new Map([[page, segment]]) });
      }
    }
  }
  const found = pages.map(() => new Set<Segment>());
  for (const { segments } of [...marks.values()].flat()) {
    if (segments.size < FEWEST_PAGES || segments.size <= pages.length / 2) continue;
    for (const [page, segment] of [...segments].slice(1)) found[page]!.add(segment);
  }
  return found;
}

function isAt(place: Segment, { x0, y }: Segment): boolean {
  return Math.abs(place.x0 - x0) <= SAME_PLACE && Math.abs(place.y - y) <= SAME_PLACE;
}
