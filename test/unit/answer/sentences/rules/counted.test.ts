import { describe, expect, it } from 'vitest';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { countedTerms } from '../../../../../src/answer/sentences/question/counted-terms.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { countsNone } from '../../../../../src/answer/sentences/question/wanted.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { judge, rank } from '../../../../../src/answer/sentences/ranking/rank.ts';
import { choose } from '../../../../../src/answer/sentences/ranking/select.ts';
import {
  countGain,
  countsAll,
  doneGain,
  lacksFrequency,
  oftenGain,
} from '../../../../../src/answer/sentences/rules/counted.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const text =
  'Thirteen locks of the harbour have a ferry each. The harbour has eight old ferries in winter. Ferries paid 12 crowns in 1931. Its 1931 ferries are gone.';

function counting(question: string, passage = text): string[] {
  const analysed = analyseQuestion(question, statisticsOf([passage]));
  return candidatesOf(analysed, [hitOf(chunkOf(passage))]).flatMap((one) =>
    countGain(analysed, one) > 0 ? [passage.slice(one.unit.start, one.unit.end)] : [],
  );
}

describe('countGain', () => {
  it('is for a sentence that counts what is asked for, and not for a year or another count', () => {
    expect(counting('How many ferries does the harbour have?')).toEqual([
      'The harbour has eight old ferries in winter.',
    ]);
  });

  it('knows what is counted before a verb of the future', () => {
    const french = 'Le projet permet l’ajout de 43 logements. Le port a 12 bateaux.';
    expect(counting('Combien de logements seront ajoutés au port ?', french)).toEqual([
      'Le projet permet l’ajout de 43 logements.',
    ]);
    expect(counting('¿Cuántas casas serán añadidas?', 'El plan añade 43 casas.')).toEqual(['El plan añade 43 casas.']);
  });

  it.each([
    ['Auf wie vielen Schleusen fahren Kähne?', 'Kähne fahren auf neun Schleusen.'],
    ['На скольких причалах стоят лодки?', 'Лодки стоят на 9 причалах.'],
    ['Combien d’employés a le port ?', 'Le port a 150 employés.'],
  ])('is for things in other languages: %s', (asked, sentence) => {
    expect(counting(asked, sentence)).toEqual([sentence]);
  });

  it.each([
    ['番人は何人いますか？', '番人は12人です。', '番人は3月に来ました。'],
    ['港有多少名员工？', '港有12名员工。', '港在2012年开放。'],
  ])('is for things behind their counter: %s', (asked, sentence, other) => {
    expect(counting(asked, sentence)).toEqual([sentence]);
    expect(counting(asked, other)).toEqual([]);
  });

  it('is for no amount of something', () => {
    expect(counting('Combien d’espace faut-il réserver ?', 'Réserver 3 Go d’espace.')).toEqual([]);
  });

  it.each([
    ['How often is the log copied?', 'The log is copied twice a day.', 'The log is copied more often than the map.'],
    [
      'Wie oft wird das Logbuch kopiert?',
      'Das Logbuch wird zweimal täglich kopiert.',
      'Das Logbuch wird öfter kopiert.',
    ],
    [
      'À quelle fréquence le journal est-il copié ?',
      'Le journal est copié deux fois par jour.',
      'Le journal est copié.',
    ],
    ['¿Con qué frecuencia se copia el diario?', 'El diario se copia cada dos horas.', 'El diario se copia.'],
    [
      'Con che frequenza viene copiato il diario?',
      'Il diario viene copiato due volte al giorno.',
      'Il diario viene copiato.',
    ],
    ['Com que frequência é copiado o livro?', 'O livro é copiado duas vezes por dia.', 'O livro é copiado.'],
    ['Как часто копируется журнал?', 'Журнал копируется дважды в день.', 'Журнал копируется часто.'],
    ['存档多久更新一次？', '存档每天更新。', '存档更新了。'],
    ['日誌は一日に何回更新されますか？', '日誌は一日に2回更新されます。', '日誌は更新されます。'],
  ])('is for how often, where that is asked: %s', (asked, sentence, other) => {
    expect(counting(asked, sentence)).toEqual([sentence]);
    expect(counting(asked, other)).toEqual([]);
  });

  it('is a loss for a sentence whose only figure is a year', () => {
    const passage = 'Ferries sailed in 1931. Ferries sail.';
    const analysed = analyseQuestion('How many ferries sail?', statisticsOf([passage]));
    const gains = candidatesOf(analysed, [hitOf(chunkOf(passage))]).map((one) => countGain(analysed, one));
    expect(gains).toEqual([expect.any(Number), 0]);
    expect(gains[0]).toBeLessThan(0);
  });

  it('is for the things that stand behind the asking words, not for all that a question names', () => {
    expect(counting('How many locks of the harbour are there?')).toEqual([
      'Thirteen locks of the harbour have a ferry each.',
    ]);
  });

  it('is for the last words of a long name, which say what is counted', () => {
    const passage = 'The harbour board has nine elected wardens. There are thirteen harbours with such a board.';
    expect(counting('How many harbour board wardens are there?', passage)).toEqual([
      'The harbour board has nine elected wardens.',
    ]);
  });

  it.each([
    ['Wie viele Fähren hat der Hafen?', 'Der Hafen hat acht alte Fähren.'],
    ['Combien de ferries compte le port ?', 'Le port compte 8 ferries.'],
    ["Combien d'oiseaux compte le port ?", 'Le port compte 8 oiseaux.'],
    ['¿Cuántos barcos tiene el puerto?', 'El puerto tiene ocho barcos.'],
  ])('knows how others ask: %s', (question, sentence) => {
    expect(counting(question, `${sentence} `)).toEqual([sentence]);
  });

  it.each([
    'One of the ferries has sunk.',
    'Two of its ferries have sunk.',
    'Zwei der ferries sind gesunken.',
    'Dos de los ferries se hundieron.',
  ])('is not for a part of all: %s', (sentence) => {
    expect(counting('How many ferries does the harbour have?', `${sentence} `)).toEqual([]);
  });

  it('is for dozens of them', () => {
    expect(counting('How many ferries are there?', 'Thousands of ferries sail. ')).toEqual([
      'Thousands of ferries sail.',
    ]);
  });

  it.each(['When did the ferries go?', 'How much do ferries pay?', 'How many?', 'Ferries'])(
    'is nothing for: %s',
    (q) => {
      expect(counting(q)).toEqual([]);
    },
  );

  it('decides what stands first', () => {
    const hits = [hitOf(chunkOf(text))];
    const { answer } = answerExtractive('How many ferries does the harbour have?', hits, statisticsOf([text]), {
      refuseBelow: 0,
      answerFrom: 0,
      sentences: 1,
    });
    expect(answer).toContain('eight old ferries');
  });
});

