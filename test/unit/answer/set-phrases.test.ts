import { describe, expect, it } from 'vitest';
import { phrasesFor } from '../../../src/answer/set-phrases.ts';
import { languageOf } from '../../../src/text/languages/detect.ts';
import { ask, expectSound } from './extractive/asked.ts';
import { chunkOf, hitOf } from './hits.ts';

const english = phrasesFor('How deep is the lock?');

describe('what an answer says of itself', () => {
  it.each([
    ['de', 'Wie tief ist die Schleuse?'],
    ['de', 'Was macht debclean?'],
    ['fr', 'Que fait Mrs Moor ?'],
    ['fr', 'Quelle est la profondeur de cette écluse ?'],
    ['es', '¿Cuál es la profundidad de la esclusa?'],
    ['it', 'Qual è la profondità della chiusa?'],
    ['pt', 'Qual é a profundidade da eclusa e do canal?'],
    ['nl', 'Hoe diep is het water van de sluis?'],
    ['sv', 'Hur djup är slussen och kanalen?'],
    ['no', 'Hvor dyp er slusen?'],
    ['pl', 'Jak głęboka jest śluza?'],
    ['cs', 'Kde je plavební komora a kdo ji postavil?'],
    ['tr', 'Bu kanal ne kadar derin?'],
    ['vi', 'Con kênh này sâu bao nhiêu và ở đâu?'],
    ['id', 'Berapa dalam pintu air di kota itu?'],
    ['ru', 'Какова глубина шлюза?'],
    ['uk', 'Яка глибина шлюзу?'],
    ['el', 'Πόσο βαθύ είναι το κανάλι;'],
    ['ja', '水門の深さはどれくらいですか？'],
    ['zh', '水闸有多深？'],
    ['ko', '수문은 얼마나 깊습니까?'],
    ['pl', 'Ile godzin trwa egzamin?'],
    ['cs', 'Jak odstranit balíček?'],
    ['tr', 'Ofis ne zaman kapanıyor?'],
    ['vi', 'Kỳ thi kéo dài mấy giờ?'],
    ['ar', 'كم يبلغ عمق القناة؟'],
    ['fa', 'عمق این کانال چقدر است؟'],
    ['he', 'מה עומק התעלה?'],
    ['hi', 'नहर कितनी गहरी है?'],
    ['th', 'คลองลึกเท่าไร'],
    ['hu', 'Milyen mély a zsilip?'],
    ['fi', 'Kuinka syvä sulku on?'],
    ['zh', '水閘有多深，是誰建的？它開放給誰？'],
  ])('is in the language of the question: %s', (language, question) => {
    expect(languageOf(question)).toBe(language);
    const said = phrasesFor(question);
    const names = ['refusal', 'noDocuments', 'doubt', 'otherwise'] as const;
    for (const name of names) expect(said[name]).not.toBe(english[name]);
    expect(languageOf(names.map((name) => said[name]).join(' '))).toBe(language);
  });

  it.each(['Kubernetes', 'install KDE', 'Köln population', 'pg_dump --clean', '', '???', 'Հաստատ է՞'])(
    'is in English where the language is not known for sure, or has no phrases: %s',
    (question) => {
      expect(phrasesFor(question)).toBe(english);
    },
  );

  it('is in the one language of the nearest passages where the question tells none', () => {
    const hits = (...texts: string[]) => texts.map((text) => hitOf(chunkOf(text)));
    const italian = 'La gru del porto solleva le barche e non si può usare di notte.';
    const german = 'Der Kran hebt die Boote und darf nachts nicht benutzt werden.';
    expect(phrasesFor('Posso usare Zim?', hits(italian, italian))).toBe(phrasesFor('Chi usa la gru?'));
    expect(phrasesFor('Zim', hits(german))).toBe(phrasesFor('Wer benutzt den Kran?'));
    expect(phrasesFor('Posso usare Zim?', hits(italian, german))).toBe(english);
    expect(phrasesFor('Who may use Zim?', hits(german))).toBe(english);
    expect(phrasesFor('متى بنيت السفينة؟', hits(german))).toBe(phrasesFor('أين السفينة؟'));
  });

  it('stands before the first word of a doubtful answer, and in place of a refused one', () => {
    const text = 'Die Schleuse von Brannoch ist 4 Meter tief. Sie wurde 1931 gebaut.';
    const question = 'Wie tief ist die Schleuse von Brannoch?';
    const hits = [hitOf(chunkOf(text, { title: 'Brannoch' }))];
    const doubted = ask(question, hits, { answerFrom: 1 });
    expect(doubted.confidence).toBe('low');
    expect(doubted.answer).toMatch(/^Vielleicht beantworten die Dokumente das nicht; die nächste Stelle: Die Schleuse/);
    expectSound(doubted);
    const refused = ask(question, hits, { refuseBelow: 1 });
    expect(refused.answer).toBe('Die Dokumente im Index scheinen das nicht zu beantworten.');
  });

  it('is in the letters of a Chinese question', () => {
    expect(phrasesFor('這個檔案是什麼時候建立的？').refusal).toBe('索引中的文件似乎沒有回答這個問題。');
    expect(phrasesFor('这个文件是什么时候建立的？').refusal).toBe('索引中的文档似乎没有回答这个问题。');
  });

  it('has a blank behind it but where its mark is as wide as one', () => {
    expect(phrasesFor('水闸有多深？').doubt).toMatch(/：$/);
    expect(english.doubt).toMatch(/: $/);
  });
});
