import { describe, expect, it } from 'vitest';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { askedTerm, definitionGain } from '../../../../../src/answer/sentences/question/defined.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const asked = (question: string): string | undefined => {
  const analysed = analyseQuestion(question, statisticsOf(['']));
  return askedTerm(analysed)
    ?.terms.map((j) => analysed.terms[j]!.word)
    .join(' ');
};

/** What the only sentence of a passage gains. */
function gainOf(question: string, sentence: string): number {
  const analysed = analyseQuestion(question, statisticsOf([sentence]));
  const [candidate] = candidatesOf(analysed, [hitOf(chunkOf(sentence))]);
  return definitionGain(analysed, askedTerm(analysed)!, candidate!);
}

describe('askedTerm', () => {
  it.each([
    ['What is a tide gauge?', 'tide gauge'],
    ['what are tide gauges', 'tide gauges'],
    ['What is a tide gauge in ShipLog?', 'tide gauge'],
    ['What is a tide gauge in a harbour office?', 'tide gauge'],
    ['What is a tide gauge in the ShipLog manual?', 'tide gauge'],
    ["What's a bollard?", 'bollard'],
    ['What is the purpose of the tide gauge?', 'tide gauge'],
    ['What does the capstan do?', 'capstan'],
    ['What does no-rope do?', 'rope'],
    ['What does the no-rope rule do?', 'rope rule'],
    ['What does the ropes rule enforce?', 'ropes rule'],
    ['What does capstan mean?', 'capstan'],
    ['What does the term "capstan" mean?', 'capstan'],
    ['What does "capstan" mean in the harbour licence?', 'capstan'],
    ['What does "capstan" mean under clause 4?', 'capstan'],
    ['What is the concept of a tide gauge?', 'tide gauge'],
    ['What is a capstan used for?', 'capstan'],
    ['Was ist ein Poller?', 'poller'],
    ['¿Qué es el cabrestante?', 'cabrestante'],
    ['Qu’est-ce que le cabestan ?', 'cabestan'],
    ['Che cos’è un argano?', 'argano'],
    ['O que é um cabrestante?', 'cabrestante'],
    ['Vad är en pollare?', 'pollare'],
    ['Wozu dient das Spill?', 'spill'],
    ['Que fait le cabestan ?', 'cabestan'],
    ['Que veut dire « cabestan » ?', 'cabestan'],
    ["Qu'entend-on par cabestan ?", 'cabestan'],
    ['¿Qué quiere decir cabrestante?', 'cabrestante'],
    ['¿Qué se entiende por cabrestante?', 'cabrestante'],
    ['Cosa vuol dire verricello?', 'verricello'],
    ['Che cosa si intende per verricello?', 'verricello'],
    ['Was versteht man unter einem Poller?', 'poller'],
    ['¿Qué hace el cabrestante?', 'cabrestante'],
    ['Che cosa fa il verricello?', 'verricello'],
    ['How is a tide gauge defined?', 'tide gauge'],
    ['Wie ist ein Poller definiert?', 'poller'],
    ['Что такое кабестан?', 'кабестан'],
    ['Для чего служит кабестан?', 'кабестан'],
    ['キャプスタンとは何ですか？', 'キャ ャプ プス スタ タン'],
    ['「绞盘」是什么？', '绞盘'],
    ['什么是绞盘？', '绞盘'],
    ['绞盘是什么？', '绞盘'],
    ['Harbour Signal Lamp Register とは何ですか？', 'harbour signal lamp register'],
    ['什么是 Harbour Signal Lamp Register？', 'harbour signal lamp register'],
    ['Wat is een bolder?', 'bolder'],
    ['Co to jest kabestan?', 'kabestan'],
    ['K čemu slouží rumpál?', 'rumpál'],
    ['Що таке кабестан?', 'кабестан'],
    ['Τι είναι το βαρούλκο;', 'βαρούλκο'],
    ['Capstan là gì?', 'capstan'],
    ['Bocurgat nedir?', 'bocurgat'],
    ['Apa itu kapstan?', 'kapstan'],
    ['بیابان چیست؟', 'بیابان'],
    ['מהו כננת?', 'כננת'],
    ['권양기란 무엇인가?', '권양기란'],
    ['กว้านคืออะไร', 'กว ว้ ้า าน'],
  ])('is what is to be explained: %s', (question, term) => {
    expect(asked(question)).toBe(term);
  });

  it.each([
    'When was the capstan built?',
    'What is in the harbour?',
    'What was the quay in the old harbour called before?',
    'What is the use of the tide gauge in the north harbour?', // of one of several
    'How does a capstan work?',
    'capstan',
  ])('is nothing for: %s', (question) => {
    expect(asked(question)).toBeUndefined();
  });
});

