import { describe, expect, it } from 'vitest';
import { wayFound } from '../../../../../src/answer/sentences/rules/procedure.ts';
import { textOf } from '../../../../../src/answer/sentences/structure/unit-text.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';
import { analysed, answered } from './gaining.ts';

const text = `# The harbour office

## Night watch

The office keeps a night watch for boats of members. The watch looks after boats at night and costs nothing. If you would like to have the watch call you, you must start the program with the flag --call.

## Swap the berths

You can swap the berths of two boats of the same length, which is useful for repairs.

1. Open the register and click Berths.
2. Select both boats.
3. Press Swap.

The berths stay as they are until the next tide.

## Import a list of boats

If you have been keeping your boats in a list of another harbour, all of them can come along to this harbour.

To read the list, do this:

1. Click Import in the menu Boats.
2. Choose the list.
   It must end in .boats.
3. Press Done.

## Boats

Removes the list of boats. Inserts an anchor at the place of the boat. Some boats set up a sail to be seen.

## To insert an anchor or a buoy

1. Click where it belongs.
2. Choose Insert - Anchor.

## Lamps

Usage:

lamp colour place

The lamp gets the colour that stands in the register.

## Defining lamps

Note that each lamp needs a mast.
`;
const about = (question: string, from = text) =>
  ask(question, [hitOf(chunkOf(from, { title: 'The harbour office', uri: 'harbour.md' }))]);