describe('countedTerms', () => {
  it.each([
    ['How many associate justices are there?', ['associate', 'justices']],
    ['Of the harbour, how many ferries are blue?', ['ferries']],
    ['How many of them are blue?', []],
  ])('%s', (question, words) => {
    const analysed = analyseQuestion(question, statisticsOf([]));
    expect(countedTerms(analysed).map((j) => analysed.terms[j]!.word)).toEqual(words);
  });
});

describe('a sentence that counts what is asked for', () => {
  it.each([
    ['How many staff does Quarry Oil have?', 'Quarry Oil, annual report', 'low'],
    ['How many staff does Quarry Oil have?', 'Ferry Line, annual report', 'none'],
    ['How many lifts does Quarry Oil have?', 'Quarry Oil, annual report', 'none'],
  ])('is no refusal, however little support it has: %s in %s', (question, title, confidence) => {
    const report = 'In May we have 109 staff. Staff are paid by the month. Our lifts are old.';
    const hits = [hitOf(chunkOf(report, { title }))];
    expect(answerExtractive(question, hits, statisticsOf([report]), { refuseBelow: 1 }).confidence).toBe(confidence);
  });
});

describe('what counts nothing that is asked for', () => {
  const confidence = (question: string, ...texts: string[]) =>
    answerExtractive(
      question,
      texts.map((one, i) => hitOf(chunkOf(one, { uri: `${i}.md`, title: 'Harbour' }), 1 - i / 10)),
      statisticsOf(texts),
      { refuseBelow: 0, answerFrom: 0, sentences: 1 },
    );

  it('is one of them', () => {
    expect(confidence('How many moorings are there?', 'One of the moorings is closed.').confidence).toBe('low');
    expect(confidence('How many moorings are there?', 'There is one mooring.').confidence).toBe('high');
  });

  it('is a price beside the name of what is counted', () => {
    const prices = '| charge | amount |\n| --- | --- |\n| mooring | £30 |\n| cellar | £2 |';
    const minutes = 'There are 34 moorings for 58 boats. Two members object.';
    expect(confidence('how many moorings are there', prices, minutes)).toMatchObject({
      answer: expect.stringContaining('There are 34 moorings'),
      confidence: 'high',
    });
    expect(confidence('how many moorings are there', prices).confidence).not.toBe('high');
    expect(confidence('How much is a mooring?', prices)).toMatchObject({
      answer: expect.stringContaining('£30'),
      confidence: 'high',
    });
  });

  it('a sentence that counts what is asked for may answer, however unlikely it looks', () => {
    const likely = (passage: string): boolean => {
      const question = analyseQuestion('how many parking spaces are there', statisticsOf([passage]));
      const ranked = rank(candidatesOf(question, [hitOf(chunkOf(passage))]));
      const unlikely = judge(question, ranked).map((one) => ({ ...one, score: -3 }));
      return choose(question, ranked, unlikely, 1).isLikely;
    };
    expect(likely('There are 34 parking spaces for 58 flats.')).toBe(true);
    expect(likely('There are 34 spaces in the yard.')).toBe(false);
  });

  it.each([
    ['There are 34 parking spaces for 58 flats.', true],
    ['There are 34 spaces in the yard.', false], // another space
    ['Parking spaces: each of 12 square metres.', false],
    ['| parking space | 34 |\n| --- | --- |\n| parking spaces | 34 |', false],
  ])('countsAll: %s', (passage, expected) => {
    const analysed = analyseQuestion('how many parking spaces are there', statisticsOf([passage]));
    expect(candidatesOf(analysed, [hitOf(chunkOf(passage))]).some((one) => countsAll(analysed, one))).toBe(expected);
  });
});

