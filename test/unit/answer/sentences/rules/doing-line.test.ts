import { expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { doingGain } from '../../../../../src/answer/sentences/rules/doing-line.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

/** Whether a line of code says how that is done which is asked for. */
function gains(asked: string, line: string): boolean {
  const text = `# Use\n\n\`\`\`sh\n${line}\n\`\`\`\n`;
  const question = analyseQuestion(asked, statisticsOf([text]));
  return candidatesOf(question, [hitOf(chunkOf(text))]).some((one) => doingGain(question, one) > 0);
}

it.each([
  ['How do I install hoist?', 'npm install hoist', true],
  ['How can I install hoist?', '$ npm i --save-dev hoist # or another', true],
  ['What is the command to install @quay/hoist?', 'yarn add @quay/hoist@2.1', true],
  ['How to install hoist', 'python -m pip install hoist==2.1', true],
  ['How do I install hoist?', 'npm install hoist-oil', false],
  ['How do I install hoist?', 'npm install crane', false],
  ['How do I start hoist?', 'npm install hoist', false],
  ['How do I import hoist?', "import { lift } from 'hoist';", true],
  ['How is hoist imported?', 'const hoist = require("hoist/slow")', true],
  ['How do I load hoist in my code?', 'from hoist import rope', true],
  ['How do I import hoist?', "import { lift } from 'hoist-oil';", false],
  ['How do I import hoist?', 'hoist.import(9);', false],
  ['Which version of Node does hoist require?', "const hoist = require('hoist');", false],
])('%s %s', (question, line, expected) => {
  expect(gains(question, line)).toBe(expected);
});

it('a command answers before prose that has more words of the question', () => {
  const text = `# Capstan

Capstan hauls ropes in. Whoever can install the capstan by hand may do so, as its command is short.

## Setting up

\`\`\`sh
npm install --save capstan
\`\`\`

\`\`\`js
import capstan from 'capstan';
\`\`\``;
  const answered = (question: string) => ask(question, [hitOf(chunkOf(text, { title: 'Capstan' }))]).answer;
  expect(answered('What is the command to install capstan?')).toContain('npm install --save capstan');
  expect(answered('How do I import capstan?')).toContain("import capstan from 'capstan';");
});
