import { expect, it } from 'vitest';
import { entryIn } from '../../../../../src/answer/sentences/manuals/entry-asked.ts';

it.each([
  ['What does crane lift -x do?', 'option', '-x', 'crane-lift'],
  ['What does -x do in crane-lift?', 'option', '-x', 'crane-lift'],
  ['What does crane-add -a do?', 'option', '-a', 'crane-add'],
  ['What does crane am --brake mean?', 'option', '--brake', 'crane-am'],
  ['What is the long form of -z in du?', 'option', '-z', 'du'],
  ['What does the -n option of crane lift do?', 'option', '-n', 'crane-lift'],
  ['What does exit code 5 of crane mean?', 'code', '5', 'crane'],
  ['What does crane exit status 17 mean?', 'code', '17', 'crane'],
  ['What does it mean when crane exits with 19?', 'code', '19', 'crane'],
  ['What is CRANE_MOST for in crane-lift?', 'variable', 'CRANE_MOST', 'crane-lift'],
  ['What does the environment variable LOAD do for crane?', 'variable', 'LOAD', 'crane'],
  ['What is ~/.crane/rc for in crane?', 'file', '~/.crane/rc', 'crane'],
  ['What does --brake do?', 'option', '--brake', undefined],
])('%s', (text, kind, name, owner) => {
  expect(entryIn(text)).toEqual({ kind, name, ...(owner === undefined ? {} : { owner }) });
});

it.each([
  'What is the difference between -x and -X of crane lift?',
  'What is said of a crane and/or a hoist?',
  'What returns with 3 lamps?',
  'What is the exit code 1.5?',
  'What is a by-pass?',
])('%s asks for no entry', (text) => {
  expect(entryIn(text)).toBeUndefined();
});
