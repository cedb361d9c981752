import { describe, expect, it } from 'vitest';
import {
  isNegatedOption,
  namesNoOption,
  optionForGain,
} from '../../../../../src/answer/sentences/manuals/option-for.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const text = `       -f, --fold
              Fold the sails over the boom.

       --no-fold
              Do not fold the sails over the boom.

       -k, --keel-depth
              Print so many lines beside each keel.

       -z, --zip
              Tie and fold the nets, the sails too.

       Sails are dried before.

       --fold option is also used for the sails.

       -r, --reef is used to keep the crew from folding
       the sails in a storm.
`;

function entriesOf(rule: typeof optionForGain | typeof isNegatedOption, question: string): string[] {
  const analysed = analyseQuestion(question, statisticsOf([text]));
  const hit = hitOf(chunkOf(text, { title: 'boom(1)', uri: 'boom.txt', format: 'text' }));
  return candidatesOf(analysed, [hit]).flatMap((one) => {
    if (!rule(analysed, one)) return [];
    return [text.slice(one.unit.start, one.unit.end).replace(/\s+/g, ' ')];
  });
}

describe('the option that is asked for by what it does', () => {
  it('is the entry whose name or first word does it', () => {
    expect(entriesOf(optionForGain, 'Which boom option folds the sails?')).toEqual([
      '-f, --fold Fold the sails over the boom.',
    ]);
    expect(entriesOf(optionForGain, 'Which option shows the keel depth?')).toEqual([
      '-k, --keel-depth Print so many lines beside each keel.',
    ]);
    expect(entriesOf(optionForGain, 'How does boom fold the sails?')).toEqual([]);
  });

  it('is not the one that does not do it, unless that is asked for', () => {
    expect(entriesOf(isNegatedOption, 'Which option folds the sails?')).toEqual([
      '--no-fold Do not fold the sails over the boom.',
    ]);
    expect(entriesOf(isNegatedOption, 'Which option does not fold the sails?')).toEqual([]);
    expect(entriesOf(isNegatedOption, 'Which option disables the folding of the sails?')).toEqual([]);
  });

  it('may be a variable of the environment, whose entry has all that it sets', () => {
    const variables =
      'ENVIRONMENT\n\nBOOM_CREW\n    How many hands fold the sails.\n\nBOOM_COLOUR\n    The colour of the sails. Sails fade.\n';
    const found = (rule: typeof optionForGain | typeof namesNoOption, question: string): string[] => {
      const analysed = analyseQuestion(question, statisticsOf([variables]));
      const hit = hitOf(chunkOf(variables, { title: 'boom(1)', uri: 'boom.txt', format: 'text' }));
      return candidatesOf(analysed, [hit]).flatMap((one) =>
        rule(analysed, one) ? [variables.slice(one.unit.start, one.unit.end).replace(/\s+/g, ' ')] : [],
      );
    };
    const question = 'Which variable sets the number of hands that fold the sails?';
    expect(found(optionForGain, question)).toEqual(['BOOM_CREW How many hands fold the sails.']);
    expect(found(namesNoOption, question)).toContain('Sails fade.');
    expect(found(optionForGain, 'Which variable sets the number of masts?')).toEqual([]);
  });

  it('is in doubt where a sentence names no option', () => {
    expect(entriesOf(namesNoOption, 'Which option dries the sails?')).toEqual(['Sails are dried before.']);
    expect(entriesOf(namesNoOption, 'How are the sails dried?')).toEqual([]);
  });
});
