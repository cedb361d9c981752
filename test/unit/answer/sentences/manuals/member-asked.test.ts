import { describe, expect, it } from 'vitest';
import { memberIn } from '../../../../../src/answer/sentences/manuals/member-asked.ts';

const asked: Readonly<Record<string, object>> = {
  'What does lift() do?': { part: 'does', name: 'lift', owners: [], isProgram: true },
  'What does the function lift do?': { part: 'does', name: 'lift', isProgram: false },
  'What is quay.hoist.lift used for?': { part: 'does', name: 'lift', owners: ['quay', 'hoist'] },
  'What does Crane::lift return?': { part: 'returns', name: 'lift', owners: ['Crane'], isProgram: true },
  'What type does crane_lift() return?': { part: 'returns', name: 'crane_lift' },
  'What is the return value of Crane.lift?': { part: 'returns', name: 'lift' },
  'What arguments does crane-lift! take?': { part: 'arguments', name: 'crane-lift!', isProgram: true },
  'Which parameters does list->crane accept?': { part: 'arguments', name: 'list->crane' },
  'What are the parameters of Crane.lift()?': { part: 'arguments', name: 'lift' },
  'What is the load parameter of Crane.lift?': { part: 'parameter', name: 'lift', parameter: 'load' },
  'What is the load argument of crane_lift() for?': { part: 'parameter', name: 'crane_lift', parameter: 'load' },
  'What does the parameter load of crane_lift do?': { part: 'parameter', name: 'crane_lift', parameter: 'load' },
  'What type is the parameter load of crane_lift?': { part: 'type', name: 'crane_lift', parameter: 'load' },
  'What type is the lamp_oil parameter?': { part: 'declared', name: 'lamp_oil' },
  'When does Crane.lift() throw OverloadError?': { part: 'throws', name: 'lift', error: 'OverloadError' },
  'When is quay.OverloadError raised by crane_lift?': { part: 'throws', name: 'crane_lift', error: 'OverloadError' },
  'Since which version is Crane.lift() available?': { part: 'since', name: 'lift' },
  'In which version was crane_lift added?': { part: 'since', name: 'crane_lift' },
  'Is crane_lift() deprecated?': { part: 'deprecated', name: 'crane_lift' },
  'What should I use instead of Crane.lift?': { part: 'deprecated', name: 'lift' },
  'What replaces crane_lift in quay?': { part: 'deprecated', name: 'crane_lift' },
};

describe('what of a member is asked', () => {
  for (const [question, expected] of Object.entries(asked))
    it(question, () => expect(memberIn(question)).toMatchObject(expected));
});

describe('of none', () => {
  for (const question of [
    'What does the keeper of the lamp do at night?',
    'What arguments did the keeper have for a new lamp?',
    'When does the ferry return to the quay?',
    'Which version of the contract is valid?',
    'What is the weight of the crane?',
  ])
    it(question, () => expect(memberIn(question)).toBeUndefined());
});
