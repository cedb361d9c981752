import { describe, expect, it } from 'vitest';
import { judgeSentences } from '../../../../../src/answer/answerability/answerability.ts';
import { lacksName, lacksShortName } from '../../../../../src/answer/sentences/checks/names-held.ts';
import { choose } from '../../../../../src/answer/sentences/ranking/select.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

interface Page {
  readonly title: string;
  readonly text: string;
}

/** @param pages in the order of the search; the answer is a sentence of the first. @param others that it did not find */
function lacks(asked: string, pages: readonly Page[], others: readonly string[] = []): boolean {
  const hits = pages.map(({ title, text }, i) => hitOf(chunkOf(text, { title, uri: `${i}.md` }), 1 - i / 10));
  const statistics = statisticsOf([...pages.map(({ text, title }) => `${title}\n${text}`), ...others]);
  const { analysed, ranked, judged } = judgeSentences(asked, hits, statistics);
  const of = (one: (typeof judged)[number]): boolean => one.candidate.passage.rank === 0;
  const { answer } = choose(
    analysed,
    ranked.filter(({ candidate }) => candidate.passage.rank === 0),
    judged.filter(of),
    1,
  );
  return lacksName(analysed, answer, ranked);
}

const norway = { title: 'Norway', text: 'The leader of the country is Ada Moor. Its capital is Quayport.' };
const ropes = { title: 'Ropes', text: 'Ropes are made of hemp. They are stored dry.' };
const germany = { title: 'Atlas', text: 'Germany has sixteen states.' };

describe('a name that the question gives', () => {
  it.each<[string, readonly Page[], boolean]>([
    ['Who is the leader of Germany?', [norway, ropes, germany], true],
    ['Who is the leader of Norway?', [norway, ropes, germany], false],
    ['who is the leader of germany?', [norway, ropes, germany], false], // nothing shows the name
    ['Wer ist in Deutschland der Leiter der Regierung?', [norway, ropes, germany], false],
    ['Who is the leader of the UK?', [norway, ropes, germany], false], // it may be written out
    ['Who is the leader of Noerway?', [norway, ropes, germany], false],
    ['Who is the Norwegian leader?', [norway, ropes, germany], false],
    ['Who leads the country in May?', [norway, ropes, germany], false],
    ['Germany の首都はどこですか？', [norway, ropes, germany], true],
    ['Norway の首都はどこですか？', [norway, ropes, germany], false],
    ['The leader of Germany is Ada Moor.', [norway, ropes, germany], false], // a claim
  ])('%s', (asked, pages, expected) => {
    expect(lacks(asked, pages)).toBe(expected);
  });

  it('is held where the document of the answer has it elsewhere, or is all that was found', () => {
    expect(lacks('Who is the leader of Germany?', [norway])).toBe(false);
    expect(lacks('Who is the leader of Germany?', [norway, norway, ropes, germany])).toBe(true);
  });

  it('is held by a passage that names the document of the answer', () => {
    const bridge = { title: 'Borders', text: 'Germany fished in the waters of Norway.' };
    expect(lacks('Who leads the waters in which Germany fished?', [norway, ropes, bridge])).toBe(false);
    expect(lacks('Who is the leader of Germany?', [norway, ropes, bridge])).toBe(true); // nothing else is asked
  });

  it('is one of several only where no document has it', () => {
    const install = { title: 'Anchor tool', text: 'Install the Anchor tool with npm. It needs a harbour.' };
    const asked = 'How do I install the Anchor tool with Brewkit?';
    expect(lacks(asked, [install, ropes, germany])).toBe(true);
    expect(lacks(asked, [install])).toBe(true);
    expect(lacks(asked, [install, ropes, germany], ['Brewkit installs other tools.'])).toBe(false);
  });
});

it.each([
  ['What is the load of a KTR crane?', 'The load of the crane is 40 tonnes.', true],
  ['What is the load of a KTR crane?', 'The load of the KTR crane is 40 tonnes.', false],
  ['What is the load of a KTR crane?', 'The load of the keel and top rope crane is 40 tonnes.', false],
  ['What does KTR mean for the crane?', 'The load of the crane is 40 tonnes.', false],
  ['WHAT IS THE LOAD OF A KTR CRANE?', 'The load of the crane is 40 tonnes.', false],
  ['What is the load of a DES crane?', 'The load of the crane is 40 tonnes.', true], // no small word of German
])('an abbreviation that nothing has: %s', (asked, text, expected) => {
  const { analysed, ranked } = judgeSentences(asked, [hitOf(chunkOf(text))], statisticsOf([text]));
  expect(lacksShortName(analysed, ranked)).toBe(expected);
});
