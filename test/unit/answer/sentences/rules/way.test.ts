import { describe, expect, it } from 'vitest';
import { lacksWay } from '../../../../../src/answer/sentences/rules/way.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';
import { analysed } from './gaining.ts';

const text = `# The bilge pump

## Night mode

Night mode is turned off by default. It slows the pump.

To turn it on, hold the grey key. It does not work in salt water.

## Deep scan

The deep scan is turned off by default.

## Orders of oil

Orders of oil are ready two days after you order oil. Order it by letter to the yard. We take no orders on Sundays.

## Fitting the hose

1. Cut the hose to length.
2. Push it over the nozzle.
3. Tighten the clamp.
4. Open the valve.

The hose is needed for the deck.

## How do I clean the filter?

Lift it out of its frame. Rinse the mesh with fresh water.

## How often should I clean the filter?

Every ten days at sea.
`;
const about = (question: string, from = text) =>
  ask(question, [hitOf(chunkOf(from, { title: 'The bilge pump', uri: 'pump.md' }))]);

it.each([
  ['How do I switch off the lamp?', 'Examples of incorrect code for a lamp with the "switch": "off" option:', true],
  ['How do I switch off the lamp?', 'Use the switch behind the lamp.', false],
])('is no example of how it is wrong: %s – %s', (question, sentence, expected) => {
  const { asked, candidates } = analysed(question, sentence);
  expect(lacksWay(asked, candidates[0]!)).toBe(expected);
});

describe('how something is done', () => {
  it.each([
    ['How do I turn on night mode?', /^To turn it on, hold the grey key\./],
    ['How can I order oil?', /^Order it by letter to the yard\. \[1\]$/],
    ['How do I fit the hose?', /^Cut the hose to length\. Push it .* Tighten the clamp\. Open the valve\. \[1\]$/],
    ['How do I clean the filter?', /^Lift it out of its frame\. Rinse the mesh with fresh water\. \[1\]$/],
    ['How often should I clean the filter?', /^Every ten days at sea\. \[1\]$/],
  ])('is told by what tells to do it: %s', (question, expected) => {
    expect(about(question).answer).toMatch(expected);
  });

  it('is not told by what only says how it is by default', () => {
    expect(about('How do I turn on the deep scan?').confidence).toBe('low');
    expect(about('Is the deep scan on by default?').answer).toContain('The deep scan is turned off by default.');
  });

  it('is told by what one can do', () => {
    const bill = 'Those who pay late pay half. You can pay by bank transfer within 14 days.';
    expect(about('How can I pay?', bill)).toMatchObject({
      answer: expect.stringMatching(/^You can pay by bank transfer/),
      confidence: 'high',
    });
  });

  it('is not told by how many there are, nor by what is so with something else', () => {
    const club = 'There are eleven members. The yard is insured up to 20 crowns.';
    expect(about('How do I become a member?', club).confidence).not.toBe('high');
    expect(about('How do I cancel the insurance?', club).confidence).not.toBe('high');
  });

  it('does not go on with the clauses of a contract', () => {
    const contract =
      '# Licence of the chart\n\n6. Data. The chart sends its age. You can switch this off in the box of fuses.\n\n7. Warranty. We mend faults. Tell us of them.\n\n8. Law. The law of the lake holds.';
    expect(about('How can I switch off what the chart sends?', contract).answer).not.toContain('Warranty');
  });

  it('is not told by a row or a record of what it is done with', () => {
    const row =
      '| Field | Meaning |\n| --- | --- |\n| `hull` | Number of the hull, begins with `h_`. |\n| `mast` | Its mast. |\n';
    expect(about('How do I delete a hull?', row).confidence).toBe('low');
    const commands =
      '| Command | Meaning |\n| --- | --- |\n| `boat rm` | Deletes a hull. |\n| `boat add` | Adds a hull. |\n';
    expect(about('How do I delete a hull?', commands).confidence).toBe('high');
  });

  it('is not told by a sentence that only names it, or does the contrary', () => {
    const circular =
      '# Pump\n\nClean the filter and wait. Before that, stop the pump.\n\n## Care\n\nTo clean the filter, use soap.';
    expect(about('How do I clean the filter?', circular).answer).toMatch(/To clean the filter, use soap/);
    const contrary =
      '## Lamp\n\nThe lamp is green. To turn the lamp off, pull the cord. To turn the lamp on, press the knob.';
    expect(about('How do I turn on the lamp?', contrary).answer).toMatch(/^To turn the lamp on, press the knob/);
  });
});
