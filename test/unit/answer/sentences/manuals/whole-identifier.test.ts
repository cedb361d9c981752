import { expect, it } from 'vitest';
import { judgeSentences } from '../../../../../src/answer/answerability/answerability.ts';
import { partsAloneLoss } from '../../../../../src/answer/sentences/manuals/whole-identifier.ts';
import type { Hit } from '../../../../../src/core/types.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const section = (version: string, text: string, uri = 'history.md') =>
  hitOf(chunkOf(`${version}\n======\n\n${text}`, { uri, title: 'History of quay', headings: [version] }));
const older = section('2.3.10', '  * Added harbour.lamps support to `quay(1)`');
const newer = section('4.16.0', '  * Let `quay.lamps` and `quay.ropes` be added to piers');

/** The last lines of what loses. */
function losing(question: string, hits: readonly Hit[]): string[] {
  const { analysed, ranked } = judgeSentences(question, hits, statisticsOf(hits.map(({ chunk }) => chunk.text)));
  const lost = ranked.filter(({ candidate }) => partsAloneLoss(analysed, candidate, ranked) < 0);
  return [...new Set(lost.map(({ candidate }) => candidate.passage.hit.chunk.text.split('\n').at(-1)!.trim()))];
}

it('a passage with the parts of a dotted name alone loses, where its document writes the whole', () => {
  const asked = 'Which version added quay.lamps?';
  expect(losing(asked, [older, newer])).toEqual(['* Added harbour.lamps support to `quay(1)`']);
  expect(losing(asked, [older])).toEqual([]);
  expect(losing(asked, [older, section('4.16.0', '* Let `quay.lamps` blink', 'other.md')])).toEqual([]);
  expect(losing('Which version added lamps to the quay?', [older, newer])).toEqual([]);
  expect(ask(asked, [older, newer]).answer).toContain('4.16.0: Let quay.lamps');
});

it('a passage that declares the last part does not', () => {
  const file = { uri: 'quay.py', format: 'code' } as const;
  const declared = hitOf(chunkOf('def lamps(size):\n    """Light the lamps of the quay."""', file));
  const named = hitOf(chunkOf('# Use quay.lamps with care.\nlight = 1', file));
  expect(losing('What does quay.lamps light?', [declared, named])).toEqual([]);
  const headed = hitOf(chunkOf('Lights the quay.', { ...file, headings: ['lamps(size)'] }));
  expect(losing('What does quay.lamps light?', [headed, named])).toEqual([]);
});
