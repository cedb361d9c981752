import { describe, expect, it } from 'vitest';
import { dictionaryNames } from '../../../../../src/answer/sentences/structure/dictionary.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';

const dictionary = `capstan

   <rigging> A drum on a post that hauls in ropes.  See {windlass}.

   (1998-04-12)

slack water
slack

   <tides> The time between two tides, when the
   {windlass} and the capstan are left alone.

Capstan

   <person> Whoever turns the windlass all day.
`;
const names = (text: string): string[] => [...dictionaryNames(text).values()];
const entries = hitOf(chunkOf(dictionary, { uri: 'words.txt', title: 'words', format: 'text' }));

describe('dictionaryNames', () => {
  it('are what alone stands at the margin, above paragraphs that stand further in', () => {
    expect(names(dictionary)).toEqual(['capstan', 'slack water / slack', 'Capstan']);
    const [first] = [...dictionaryNames(dictionary).keys()];
    expect(dictionary.slice(first)).toMatch(/^capstan\n/);
  });

  it('may stand behind the end of an entry, and before one whose text is cut off', () => {
    expect(names('   goes on here.\n\nbollard\n\n   A short post.\n\nhawser\n')).toEqual(['bollard']);
  });

  it('stay where a line of an entry was too long for its indentation', () => {
    expect(names('bollard\n\n   A post\nhttps://quay.example/a-long-address\n   for ropes.\n')).toEqual(['bollard']);
  });

  it.each([
    [
      'a text with paragraphs at the margin',
      'bollard\n\n   A short post.\n\nIt stands on the quay, and holds ropes.\n',
    ],
    ['a quotation', 'He said this of the harbour when he left it.\n\n   Goodbye.\n'],
    ['a term over its definition without an empty line', 'bollard\n   A short post.\nhawser\n   A rope.\n'],
  ])('are none in %s', (_, text) => {
    expect(names(text)).toEqual([]);
  });
});

describe('an answer from a dictionary', () => {
  it.each([
    ['What is a capstan?', 'A drum on a post'],
    ['What does slack mean?', 'The time between two tides'],
    ['What is slack water?', 'The time between two tides'],
    ['What does Capstan mean?', 'Whoever turns the windlass'],
  ])('to %s is plain, and what opens the entry', (question, said) => {
    const answer = ask(question, [entries]);
    expect(answer.confidence).toBe('high');
    expect(answer.citations[0]!.quote).toContain(said);
  });

  it('is in doubt where a word stands in entries of others alone', () => {
    expect(ask('What does windlass mean?', [entries]).confidence).not.toBe('high');
  });
});
