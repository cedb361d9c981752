import { expect, test } from 'vitest';
import { plainComment } from '../../../../src/answer/extractive/plain-comment.ts';
import { withoutMarks } from '../../../../src/answer/extractive/plain-marks.ts';

const MOST_MS = 2_000;
const blanks = '\t'.repeat(4_000);

test.each([
  ['a link of a comment', () => plainComment(`{@link a${blanks}${blanks}{`)],
  ['code of a comment', () => plainComment(`{@code ${blanks}${blanks}{`)],
  ['a role of reStructuredText', () => withoutMarks(`${':a'.repeat(4_000)}:\`b${blanks}<${':a'.repeat(4_000)}`, 'rst')],
  ['a link of reStructuredText', () => withoutMarks(`\`b${blanks}<${blanks}`, 'rst')],
])('%s with a long run takes one pass', (_, run) => {
  const from = performance.now();
  run();
  expect(performance.now() - from).toBeLessThan(MOST_MS);
});

test('links and code of comments, roles and links of reStructuredText', () => {
  expect(plainComment('See {@link Lock | the lock}, {@link #peek() peek}, {@link  Store } and {@code  a < b }.')).toBe(
    'See the lock, peek, Store and a < b.',
  );
  expect(
    withoutMarks('See :ref:`the quay <quay>`, :py:func:`open`, `the sea <http://x>`_ and :doc:` a `.', 'rst'),
  ).toBe('See the quay, open, the sea and  a.');
});
