import type { SearchOptions } from '../../src/index.ts';

/** Notes whose words recur in many of them, questions about them, and ways to search. */
const nouns = 'anchor buoy cable diver engine fender gauge hull ladder mast needle oar pump quay rope sail'.split(' ');

export function note(i: number): Record<string, string> {
  const word = (n: number): string => nouns[(i * 7 + n * 3 + Math.floor(i / 5)) % nouns.length]!;
  const lines = Array.from(
    { length: 5 },
    (_, n) => `The ${word(n)} ${(n + i) % 3 === 0 ? 'held' : 'holds'} the ${word(n + 1)} near ${word(n + 5)} ${i}.`,
  );
  return {
    [`docs/note-${i}.md`]: `# ${word(9)} ${i}\n\n${lines.join(' ')}\n\n## ${word(4)}\n\n${lines.reverse().join(' ')}`,
  };
}

export const notes = (from: number, to: number): Record<string, string> =>
  Object.assign({}, ...Array.from({ length: to - from }, (_, i) => note(from + i)));

export const questions: readonly string[] = [
  ...nouns.map((noun, i) => `which ${noun} holds the ${nouns[(i + 3) % nouns.length]} near ${i * 3}?`),
  '"holds the rope" near the quay',
  'anchr and ladder', // misspelled
  'who held the rope that holds the pump?', // two forms of one word
  'pump -"near the sail"',
  'need* of the diver',
  'nothing of this is there',
];

export const variants: readonly SearchOptions[] = [
  {},
  { limit: 40, explain: true, distinct: false },
  { mode: 'lexical', neighbours: 2 },
  { mode: 'dense', limit: 5 },
  { opening: 3, limit: 5 },
  { opening: 3, where: 'position > 0' },
  { where: "uri LIKE '%7.md'", explain: true },
  { weights: { window: 3 }, candidates: { read: 20 } },
];
