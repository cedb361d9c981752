import { describe, expect, it } from 'vitest';
import { keptGain } from '../../../../../src/answer/sentences/rules/kept-for.ts';
import { gaining } from './gaining.ts';

const rules =
  'A lock keeper writes the toll book for three years. Toll books must be retained in a dry room for not less than seven years. Keepers keep the lamps lit. Letters are kept for two years. Toll books are kept dry.';

describe('keptGain', () => {
  it.each([
    ['How long must a lock keeper keep toll books?', rules, ['Toll books must be r']],
    ['How long are toll books retained?', rules, ['Toll books must be r']],
    ['How long do we keep letters?', rules, ['Letters are kept for']],
    ['How long do we keep lamps?', rules, []], // no time
    ['How long must a lock keeper serve?', rules, []],
    ['How old are the toll books kept in the room?', rules, []],
    [
      'Wie lange müssen Quittungen aufbewahrt werden?',
      'Quittungen sind zehn Jahre aufzubewahren.',
      ['Quittungen sind zehn'],
    ],
    ['Combien de temps conserve-t-on les reçus ?', 'Les reçus sont gardés pendant six ans.', ['Les reçus sont gardé']],
    ['¿Cuánto tiempo se guardan los recibos?', 'Los recibos se conservan seis años.', ['Los recibos se conse']],
    [
      'Per quanto tempo si conservano le ricevute?',
      'Le ricevute sono conservate per 6 anni.',
      ['Le ricevute sono con'],
    ],
  ])('%s', (question, text, expected) => {
    expect(gaining(keptGain, question, text)).toEqual(expected);
  });
});
