/** Letters that are drawn lower or higher within a word, in the size of the word: the E of TeX's own name. */

/** The fields of a drawn run that tell where it stands. */
interface PlacedRun {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  lineY: number;
  readonly width: number;
  readonly size: number;
}

/** How far it stands from the line, in font sizes. */
const NEAREST = 0.1;
const FARTHEST = 0.4;
/** How far the text above its line stands from it, in font sizes. */
const LEAST_RAISED = 0.2;
/** Gap or overlap to the letters at its sides, in font sizes. */
const TOUCHING = 0.25;

/**
 * Gives a letter between two others, which touch it on one line, the baseline of that line.
 * @param byY from top to bottom
 */
export function settleLowered(byY: readonly PlacedRun[]): void {
  for (const [i, run] of byY.entries()) {
    if (run.lineY !== run.y || !/^\p{L}{1,2}$/u.test(run.text)) continue;
    const near = [...within(byY, i, -1), ...within(byY, i, 1)];
    const before = near.find((other) => endsIn(other, run) && /\p{L}$/u.test(other.text));
    if (!before) continue;
    const after = near.find(
      (other) => other.lineY === before.lineY && startsIn(other, run) && /^\p{L}/u.test(other.text),
    );
    if (after) run.lineY = before.lineY;
  }
}

/** Runs of the same size on lines that are a little higher or lower. */
function* within(byY: readonly PlacedRun[], from: number, step: 1 | -1): Generator<PlacedRun> {
  const run = byY[from]!;
  for (let i = from + step; i >= 0 && i < byY.length; i += step) {
    const other = byY[i]!;
    const away = Math.abs(other.y - run.y);
    if (away > FARTHEST * run.size) return;
    if (away < NEAREST * run.size || Math.abs(other.size - run.size) > 0.1 * run.size) continue;
    yield other;
  }
}

function endsIn(other: PlacedRun, run: PlacedRun): boolean {
  return Math.abs(run.x - other.x - other.width) < TOUCHING * run.size;
}

function startsIn(other: PlacedRun, run: PlacedRun): boolean {
  return Math.abs(other.x - run.x - run.width) < TOUCHING * run.size;
}

/** Small letters above the line of those beside them; `y` grows downwards. */
export function isRaised({ y, lineY, size }: PlacedRun): boolean {
  return lineY - y > LEAST_RAISED * size;
}
