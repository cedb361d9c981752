import { hash32 } from '../../../../src/core/hash.ts';

/** Words and pairs of letters, each along a direction of its own that its hash draws: like texts lie near each other. */
export function hashedFloats(text: string, dimensions: number): readonly number[] {
  const vector = new Array<number>(dimensions).fill(0);
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text];
  for (const word of words) {
    let state = hash32(word) | 1;
    for (let i = 0; i < dimensions; i++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      vector[i]! += (word.length < 4 ? 0.2 : 1) * (state / 2 ** 31);
    }
  }
  return vector;
}