describe('definitionGain', () => {
  const question = 'What is a tide gauge?';
  const most = gainOf(question, 'A tide gauge is an instrument that measures the level of the sea.');

  it.each([
    ['Wat is een bolder?', 'Een bolder is een paal waaraan een boot wordt vastgemaakt.'],
    ['Co to jest kabestan?', 'Kabestan to jest wciągarka na pokładzie statku.'],
    ['Co je rumpál?', 'Rumpál je jednoduchý stroj na palubě lodi.'],
    ['Що таке кабестан?', 'Кабестан — це лебідка на палубі корабля.'],
    ['Τι είναι το βαρούλκο;', 'Το βαρούλκο είναι μηχανή στο κατάστρωμα του πλοίου.'],
    ['Capstan là gì?', 'Capstan là máy kéo trên boong của con tàu.'],
    ['מהו כננת?', 'כננת היא מכונה על סיפון של סירה.'],
  ])('%s is told by: %s', (asking, sentence) => {
    expect(gainOf(asking, sentence)).toBe(most);
  });

  it('is told of several by a noun in the plural', () => {
    expect(gainOf('What is a bollard?', 'Bollards are simply iron posts that hold a rope.')).toBe(most - 1);
    expect(gainOf('What is a bollard?', 'Bollards are iron posts that hold a rope.')).toBe(most - 1);
    expect(gainOf('What is a bollard?', 'Bollards are painted every year by the masters.')).toBeLessThan(most - 2);
    expect(gainOf('What is a bollard?', 'Bollards are not posts.')).toBe(0);
    expect(gainOf('What is a bollard?', 'Bollards are on ships.')).toBe(0);
  });

  it('is said of what a thing does, with or without an article before what it does that to', () => {
    const what = 'What does the TIDE command do?';
    const acts = gainOf(what, 'The TIDE command measures the level of the sea.');
    expect(gainOf(what, 'The TIDE command measures levels and currents of the sea.')).toBe(acts);
    expect(gainOf(what, 'The TIDE command works always and everywhere at sea.')).toBeLessThan(acts);
  });

  it('is little in a change log', () => {
    const text = '## 2.3.0 - 2024-12-03\n\nThe TIDE command measures the level of the sea.';
    const analysed = analyseQuestion('What does the TIDE command do?', statisticsOf([text]));
    const candidate = candidatesOf(analysed, [hitOf(chunkOf(text, { headings: ['2.3.0 - 2024-12-03'] }))]).at(-1)!;
    expect(definitionGain(analysed, askedTerm(analysed)!, candidate)).toBe(1);
  });

  it('is part of it where the verb stands last', () => {
    for (const [asking, sentence] of [
      ['Bocurgat nedir?', 'Bocurgat gemide halat çeken bir makinedir.'],
      ['بیابان چیست؟', 'بیابان سرزمینی خشک و بی آب است.'],
      ['권양기란 무엇인가?', '권양기는 배의 갑판에 있는 기계이다.'],
    ] as const) {
      expect(gainOf(asking, sentence)).toBeGreaterThan(0);
      expect(gainOf(asking, sentence)).toBeLessThan(most);
    }
  });

  it('is for the line that a page of a manual begins with', () => {
    const line = 'NAME\n       tide - gauge of the level of the sea';
    expect(gainOf('What is tide?', line)).toBe(most);
    expect(gainOf('What does the tide daemon do?', line)).toBe(most);
    expect(gainOf('What does gauge do?', line)).toBe(0);
    expect(gainOf('What does tide -s do?', line)).toBeLessThan(most);
    const below = (heading: string) => {
      const text = `${heading}\n\ntide - gauge of the level of the sea`;
      const analysed = analyseQuestion('What is tide?', statisticsOf([text]));
      const candidates = candidatesOf(analysed, [hitOf(chunkOf(text, { headings: ['tide', heading] }))]);
      return definitionGain(analysed, askedTerm(analysed)!, candidates.at(-1)!);
    };
    expect(below('NAME')).toBe(most);
    expect(below('SEE ALSO')).toBeLessThan(most);
  });

  it('is for what stands in a column beside the name', () => {
    expect(gainOf(question, 'tide gauge   The old tube that\n             measures the sea.')).toBeGreaterThan(0);
    expect(gainOf(question, 'tide gauge The old tube measures the sea.')).toBe(0);
    expect(gainOf(question, 'acoustic tide gauge   The old tube measures the sea.')).toBe(0);
  });

  it('may leave out what kind of thing the question says it is', () => {
    const given = 'What is the tide gauge tool?';
    expect(gainOf(given, 'A tide gauge is an instrument that measures the level of the sea.')).toBe(most);
    expect(gainOf(given, 'A tide is an instrument that measures the level of the sea.')).toBe(0);
    expect(gainOf('What is a tool?', 'A pump is an instrument that moves the water of the sea.')).toBe(0);
  });

  it.each([
    'In a harbour, a tide gauge is an instrument for the level of the sea.',
    'Tide gauges (TG) are the instruments that measure the level of the sea.',
    'Tide gauge means an instrument that measures the level of the sea.',
    'A tide gauge is normally an instrument on the quay.',
    'tide gauge: A tide gauge is an instrument on the quay.',
    'tide gauge: This is a small instrument on the quay.',
    '1.7. "Tide gauge"\n    means any instrument on the quay.',
    '"Tide gauge" shall mean any instrument on the quay.',
  ])('is largest where a sentence says what its subject is: %s', (sentence) => {
    expect(most).toBeGreaterThan(0);
    expect(gainOf(question, sentence)).toBe(most);
  });

  it.each([
    'Tide gauge: measures the level of the sea from the quay.',
    'tide gauge: This is not a toy for children of the harbour.',
    '  tide gauge   An instrument on the quay that\n               measures the sea.',
    'The tide gauge of a harbour is the instrument that its master reads.',
    'A tide gauge measures nothing else and provides figures to its master.',
    'The acoustic tide gauge is a tube with a loudspeaker and a clock.',
  ])('is less for a label, a part, a use and a kind: %s', (sentence) => {
    const gain = gainOf(question, sentence);
    expect(gain).toBeLessThan(most);
  });

  it.each([
    'The harbour has had a tide gauge since 1931 by the old lock.',
    'A tide gauge is not a toy for children of the harbour.',
    'The keeper of the tide gauge is an old man with a boat.',
    'A tide is the rise and the fall of the level of the sea.',
    'READ TIDE GAUGE — read some information of a tide gauge',
  ])('is nothing for: %s', (sentence) => {
    expect(gainOf(question, sentence)).toBe(0);
  });

  it.each([
    [
      'Что такое кабестан?',
      'Кабестан — это лебёдка с вертикальной осью.',
      'Кабестан стоит на старом причале с 1931 года.',
    ],
    ['Что такое кабестан?', 'Кабестан является лебёдкой с вертикальной осью.', 'Лебёдка — не кабестан.'],
    ['Was ist Werg?', 'Werg ist Abfall, der beim Hecheln anfällt.', 'Werg ist teuer und wird selten verkauft.'],
    [
      'Qu’est-ce que le roof ?',
      'Le « roof » est l’abri de ceux qui dorment à bord.',
      'Le roof est lavé à bord tous les jours.',
    ],
    ['キャプスタンとは何ですか？', 'キャプスタンは縦軸の巻き上げ機です。', '古いキャプスタンは桟橋に置かれています。'],
    [
      'キャプスタンとは何ですか？',
      '「キャプスタン」とは、縦軸の巻き上げ機のことをいいます。',
      'キャプスタンは縄を巻きます。',
    ],
    ['「係船」とは何ですか？', '港の用語で「係船」は船をつなぐことを意味しています。', '港の「係船」は夜に行います。'],
    ['什么是绞盘？', '绞盘（capstan）是一种立轴的卷扬机。', '码头上的绞盘是旧的。'],
    ['绞盘是什么？', '绞盘是指立轴的卷扬机。', '绞盘不是玩具。'],
    ['什么是绞盘？', '- 绞盘（capstan）是一种立轴的卷扬机。', '- 码头上的绞盘是旧的。'],
    [
      'キャプスタンとは何ですか？',
      '1. キャプスタンは縦軸の巻き上げ機です。',
      '2. 古いキャプスタンは桟橋に置かれています。',
    ],
    [
      'Harbour Signal Lamp Register とは何ですか？',
      'Harbour Signal Lamp Register (HSLR) は、港の灯火の台帳です。',
      '灯火の名前は Harbour Signal Lamp Register に従っています。',
    ],
  ])('is for what a language defines with: %s', (asked, definition, other) => {
    expect(gainOf(asked, definition)).toBeGreaterThan(1);
    expect(gainOf(asked, other)).toBeLessThanOrEqual(1);
  });

  it('is nothing where an amount is asked for, and the sentence has none', () => {
    const fees = 'What were the audit fees in 2019?';
    expect(gainOf(fees, 'Audit fees are a sum of 2 reviews that the board paid.')).toBe(0);
    expect(gainOf(fees, 'Audit fees are a sum of 300 dollars that the board paid.')).toBeGreaterThan(0);
    const score = 'What is the score?';
    expect(gainOf(score, 'The score is a sum of points of the game.')).toBe(0);
    expect(gainOf(score, 'The score is a sum of 40 points of the game.')).toBeGreaterThan(0);
  });

  it('is more for an entry of a glossary than for a label of something', () => {
    const entry = gainOf(question, 'Tide gauge: An instrument that measures the level of the sea.');
    expect(entry).toBeGreaterThan(gainOf(question, 'Tide gauge: on the old quay beside the lock'));
    expect(entry).toBeLessThan(most);
  });

  it('is for what things of somebody do, and not for a name that the term is a part of', () => {
    expect(gainOf('What is a capstan?', 'Capstans in old harbours allow crews to haul anchors.')).toBeGreaterThan(0);
    expect(gainOf('What is a capstan?', 'The capstan_name is the name of the capstan that is used.')).toBe(0);
  });

  it('is for what a thing does, where that is asked', () => {
    const use = 'What does the capstan do?';
    expect(gainOf(use, 'The capstan is used to haul ropes and anchors.')).toBe(most);
    expect(gainOf(use, 'The capstan prevents the ropes from slipping.')).toBe(most);
    expect(gainOf(use, 'The capstan registers each of the ropes as its own.')).toBe(most);
    expect(gainOf(use, 'The capstan requires a crew of four and oil.')).toBeLessThan(most);
    expect(gainOf(use, 'The capstan costs the harbour a fortune.')).toBe(0);
    expect(gainOf(use, 'The capstan is a wheel of oak and iron.')).toBeLessThan(most);
  });

  it.each([
    ['Was ist ein Poller?', 'Ein Poller ist ein kurzer Pfahl am Kai.'],
    ['¿Qué es un noray?', 'Un noray es un poste corto del muelle.'],
    ['Qu’est-ce que le cabestan ?', 'Le cabestan est un treuil à axe vertical.'],
  ])('knows how others say it: %s', (other, sentence) => {
    expect(gainOf(other, sentence)).toBe(most);
  });

  it('decides what stands first', () => {
    const text =
      'Part 2 of the manual: this sets the tide gauge of the harbour to zero. A tide gauge is an instrument on the quay. The tide gauge of the harbour was set in May.';
    const { answer } = answerExtractive(question, [hitOf(chunkOf(text))], statisticsOf([text]), {
      refuseBelow: 0,
      answerFrom: 0,
      sentences: 1,
    });
    expect(answer).toContain('is an instrument');
  });
});

