/** Lists beside each other: their bullets, which stand far from their items, are no column of a table. */
import type { Segment } from './runs.ts';

const BULLET = /^[•●○◦▪■□‣➢]$/u;
const BULLETED = /^[•●○◦▪■□‣➢] /u;
/** From a bullet to its item, in sizes of the letters. */
const FARTHEST = 3;
const FEWEST_ROWS = 2;
/** A drawing has more. */
const MOST_BULLETS = 500;
/** Of the lines of a list; the others go on with an item. */
const FEWEST_BULLETED = 0.4;

/** The segments, with bullets joined to their items where at least two lines have two of them. */
export function withBullets(segments: readonly Segment[]): readonly Segment[] {
  const items = new Map<Segment, Segment>();
  const bullets = segments.filter(({ text, ruled, cell }) => BULLET.test(text) && !ruled && !cell);
  if (bullets.length > MOST_BULLETS) return segments;
  for (const bullet of bullets) {
    const item = segments.find(
      (s) =>
        Math.abs(s.y - bullet.y) < 0.3 * s.size &&
        s.x0 >= bullet.x1 &&
        s.x0 - bullet.x1 < FARTHEST * s.size &&
        /\p{L}{2}/u.test(s.text) &&
        s.cell === undefined,
    );
    if (item) items.set(bullet, item);
  }
  const pairs = [...items.keys()].filter((a) =>
    [...items].some(([b, item]) => b.x0 < a.x0 && Math.abs(a.y - b.y) < 1 && item.x1 < a.x0),
  );
  if (pairs.length < FEWEST_ROWS) return segments;
  const joined = new Set(items.values());
  return segments
    .filter((s) => !joined.has(s))
    .map((s) => {
      const item = items.get(s);
      return item ? { ...item, x0: s.x0, text: `${s.text} ${item.text}` } : s;
    });
}

/** Whether the lines are items of a list. */
export function isList(segments: readonly Segment[], fewest: number): boolean {
  const bulleted = segments.filter(({ text }) => BULLETED.test(text)).length;
  return bulleted >= fewest && bulleted >= FEWEST_BULLETED * segments.length;
}

/** Whether nothing begins before the bullets, as a title in the middle of the page does. */
export function beginsWithBullets(segments: readonly Segment[]): boolean {
  const edge = Math.min(...segments.filter(({ text }) => BULLETED.test(text)).map(({ x0 }) => x0));
  return segments.every(({ x0 }) => x0 >= edge - 1);
}
