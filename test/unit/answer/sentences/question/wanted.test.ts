import { describe, expect, it } from 'vitest';
import { holdingsOf } from '../../../../../src/answer/sentences/question/holdings.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { lacksContact, lacksFigure, unitAsked } from '../../../../../src/answer/sentences/question/wanted.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { leavesOpen } from '../../../../../src/answer/sentences/rules/row-asked.ts';
import { analyseWords } from '../../../../../src/text/analysis/words.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

function lacks(text: string, sentence: string): boolean {
  const question = analyseQuestion(text, statisticsOf([sentence]));
  return lacksFigure(question, holdingsOf(question, analyseWords(sentence), sentence, undefined));
}

it.each([
  ['How many boats may wait?', 'It takes the next boat, or waits for one.', true],
  ['How many boats may wait?', 'It is one of the boats.', true],
  ['How many boats may wait?', 'It keeps a boat, and makes no new one for each rope.', true],
  ['How many boats may wait?', 'It keeps a boat rather than a new one for each rope.', true],
  ['How many boats may wait?', 'The lock holds the only one for the coast.', false],
  ['How many boats may wait?', 'At the lock waits one boat.', false],
  ['How many boats may wait?', 'One boat waits.', false],
])('one that stands for a thing is no number: %s – %s', (text, sentence, expected) => {
  expect(lacks(text, sentence)).toBe(expected);
});

it.each([
  ['The boats were sold at the quay.[68]', true],
  ['The boats[6][7] were sold at the quay.', true],
  ['The boats were sold at the quay, 12 of them.[68]', false],
  ['The array [3, 4] of boats was sold.', false],
])('the mark of a note is no number: %s', (sentence, expected) => {
  expect(lacks('How many boats were sold?', sentence)).toBe(expected);
});

it.each([
  ['May | 11', false],
  ['11 | May', false],
  ['The berth is open from May 11 on.', true],
  ['Der Platz ist ab 11. Mai frei.', true],
])('a number in the cell beside a month is no day: %s', (sentence, expected) => {
  expect(lacks('How many boats were sold?', sentence)).toBe(expected);
});

it.each([
  ['When is the rent paid?', 'The bond pays 2.15 % a year, and 4.05 % later.', true],
  ['When is the rent paid?', 'The rent of £14 is paid once a year.', false],
  ['Bis wann muss ich das Boot anmelden?', 'Wer es nicht tut, zahlt bis zu 500 Euro.', true],
  ['Bis wann muss ich das Boot anmelden?', 'Es geht bis zum Ende des Monats.', false],
])('what so much of time costs is no time, nor is the limit of a sum: %s – %s', (text, sentence, expected) => {
  expect(lacks(text, sentence)).toBe(expected);
});

describe('a time of one', () => {
  const lacksTime = (text: string, sentence: string): boolean => {
    const question = analyseQuestion(text, statisticsOf([sentence]));
    return lacksFigure(question, holdingsOf(question, analyseWords(sentence), sentence, unitAsked(question)));
  };
  it.each([
    ['How long does the bread keep?', 'The bread keeps for a week.', false],
    ['Wie lange hält das Brot?', 'Das Brot hält eine Woche.', false],
    ['Wie lange hält das Brot?', 'Es hält bis zum Ende eines Monats.', false],
    ['How long does the bread keep?', 'The bread keeps in a bag.', true],
    ['How much does the bread cost?', 'It is baked once a week.', true],
  ])('%s – %s', (text, sentence, expected) => {
    expect(lacksTime(text, sentence)).toBe(expected);
  });
});

