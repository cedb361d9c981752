import { expect, it } from 'vitest';
import { scoringQuestion } from '../../../src/services/scored-list.ts';

it('a passage that is cut for scoring has no half of a character at its end', () => {
  const passages = ['', 'x'].map((shift) => ({ title: 'Birds', text: shift + '🐦'.repeat(2000) }));
  const question = scoringQuestion('Which bird?', passages);
  expect(question).toContain('🐦');
  expect(question.isWellFormed()).toBe(true);
});
