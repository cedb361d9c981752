import { expect, it } from 'vitest';
import { announcesPage, saysMeans, tellsHandling, verbOfImperative } from '../../../../src/text/languages/ways-told.ts';

it.each([
  ['Hold the button.', 'hold'],
  ['To turn it on, open the menu.', 'open'],
  ['Then press and bring the load down.', undefined],
  ['Bring the load down.', 'bring'],
  ['Turn off all lamps.', 'turn'],
  ['Repeat that twice.', 'repeat'],
  ['Apply the oil.', 'apply'],
  ['Line the tin with paper.', 'line'],
  ['Step 2 the crane.', undefined],
  ['Systems that run every night copy the file.', undefined],
  ['Among the many tests are some of the crane.', undefined],
  ['Normally these kinds of faults are found.', undefined],
  ['Given a broken file, it is read again.', undefined],
  ['Running the tests takes an hour.', undefined],
  ['Version 3.7.0 was too careful.', undefined],
  ['Inserts a hook into the text.', undefined],
  ['Often this hook is bent.', undefined],
  ['Another one is bent.', undefined],
  ['All the hooks are bent.', undefined],
  ['Please mind that the hook is bent.', undefined],
  ['After all, the hook is bent.', undefined],
  ['Before the tide a bell rings.', undefined],
  ['Once the tide turns, a bell rings.', undefined],
  ['Every hook has a number.', undefined],
  ['Note that the crane is slow.', undefined],
  ['First 20 boats: the gull and the tern.', undefined],
  ['If it creaks, ensure that the crane is dry.', undefined],
  ['To lift a boat, simply turn the crane.', 'turn'],
  ['Press the button.', 'press'],
  ['In /quay/crane.conf, list the hooks.', 'list'],
])('%s tells to %s', (sentence, verb) => {
  expect(verbOfImperative(sentence)).toBe(verb);
});

it('is said of a program by what its code does', () => {
  expect(verbOfImperative('Inserts a hook into the text.', true)).toBe('inserts');
});

it.each([
  ['Use the hook.', true],
  ['It is lifted using a hook.', true],
  ['The crane is for the use of members.', false],
  ['The hook is in use.', false],
])('by what means is said by %s: %s', (sentence, expected) => {
  expect(saysMeans(sentence)).toBe(expected);
});

it.each([
  ['Tools → Crane settings', true],
  ['hoist.c → A crane that serves as a template.', false],
])('a path through menus is %s: %s', (sentence, expected) => {
  expect(tellsHandling(sentence)).toBe(expected);
});

it.each([
  ['In this guide, we will show how to moor a boat.', true],
  ['This tutorial shows how to moor a boat.', true],
  ['In this harbour, we moor boats by a ring.', false],
])('what a page is about is said by %s: %s', (sentence, expected) => {
  expect(announcesPage.test(sentence)).toBe(expected);
});