describe('lacksFigure', () => {
  it.each([
    ['How many columns can a table have?', 'The default is 2500.', false],
    ['What percentage of boats are rented?', '80% of the boats are rented.', false],
    ['How many boats are rented?', '80 of the boats are rented.', true], // a part of them
    ['How many of the boats are rented?', 'Eight of the boats are rented.', false],
    ['How many boats cross a two-gate lock?', 'Two boats cross a lock with two gates.', false],
    ['How many boats cross a two-gate lock?', 'Boats cross a lock with two gates.', true],
    ['When was the pier built?', 'The pier was built in 387 BC.', false],
    ['When was the pier built?', 'The pier, which was built in 911 as a jetty, fell.', false],
    ['When was the pier built?', 'The pier was built in 911 cases.', true],
    ['How many metres long is the pier?', 'The pier is said to have 2000 metres.', false],
    ['When was the pier built?', 'The pier has 2000 metres.', true],
    ['Over how many centuries was the pier built?', 'The pier was built over five centuries.', false],
    ['How much is lunch at the pier?', 'The pier, three nights.', true],
    ['How much is lunch at the pier?', 'The pier, lunch at 12.', false],
    ['When was the pier built?', 'The pier was built during the Second World War.', false],
    ['When was the pier built?', 'The pier was built in the Northern and Southern Dynasties.', false],
    ['When was the pier built?', 'The pier was built after Ann’s death.', false],
    ['When was the pier built?', 'The pier was built after Ann had died.', true],
    ['In what year was the pier built?', 'The pier was built during the Second World War.', true],
    ['The pier is free until when?', 'The pier is free until the ferry lands.', false],
    ['The pier is free until when?', 'The pier is free.', true],
    ['How many keepers left?', 'The keepers slept for two hours, for two weeks each.', true],
    ['How many keepers left?', 'Two keepers left after two weeks.', false],
    ['How many holidays do the keepers have?', 'Thirty days a year.', false],
    ['Combien de temps dure la garde ?', 'La garde dure 40 minutes.', false],
    ['How many nights did the keepers sleep?', 'The keepers slept two nights.', false],
    ['Quand le quai a-t-il été construit ?', 'Le quai date de 52 av. J.-C. et de plus tard.', false],
    ['When was the pier built?', 'The pier was built of 387 stones.', true],
    ['How many boats did Pier 7 rent?', 'In spring the keepers of Pier 12 had closed.', true], // another name
    ['How many boats did Pier 7 rent?', 'The keepers of Pier 7 rented 12.', false],
    ['How many boats were rented?', '6 Data of the keepers shows that boats were rented.', true], // a note
    ['How many boats were rented?', 'The laws ^10 of the pier (PIER) ^8 say that boats were rented.', true], // notes
    ['How many boats were rented?', 'The pier rented 10^3 boats.', false],
    ['How many keepers rented boats?', '3 Keepers of the pier rented boats.', false],
    ['Wie viele Boote wurden vermietet?', '12 Boote wurden vermietet.', false],
    ['In what century was the pier built?', 'The pier was built in the first century.', false],
    ['In what century was the pier built?', 'The pier was built in that century.', true],
    ['¿En qué siglo se construyó el muelle?', 'Se construyó en el siglo II.', false],
    ['Quando foi construído o cais?', 'O cais foi construído durante a guerra.', false],
    ['¿En qué año se construyó el muelle?', 'El muelle se construyó durante la guerra.', true],
    ['When was the pier built?', 'The pier was built during the war.', true],
    ['How long did the pier stand?', 'It stood from May 1904 to May 1911.', false],
    ['How long did the pier stand?', 'It was painted red in 1904.', true],
    ['¿Cuánto tiempo lleva abierto el muelle?', 'El muelle está abierto desde 1904.', false],
    ['How much is the rent?', 'The committee agreed on £52, from January.', false],
    ['Wie viele Boote hat der Verein?', '§ 7 Boote sind zu pflegen.', true],
    ['How much water can the kettle hold?', 'The kettle holds the water warm for 30 minutes.', true],
    ['How much water can the kettle hold?', 'The kettle holds 1.7 litres.', false],
    ['Quantos barcos há?', 'Há duzentos barcos.', false],
    ['Quando posso entrar?', 'Pode entrar depois da chegada do barco.', false],
    ['Сколько лет поддерживается версия?', 'Включена программа версии 3.', true],
    ['Сколько лет поддерживается версия?', 'Поддерживается 3 года.', false],
    ['Combien d’employés a le port ?', 'Le port a une cinquantaine d’employés.', false],
    ['Quanti vagoni ha il treno?', 'Il treno ha venti vagoni.', false],
    ['How many columns can a table have?', 'Set it with dock2_limit, a table of columns at a time.', true],
    ['How many columns can a table have?', 'A table can have nine.', false],
    ['How old was the keeper when he died?', 'The keeper died on 17 September 2016.', true],
    ['How old was the keeper when he died?', 'The keeper died at 81.', false],
    ['How old is the lighthouse?', 'It was built in 1883.', false],
    ['How many people did Runa lead at the bank?', '2021-2025: developer at the bank in Lom.', true],
    ['What does a berth cost?', 'A berth costs USD 1500.', false],
    ['What is the fee for a berth?', 'The fee is 2000 EUR.', false],
    ['What is the fee for a berth?', 'The fee was raised in 2000.', true],
    ['How many ships met in 1788?', 'They met in 1788.', true],
    ['When did the gate open?', 'It opened in May 1931.', false],
    ['When did the gate open?', 'It opened for quay7 alone.', true],
    ['When did the gate open?', 'The Holder may open it under Article 20.', true],
    ['How many columns can a table have?', '1. The columns of a table', true],
    ['How many columns can a table have?', '5.3 The columns of a table', true],
    ['How many columns can a table have?', '5.3.1. A table has columns', true],
    ['How many columns can a table have?', '5.3 The columns of a table are nine', false],
    ['How many litres are in the tank?', '5.3 litres are in the tank.', false],
    ['When is a pilot required?', 'A pilot is required if the wind is strong.', false],
    ['When is the pilot paid?', 'The pilot is paid if the wind is strong.', true],
    ['How many columns can a table have?', '(12) A table has nine columns', false],
    ['When is the gate oiled?', 'It is oiled on the 26th of each month.', false],
    ['When is the gate open?', 'It is open from 07:00 to 19:30.', false],
    ['Wann ist das Tor offen?', 'Es ist mittwochs offen.', false],
    ['When is the gate oiled?', 'It takes 2 litres.', true],
    ['How often is the gate oiled?', 'Every week, by the keeper.', false],
    ['How many gates are there?', 'They are oiled every week.', true],
    ['Who opened the gate?', 'It opened for no one.', false],
    ['How many columns can a table have?', 'A table can have fourteen.', false],
    ['Combien de colonnes a une table ?', 'Une table en a quinze.', false],
    ['When are the ropes replaced?', 'The ropes are replaced after nine months.', false],
    ['When are the ropes ordered?', 'They are ordered two weeks ahead.', false],
    ['When are the ropes replaced?', 'They are replaced after the regatta.', true],
    ['When are the ropes replaced?', 'They have lasted for nine months.', true],
    ['How cold is the cellar?', 'The cellar is locked.', true],
    ['How many boats are there?', 'The boats were counted on 12 October 2024.', true],
    ['How many boats are there?', 'There were 12 boats on 3 October 2024.', false],
    ['How many boats are there?', 'The boats leave in week 3.', true],
    ['What is the number of the room?', 'The boats are kept in room 3.', false],
    ['Wanneer wordt de poort geolied?', 'Zij wordt elke week geolied.', false],
    ['Wanneer wordt de poort geolied?', 'Zij is van staal.', true],
    ['Kiedy otwarto bramę?', 'Bramę otwarto 3 maja.', false],
    ['Kolik je lodí?', 'Lodí je dvacet.', false],
    ['Kolik je lodí?', 'Lodě jsou staré.', true],
    ['Kaç gemi var?', 'Limanda sekiz gemi var.', false],
    ['Có bao nhiêu con tàu?', 'Có tám con tàu.', false],
    ['כמה סירות יש?', 'יש שמונה סירות.', false],
    ['배는 언제 출발하는가?', '배는 매주 출발한다.', false],
    ['¿Cuántos barcos hay?', 'Los barcos salen el 4 de octubre.', true],
    ['Wann ist Mittagsruhe?', 'Mittagsruhe ist von 13 bis 15 Uhr.', false],
    ['Πότε χάνεται το ιστορικό;', 'Το ιστορικό χάνεται όταν η εικόνα κλείνει.', false],
    ['Когда теряется история?', 'История теряется, когда закрывают рисунок.', false],
    ['Когда теряется история?', 'История состоит из шагов.', true],
    ['Kiedy ginie historia?', 'Historia ginie, gdy obraz jest zamykany.', false],
    ['Kdy se ztratí historie?', 'Historie se ztratí, když se obrázek zavře.', false],
    ['Wanneer gaat de geschiedenis verloren?', 'De geschiedenis gaat verloren als het beeld sluit.', false],
    ['Geçmiş ne zaman kaybolur?', 'Geçmiş, resim kapatıldığında kaybolur.', false],
    ['Khi nào lịch sử bị mất?', 'Lịch sử bị mất nếu ảnh được đóng.', false],
    ['متى يضيع السجل؟', 'يضيع السجل عندما تغلق الصورة.', false],
    ['מתי ההיסטוריה נמחקת?', 'ההיסטוריה נמחקת כאשר התמונה נסגרת.', false],
    ['履歴はいつ消えますか？', '履歴は画像を閉じたときに消えます。', false],
    ['履歴はいつ消えますか？', '履歴は手順からなります。', true],
    ['历史什么时候消失？', '关闭图像后，历史消失。', false],
    ['이력은 언제 사라지나요?', '이력은 그림을 닫을 때 사라집니다.', false],
    ['Quand ouvre le port ?', 'Le port ouvre à 9 h.', false],
    ['When is tea?', "Tea is at 4 o'clock.", false],
    ['When is tea?', 'Tea costs 4 crowns.', true],
    ['How many boats are there?', 'A boat costs £30.', true],
    ['How many boats are there?', 'Boats cost 30 EUR.', true],
    ['How many boats are there?', 'There are 12 boats, at £30 each.', false],
    ['How many boats are there?', '| 12 | £5 |', false],
    ['How much is the deposit?', "The deposit is two months' rent.", false],
    ['How many euros does a boat cost?', 'A boat costs 30 EUR.', false],
    ['What does the lift cost?', 'The lift stood still for six days.', true],
    ['What does the lift cost?', 'It cost 300 in six days.', false],
    ['How long did the lift stand still?', 'The lift stood still for six days.', false],
    ['How much is a ticket for a seal?', 'The ticket is at least 21 days old.', true],
  ])('%s — %s', (question, sentence, expected) => {
    expect(lacks(question, sentence)).toBe(expected);
  });
});

