import { describe, expect, it } from 'vitest';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';

const other = 'The canteen serves soup at noon. Bicycles stand behind the hall. Nobody feeds the ducks on Sundays.';

/** @returns what is said, without the marks of citations */
function said(question: string, text: string, title = 'Notes'): { text: string; confidence: string } {
  const { answer, confidence } = ask(question, [
    hitOf(chunkOf(text, { title })),
    hitOf(chunkOf(other, { uri: 'b.md' }), 0.3),
  ]);
  return { text: answer.replace(/ \[\d+\]/g, ''), confidence };
}

describe('an answer whose words stand in one sentence and whose value in the next', () => {
  it('names who does it, by a name of one word before the verb of the question', () => {
    const text = 'Visitors liked the new page. Version 7.0 is planned for 9 May 2026. Runa owns the release.';
    const { text: answer, confidence } = said('Who owns the release of version 7.0?', text);
    expect(answer).toContain('Runa owns the release.');
    expect(confidence).toBe('high');
  });

  it('names who has to do it, by what they are', () => {
    const text =
      '## How do I get the paper for the slip?\n\nAsk at the hut. Your boat keeper has to sign the paper; it holds for ninety days.';
    const { text: answer, confidence } = said('Who has to sign the paper?', text);
    expect(answer).toContain('Your boat keeper has to sign');
    expect(confidence).toBe('high');
    expect(said('Who has to burn the paper?', text).confidence).not.toBe('high');
  });

  it('names who a pronoun at its beginning stands for', () => {
    const text =
      'Greta Holm joined the team yesterday. She takes over the harbour desk from Pavel. The printer is repaired.';
    expect(said('Who takes over the harbour desk from Pavel?', text).text).toContain('Greta Holm joined the team');
  });

  it.each([
    [
      'Combien coûte la réparation du toit ?',
      "L'assemblée a parlé de la réparation du toit. Elle a retenu l'entreprise Lebrun pour un montant de 7 200 euros.",
      '7 200 euros',
    ],
  ])('%s', (question, text, value) => {
    expect(said(question, text).text).toContain(value);
  });

  it('is not plain where the next paragraph has it', () => {
    const text = 'Version 7.0 is planned for 9 May 2026.\n\nRuna owns the boathouse.';
    expect(said('Who owns the release of version 7.0?', text).confidence).toBe('low');
  });
});

it('a time that is asked for comes before a weight of the same subject', () => {
  const text =
    'Stir the butter with the sugar. Fold in 200 g of flour with two spoons of baking powder for the plum cake. Peel the plums and cut them. Bake for 45 minutes at 175 degrees.';
  expect(said('How long do I bake the plum cake?', text, 'Plum cake').text).toContain('Bake for 45 minutes');
});
