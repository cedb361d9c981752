import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type SentenceOptions, sentenceSpans } from '../../../../src/text/sentences/sentences.ts';

function split(text: string, options?: SentenceOptions): string[] {
  return sentenceSpans(text, options).map(({ start, end }) => text.slice(start, end));
}

/** Joins the sentences with a blank and expects them back. */
function survives(...sentences: string[]): void {
  expect(split(sentences.join(' '))).toEqual(sentences);
}

describe('sentences in Latin script', () => {
  it('end at a mark before a blank, behind closing quotes and brackets', () => {
    survives('It rained.', 'Did it?', '“Yes!”', 'He said: "Go."', '(They went.)', 'A note.[12]', 'The end.');
  });

  it('do not end at dots that lead to an amount at the end of a line', () => {
    for (const line of ['Treacle tart … 14.00', 'Soup ..... € 4.50', 'Annexes … 104'])
      expect(split(`${line}\n\nThe end.`)).toEqual([line, 'The end.']);
    expect(split('He waited … 14 boats came.')).toEqual(['He waited …', '14 boats came.']);
    expect(split('We saw twelve… 14')).toEqual(['We saw twelve…', '14']);
  });

  it('end before an item of AsciiDoc, whose mark is a full stop', () => {
    expect(split('. Lift the lid. Wait.\n. Close it.\n.. Lock it.\n* Go.\n** Rest.')).toEqual([
      '. Lift the lid.',
      'Wait.',
      '. Close it.',
      '.. Lock it.',
      '* Go.',
      '** Rest.',
    ]);
  });

  it('do not end before a lower-case letter', () => {
    survives('"Really?" he asked.', 'The Yahoo! case was long.', 'Wait... what is this?');
  });

  it('do not end after titles, initials and abbreviations, nor inside numbers and addresses', () => {
    survives(
      'Dr. Smith met J. K. Rowling and Prof. Lee.',
      'It cost $3.50, cf. Fig. 3 and No. 5 (vol. 2, pp. 10 ff.).',
      'The porter is at ext. 219, or tel. +44 1432 556 in apt. 4.',
      'See www.example.com or e.g. Node.js 22.18 for more.',
      'In Marbury v. Madison the court ruled.',
    );
  });

  it('end after an abbreviation where a sentence plainly opens', () => {
    survives(
      'He lives in the U.S.',
      'The house is big.',
      'We sell pens, paper etc.',
      'They are cheap.',
      'It shut at 5 p.m.',
      'Then I left.',
    );
    survives('She flew the U.S. Air Force jet.', 'Apple Inc. Chairman Cook spoke.');
  });

  it('end after a single letter that is no initial', () => {
    survives('We follow plan B.', 'The plan works.', 'Take vitamin c.', 'Nothing else helps.');
    survives('It grew at 30 °C.', 'Flask 2 was left out.', 'The lamps need 12 V.', 'Flask 3 has 5 °F.', 'Nine burn.');
  });

  it('know abbreviations of German, French, Spanish, Italian, Dutch and Russian', () => {
    survives('Er kam z. B. aus Berlin.', 'Am 3. Oktober wird gefeiert.', 'Das ist bzw. war Herr Dr. Müller.');
    survives('Il a vu Mme. Dupont hier.', 'C’est fini.');
    survives('La Sra. García llegó.', '¿Quién es?', '¡Ella!');
    survives('Il sig. Rossi parte.', 'Non torna.');
    survives('Dat is bijv. Amsterdam.', 'Het regent.');
    survives('А. С. Пушкин жил на ул. Мойка.', 'Он писал стихи и т. д.', 'Потом уехал.');
  });

  it('know abbreviations of Slavic and Nordic languages, Hungarian, Finnish, Portuguese, Turkish and Vietnamese', () => {
    survives('To je tzv. Debianí smlouva, tj. Smlouva, např. Dodatek.', 'Viz obr. 5, čl. 3 a č. 7.', 'Hotovo.');
    survives(
      'Można użyć m.in. Debiana, tj. Systemu, tzn. GNU.',
      'Są gry, edytory itp.',
      'Po tym ok. 15 maja jest koniec.',
    );
    survives('Див. Розділ 5, т. зв. Дебіан на вул. Франка.', 'Є ігри і т. ін.', 'Це все.');
    survives('См. рис. 5, т. е. Debian, т. к. Ubuntu.', 'Игры и т. д.', 'Это всё.');
    survives('Använd Debian, dvs. Linux, jfr. Kapitel 5, inkl. Apt.', 'Spel, böcker osv.', 'Det är allt.');
    survives('Käytä esim. Debian-pakettia, ks. Luku 5.', 'Loppu.');
    survives('Például pl. Debian, vö. Függelék, kb. 30 csomag.', 'Vége.');
    survives('Veja p. ex. Debian, com a Dra. Costa.', 'Fim.');
    survives('Bunun için örn. Debian, bkz. Bölüm 5.', 'Doç. Dr. Ahmet geldi.', 'Kitap, kalem vb.', 'Bu kadar.');
    survives('Ở TP. Hồ Chí Minh cùng GS. Nguyễn và TS. Trần.', 'Hết.');
  });

  it('do not end in a day or a month before a year', () => {
    survives('Vznikl 16. 8. 1993 v Praze.', 'Am 3. 10. 1990 war es so weit.', 'Es waren 12.', '30 kamen.');
  });

  it('do not end in a number of letters and figures, nor in a German ordinal', () => {
    survives('The policy no. NM-77 is old.', 'Is it?', 'No.', 'B52 is one.', 'Sie sagt nein.');
    survives('Wir feiern den 50. Geburtstag im Saal.', 'Es liegt im 3. Stock.', 'Es kamen 12.', 'Niemand blieb.');
  });

  it('end after what is an abbreviation in one language and a word in another', () => {
    survives('Ich weiß es.', 'Er kommt nicht.', 'Si veda per es. Roma.', 'Frau Dr. med. Weber kam.');
    survives('Han gik ud.', 'Hun satte sig.', 'Så kom de med.', 'Vi så det.', 'Il sig. Rossi lo fa.', 'Parla.');
    survives('The room was lit.', 'Everyone danced.', 'We sat.', 'Nobody spoke.', 'Kimchi (lit. "Soaked") is old.');
    survives('It takes 5 ms.', 'The other takes 6 ms.', 'Ms. Lee was 6 ft.', 'The wall was on Baker St.', 'It fell.');
    survives('They work in San Jose, CA.', 'The firm is old.', 'MR. SMITH left.', 'Tengo que ir.', 'Mañana vuelvo.');
    survives('Он помог им.', 'Они ушли.', 'Музей им. Пушкина открыт.');
  });

  it('do not end after an abbreviation before a number, a section sign, or behind an elision', () => {
    survives('Mötet börjar kl. 15 i dag.', 'Det følger af stk. 2.', 'Er wohnt Bahnhofstr. 5.', 'Nimm max. 5 davon.');
    survives(
      'Das gilt gem. § 5 Abs. 2.',
      'Ai sensi dell’art. 5 vale.',
      'C’est l’art. 12 du code.',
      'Univ.-Prof. Lang kam.',
    );
    survives(
      'See Fed. R. Bankr. P. 4003 and 90 Stat. 2891.',
      'Compare Id. § 5.',
      'Ada (b. 1960) left.',
      'He has 5 Mio. Euro.',
    );
    survives('Basen jest czynny o godz. 8:00 i przy lok. 5.', 'Ela mora no apto. 304.', 'Звоните: тел. 12.');
    survives('Он живёт на ул. Ленина, д. 5, кв. 10.', 'Mieszka przy ul. Długiej.', 'Ο κ. Παππάς ήρθε.');
  });

  it('end after a path or an address whose last letter stands alone', () => {
    survives('See https://a.example/?c=d.', 'It is free.', 'Open C:\\Temp\\a.txt.', 'Read it.');
  });

  it('end behind the mark of a footnote, however it is written', () => {
    survives('It works.[^1]', 'It does.[^long-name]', 'It did.[12–15, 17, 20]', 'Who?[citation needed]', 'It fell.¹²');
    survives('We took those in the pool.7', 'We left.');
    survives('It is up.^7', 'We left.^1,2', 'Was it?^12–^14', 'Yes.');
    survives('The page shows fig.3 Then more.', 'They use version 2.12 Then more.');
  });

  it('do not consist of the number or letter of a heading', () => {
    const lines = ['4.2. Dot commands', 'A. The parties', 'c. Other insurance', 'iv. Rights'];
    for (const line of lines) expect(split(line)).toEqual([line]);
    expect(split('They agree:\na. Apples\nb. Pears')).toEqual(['They agree:', 'a. Apples', 'b. Pears']);
    survives('It is from Marbury\nv. Madison, a case.', 'It cost\n3.50.', 'Then more.');
  });

  it('take the detached quotes of tokenised text along', () => {
    expect(split("He said `` no . '' Then he left . ( Nobody saw it . ) It rained .")).toEqual([
      "He said `` no . ''",
      'Then he left .',
      '( Nobody saw it . )',
      'It rained .',
    ]);
  });
});