describe('holdingsOf', () => {
  const held = (asked: string, sentence: string) => {
    const question = analyseQuestion(asked, statisticsOf([sentence]));
    return holdingsOf(question, analyseWords(sentence), sentence, unitAsked(question));
  };
  it.each([
    ['El motivo de las obras son las fugas.', true],
    ['Las obras se deben a las fugas.', true],
    ['Der Grund der Sperrung ist ein Leck.', true],
    ["Le quai est fermé à cause d'une fuite.", true],
    ['Las obras duran tres semanas.', false],
  ])('finds what gives a reason: %s', (sentence, expected) => {
    expect(held('Why?', sentence).reason).toBe(expected);
  });
  it.each([
    ['Knowles v. Moor is No. 07-1315.', 0],
    ['Knowles met Moor in 1315.', 1],
    ['They reigned from 1307-1315.', 2],
    ['Built 07-1915.', 1],
  ])('counts the years of: %s', (sentence, years) => {
    expect(held('When did Knowles meet Moor?', sentence).years).toBe(years);
  });
  it.each([
    ['How big may a photo be?', 'Photos have at most 2 MiB.', true],
    ['How big may a photo be?', 'Send 3 photos.', false],
    ['How cold is the cellar?', 'It is kept at 4 °C.', true],
    ['How cold is the cellar?', 'It has 4 doors.', false],
  ])('finds the unit that is asked for: %s — %s', (asked, sentence, expected) => {
    expect(held(asked, sentence).unit).toBe(expected);
  });
});

