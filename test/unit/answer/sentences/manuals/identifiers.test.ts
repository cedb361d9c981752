import { expect, it } from 'vitest';
import {
  identifiersHeld,
  isOfUnknownName,
  lacksIdentifier,
  lacksMember,
  otherIdentifierLoss,
} from '../../../../../src/answer/sentences/manuals/identifiers.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { rank } from '../../../../../src/answer/sentences/ranking/rank.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

/** Of each sentence, whether it loses. */
function loses(asked: string, text: string, title = 'Rules'): boolean[] {
  const question = analyseQuestion(asked, statisticsOf([text]));
  const candidates = candidatesOf(question, [hitOf(chunkOf(text, { title }))]);
  const held = identifiersHeld(question, rank(candidates));
  return candidates.map((candidate) => otherIdentifierLoss(held, candidate) < 0);
}

it.each([
  ['Is the rule no-light fixable?', 'The rule one-light is fixable. The rule no-light is not.', [true, false]],
  ['Is the rule No-Light fixable?', 'The rule one-light is fixable. The rule no-light is not.', [true, false]],
  ['Is the rule no-light fixable?', 'The rule no-lamp is fixable. The rule no-light is not.', [true, false]],
  ['What does lamp.use do?', 'Call lamp.use(oil) to light it. With lamp.put it goes out.', [false, true]],
  ['How large is max_oil?', 'A max_rope of 7 is usual. A max_oil of 9 is too.', [true, false]],
  ['Which rule forbids lamp.use?', 'The rule no-lamp forbids it. Call lamp.use(oil) to light it.', [false, false]],
  ['How large is max_oil?', 'A max_lamp_oil of 7 is usual. A max_oil of 9 is too.', [true, false]],
  ['How large is max_oil?', 'The oil is usual. A max_oil of 9 is too.', [false, false]],
  // nobody writes it so
  ['Is the new-light fixable?', 'The new light is fixable. Others are not.', [false, false]],
  ['Is the rule fixable?', 'The rule one-light is fixable. The rule no-light is not.', [false, false]],
])('%s — %s', (asked, text, expected) => {
  expect(loses(asked, text)).toEqual(expected);
});

it('reads a sentence with its title', () => {
  expect(loses('Is the rule no-light fixable?', 'It is fixable. The rule is one of many.', 'no-light')).toEqual([
    false,
    false,
  ]);
});

it.each([
  ['When was lamp L-7044 lit?', 'The lamp L-7004 was lit in May.', true],
  ['When was lamp l-7004 lit?', 'The lamp L-7004 was lit in May.', false],
  ['When was lamp L-7044 lit?', 'The lamps L-7044 and L-7004 were lit in May.', false],
  ['When was lamp L-7044 lit?', 'The lamp L-7004 was lit in May. Lamp L7044 was not.', false],
  ['When was lamp L-7044 lit?', 'The lamp was lit in May.', false],
  ['What is the weight of 10.9.0.14?', 'The host 10.9.0.11 has a weight of 3.', true],
  ['What is the weight of 10.9.0.11?', 'The host 10.9.0.11 has a weight of 3.', false],
  ['What is the weight of 10.9.0.14?', 'The weight is 3. Hosts are 10.9.0.11 and 10.9.0.14.', false],
  ['What does CVE-2031-1199 break?', 'It is known that CVE-2031-1198 breaks the lamp.', true],
  ['What does no-light break?', 'It is known that one-light breaks the lamp.', false],
])('%s — %s: another identifier is no answer', (asked, text, expected) => {
  const question = analyseQuestion(asked, statisticsOf([text]));
  const [candidate] = candidatesOf(question, [hitOf(chunkOf(text, { title: 'Rules' }))]);
  expect(lacksIdentifier(question, candidate!)).toBe(expected);
});

