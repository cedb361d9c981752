/** [a, b, c, d, e, f] of PDF: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [number, number, number, number, number, number];

/** @param by the arguments of an operator; others than six numbers change nothing */
export function times([a, b, c, d, e, f]: Matrix, by: unknown): Matrix {
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = isNumbers(by) ? by : [];
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

export function isNumbers(value: unknown): value is ArrayLike<number> & Iterable<number> {
  return value instanceof Float32Array || (Array.isArray(value) && value.every((one) => typeof one === 'number'));
}
