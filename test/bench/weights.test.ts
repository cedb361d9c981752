import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Longer lines are the weights themselves. */
const longest = 160;

it.each([
  ['train-answers', 'trees/weights'],
  ['train-spans', 'spans/span-weights'],
  ['train-sentence-model', 'spans/sentence-model-weights'],
])('%s writes the code that ships around the weights', (script, file) => {
  const written = readFileSync(`bench/quality/${script}.ts`, 'utf8').replaceAll('\\`', '`');
  const lines = readFileSync(`src/answer/sentences/${file}.ts`, 'utf8').split('\n');
  const code = lines.filter((line) => line !== '' && line.length < longest);
  expect(code.length).toBeGreaterThan(5);
  expect(code.filter((line) => !written.includes(line))).toEqual([]);
});