describe('leavesOpen', () => {
  const table = '| Topic | Period | Office |\n| --- | --- | --- |\n| Harbour master | 1931 | Nora Vale |';
  const open = (text: string): boolean[] => {
    const question = analyseQuestion(text, statisticsOf([table]));
    const candidates = candidatesOf(question, [hitOf(chunkOf(table, { title: 'Quayport' }))]);
    return candidates.map((candidate) => leavesOpen(question, candidate));
  };

  it.each([
    ['Who is the harbour master of Quayport?', [true, false]],
    ['Who is the bishop of Quayport?', [true, true]],
    ['Where is the bishop of Quayport?', [false, false]],
  ])('%s', (question, expected) => {
    expect(open(question)).toEqual(expected);
  });
});

describe('a row on what something costs', () => {
  it('need not say so: its price does', () => {
    const table = hitOf(chunkOf('| part | price |\n| --- | --- |\n| grinder | 160 euros |', { title: 'Parts' }));
    const question = analyseQuestion('What does a grinder cost?', statisticsOf([table.chunk.text]));
    const row = candidatesOf(question, [table]).find(({ match }) => match.includes(1));
    expect(leavesOpen(question, row!)).toBe(false);
  });
});

describe('a numbered item', () => {
  const items = '1. Maximum length of a name\n\nIt is defined by NAME_MAX.';
  it('that repeats the question is no candidate, unless it is asked whether it is so', () => {
    const texts = (question: string): string[] =>
      candidatesOf(analyseQuestion(question, statisticsOf([items])), [hitOf(chunkOf(items))]).map(({ unit }) =>
        items.slice(unit.start, unit.end),
      );
    expect(texts('What is the maximum length of a name?')).toEqual(['It is defined by NAME_MAX.']);
    expect(texts('How is a name defined?')).toHaveLength(2);
    expect(texts('Is there a maximum length of a name?')).toHaveLength(2);
  });

  it('may be the heading of a section, but a number with a point that is asked for is none', () => {
    const texts = (question: string, text: string): string[] =>
      candidatesOf(analyseQuestion(question, statisticsOf([text])), [hitOf(chunkOf(text))]).map(({ unit }) =>
        text.slice(unit.start, unit.end),
      );
    const section = '4.1 Security Deposit. The tenant pays 900 euros.';
    expect(texts('What is the security deposit?', section)).toEqual(['The tenant pays 900 euros.']);
    const measure = '2.5 metres deep. The moat is old.';
    expect(texts('How many metres deep is it?', measure)).toContain('2.5 metres deep.');
  });
});

