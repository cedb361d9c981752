import { describe, expect, it } from 'vitest';
import { consequenceGain } from '../../../../../src/answer/sentences/rules/consequence.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';
import { gaining } from './gaining.ts';

describe('consequenceGain', () => {
  const text =
    'If the tank is empty, the pump stops. The tank holds 40 litres. The pump stops if the filter is blocked. Empty the tank when you leave.';

  it.each([
    ['What happens if the tank is empty?', ['If the tank is empty']],
    ['What happens when the filter is blocked?', ['The pump stops if th']],
    ['What is the effect when the filter is blocked?', ['The pump stops if th']],
    ['When is the tank empty?', []],
    ['What happens if the lamp is broken?', []],
  ])('%s', (question, expected) => {
    expect(gaining(consequenceGain, question, text)).toEqual(expected);
  });

  it('of too much is not that of as much as may be', () => {
    const lock =
      'The pump counts whenever somebody opens the gate. The pump stops if the gate is opened more times than it was shut. The gate is green.';
    const asked = 'What happens if I open the gate of the pump too often?';
    expect(gaining(consequenceGain, asked, lock)).toEqual(['The pump stops if th']);
    const hits = [hitOf(chunkOf(lock))];
    expect(ask(asked, hits).answer).toContain('The pump stops if the gate is opened more times than it was shut. [1]');
    const usual = [hitOf(chunkOf('The pump counts whenever somebody opens the gate. The gate is green.'))];
    expect(ask(asked, usual).confidence).not.toBe('high');
  });

  it('of what is late is not that of what is in time', () => {
    const asked = 'What happens when a claim is sent late?';
    const inTime = [hitOf(chunkOf('A claim is sent to the office within 30 days. The office is on floor 3.'))];
    expect(ask(asked, inTime).confidence).not.toBe('high');
    const late = [hitOf(chunkOf('A claim that is sent later than 30 days is refused. The office is on floor 3.'))];
    expect(ask(asked, late).confidence).toBe('high');
  });

  it('reads the case in other languages', () => {
    expect(
      gaining(
        consequenceGain,
        'Was passiert, wenn der Tank leer ist?',
        'Ist etwas undicht, wird es nass. Wenn der Tank leer ist, steht die Pumpe.',
      ),
    ).toEqual(['Wenn der Tank leer i']);
    expect(
      gaining(
        consequenceGain,
        'Que se passe-t-il si le réservoir est vide ?',
        'Le réservoir est bleu. Si le réservoir est vide, la pompe cale.',
      ),
    ).toEqual(['Si le réservoir est ']);
  });

  it('takes what the title names as said', () => {
    const sized = 'If maxsize is zero, the size is infinite. It is counted.';
    const asked = 'What happens if maxsize of a Queue is zero?';
    expect(gaining(consequenceGain, asked, sized, { title: 'Queue' })).toEqual(['If maxsize is zero, ']);
  });
});
