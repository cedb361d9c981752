/**
 * How many slips lead from one word to another: a letter left out, added, or changed, or two neighbours exchanged, no
 * letter touched twice (optimal string alignment; Damerau 1964, doi:10.1145/363958.363994).
 * @returns undefined where it is more than `most`
 */
export function withinDistance(from: string, to: string, most: number): number | undefined {
  const a = [...from];
  const b = [...to];
  if (Math.abs(a.length - b.length) > most) return undefined;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
    }
    if (Math.min(...row) > most) return undefined;
    before = last;
    last = row;
  }
  const distance = last[b.length]!;
  return distance > most ? undefined : distance;
}