describe('lacksContact', () => {
  it.each([
    ['What is the telephone number of the insurer?', 'Insurer: Northgate, policy no. NM-77-40128', true],
    ['What is the telephone number of the insurer?', 'Northgate, (0161) 496-01', false],
    ['What is the telephone number of the insurer?', 'Northgate, closed on 07/01/2015', true],
    ['What is the telephone number of the insurer?', 'Northgate, 2015-07-01, until 30.09.2016', true],
    ['What is the telephone number of the insurer?', 'Northgate, 1990-2015', true],
    ['What is the telephone number of the insurer?', 'Northgate pays $12000 a year', true],
    ['What is the telephone number of the insurer?', 'Northgate since 07/01/2015: 0161 496 01', false],
    ['Quel est le numéro de téléphone du port ?', 'Le port : 01.44.20.11.09', false],
    ['Welche Telefonnummer hat Kessel?', 'Kessel verlangt 480 Euro.', true],
    ['Quel est le numéro de téléphone du port ?', 'Le port : 01 23 45 67 89', false],
    ['¿Cuál es el número de teléfono del puerto?', 'El puerto cobra 480 euros.', true],
    ['Qual é o número de telefone do porto?', 'O porto: 01 23 45 67 89', false],
    ['Qual é o número de telefone do porto?', 'O porto cobra 480 euros.', true],
    ['What is the e-mail address of Ines?', 'Ines lives in the tower.', true],
    ['What is the e-mail address of Ines?', 'Ines: ines@quay.example', false],
    ['Who answers the telephone?', 'Ines does.', false],
  ])('%s — %s', (asked, text, expected) => {
    const question = analyseQuestion(asked, statisticsOf([text]));
    expect(lacksContact(question, candidatesOf(question, [hitOf(chunkOf(text))])[0]!)).toBe(expected);
  });
});

