import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
  });

  it('know abbreviations of German, French, Spanish, Italian, Dutch and Russian', () => {
    survives('Er kam z. B. aus Berlin.', 'Am 3. Oktober wird gefeiert.', 'Das ist bzw. war Herr Dr. Müller.');
    survives('Il a vu Mme. Dupont hier.', 'C’est fini.');
    survives('La Sra. García llegó.', '¿Quién es?', '¡Ella!');
    survives('Il sig. Rossi parte.', 'Non torna.');
    survives('Dat is bijv. Amsterdam.', 'Het regent.');
    survives('А. С. Пушкин жил на ул. Мойка.', 'Он писал стихи и т. д.', 'Потом уехал.');
  });

  it('reads an ordinal before a capital as one where the locale writes them so', () => {
    const text = 'Sie wohnt im 4. Stockwerk links.';
    expect(split(text, { locale: 'de' })).toEqual([text]);
  });

  it('do not end in a number of letters and figures, nor in a German ordinal', () => {
    survives('The policy no. NM-77 is old.', 'Is it?', 'No.', 'B52 is one.', 'Sie sagt nein.');
    survives('Wir feiern den 50. Geburtstag im Saal.', 'Es liegt im 3. Stock.', 'Es kamen 12.', 'Niemand blieb.');
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

  it('end at the danda, the Arabic question mark and the Urdu stop', () => {
    expect(split('वह घर गया। उसने खाना खाया।')).toEqual(['वह घर गया।', 'उसने खाना खाया।']);
    expect(split('هل هذا صحيح؟ نعم.')).toEqual(['هل هذا صحيح؟', 'نعم.']);
    expect(split('یہ کتاب ہے۔ وہ قلم ہے۔')).toEqual(['یہ کتاب ہے۔', 'وہ قلم ہے۔']);
  });

  it('gather Thai phrases between blanks until they are as long as a sentence', () => {
    const phrase = 'ภาษาไทยเขียนติดกันโดยไม่มีช่องว่างระหว่างคำในประโยคเดียว';
    expect(phrase.length).toBeGreaterThan(50);
    expect(split(`${phrase} ${phrase}`)).toEqual([phrase, phrase]);
    expect(split('สวัสดี ครับ')).toEqual(['สวัสดี ครับ']);
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
