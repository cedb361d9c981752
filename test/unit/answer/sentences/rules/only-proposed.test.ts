import { expect, it } from 'vitest';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';

const minutes = (text: string) => [hitOf(chunkOf(text, { title: 'Minutes' }))];

it.each([
  [
    'What is the fee of a mooring?',
    'The board proposed to raise the fee of a mooring to 90 crowns. After a debate 80 crowns were agreed.',
    /^After a debate 80 crowns/,
  ],
  [
    'Wie hoch ist die Gebühr für einen Liegeplatz?',
    'Vorgeschlagen war, die Gebühr für einen Liegeplatz auf 90 Kronen zu erhöhen. Beschlossen wurden 80 Kronen.',
    /^Beschlossen wurden 80 Kronen/,
  ],
  [
    'Which fee of a mooring was proposed?',
    'The board proposed to raise the fee of a mooring to 90 crowns. After a debate 80 crowns were agreed.',
    /^The board proposed/,
  ],
  [
    'What is the fee of a mooring?',
    'The board proposed to raise the fee of a mooring to 90 crowns. The meeting ended at nine.',
    /proposed to raise/,
  ],
])('%s – %s', (question, text, expected) => {
  expect(ask(question, minutes(text)).citations[0]!.quote).toMatch(expected);
});
