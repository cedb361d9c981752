import { describe, expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { fieldGain } from '../../../../../src/answer/sentences/rules/field.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const manifest = `name: quay-lift
version: 4.0.1
description: Lifts boats out of the water

license: ISC

author: Mirka Sund <mirka@quay.example>

engines
node: >=14.2

dependencies
rope-node: ^2.0.0`;

/** The paragraphs of a manifest that gain. */
function gaining(asked: string, format = 'json', title = 'quay-lift'): string[] {
  const question = analyseQuestion(asked, statisticsOf([manifest]));
  return candidatesOf(question, [hitOf(chunkOf(manifest, { title, format }))])
    .filter((one) => fieldGain(question, one) > 0)
    .map(({ unit }) => manifest.slice(unit.start, unit.end));
}

describe('a field of a record', () => {
  it.each([
    ['Which licence does quay-lift use?', ['license: ISC']],
    ['Which license is quay-lift under?', ['license: ISC']],
    ['Who wrote quay-lift?', ['author: Mirka Sund <mirka@quay.example>']],
    ['Which Node version does quay-lift need?', ['engines\nnode: >=14.2']],
    ['What version of Node.js does quay-lift require?', ['engines\nnode: >=14.2']],
    ['Which Python version does quay-lift need?', []],
    ['Which licence does dock-lift use?', []],
    ['Which licence does quay use?', []],
    ['What is rope-node for?', []],
    ['Which engines does quay-lift have?', []],
  ])('%s', (question, expected) => {
    expect(gaining(question)).toEqual(expected);
  });

  it('is found without the scope of the name', () => {
    expect(gaining('Which licence does quay-lift use?', 'json', '@brannoch/quay-lift')).toEqual(['license: ISC']);
  });

  it('is none in prose', () => {
    expect(gaining('Which licence does quay-lift use?', 'markdown')).toEqual([]);
  });
});
