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
    'What is the fee of a mooring?',
    'It was suggested to raise the fee of a mooring to 90 crowns. The members were against it. It remains at 70 crowns.',
    /^It remains at 70/,
  ],
  [
    'What was decided about the crane of pier 2?',
    'Nora reported that the crane of pier 2 failed twice. Proposal: sell it. Decision: it is mended once more.',
    /^Decision: it is mended/,
  ],
  [
    'What was decided about the crane of pier 2?',
    'Nora reported that the crane of pier 2 failed twice.\n\nThe lamps burn.\n\nThe gate is open.\n\nIt is wet.\n\nDecision: it is painted.',
    /crane of pier 2 failed/, // of something else
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
