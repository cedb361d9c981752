import { describe, expect, it } from 'vitest';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';

const answerTo = (question: string, text: string): string =>
  ask(question, [hitOf(chunkOf(text, { title: 'Harbour', uri: 'harbour.md' }))]).answer;

describe('what completes an answer', () => {
  const ferry =
    'In 1987 the ferry Sigrun ran aground on the Teeth. All passengers were saved. The mate had fallen asleep.';

  it('is what stands behind the same question, told of somebody', () => {
    const text = 'Ann Moor asked why the lamp of the quay was dark. Bo Tarn said that a wire is broken. It rains.';
    expect(answerTo('Why was the lamp of the quay dark?', text)).toContain('a wire is broken');
  });

  it.each(['As a result,', 'For this reason,', 'That is why'])('is the sentence before %s', (follows) => {
    const text = `The old lamps leaked oil into the water. ${follows} the lamps of the quay were replaced. It rains.`;
    const answer = answerTo('Why were the lamps of the quay replaced?', text);
    expect(answer).toMatch(/^The old lamps leaked oil into the water\. /);
    expect(answer).toContain('were replaced.');
    expect(answer).not.toContain('It rains');
  });

  it('is the sentence before the one that names what that one says', () => {
    const text = 'Ships are moored with a rope of thick hemp. Such a rope is called a hawser. It rains.';
    expect(answerTo('What is a hawser?', text)).toMatch(/^Ships are moored with a rope of thick hemp\. Such a rope/);
    expect(answerTo('What is a hawser?', 'It rains. A hawser is a rope of thick hemp.')).not.toContain('It rains');
  });

  it('is nothing where the reason is there, or where no reason is asked for', () => {
    const text = 'The lamp of the quay was dark because of the storm. Ann Moor had left early.';
    expect(answerTo('Why was the lamp of the quay dark?', text)).not.toContain('Ann Moor had left');
    expect(answerTo('When did the Sigrun run aground?', ferry)).not.toContain('fallen asleep');
  });

  it('is the sentence before a pronoun, which says who it was, and not a name behind it', () => {
    const text =
      'The last keeper was Edith Moor, a baker. She sold the lamps of the quay in 1931. The office in Candle Street is a hotel.';
    const answer = answerTo('Who sold the lamps of the quay?', text);
    expect(answer).toContain('Edith Moor');
    expect(answer).not.toContain('Candle Street');
  });

  it('is the sentence before `It`, where neither the sentence nor its heading says what that is', () => {
    const text = '## Keys\n\nThe mill has three doors. It was built by Karen Holm in 1887.';
    const answer = (below: string): string =>
      ask('Who built the mill?', [
        hitOf(chunkOf(below, { title: 'Lease of the mill', headings: ['Lease of the mill'] })),
      ]).answer;
    expect(answer(text)).toMatch(/^The mill has three doors\. It was built by Karen Holm/);
    expect(answer(text.replace('Keys', 'The mill'))).toMatch(/^The mill: It was built/);
    expect(answer(text.replace('The mill has', 'It has'))).toMatch(/^Keys: It was built/);
  });

  it('is no sentence with a part of the name alone, which says no more than the title', () => {
    const text = 'Last year a room was found for Moor. She sold the lamps of the quay in 1931. Candle Street is near.';
    const hit = hitOf(chunkOf(text, { title: 'Edith Moor', uri: 'moor.md' }));
    expect(ask('Who sold the lamps of the quay?', [hit]).answer).toMatch(/^Edith Moor: She sold the lamps/);
  });

  it.each([
    ['Are dogs allowed on the pier?', 'Dogs are not allowed on the pier. Guide dogs may come along. The pier is long.'],
    ['Can I fish at night?', 'Fishing at night is forbidden. Members with a lamp are exempt. The pier is long.'],
    [
      'What happens if I lose my key?',
      'Who loses a key pays six crowns. The fee is waived after a theft. The pier is long.',
    ],
  ])('is the exception behind a rule: %s', (question, text) => {
    const [rule, exception] = text.split(/(?<=\.) /);
    expect(answerTo(question, text)).toContain(`${rule} ${exception}`);
    expect(answerTo(question, text)).not.toContain('The pier is long');
  });

  it('is no exception where no rule is asked for, or something else is allowed', () => {
    const text = 'Dogs are not allowed on the pier since 1990. Guide dogs may come along.';
    expect(answerTo('Since when are dogs not allowed on the pier?', text)).not.toContain('Guide dogs');
    const other = 'Dogs are not allowed on the pier. Lamps may be borrowed at the gate.';
    expect(answerTo('Are dogs allowed on the pier?', other)).not.toContain('Lamps');
  });

  it('is the sentence behind a rate, where a day is asked for', () => {
    const text =
      '## What interest do you pay?\n\nThe bond pays 2.15 % a year, the old one 4.05 %. Interest is credited on 31 December.';
    expect(answerTo('When is interest paid?', text)).toContain('31 December');
  });

  it('is no line with a label of its own', () => {
    const text = 'Minutes of the meeting of the rowers, 6 June\nPresent: Ann Moor, Bo Tarn\n\nApologies: Edith Gale';
    expect(answerTo('Who missed the meeting of the rowers?', text)).not.toMatch(/6 June.*Present/);
  });

  it('is who takes over, where somebody leaves', () => {
    const text = 'Ann Moor gives up the office of harbour master in May. Bo Tarn takes over from June on. It rains.';
    expect(answerTo('Who is harbour master from June on?', text)).toContain('Bo Tarn takes over from June on.');
  });

  it('is the sentence behind the first one below a heading that asks', () => {
    const text =
      '## How long is the warranty?\n\nTwo years from the sale. Lamps have four years. Keep the bill.\n\n## Is it heavy?\n\nYes. It weighs ninety kilos.';
    expect(answerTo('How long is the warranty?', text)).toMatch(
      /^Two years from the sale\. Lamps have four years\. \[1\]$/,
    );
  });
});
