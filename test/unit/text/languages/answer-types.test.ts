import { expect, it } from 'vitest';
import { answerTypeOf, askingWord } from '../../../../src/text/languages/answer-types.ts';

it.each([
  ['en', 'What does the tide_lock pragma do?', 'definition'],
  ['en', 'What is quay.lamps()?', 'definition'],
  ['en', 'What does the lamp cost, and when?', 'date'],
  ['en', 'Which lever sets the number of boats?', 'other'],
  ['en', 'What is the number of boats?', 'number'],
  ['en', 'When the tide falls, at what speed does the water run?', 'other'], // the clause before says when
  ['en', 'When the tide falls, how many boats ground?', 'number'],
  ['en', 'When does the tide fall, roughly?', 'date'],
  ['en', 'What caused population growth in the delta?', 'reason'],
  ['en', 'What is the population of the delta?', 'number'],
  ['en', 'What is an atomic number?', 'definition'],
  ['en', 'Which harbour director used to be a pilot?', 'person'],
  ['en', 'Which officers of the fleet came from Varn?', 'person'],
  ['en', 'What teacher training is needed?', 'other'],
  ['en', 'At what speed are players moving?', 'list'],
  ['en', 'What man page describes it?', 'other'],
  ['en', 'What is the weight of the boat?', 'number'],
  ['en', "What's the boat's top speed?", 'number'],
  ['en', 'What is the tensile strength of hemp?', 'number'],
  ['en', 'What is the strength of this plan?', 'definition'],
  ['en', 'What is the weight dependence of the wake?', 'definition'],
  ['en', "What's the most boats a skipper can moor?", 'number'],
  ['en', 'What is the most beautiful thing that the skipper saw?', 'other'],
  ['pt', 'O que acontece quando o barco parte?', 'other'],
  ['pt', 'Quem responde quanto ao aluguel?', 'person'],
  ['pt', 'Quanto custa o barco?', 'number'],
  ['it', 'Chi paga quando la barca parte?', 'person'],
  ['fr', 'Dans quel journal écrit Ines ?', 'other'],
  ['fr', 'Que se passe-t-il quand le bateau part ?', 'other'],
  ['de', 'Wie groß ist die Schleuse?', 'number'],
  ['de', 'Was kostet ein Liegeplatz?', 'number'],
  ['de', 'Auf wie vielen Booten fährt er?', 'number'],
  ['ru', 'На скольких лодках он плывёт?', 'number'],
  ['ru', 'Как часто он плавает?', 'number'],
  ['ja', '何年に建てられましたか？', 'date'],
  ['zh', '服务器有多重？', 'number'],
  ['ja', '何年間続きましたか？', 'number'],
  ['fr', 'Où est la gare ?', 'place'],
  ['it', 'Perché piove?', 'reason'],
  ['es', '¿Por qué llueve?', 'reason'],
  ['nl', 'Wanneer vertrekt de boot?', 'date'],
  ['nl', 'Hoeveel boten zijn er?', 'number'],
  ['nl', 'Waar ligt de boot?', 'place'],
  ['sv', 'Vad händer när båten går?', 'other'], // `when` in a clause
  ['sv', 'När går båten?', 'date'],
  ['no', 'Hvor ligger båten?', 'place'],
  ['no', 'Hvor mange båter ligger der?', 'number'],
  ['pl', 'W którym roku zbudowano łódź?', 'date'],
  ['pl', 'Jak długa jest łódź?', 'number'],
  ['pl', 'Kto steruje łodzią?', 'person'],
  ['cs', 'Kolik lodí tu kotví?', 'number'],
  ['cs', 'Kde kotví loď?', 'place'],
  ['cs', 'Ve kterém roce byla loď postavena?', 'date'],
  ['uk', 'Скільки човнів?', 'number'],
  ['uk', 'Де стоїть човен?', 'place'],
  ['el', 'Πότε φεύγει το πλοίο;', 'date'],
  ['el', 'Ποιος οδηγεί το πλοίο;', 'person'],
  ['el', 'Ποιος λιμένας είναι βαθύς;', 'other'], // which harbour
  ['el', 'Πόσους ναύτες έχει;', 'number'],
  ['vi', 'Con tàu được đóng năm nào?', 'date'],
  ['vi', 'Có bao nhiêu con tàu?', 'number'],
  ['vi', 'Ai lái con tàu?', 'person'],
  ['vi', 'Con tàu ở đâu?', 'place'],
  ['tr', 'Gemi hangi yılda yapıldı?', 'date'],
  ['tr', 'Kaç gemi var?', 'number'],
  ['fa', 'کشتی در چه سالی ساخته شد؟', 'date'],
  ['fa', 'ناخدا کیست؟', 'person'],
  ['fa', 'چه جاندارانی در دریا هستند؟', 'other'], // living things, no place
  ['he', 'מתי נבנתה הסירה?', 'date'],
  ['he', 'באיזו עיר הסירה?', 'place'],
  ['he', 'מה אמר שלמה?', 'other'], // a name that holds `why`
  ['ko', '배의 무게 및 사망자 수는?', 'number'],
  ['ko', '배가 출발한 시기는?', 'date'],
  ['ko', '배를 만든 사람은?', 'person'],
  ['ko', '배가 늦은 이유는?', 'reason'],
  ['th', 'เรือสร้างในปีใด', 'date'],
  ['th', 'เรืออยู่จังหวัดอะไร', 'place'],
  ['ar', 'اين السفينة؟', 'place'],
  ['ar', 'في اي عام بنيت السفينة؟', 'date'],
  ['de', 'Mit welcher Nummer beginnen die Liegeplätze?', 'number'],
  ['fr', 'À quel numéro commencent les quais ?', 'number'],
  ['es', '¿En qué número empiezan los muelles?', 'number'],
  ['it', 'Da quale numero iniziano i moli?', 'number'],
  ['pt', 'Em que número começam os cais?', 'number'],
  ['ru', 'С какого номера начинаются причалы?', 'number'],
  ['ru', 'Какого числа отходит лодка?', 'other'], // a day
  ['zh', '泊位从哪个数字开始？', 'number'],
  ['ja', '桟橋は何番から始まりますか？', 'number'],
  ['nl', 'Bij welk nummer beginnen de steigers?', 'number'],
  ['sv', 'Vid vilket nummer börjar bryggorna?', 'number'],
  ['no', 'Ved hvilket nummer begynner bryggene?', 'number'],
  ['pl', 'Od jakiego numeru zaczynają się pomosty?', 'number'],
  ['cs', 'Od kterého čísla začínají mola?', 'number'],
  ['uk', 'З якого номера починаються причали?', 'number'],
  ['en', "What is Ada Quayle's salary?", 'number'],
  ['en', 'What does a new lamp cost?', 'number'],
  ['en', 'Who keeps the lamp?', 'person'],
  ['en', 'The whole lamp', 'other'], // no word of it is "who"
])('%s: %s asks for: %s', (language, question, type) => {
  expect(answerTypeOf(question, language)).toBe(type);
});

it.each([
  ['Kde běží KDE?', 'Kde'],
  ['Ai viết AI?', 'Ai'],
  ['Ποια πόλη είναι παλιά;', 'Ποια'],
  ['Який човен старий?', 'Який'],
  ['באיזו עיר הסירה?', 'באיזו'],
  ['ماهي السفينة؟', 'ماهي'],
])('%s asks with %s', (question, word) => {
  const { start, end } = askingWord(question)!;
  expect(question.slice(start, end)).toBe(word);
});

it('takes no name of another language for an asking word', () => {
  expect(askingWord('Does KDE need AI?')).toBeUndefined();
});