it.each([
  ['size', 'Berapakah luas wilayah itu?'],
  ['size', 'Hoeveel geheugen heeft hij nodig?'],
  ['money', 'Ile kosztuje łódź?'],
  ['time', 'Πόσο καιρό κρατάει;'],
  ['time', 'כמה שנים היה מלך?'],
  ['length', 'Яка висота вежі?'],
  ['percent', 'Bao nhiêu phần trăm?'],
])('a unit of %s is asked for by: %s', (unit, question) => {
  expect(unitAsked(analyseQuestion(question, statisticsOf([])))).toBe(unit);
  const sentence = {
    size: '15 km², 16 MB',
    money: '20 zł',
    time: '3 χρόνια, 4 שנים',
    length: '30 метрів',
    percent: '40 phần trăm',
  }[unit]!;
  const analysed = analyseQuestion(question, statisticsOf([sentence]));
  expect(holdingsOf(analysed, analyseWords(sentence), sentence, unit).unit).toBe(true);
  expect(holdingsOf(analysed, analyseWords('7 x'), '7 x', unit).unit).toBe(false);
});

it.each([
  ['Boats go from 16 to 20 June.', true],
  ['Boats go between 16 and 20 June.', true],
  ['From 16 to 20 boats go in June.', false],
])('the first day of several is no number: %s', (sentence, expected) => {
  expect(lacks('How many keepers are there?', sentence)).toBe(expected);
});

it.each([
  ['Когда вывозят мусор?', 'Мусор вывозят по вторникам.', false],
  ['Когда вывозят мусор?', 'Мусор вывозят на лодке.', true],
  ['Kiedy kursuje prom?', 'Prom kursuje w środy.', false],
  ['Quando parte il traghetto?', 'Il traghetto parte il lunedì.', false],
  ['Quando parte a balsa?', 'A balsa parte às terças-feiras.', false],
  ['Wanneer vaart het veer?', 'Het veer vaart op maandag.', false],
  ['متى يغلق الميناء؟', 'يغلق الميناء يوم الجمعة.', false],
  ['متى يغلق الميناء؟', 'يغلق الميناء حارس.', true],
  ['船はいつ出ますか？', '船は土曜に出る。', false],
  ['渡船什么时候开？', '渡船每天开。', false],
  ['كم قاربًا في الميناء؟', 'في الميناء ثلاث سفن وقوارب.', false],
  ['Сколько лодок в порту?', 'В порту стоят двенадцать лодок.', false],
  ['渡船用了几年？', '渡船用了三年。', false],
  ['渡船用了几年？', '渡船用了很久。', true],
])('a day of the week, and a number in words: %s – %s', (text, sentence, expected) => {
  expect(lacks(text, sentence)).toBe(expected);
});
