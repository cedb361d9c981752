import { expect, it } from 'vitest';
import { attributeOf } from '../../../../../src/answer/sentences/structure/attribute-line.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';

const manual = `## Options

### opts.slow

Type: \`Boolean\`<br>
Default: \`false\`

The hook goes down at a quarter of its speed. You also have the option to stop it half way.

### opts.ropes

Type: \`Array\`<br>
Default: \`[]\`

Names that are tied before the load is lifted.

### opts.load

Type: \`Number\`<br>
Default: \`40\`

Weight in kilograms above which nothing moves.`;

const answerOf = (question: string): string =>
  ask(question, [hitOf(chunkOf(manual, { title: 'hoist', uri: 'hoist/README.md' }))]).answer;

it.each([
  ['What does the option slow of hoist do?', 'a quarter of its speed'],
  ['What is the ropes option of hoist for?', 'tied before the load'],
  ['What does load do in hoist?', 'nothing moves'],
  ['Which type is the option slow of hoist?', 'Type: Boolean'],
  ['What is the type of ropes in hoist?', 'Type: Array'],
  ['What type does load of hoist have?', 'Type: Number'],
  ['What is the default of ropes in hoist?', 'Default: []'],
  ['What is the default of load in hoist?', 'Default: 40'],
])('%s', (question, expected) => {
  const [first] = answerOf(question).split(' [1]');
  expect(first).toContain(expected);
});

it.each([
  ['Type: `number`\\', 'type'],
  ['**Default:** 5', 'default'],
  ['- Default value: 5', 'default'],
  ['Types of ropes: hemp, wire', undefined],
  ['The default is 5.', undefined],
  ['Type:', undefined],
])('%s', (line, expected) => {
  expect(attributeOf(line)).toBe(expected);
});
