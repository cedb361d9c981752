import { expect, it } from 'vitest';
import { stepsTold } from '../../../../../src/answer/sentences/rules/steps-told.ts';
import { analysed, answered } from './gaining.ts';

const lamp = (heading: string, lead: string, ...steps: string[]): string =>
  `# ${heading}\n\n${lead}\n\n${steps.map((step, i) => `${i + 1}. ${step}`).join('\n')}\n`;

it.each([
  [
    'Как получить пропуск?',
    lamp('Пропуска', 'Чтобы получить пропуск, нужно:', 'заполнить анкету;', 'сдать её вахтёру.'),
  ],
  ['電球はどうやって取り換えますか？', lamp('電球の取り換え', '', '電源を切ります。', '古い電球を外します。')],
  ['怎么更换灯泡？', lamp('更换灯泡', '', '先关闭电源。', '再取下旧的。')],
  ['كيف أستعير قاربًا؟', lamp('كيف أستعير قاربًا؟', '', 'املأ الاستمارة.', 'ادفع الرسم.')],
  ['Jak wypożyczyć łódkę?', lamp('Łódki', 'Aby wypożyczyć łódkę, należy:', 'wypełnić formularz,', 'wpłacić kaucję.')],
  ['Como alugo um barco?', lamp('Alugar um barco', '', 'Preencha o formulário.', 'Pague a caução.')],
  ['Come noleggio una barca?', lamp('Noleggiare una barca', '', 'Compilate il modulo.', 'Pagate la cauzione.')],
])('%s is answered by all steps', (question, text) => {
  const { citations } = answered(question, `${text}\nEnd.`);
  expect(citations[0]!.quote).toMatch(/1\. [^\n]+\n2\. /);
  expect(citations[0]!.highlight).toBeUndefined();
});

it.each([
  ['Как получить пропуск?', true],
  ['Как починить крышу сарая?', false], // another act
  ['Как часто меняют пропуск?', false],
  ['Сколько стоит пропуск?', false],
  ['How do I get a pass?', false], // of English, verbs are known
])('%s', (question, expected) => {
  const text = lamp('Пропуска', 'Чтобы получить пропуск, нужно:', 'заполнить анкету;', 'сдать её вахтёру.');
  const { asked, candidates } = analysed(question, text);
  const found = stepsTold(
    asked,
    candidates.map((candidate) => ({ candidate, score: 0 })),
  );
  expect(found !== undefined).toBe(expected);
});
