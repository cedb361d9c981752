import { expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { isForOtherTime, lacksUnit, lacksUnitLoss } from '../../../../../src/answer/sentences/rules/lacks-unit.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

/** Of the last sentence or row. */
function lacks(question: string, text: string): boolean {
  const analysed = analyseQuestion(question, statisticsOf([text]));
  return lacksUnit(analysed, candidatesOf(analysed, [hitOf(chunkOf(text))]).at(-1)!);
}

it.each([
  ['How much did the 300 chairs cost?', 'The 300 chairs came on 5 May 2021.', true],
  ['How much did the 300 chairs cost?', 'The 300 chairs came to £4,200.', false],
  ['How much did the 300 chairs cost?', 'The 300 chairs came to 900 zł.', false],
  ['How much did the 300 chairs cost?', 'The 300 chairs came to 4200 Kč.', false],
  ['What does a lost chair cost the singers?', 'The singers bring 12 chairs.', true],
  ['What does a lost chair cost the singers?', 'The singers pay £4 for each.', false],
  ['How much were the singers paid?', 'We hired 12 singers for two evenings.', true],
  ['For how much did the singer move to Oakley?', 'The singer sang 14 songs in Oakley.', true],
  ['合唱団の予算はいくらですか？', '合唱団は5月2日に歌う。', true],
  ['合唱団の会費はいくらですか？', '合唱団の会費は300円です。', false],
  ['How much time did the singers spend?', 'They sang for 12 songs.', false],
  ["What was the caretaker's weekly wage?", 'The caretaker kept 14 keys.', true],
  ["What was the caretaker's weekly wage?", 'He was paid 14 shillings.', false],
  ['What is the pay period of the caretaker?', 'It has 14 parts.', false],
  ['Wie heiß wird der Leim?', 'Der Leim kocht 12 Minuten.', true],
  ['Wie heiß wird der Leim?', 'Der Leim wird 90 °C heiß.', false],
  ['At what temperature is the glue boiled?', 'The glue is boiled for 12 minutes.', true],
  ['At what temperature is the glue boiled?', 'The glue is boiled at 90 °C.', false],
  ['How old was the caretaker when he left?', 'The caretaker left; he had kept the keys for 19 years.', true],
  ['How old was the caretaker when he left?', 'The caretaker was 61 when he left.', false],
  ['How old was the caretaker when he left?', 'The caretaker left at the age of sixty.', false],
  ['How old was the caretaker when he left?', 'The caretaker left in 1938.', false],
  ['Which port does the log server use?', 'The log server uses the port of its host.', true],
  ['Which port does the log server use?', 'The log server listens on 7040.', false],
  ['Which port did the ship leave?', 'The ship left the port of Quay.', false], // of the sea
  ['Which ports must be open?', 'Open these ports:\n- TCP 7040\n- UDP 7041', false],
  ['How old is the hall?', 'The hall has 120 seats for singers.', true],
  ['How old is the hall?', 'The hall was built for the singers.', false],
  ['Wie groß ist der Saal?', 'Der Saal darf ab 14 Uhr betreten werden.', true],
  ['Wie groß ist der Saal?', 'Der Saal hat 140 m² und eine Bühne.', false],
  ['What time does the bus stop at night?', 'The bus runs every 20 minutes.', true],
  ['What time does the bus stop at night?', 'The last bus leaves at eleven.', false],
  ['À quelle heure part le bus ?', 'Le bus part à 21 h 30.', false],
  ['Was kostet der Saal?', 'Der Saal hat 120 Plätze.', true],
  ['Was kostet der Saal?', 'Der Saal ist kostenlos.', false],
  ['Combien coûtera le pont ?', 'Le pont aura 43 mètres.', true],
  ['Wie hoch ist das Gehalt des Wartes?', 'Der Wart hat 14 Schlüssel.', true],
  ['Quel est le salaire du gardien ?', 'Le gardien a 14 clés.', true],
  ['¿Cuál es el salario del guarda?', 'El guarda tiene 14 llaves.', true],
  ['Qual è lo stipendio del custode?', 'Il custode ha 14 chiavi.', true],
  ['Qual è lo stipendio del custode?', 'Il custode prende 1400 euro.', false],
  ['Qual é o salário do guarda?', 'O guarda tem 14 chaves.', true],
  ['Какая зарплата у сторожа?', 'У сторожа 14 ключей.', true],
  ['Какая зарплата у сторожа?', 'Сторож получает 1400 рублей.', false],
  ['番人の給料はいくらですか？', '番人は鍵を14本持っています。', true],
  ['番人の給料はいくらですか？', '番人は14万円をもらいます。', false],
  ['看守的工资是多少？', '看守有14把钥匙。', true],
  ['ライセンスは年間いくらですか？', '写しは1部だけ使えます。', true],
  ['ライセンスは年間いくらですか？', '年間4200円です。', false],
  ['何時間かかりますか？', '試験は3部からなります。', true],
  ['何時間かかりますか？', '試験は3時間です。', false],
  ['門票多少錢？', '門票有14張。', true],
  ['门票多少钱？', '门票免费。', false],
  ['旅行要几天？', '旅行经过14个港口。', true],
  ['입장권 가격은 얼마인가요?', '회원이 14명입니다.', true],
  ['입장권 가격은 얼마인가요?', '입장권은 4,200원입니다.', false],
  ['시험은 몇 시간 걸리나요?', '시험은 3부로 되어 있습니다.', true],
  ['قیمت بلیت چقدر است؟', 'سالن ۱۴ صندلی دارد.', true],
  ['قیمت بلیت چقدر است؟', 'بلیت ۴۲۰۰ تومان است.', false],
  ['آزمون چند ساعت طول می‌کشد؟', 'آزمون ۳ بخش دارد.', true],
  ['كم سعر التذكرة؟', 'في القاعة 14 كرسيا.', true],
  ['كم ساعة يستغرق الامتحان؟', 'يستغرق الامتحان 3 ساعات.', false],
  ['כמה עולה הכרטיס?', 'באולם 14 כיסאות.', true],
  ['כמה עולה הכרטיס?', 'הכרטיס עולה 14 שקלים.', false],
  ['टिकट की कीमत कितनी है?', 'हॉल में 14 कुर्सियाँ हैं।', true],
  ['टिकट की कीमत कितनी है?', 'टिकट 14 रुपये का है।', false],
  ['ราคาตั๋วเท่าไร', 'ห้องมีเก้าอี้ 14 ตัว', true],
  ['ราคาตั๋วเท่าไร', 'ตั๋วราคา 14 บาท', false],
  ['Giá vé là bao nhiêu?', 'Phòng có 14 ghế.', true],
  ['Chuyến đi mất bao nhiêu ngày?', 'Chuyến đi mất 14 ngày.', false],
  ['Bilet fiyatı ne kadar?', 'Salonda 14 sandalye var.', true],
  ['Bilet fiyatı ne kadar?', 'Bilet 14 liradır.', false],
  ['Gezi kaç gün sürüyor?', 'Gezi 14 limandan geçiyor.', true],
  ['Πόσο κοστίζει το εισιτήριο;', 'Η αίθουσα έχει 14 καρέκλες.', true],
  ['Πόσες ώρες διαρκεί η εξέταση;', 'Η εξέταση διαρκεί 3 ώρες.', false],
  ['Ile kosztuje bilet?', 'Sala ma 14 krzeseł.', true],
  ['Ile kosztuje bilet?', 'Bilet kosztuje 14 złotych.', false],
  ['Kolik stojí lístek?', 'Sál má 14 židlí.', true],
  ['Kolik dní trvá cesta?', 'Cesta trvá 14 dní.', false],
  ['Скільки коштує квиток?', 'У залі 14 стільців.', true],
  ['Hoeveel kost een kaartje?', 'De zaal heeft 14 stoelen.', true],
  ['Vad kostar biljetten?', 'Biljetten kostar 14 kronor.', false],
  ['Hur många dagar tar resan?', 'Resan går förbi 14 hamnar.', true],
  ['Mennyibe kerül a jegy?', 'A teremben 14 szék van.', true],
  ['Paljonko lippu maksaa?', 'Lippu on ilmainen.', false],
  ['มีสมาชิกร้อยละเท่าไร', 'มีสมาชิก 14 คน', true],
  ['会員の何パーセントが来ましたか？', '会員の半分が来ました。', false],
  ['Quanti giorni dura il viaggio?', 'Il viaggio passa per 12 porti.', true],
  ['Quanti giorni dura il viaggio?', 'Il viaggio dura 12 giorni.', false],
  ['How long will the bridge be closed?', 'The crack is about 40 centimetres long.', true],
  ['How long will the bridge be closed?', 'The bridge stays shut for six weeks.', false],
  ['How long will the bridge be closed?', 'The bridge is closed until the spring.', false],
  ['Wie lange dauert der Kurs?', 'Dauer: acht Abende', false],
  ['How long do the snakes grow?', 'They grow to 40 centimetres.', false],
  ['What percentage of the rent is kept?', 'The rent is due on day 2 of each month.', true],
  ['What percentage of the rent is kept?', 'Two thirds of the rent are kept.', false],
  ['How many hours does the hall answer within?', 'The hall answers 12 letters a day, at $8,000 a year.', false],
  ['How many hours does the hall answer within?', 'The hall answers letters, at $8,000.', true],
])('%s %s', (question, sentence, expected) => {
  expect(lacks(question, sentence)).toBe(expected);
});

it.each([
  ['At what time does the meeting begin?', 'School of Tern | April 6, 2016', true],
  ['At what time does the meeting begin?', '1309 S. Mary Avenue | 7:30 a.m.', false],
  ['At what time does the meeting begin?', 'Meeting | 9-11', false],
  ['At what time does the meeting begin?', 'Room | From 9 o’clock\n--- | ---\nHall | 7', false],
  ['How long may a speaker talk?', '1309 S. Mary Avenue | Tern\nSchool of Tern | April 6, 2016', true],
  ['How long may a speaker talk?', 'Chair | Amos Rudd\nSpeakers | 12', false],
  ['How much did the ferry cost?', '1948 | The Ferry | Nora Pell\n1950 | The Ferry II | Amos Rudd', true],
  ['How much did the ferry cost?', 'Ferry | 1948\nBridge | 1950', false],
])('a row with a day says no time of it: %s %s', (question, row, expected) => {
  expect(lacks(question, row)).toBe(expected);
});

it('asks no cell for a currency, but for a unit of time unless its header has it', () => {
  const table = (header: string): string => `| Room | ${header} |\n| --- | --- |\n| Attic | 12 |`;
  expect(lacks('How much does the attic cost?', table('Price'))).toBe(false);
  expect(lacks('How many hours is the attic open?', table('Seats'))).toBe(true);
  expect(lacks('How many hours is the attic open?', table('Hours'))).toBe(false);
});

it.each([
  ['What does the winch cost per week?', 'The winch costs £14 a day.', true],
  ['What does the winch cost per week?', 'The winch costs £14 a day and £60 a week.', false],
  ['What does the winch cost per week?', 'The winch costs £60.', false],
  ['What does the winch cost?', 'The winch costs £14 a day.', false],
  ['What does the cabin cost per night?', 'The cabin costs 80 euros a day.', false],
  ['What does the winch cost a day?', 'The winch costs £14 and is oiled once a week.', false], // no sum is for the week
  ['How many boats does the winch lift a week?', 'The winch lifts 40 boats a month.', true],
  ['How many boats does the winch lift a week?', 'The winch lifts 10 boats a week, or 40 boats a month.', false],
  ['How many boats does the winch lift a week?', 'The winch lifts 10 boats and rests for a month.', false],
  ['How many requests per hour are allowed?', 'limits: requests_per_minute: 60', true],
  ['How many requests per minute are allowed?', 'limits: requests_per_minute: 60', false],
  ['Was kostet die Winde pro Woche?', 'Die Winde kostet 14 Euro pro Tag.', true],
  ['Combien coûte le treuil par semaine ?', 'Le treuil coûte 14 € par jour.', true],
])('a sum for another time: %s %s', (asked, text, expected) => {
  const question = analyseQuestion(asked, statisticsOf([text]));
  expect(isForOtherTime(question, candidatesOf(question, [hitOf(chunkOf(text))])[0]!)).toBe(expected);
});

it('counts against a sentence without it', () => {
  const text = 'Each speaker has his own chair. Each speaker has three minutes.';
  const question = analyseQuestion('How long may each speaker talk?', statisticsOf([text]));
  const candidates = candidatesOf(question, [hitOf(chunkOf(text))]);
  expect(candidates.map((one) => Math.sign(lacksUnitLoss(question, one)))).toEqual([-1, 0]);
});