describe('sentences in other scripts', () => {
  it('end at full-width stops without a blank', () => {
    expect(split('他说：“你好。”然后走了。真的吗？是的！')).toEqual([
      '他说：“你好。”',
      '然后走了。',
      '真的吗？',
      '是的！',
    ]);
  });

  it('leave quoted speech inside its Japanese sentence', () => {
    expect(split('彼は「もう帰る。」と言った。本当？')).toEqual(['彼は「もう帰る。」と言った。', '本当？']);
  });

  it('end at the Greek question mark, which looks like a semicolon', () => {
    survives('Τι είναι το GIMP;', 'Είναι ένα πρόγραμμα.', 'Ανοίξτε το· μετά κλείστε το.');
    survives(
      'Use it; Debian is free.',
      'Χρησιμοποιήστε π.χ. Debian, δηλ. Λίνουξ, βλ. Κεφάλαιο 5.',
      'Παιχνίδια κ.λπ.',
      'Το τέλος.',
    );
  });

  it('do not end between the number of a Korean section and its title', () => {
    survives('자세한 것은 8.6절. “복구 모드 쓰기”를 보십시오.', '끝입니다.');
  });

  it('end at the danda, the Arabic question mark and the Urdu stop', () => {
    expect(split('वह घर गया। उसने खाना खाया।')).toEqual(['वह घर गया।', 'उसने खाना खाया।']);
    expect(split('هل هذا صحيح؟ نعم.')).toEqual(['هل هذا صحيح؟', 'نعم.']);
    expect(split('یہ کتاب ہے۔ وہ قلم ہے۔')).toEqual(['یہ کتاب ہے۔', 'وہ قلم ہے۔']);
  });

  it('end at the wide stop of Japanese papers, but not in its numbers', () => {
    expect(split('これは本である．値は３．１４である．')).toEqual(['これは本である．', '値は３．１４である．']);
    expect(split('１．はじめに')).toEqual(['１．はじめに']);
  });

  it('end at the stops of Cree, Tagalog, Mongolian, Tai Tham', () => {
    expect(split('ᐃᓄᐃᑦ᙮ ᐊᒻᒪ᙮')).toEqual(['ᐃᓄᐃᑦ᙮', 'ᐊᒻᒪ᙮']);
    expect(split('ᜐᜒᜎ᜶ ᜈᜄ᜶')).toEqual(['ᜐᜒᜎ᜶', 'ᜈᜄ᜶']);
    expect(split('ᠪᠠᠢᠠᠭ᠃ ᠣᠶᠤᠨ᠉')).toEqual(['ᠪᠠᠢᠠᠭ᠃', 'ᠣᠶᠤᠨ᠉']);
    expect(split('ᨠ᩠ᨶᩢ᪨ ᩓᩢᩈᩥ᪩')).toEqual(['ᨠ᩠ᨶᩢ᪨', 'ᩓᩢᩈᩥ᪩']);
  });

  it('do not end after titles and initials of scripts without capitals', () => {
    survives('حضر أ. د. محمد علي.', 'ثم غادر.', 'ولد سنة 1990 م.', 'ثم غادر.');
    survives('י. ל. פרץ כתב.', 'הוא היה סופר.', 'डॉ. शर्मा आए।', 'वे गए।');
    survives('네.', '알겠습니다.');
    survives('โทร. 02-123-4567 หา ดร. สมชาย');
  });

  it('of another language are not cut at a blank between Thai words', () => {
    const name = 'ท่าอากาศยานแม่ฟ้าหลวงท่าอากาศยานแม่ฟ้าหลวงท่าอากาศยาน เชียงรายเชียงรายเชียงราย';
    survives(`The airport that everyone in the north calls by its long name in Thai, which is ${name}, is old.`);
  });

  it('gather Thai phrases between blanks until they are as long as a sentence', () => {
    const phrase = 'ภาษาไทยเขียนติดกันโดยไม่มีช่องว่างระหว่างคำในประโยคเดียว';
    expect(phrase.length).toBeGreaterThan(50);
    expect(split(`${phrase} ${phrase}`)).toEqual([phrase, phrase]);
    expect(split('สวัสดี ครับ')).toEqual(['สวัสดี ครับ']);
  });

  it('go on in Turkish behind the stop of an ordinal', () => {
    survives('Sultan IV. Murad, 17. Osmanlı padişahıdır.', 'Bağdat seferine çıktı.', 'Yıl 1638.', 'Kış geldi.');
    survives('They fought in World War II.', 'Germany lost.'); // as before in other languages
  });

  it('go on in Thai over a blank before or behind a word that joins, and inside brackets', () => {
    const phrase = 'ภาษาไทยเขียนติดกันโดยไม่มีช่องว่างระหว่างคำในประโยคเดียว';
    survives(`${phrase} และ${phrase}`, `${phrase} พ.ศ. 2548 จังหวัดเชียงราย`, `${phrase}คือ ${phrase}`);
    survives(`${phrase} (${phrase} ${phrase}) ${phrase}`.replace(/ (?=\()/, ''), phrase);
    // a bracket that nobody closes holds nothing together
    expect(split(`(${phrase.repeat(3)} ${phrase}`)).toHaveLength(2);
  });
});

describe('sentences and lines', () => {
  it('run on over the line feeds of wrapped text', () => {
    const text = 'This paragraph was wrapped by hand at\nsome column, as plain text files are. It\ngoes on.';
    expect(split(text)).toEqual([
      'This paragraph was wrapped by hand at\nsome column, as plain text files are.',
      'It\ngoes on.',
    ]);
  });

  it('end at blank lines, headings and list items, whose numbers end nothing', () => {
    expect(split('# Title\nIntro here\n\nMore\n- one. Two\n- three\n1. First\n2. Second')).toEqual([
      '# Title',
      'Intro here',
      'More',
      '- one.',
      'Two',
      '- three',
      '1. First',
      '2. Second',
    ]);
  });

  it('know items that breaks of HTML part', () => {
    expect(split('It has two parts:\n\t<br>1. The map.\n<br />2. The game')).toEqual([
      'It has two parts:',
      '<br>1. The map.',
      '<br />2. The game',
    ]);
  });

  it('do not end inside a numbered heading', () => {
    expect(
      split('## 1. Scope\n\nIt covers pumps.\n\n### Rule 4. The valves\nThey are checked in 2024. Seals too.'),
    ).toEqual(['## 1. Scope', 'It covers pumps.', '### Rule 4. The valves', 'They are checked in 2024.', 'Seals too.']);
  });

  it('take a table row as one unit and code up to a blank line as another', () => {
    expect(split('| a. B | c |\n| d. E | f |')).toEqual(['| a. B | c |', '| d. E | f |']);
    expect(split('Call it:\n\nif (x) {\n  y();\n}\n\nz();')).toEqual(['Call it:', 'if (x) {\n  y();\n}', 'z();']);
    expect(split('Run this\n```\nA. B. C.\nnext\n```\nDone.')).toEqual([
      'Run this',
      '```\nA. B. C.\nnext\n```',
      'Done.',
    ]);
  });

  it('go on after a block of code that shows marks of others', () => {
    for (const [mark, other] of [
      ['````', '```'],
      ['~~~', '```'],
      ['```', '~~~~'],
    ])
      expect(split(`${mark}js\n${other}\nA. B\n${other}\n${mark}\nDone. Now.`)).toEqual([
        `${mark}js\n${other}\nA. B\n${other}\n${mark}`,
        'Done.',
        'Now.',
      ]);
  });

  it('go on after code within a line that begins with three backquotes', () => {
    expect(split('```npm ci``` installs it. Then run it.\nIt works. Done.')).toEqual([
      '```npm ci``` installs it.',
      'Then run it.',
      'It works.',
      'Done.',
    ]);
  });

  it('start at every item that ends with a semicolon, with brackets inside', () => {
    const clauses = [
      '(a) the rent (as defined) is paid;',
      '(b) the person(s) named in § 3(b);',
      '(c) the rest (if any).',
    ];
    expect(split(clauses.join('\n'))).toEqual(clauses);
    expect(split('- apples (red);\n- pears [green];')).toEqual(['- apples (red);', '- pears [green];']);
    expect(split('foo(a);\nbar[0];')).toEqual(['foo(a);\nbar[0];']);
    const wrapped = 'The Landlord (as defined above) may then enter it (by day);\nthe Tenant may not.';
    expect(split(wrapped)).toEqual([wrapped]);
  });

  it('start at every turn of a conversation', () => {
    expect(split('Anna: I am here\nBob: so am I')).toEqual(['Anna: I am here', 'Bob: so am I']);
  });

  it('start at every label of a list of them, and not at one in the middle of a sentence', () => {
    expect(split('Invoice No.: 12\nDue date: 4 March\nCustomer: Ada\nBank account: 88')).toEqual([
      'Invoice No.: 12',
      'Due date: 4 March',
      'Customer: Ada',
      'Bank account: 88',
    ]);
    expect(
      split('Limits a night:\n  London: £160\n  Leeds, York: £115\n**VAT 7 %:** 98.03\n**Due, at last:** 1'),
    ).toEqual(['Limits a night:', 'London: £160', 'Leeds, York: £115', '**VAT 7 %:** 98.03', '**Due, at last:** 1']);
    const times = ['**2021 – today:** Bergen', '**2016 – 2021**: Oslo', '2014-2016: Bodø', '9:30 – 10:15: Coffee'];
    expect(split(times.join('\n'))).toEqual(times);
    const prose = 'The rule stands in the\nManual of style: see there.';
    expect(split(prose)).toEqual([prose]);
  });

  it('take a short line over a long one that opens anew as a heading', () => {
    expect(split('Results\nThe experiment showed that nothing happened at all')).toEqual([
      'Results',
      'The experiment showed that nothing happened at all',
    ]);
  });
});

describe('long sentences', () => {
  it('are cut at the last clause mark of the second half, else at a blank, else between characters', () => {
    expect(split('one two three, four five six', { maxChars: 20 })).toEqual(['one two three,', 'four five six']);
    expect(split('one two three four five', { maxChars: 15 })).toEqual(['one two three', 'four five']);
    expect(split('abcdefghij', { maxChars: 4 })).toEqual(['abcd', 'efgh', 'ij']);
    expect(split('👩‍👩‍👧‍👦👩‍👩‍👧‍👦', { maxChars: 12 })).toEqual(['👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦']);
  });

  it('are cut with a few looks at the characters around each cut', () => {
    const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment');
    const cuts = split('ក'.repeat(60_000), { maxChars: 600 }).length - 1;
    expect(cuts).toBeGreaterThanOrEqual(99);
    expect(segment.mock.calls.length).toBeLessThan(10 * cuts);
    segment.mockRestore();
  });

  it('are cut between words where no blanks are written', () => {
    // 日本語 | を | 勉強 | する: the dictionary's words
    expect(split('日本語を勉強する', { maxChars: 5 })[0]).toBe('日本語を');
  });
});

it('nothing comes of nothing', () => {
  expect(split('')).toEqual([]);
  expect(split(' \n\t ')).toEqual([]);
});

const shared = process.env.IBID_SHARED ?? join(import.meta.dirname, '../../../../../shared');

/** F1 of inner boundaries against `metadata.sentences`, over the passages whose sentences are all found in the text. */
function boundaryF1(set: string): number {
  let both = 0;
  let ours = 0;
  let theirs = 0;
  for (const line of readFileSync(join(shared, 'data', set, 'corpus.jsonl'), 'utf8')
    .trim()
    .split('\n')) {
    // The set's README states this shape.
    const { text, metadata } = JSON.parse(line) as { text: string; metadata: { sentences: string[] } };
    const gold = new Set<number>();
    let at = 0;
    for (const sentence of metadata.sentences.map((given) => given.trim()).filter((given) => given !== '')) {
      const start = text.indexOf(sentence, at);
      if (start === -1) break;
      at = start + sentence.length;
      gold.add(at);
    }
    gold.delete(at);
    const found = sentenceSpans(text, { maxChars: 1_000_000 }).map(({ end }) => end);
    found.pop();
    both += found.filter((end) => gold.has(end)).length;
    ours += found.length;
    theirs += gold.size;
  }
  return (2 * both) / (ours + theirs);
}

describe('against sentences others have marked', () => {
  for (const [set, least] of [
    ['clapnq-dev', 0.93],
    ['hotpotqa-100', 0.98],
  ] as const) {
    const there = existsSync(join(shared, 'data', set, 'corpus.jsonl'));
    it.skipIf(!there)(`boundary F1 on ${set} is at least ${least}${there ? '' : ' (skipped: no shared data)'}`, () => {
      expect(boundaryF1(set)).toBeGreaterThanOrEqual(least);
    });
  }
});