it.each([
  ['What is the default of lamp.oil.cache-size?', 'The default of lamp.oil.size is 5.', true],
  ['What is the default of lamp.oil.cache-size?', 'lamp.oil.cache-size: The default is 5.', false],
  ['What is the default of lamp.oil.cache_size?', 'lamp.oil.cache-size: The default is 5.', false],
  ['What is the default of lampOilSize?', 'lamp.oil.size: The default is 5.', false],
  ['What does steel.Crane.lift() do?', 'steel: The class Crane has lift(load), which raises it.', false],
  ['What does steel.Crane.lift() do?', 'steel: The class Crane has hoist(load), which raises it.', true],
  ['What is the default of max_oil_lamps?', 'The default of max_oil_ropes is 5.', true],
  ['What is the default of MAX_OIL?', 'The default of max_oil is 5.', false],
  ['What is the default of max_oill?', 'The default of max_oil is 5.', false],
  ['What is the default of oil.size?', 'The default of lamps is 5.', false],
  ['Is the state-of-the-art lamp lit and/or hung, e.g. at 12:30?', 'The default of lamps is 5.', false],
])('%s — %s: a name of a program that stands nowhere is unknown', (asked, text, expected) => {
  const question = analyseQuestion(asked, statisticsOf([text]));
  const candidates = candidatesOf(question, [hitOf(chunkOf(text, { title: 'Rules' }))]);
  expect(isOfUnknownName(question, rank(candidates))).toBe(expected);
});

it.each([
  ['What is the default of maxRope?', 'The default of maxLoad is 5.', true],
  ['What is the default of maxLoad?', 'The default of maxLoad is 5.', false],
  ['What is the default of maxLoad?', 'The default of MAX_LOAD is 5.', false],
  ['What is the default of iPhone?', 'The default of maxLoad is 5.', false],
])('a name with humps that stands nowhere: %s', (asked, text, expected) => {
  const question = analyseQuestion(asked, statisticsOf([text]));
  const ranked = rank(candidatesOf(question, [hitOf(chunkOf(text, { title: 'Crane' }))]));
  expect(isOfUnknownName(question, ranked)).toBe(expected);
});

it('a row of another number behind the same capitals is no answer', () => {
  const table = 'Lamp | Price | Q3\nLamp DN10 | 31 | 4\nLamp DN15 | 40 | 7';
  const lacks = (asked: string, title = 'Lamps'): boolean[] => {
    const question = analyseQuestion(asked, statisticsOf([table]));
    const rows = candidatesOf(question, [hitOf(chunkOf(table, { title }))]).filter(({ unit }) => unit.header);
    return rows.map((row) => lacksIdentifier(question, row));
  };
  expect(lacks('What is the price of the lamp DN25?')).toEqual([true, true]);
  expect(lacks('How many lamps DN10 were sold in Q4?')).toEqual([true, true]);
  expect(lacks('What is the price of the lamp DN15?')).toEqual([false, false]);
  expect(lacks('What is the price of the lamp DN25?', 'Lamps DN25')).toEqual([false, false]);
  expect(lacks('What is the price of the lamp K25?')).toEqual([false, false]);
});

it('knows whether a text has the member that is asked about, and not only what it is of', () => {
  const lacks = (asked: string, own: string): boolean => lacksMember(analyseQuestion(asked, statisticsOf([own])), own);
  expect(lacks('What does steel.Crane do?', 'steel — Machines of a port')).toBe(true);
  expect(lacks('What does steel.Crane do?', 'class Crane(height)')).toBe(false);
  expect(lacks('What does the crane do?', 'steel — Machines of a port')).toBe(false);
});

it.each([
  ['Since when is there a winch.colour?', '`winch.rope` is there since 2.1.', true],
  ['Since when is there a winch.colour?', '`winch.rope` is there since 2.1. `winch.colour` is too.', false],
  ['Since when is there a winch.colour?', '`winch.rope` is there since 2.1. The colour of the winch is red.', false],
  ['Since when is there a winch.colour?', '`crane.rope` is there since 2.1.', false],
  ['Since when is there a winch.colour?', 'It is there since 2.1.', false],
])('another setting of a group whose setting is asked about: %s — %s', (asked, text, expected) => {
  const question = analyseQuestion(asked, statisticsOf([text]));
  const [candidate] = candidatesOf(question, [hitOf(chunkOf(text))]);
  expect(lacksIdentifier(question, candidate!)).toBe(expected);
});
