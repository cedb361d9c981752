import { expect, it } from 'vitest';
import { languageOf } from '../../../../src/text/languages/detect.ts';

it.each([
  ['en', 'What is the capital of France?'],
  ['en', 'The results were published in 1998 and have been cited since.'],
  ['en', 'How do I insert a manual line break in a cell?'], // `a` is a word of Portuguese too, `i` one of Italian
  ['en', 'Is a cat a mammal?'],
  ['en', 'Do I need a key?'],
  ['de', 'Wer war der erste Präsident der Vereinigten Staaten?'],
  ['fr', 'Peut-on amener un chien ?'],
  ['de', 'Was macht debclean?'],
  ['de', 'Wozu dient debclean?'],
  ['de', 'Muss man neu starten?'],
  ['de', 'Darf man Debian verkaufen?'],
  ['it', 'Devo riavviare?'],
  ['es', 'Puedo vender discos?'],
  ['de', 'Was stellt Falcot in Montpellier her?'],
  ['en', 'Was it her boat in Montpellier?'],
  ['en', 'Was that boat in Lyon?'],
  ['fr', 'Que fait snort ?'],
  ['de', 'In welchem Stock liegt die Wohnung?'],
  ['de', 'Die Stadt liegt am Rhein und ist sehr alt.'],
  ['es', '¿Cuál es la capital de Perú?'],
  ['es', 'La ciudad se encuentra en el norte del país.'],
  ['fr', 'Quelle est la capitale de la France ?'],
  ['fr', 'Le roi a été couronné dans cette ville.'],
  ['es', '¿A qué hora llega a la ciudad?'],
  ['pt', 'Quando a ponte foi aberta?'],
  ['pt', 'A casa de Ana'],
  ['it', 'Dove sono i gatti?'],
  ['it', 'Chi ha scritto la Divina Commedia?'],
  ['it', 'La città si trova nel nord della penisola.'],
  ['pt', 'Quem descobriu o caminho para a Índia?'],
  ['pt', 'A cidade não é muito antiga, mas é bonita.'],
  ['nl', 'Wie is de koning van Nederland?'],
  ['nl', 'Het is niet duidelijk waarom hij naar huis ging.'],
  ['ru', 'Кто написал «Войну и мир»?'],
  ['ar', 'ما هي عاصمة فرنسا؟'],
  ['hi', 'फ्रांस की राजधानी क्या है?'],
  ['zh', '法国的首都是什么？'],
  ['ja', 'フランスの首都は何ですか？'],
  ['ja', '東京都の人口推移'.concat('について')],
  ['ko', '프랑스의 수도는 어디입니까?'],
  ['th', 'เมืองหลวงของไทยคืออะไร'],
  ['sv', 'Vad heter båten som ligger i hamnen?'],
  ['no', 'Hva heter båten som ikke ligger i havnen?'],
  ['pl', 'Gdzie leży łódź?'],
  ['pl', 'Łódź jest stara i nie pływa.'],
  ['cs', 'Kdo řídí loď?'],
  ['cs', 'Loď je stará a už není v přístavu.'],
  ['tr', 'Gemi ne zaman yapıldı?'],
  ['tr', 'Gemi eski bir limanda duruyor ve artık çalışmıyor.'],
  ['vi', 'Con tàu ở đâu?'],
  ['vi', 'Con tàu được đóng trong năm 1990.'],
  ['id', 'Siapa yang membuat kapal itu?'],
  ['id', 'Kapal ini adalah kapal tua dari pelabuhan.'],
  ['hu', 'Mennyi memória kell a telepítéshez?'],
  ['hu', 'A hajó a kikötőben áll, és nem javítható.'],
  ['fi', 'Kuinka paljon muistia asennus tarvitsee?'],
  ['fi', 'Laiva on satamassa, mutta se ei enää liiku.'],
  ['uk', 'Човен стоїть у гавані.'],
  ['uk', 'Хто написав книгу?'], // without a letter of its own
  ['ru', 'Лодка стоит в гавани, и рыбы нет.'],
  ['fa', 'کشتی در چه سالی ساخته شد؟'],
  ['ar', 'في أي سنة بنيت السفينة؟'],
  ['el', 'Πού είναι το πλοίο;'],
  ['he', 'כמה תשלם Orthopediatrics עבור ApiFix?'], // names alone have more letters
  ['pl', 'Ile kosztuje bilet?'],
  ['cs', 'Mohu odstranit apt?'],
  ['pt', 'Para que serve apt?'],
  ['sv', 'Kan jag ta bort apt?'],
  ['und', 'Kan jeg fjerne apt?'],
  ['fi', 'Voiko apt poistaa?'],
  ['hu', 'Ki írta a programot?'],
  ['hu', 'Mit csinál a dpkg?'],
  ['de', 'Mit wem spricht Anna?'],
  ['tr', 'Bilet ne kadar?'],
  ['tr', 'dpkg ne yapar?'],
  ['uk', 'Де живе Анна?'],
  ['ru', 'Где родился де Голль?'],
  ['vi', 'Làm sao xoá gói?'],
  ['und', 'CRISPR Cas9'],
  ['und', '12345 !?'],
  ['und', ''],
])('%s: %s', (language, text) => {
  expect(languageOf(text)).toBe(language);
});

it('is not misled by a name in another script', () => {
  expect(languageOf('Who was the composer Чайковский and where did he live?')).toBe('en');
  expect(languageOf('谁发明了 World Wide Web？它是在哪里发明的？')).toBe('zh');
});

it('looks at a bounded part of a long text', () => {
  const text = 'Die Katze sitzt auf der Matte und schläft. '.repeat(1_000_000);
  const start = performance.now();
  expect(languageOf(text)).toBe('de');
  expect(performance.now() - start).toBeLessThan(5_000);
});