describe('how something is done is told by', () => {
  it.each([
    [
      'How can I swap the berths of two boats?',
      /Open the register and click Berths\. Select both boats\. Press Swap\./,
    ],
    [
      'How do I import a list of boats?',
      /Click Import in the menu Boats\. Choose the list\. It must end .* Press Done\./,
    ],
    ['How do I insert an anchor?', /^Click where it belongs\. Choose Insert - Anchor\. \[1\]$/],
    ['How do I get the night watch to call me?', /you must start the program with the flag --call\./],
  ])('the procedure or the instruction of the section that is about it: %s', (question, expected) => {
    const { answer, confidence } = about(question);
    expect(answer).toMatch(expected);
    expect(confidence).toBe('high');
  });

  it('no sentence that only says what is so: it is in doubt', () => {
    expect(about('How do I set up a sail for the boats?').confidence).not.toBe('high');
  });

  it('a comment of a program that says what its code does', () => {
    const code =
      '// Finds the berth of a boat from its length and draught.\nfunction berthOf(boat) {\n  return first(boat);\n}\n';
    const hit = hitOf(chunkOf(code, { title: 'berths.js', uri: 'berths.js', format: 'code' }));
    expect(ask('How do I find the berth of a boat?', [hit]).confidence).toBe('high');
  });

  it('what is shown below it', () => {
    const settings =
      '## CGI\n\nTo allow scripts in a folder, you can use the following configuration.\n\nOptions +ExecCGI\n';
    expect(about('How do I allow scripts in a folder?', settings).answer).toContain('configuration. Options +ExecCGI');
  });

  it('what tells where it is asked where something is set', () => {
    const zones =
      '## Time zones\n\nThe second zone is shown beside the first. To set the second zone, open Preferences → Time.';
    const { answer, confidence } = about('Where do I set the second zone?', zones);
    expect(answer).toContain('open Preferences → Time.');
    expect(confidence).toBe('high');
  });

  it('no sentence that tells how it is not done', () => {
    const skip =
      '# Checks\n\n## Lists\n\nThe file harbour.list names the boats that the check is to skip.\n\n' +
      '## Warnings of skipped boats\n\nYou can use the flag --no-skip to check boats that the list has.\n';
    expect(about('How do I skip boats?', skip).answer).not.toContain('--no-skip');
  });

  it('no sentence that tells what is done afterwards, or what a page is about', () => {
    const moor = (text: string) => about('How do I moor a boat?', `# Moor a boat\n\n${text}\n`);
    const after = 'Now that you have moored the boat, you can rest at the club.';
    expect(moor(`Tie it to a ring of the quay.\n\n${after}`).answer).toMatch(/^Tie it to a ring/);
    expect(moor(after).confidence).not.toBe('high');
    expect(moor('In this guide, we will show how to moor a boat using a ring.').confidence).not.toBe('high');
  });

  it.each([
    ['Before mooring the boat, start the engine.', false],
    ['If you have moored the boat, start the engine.', false],
    ['You can use the flag --look to see the boat before mooring.', false],
    ['With the boat moored, you can open the club.', false],
    ['Follow the chapter on mooring a boat.', false],
    ['To moor the boat, start the engine.', true],
  ])('no text about what comes before or after it: %s', (sentence, isWay) => {
    const { asked, candidates } = analysed('How do I moor a boat?', sentence);
    expect(
      wayFound(
        asked,
        candidates.map((candidate) => ({ candidate, score: 0 })),
      ) !== undefined,
    ).toBe(isWay);
  });

  it('the entry of an option that does it, before other things that have its words', () => {
    const options =
      '## Description\n\nAdd a boat to the list, unless -d is given to drop a boat.\n\n' +
      '## Options\n\n-f, --force\n\nReplace a boat of the list.\n\n-d, --drop\n\nDrop boats of the list.\n';
    const { asked, candidates } = analysed('How do I drop a boat?', options);
    const way = wayFound(
      asked,
      candidates.map((candidate) => ({ candidate, score: 0 })),
    );
    expect(way && textOf(way.begins)).toBe('Drop boats of the list.');
  });

  it('the section that has all of it, not by a list that begins with it or by a sentence about half of it', () => {
    const lists =
      '## Paint of a boat\n\nTo see the paint, you have to:\n\n- Moor the boat.\n- Wipe the hull.\n\n' +
      '## At the quay\n\nTo moor a boat, press the green button.\n';
    expect(about('How do I moor a boat?', lists).answer).toMatch(/^To moor a boat, press/);
    const { asked, candidates } = analysed('How do I moor a boat at night?', 'Open the window to moor a boat.');
    const ranked = candidates.map((candidate) => ({ candidate, score: 0 }));
    expect(wayFound(asked, ranked)).toBeUndefined();
  });

  it('no list that leads to another act, where a sentence tells it', () => {
    const paint =
      '# Painting and mooring boats\n\n## Mooring boats\n\nTo moor a boat, do one of the following:\n\n- Pull the rope, or\n- Push the boat.\n\n' +
      '## Painting moored boats\n\nTake the brush of the boat from the box.\n';
    expect(about('How do I paint a moored boat?', paint).answer).toMatch(/^(?:Painting moored boats: )?Take the brush/);
  });

  it('no sentence for those that use something else instead of it', () => {
    const oars = '# Drying a sail\n\nIf you use an oar instead of a sail, dry the blade.\n';
    expect(about('How do I dry a sail?', oars).confidence).not.toBe('high');
  });

  it('a command, and not by a comment before it', () => {
    const example = 'Example:\n\n# Mooring a boat shows its ring.\n$ harbour moor --boat gull\nThe ring is green.\n';
    const { asked, candidates } = analysed('How do I moor a boat?', example, { format: 'html' });
    const way = wayFound(
      asked,
      candidates.map((candidate) => ({ candidate, score: 0 })),
    );
    expect(way && textOf(way.begins)).toMatch(/^\$ harbour moor/);
  });

  it('a list of steps, and not by one that explains fields', () => {
    const fields =
      '## Mooring a boat\n\nFields of the window:\n\n- Rope: Choose the rope of the boat.\n- Ring: Choose the ring.\n\n' +
      '## Moor a boat\n\n- Choose the boat.\n- Press Moor.\n';
    expect(about('How do I moor a boat?', fields).answer).toMatch(/^Choose the boat\. Press Moor\./);
  });

  it.each([
    ['A boat is moored by tying it to a ring.', true],
    ['Mooring a boat is done by tying it to a ring.', true],
    ['A boat must still be moored by the master at dusk, using a ring.', true],
    ['Boats are moored through the harbour desk.', true],
    ['A boat on wheels can be moored in a yard by blocking them.', false],
    ['The boats are counted using the words MOOR and LEAVE.', false],
    ['When a boat is moored using a ring, the office lights a lamp.', false],
  ])('what says by what means just that is done: %s', (sentence, isWay) => {
    const { asked, candidates } = analysed('How do I moor a boat?', sentence, { title: 'Harbour' });
    const ranked = candidates.map((candidate) => ({ candidate, score: 0 }));
    expect(wayFound(asked, ranked) !== undefined).toBe(isWay);
  });
});

it.each([
  ['How do I send a receipt?', 'hook.send([load]): Sends a receipt.'],
  ['How do I send a receipt with a stamp?', 'hook.sendStamped([load]): Sends a receipt with a stamp.'],
])('the call below whose heading just that is done tells how: %s', (question, expected) => {
  const text =
    '## hook.send([load])\n\nSends a receipt. It takes a second.\n\n## hook.sendStamped([load])\n\nSends a receipt with a stamp. It takes a minute.';
  const { answer, confidence } = answered(question, text, { title: 'Hook', uri: 'hook.md' });
  expect([answer, confidence]).toEqual([`${expected} [1]`, 'high']);
});
