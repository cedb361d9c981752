/**
 * How many slips lead from one word to another: a letter left out, added, or changed, or two neighbours exchanged, no
 * letter touched twice (optimal string alignment; Damerau 1964, doi:10.1145/363958.363994).
 * @returns for many words; undefined where it is more than `most`
 */
export function slipsFrom(from: string, most: number): (to: string) => number | undefined {
  const a = [...from];
  return (to) => {
    // a letter has one or two code units
    if (to.length < a.length - most || (to.length > a.length + most && !surrogate.test(to))) return undefined;
    const b = surrogate.test(to) ? [...to] : to;
    return Math.abs(a.length - b.length) > most ? undefined : aligned(a, b, most);
  };
}

const surrogate = /[\ud800-\udfff]/;

/** Cells further than `most` from the diagonal cost more than `most`, and are not looked at. */
function aligned(a: ArrayLike<string>, b: ArrayLike<string>, most: number): number | undefined {
  const over = most + 1;
  const width = b.length + 1;
  let before = new Array<number>(width).fill(over);
  let last = Array.from({ length: width }, (_, j) => Math.min(j, over));
  let row = new Array<number>(width).fill(over);
  for (let i = 1; i <= a.length; i++) {
    const first = Math.max(1, i - most);
    const end = Math.min(b.length, i + most);
    row.fill(over);
    row[0] = Math.min(i, over);
    let best = row[0];
    for (let j = first; j <= end; j++) {
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, before[j - 2]! + 1);
      row[j] = least;
      best = Math.min(best, least);
    }
    if (best > most) return undefined;
    [before, last, row] = [last, row, before];
  }
  const distance = last[b.length]!;
  return distance > most ? undefined : distance;
}