it.each([
  ['How many airplanes fly?', 'It applies to Model 737–8 and 737–9 airplanes.', false],
  ['How many airplanes fly?', 'Rule 2018-23-51 airplanes do.', false],
  ['How many airplanes fly?', 'At 8:84 airplanes fly.', false],
  ['How many airplanes fly?', 'Some 8–12 airplanes fly.', true],
  ['How many airplanes fly?', 'Of model 737-8, 73 airplanes fly.', true],
])('a number of a code counts nothing: %s %s', (question, passage, expected) => {
  const analysed = analyseQuestion(question, statisticsOf([passage]));
  const [one] = candidatesOf(analysed, [hitOf(chunkOf(passage))]);
  expect(countGain(analysed, one!) > 0).toBe(expected);
  expect(countsNone(analysed, one!.holds)).toBe(!expected);
});

it.each([
  ['How long is the song?', 'The song takes 4:13 here.'],
  ['What was the score of the game?', 'Oakley won the game 3–2 at home.'],
])('but it may be what is asked for: %s %s', (question, passage) => {
  const analysed = analyseQuestion(question, statisticsOf([passage]));
  const [one] = candidatesOf(analysed, [hitOf(chunkOf(passage))]);
  expect(countsNone(analysed, one!.holds)).toBe(false);
});

describe('oftenGain', () => {
  const log =
    'Haven and TernBox have a quay. The quay is cleaned twice a day. Ferries come daily. The quay of Haven was shut while somebody cleaned it for the daily watch.';
  it.each([
    ['How often is the quay of Haven cleaned?', ['The quay is cleaned twice a day.']],
    ['How often is the TernBox quay cleaned?', ['The quay is cleaned twice a day.']],
    ['How often is the quay painted?', []],
    ['How often is the quay of Skerry cleaned?', []],
    ['When is the quay cleaned?', []],
  ])('%s', (asked, expected) => {
    const question = analyseQuestion(asked, statisticsOf([log]));
    const found = candidatesOf(question, [hitOf(chunkOf(log))]).filter((one) => oftenGain(question, one) > 0);
    expect(found.map(({ unit }) => log.slice(unit.start, unit.end))).toEqual(expected);
  });
});

describe('countsAll of who is named before', () => {
  it.each([
    ['Anna Berg dived for Haven. [6] She won 15 caps of Haven.', true],
    ['Ann Moor dived for Haven. She won 15 caps of Haven.', false],
    ['Anna Berg dived for Haven. The mate won 15 caps of Haven.', false],
  ])('%s', (passage, expected) => {
    const question = analyseQuestion('How many caps of Haven did Anna Berg win?', statisticsOf([passage]));
    const last = candidatesOf(question, [hitOf(chunkOf(passage))]).at(-1)!;
    expect(countsAll(question, last)).toBe(expected);
  });
});

it.each([
  ['The quay has two lamps for when it is cleaned.', true],
  ['The quay is cleaned whenever it is wet.', false],
  ['The quay is seldom cleaned.', false],
  ['The quay is cleaned on Fridays.', false],
  ['The quay is cleaned twice a day.', false],
])('lacksFrequency: %s', (sentence, expected) => {
  const question = analyseQuestion('How often is the quay cleaned?', statisticsOf([sentence]));
  const [one] = candidatesOf(question, [hitOf(chunkOf(sentence))]);
  expect(lacksFrequency(question, one!)).toBe(expected);
});

it.each([
  ['How many sailors were enrolled in the kelp trial?', 'Of the 214 enrolled in the kelp trial, 190 stayed.', true],
  ['How many sailors were enrolled in the kelp trial?', 'Nine sailors of the kelp trial fell ill.', false],
  ['How many sailors were enrolled in the kelp trial?', 'In 1931 enrolled sailors of the kelp trial fell ill.', false],
  ['How many sailors were enrolled in the rope trial?', 'Of the 214 enrolled, 190 stayed.', false],
])('a number before what was done counts those with whom it was: %s %s', (asked, sentence, expected) => {
  const analysed = analyseQuestion(asked, statisticsOf([sentence]));
  const [one] = candidatesOf(analysed, [hitOf(chunkOf(sentence))]);
  expect(doneGain(analysed, one!) > 0).toBe(expected);
});