it.each([
  ['How is a span defined?', 'A span is twelve metres or less.', true],
  ['What is a span?', 'A span is twelve metres or less.', false],
  ['¿Qué hace el cabrestante?', 'El cabrestante se usa para izar las velas.', true],
  ['¿Qué es el cabrestante?', 'El cabrestante se usa para izar las velas.', false],
  ['Que fait « hisser » ?', '« Hisser » : monter une voile du pont.', true],
])('%s is told by %s: %s', (question, sentence, expected) => {
  expect(gainOf(question, sentence) > 0).toBe(expected);
});

describe('a definition without an article', () => {
  it.each([
    ['What is oakum?', 'Oakum is loose or tarry fibre that closes the seams of a ship.', true],
    ['What is oakum?', 'Oakum is fibre used for the seams of a ship.', true],
    ['What is oakum?', 'Oakum is certain that it is right.', false],
    ['What is oakum?', 'Oakum is so dear that nobody buys it.', false],
    ['What is oakum?', 'Oakum is exempt from the law that closes the port.', false],
    ['What is oakum?', 'Oakum is widely known in ports that have ships.', false],
  ])('%s – %s', (question, sentence, expected) => {
    expect(gainOf(question, sentence) > 0).toBe(expected);
  });
});

describe('a sentence that ends with the name of what it tells', () => {
  it.each([
    ['What is a ghost tide?', 'When the water rises without wind, pilots call this event a “ghost tide.”', true],
    ['What is a hawser?', 'A rope that holds a ship at the quay is called a hawser.', true],
    ['What is a hawser?', 'A rope that holds a ship at the quay is no hawser.', false],
    ['What is a hawser?', 'It is called a hawser.', false], // says nothing of it
    ['What does a hawser do?', 'A rope that holds a ship at the quay is called a hawser.', false],
    ['Was ist eine Trosse?', 'Ein Seil, das ein Schiff am Kai hält, nennt man eine Trosse.', true],
    ['Qu’est-ce qu’une aussière ?', 'Un cordage qui tient un navire à quai est appelé une aussière.', true],
    ['¿Qué es una amarra?', 'El cabo que sujeta un barco al muelle se llama amarra.', true],
    ['Che cos’è una gomena?', 'La corda che tiene la nave al molo è chiamata gomena.', true],
  ])('%s – %s', (question, sentence, expected) => {
    expect(gainOf(question, sentence) >= 5).toBe(expected);
  });
});
