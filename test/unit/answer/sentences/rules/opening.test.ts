import { describe, expect, it } from 'vitest';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { namedDocuments, openingGain } from '../../../../../src/answer/sentences/rules/opening.ts';
import { type ChunkOptions, chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const ofCouncil = (text: string, position: number, more: ChunkOptions = {}) =>
  hitOf(chunkOf(text, { uri: 'council', title: 'Harbour Council of Skarholm', position, ...more }));
const facts = ofCouncil(
  'Number of seats | 14\nTerm length | For life\nHead | Ines Halloran\nFounded | June 1788\nMeeting room | 14',
  1,
);
const lead = ofCouncil('It is the highest body of the port and keeps its lights. Short one.', 0);
const later = ofCouncil('It is the oldest building of the quay and keeps its lights.', 0, {
  headings: ['Harbour Council', 'Building'],
});
const body = ofCouncil('Many members of the harbour council have resigned, how many is not known.', 9);

function gainsOf(text: string, hits = [body, facts, lead, later]): (string | number)[][] {
  const question = analyseQuestion(text, statisticsOf(hits.map(({ chunk }) => chunk.text)));
  const candidates = candidatesOf(question, hits);
  const named = namedDocuments(
    question,
    candidates.map(({ passage }) => passage),
  );
  return candidates.flatMap((one) => {
    const gain = openingGain(question, named, one);
    const { unit, passage } = one;
    return gain > 0 ? [[passage.hit.chunk.text.slice(unit.start, unit.end), gain]] : [];
  });
}
const leadSentence = 'It is the highest body of the port and keeps its lights.';

describe('openingGain', () => {
  it.each([
    ['How many members does the harbour council have?', 'Number of seats | 14'],
    ['How long do members of the harbour council serve?', 'Term length | For life'],
    ['When was the harbour council formed?', 'Founded | June 1788'],
    ['Who is in charge of the harbour council?', 'Head | Ines Halloran'],
    ['Where in the room does the harbour council meet?', 'Meeting room | 14'],
  ])('%s', (question, row) => {
    expect(gainsOf(question).map(([text]) => text)).toEqual([row, leadSentence]);
  });

  it('knows a document by what its title calls it', () => {
    const titled = (title: string) =>
      [body, lead].map(({ chunk }) => hitOf(chunkOf(chunk.text, { uri: 'x', title, position: chunk.position })));
    const asked = 'How many members has the council?';
    expect(gainsOf(asked, titled('Council | Towns and ports by name'))).toEqual([[leadSentence, 1]]);
    expect(gainsOf(asked, titled('Towns | Council and ports by name'))).toEqual([]);
  });

  it('is nothing for a document that the question does not name, or one that is all opening', () => {
    expect(gainsOf('How many members does the fire brigade have?')).toEqual([]);
    expect(gainsOf('How many members does the harbour council have?', [facts, lead])).toEqual([]);
  });

  it('wants a date or a place for the subject itself, and not for what happened to it', () => {
    expect(gainsOf('When did the harbour council get fourteen red seats?').flat()).not.toContain('Founded | June 1788');
  });

  it('wants a figure where one is asked for', () => {
    const row = ofCouncil('Members | elected by the port\nHarbour master | Hamish Tor', 1);
    expect(gainsOf('How many members does the harbour council have?', [body, row])).toEqual([]);
  });
});

describe('answerExtractive', () => {
  it('answers from the facts at the beginning of a long document, though its sentences say more of the question', () => {
    const hits = [body, ofCouncil('The harbour council meets here with many members each year.', 12), facts, lead];
    const question = 'How many members does the harbour council have?';
    const statistics = statisticsOf(hits.map(({ chunk }) => chunk.text));
    const { citations, related = [] } = answerExtractive(question, hits, statistics, { refuseBelow: 0 });
    expect([...citations, ...related].map(({ quote }) => quote)).toContain('Number of seats | 14');
  });
});
