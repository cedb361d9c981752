/** Titles over several columns: `2023 | 2024` above `Q1 | Q2 | Q1 | Q2`. */
import { merge } from './cells.ts';
import type { Segment } from './runs.ts';

/** Of the distance of two columns: so far from the middle of its columns a title may stand. */
const OFF_MIDDLE = 0.5;
/** Narrow, and nearer to the middle of one column, it is the first line of that column's title. */
const OFF_COLUMN = 0.15;

/**
 * Says each title of a line in the titles of the columns that it stands in the middle of. Each column but the first ones,
 * which have no title above, belongs to one of two or more, and each of these has as many columns as the others. The title
 * of the first column may stand beside them.
 * @returns undefined where that is not so
 */
export function nameParts(upper: readonly Segment[], names: readonly Segment[]): Segment[] | undefined {
  if (upper.length < 2 || names.length === 0 || upper.some(({ rtl }) => rtl)) return undefined;
  const [label, ...others] = upper;
  if (label!.x1 < names[0]!.x0 && others.length > 1) {
    const parted = nameParts(others, names);
    return parted && [label!, ...parted];
  }
  for (let first = 0; first <= Math.min(2, names.length - 2 * upper.length); first++) {
    const columns = names.slice(first);
    const each = columns.length / upper.length;
    if (!Number.isInteger(each)) continue;
    const pitch = (middle(columns.at(-1)!) - middle(columns[0]!)) / (columns.length - 1);
    const isAbove = (title: Segment, i: number): boolean => {
      const isOfOne =
        columns.some((column) => Math.abs(middle(column) - middle(title)) < OFF_COLUMN * pitch) &&
        title.x1 - title.x0 < pitch;
      if (isOfOne && each % 2 === 0) return false;
      const [from, to] = [columns[i * each]!, columns[(i + 1) * each - 1]!];
      return Math.abs((from.x0 + to.x1) / 2 - middle(title)) < OFF_MIDDLE * pitch;
    };
    if (!upper.every(isAbove)) continue;
    return names.map((name, i) => (i < first ? name : withTitle(name, upper[Math.floor((i - first) / each)]!)));
  }
  return undefined;
}

/** The column stays where it is. */
function withTitle(name: Segment, title: Segment): Segment {
  const { x0, x1 } = name;
  return { ...merge(title, name, ' '), x0, x1, y: name.y };
}

function middle({ x0, x1 }: Segment): number {
  return (x0 + x1) / 2;
}
