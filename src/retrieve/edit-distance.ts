/**
 * How many slips lead from one word to another: a letter left out, added, or changed, or two neighbours exchanged, no
 * letter touched twice (optimal string alignment; Damerau 1964, doi:10.1145/363958.363994).
 * @returns for many words; undefined where it is more than `most`
 */
export function slipsFrom(from: string, most: number): (to: string) => number | undefined {
  const a = Uint32Array.from(from, (letter) => letter.codePointAt(0)!);
  const longest = a.length + most;
  const b = new Uint32Array(longest);
  const rows = Array.from({ length: 3 }, () => new Uint32Array(longest + 1));
  return (to) => {
    // a letter has one or two code units
    if (to.length < a.length - most || to.length > 2 * longest) return undefined;
    let length = 0;
    for (let at = 0; at < to.length; length++) {
      if (length === longest) return undefined;
      const letter = to.codePointAt(at)!;
      b[length] = letter;
      at += letter > 0xffff ? 2 : 1;
    }
    return length < a.length - most ? undefined : aligned(a, b, length, most, rows);
  };
}

/**
 * Cells further than `most` from the diagonal cost more than `most`, and are not looked at.
 * @param n letters in `b`, whose length differs from that of `a` by `most` or less
 * @param rows three, of more than `n` cells each, whatever is in them
 */
function aligned(
  a: Uint32Array,
  b: Uint32Array,
  n: number,
  most: number,
  rows: readonly Uint32Array[],
): number | undefined {
  const over = most + 1;
  let [before, last, row] = rows as [Uint32Array, Uint32Array, Uint32Array]; // three
  for (let j = 0; j <= Math.min(n, over); j++) last[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const first = Math.max(1, i - most);
    const end = Math.min(n, i + most);
    // the cells beside the diagonal's neighbours, which the next rows read
    let best = first === 1 ? Math.min(i, over) : over;
    row[first - 1] = best;
    if (end < n) row[end + 1] = over;
    const letter = a[i - 1]!;
    for (let j = first; j <= end; j++) {
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (letter === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && letter === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, before[j - 2]! + 1);
      row[j] = least;
      if (least < best) best = least;
    }
    if (best > most) return undefined;
    const spare = before;
    before = last;
    last = row;
    row = spare;
  }
  const distance = last[n]!;
  return distance > most ? undefined : distance;
}
