import { expect, test } from 'vitest';
import { keytermsOf } from '../../../src/transcribe/keyterms.ts';

test('names and codes that come twice, not words that only begin a sentence or are also written small', () => {
  const terms = keytermsOf([
    'Yesterday the Kittiwake left Port Lorne. The skipper of the Kittiwake reported alarm PCH-317.',
    'In Port Lorne the alarm PCH-317 is known. Ropes are stored there; new Ropes come in May, other ropes stay.',
    'Yesterday it rained. Yesterday it snowed. Nobody saw Ailsa.',
  ]);
  expect(terms).toEqual(['Kittiwake', 'PCH-317', 'Port', 'Port Lorne']);
});

test('at most a hundred, none longer than the service takes, and none from no text', () => {
  const many = Array.from(
    { length: 300 },
    (_, i) => `seen Gerät${i} and Gerät${i}, and ${'X'.repeat(60)}1 twice ${'X'.repeat(60)}1`,
  );
  const terms = keytermsOf(many);
  expect(terms).toHaveLength(100);
  expect(terms.every((term) => term.length < 50)).toBe(true);
  expect(keytermsOf([])).toEqual([]);
});
