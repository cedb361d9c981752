import { expect, it } from 'vitest';
import { thingsCompared } from '../../../../src/text/languages/things-compared.ts';

it.each<[string, string, string, string | undefined]>([
  ['Who is older, Ida Tarn or Bo Kern?', 'When was Ida Tarn born?', 'When was Bo Kern born?', 'least'],
  ['Who is the younger one: Ida Tarn or Bo Kern?', 'When was Ida Tarn born?', 'When was Bo Kern born?', 'most'],
  ['Which inn is older, the Swan or the Bell?', 'When was the Swan born?', 'When was the Bell born?', 'least'],
  ['Who was born later, Ida or Bo?', 'When was Ida born?', 'When was Bo born?', 'most'],
  ['Who died first Ida Tarn or Bo Kern?', 'When did Ida Tarn die?', 'When did Bo Kern die?', 'least'],
  ['Which mill was built last, Aln or Orl?', 'When was Aln built?', 'When was Orl built?', 'most'],
  ['Which was first published, Aln or Orl?', 'When was Aln published?', 'When was Orl published?', 'least'],
  ['Which film came out first, Aln or Orl?', 'When was Aln released?', 'When was Orl released?', 'least'],
  ['Between Aln and Orl, which is deeper?', 'How deep is Aln?', 'How deep is Orl?', 'most'],
  ['Which of Aln and Orl is lighter?', 'How heavy is Aln?', 'How heavy is Orl?', 'least'],
  ['Which is wider between Aln and Orl?', 'How wide is Aln?', 'How wide is Orl?', 'most'],
  [
    'Which club has fewer paying members, Aln or Orl?',
    'How many paying members does Aln have?',
    'How many paying members does Orl have?',
    'least',
  ],
  ['Which town has the larger area, Aln or Orl?', 'What is the area of Aln?', 'What is the area of Orl?', 'most'],
  [
    'Which play has the director who died later, Aln or Orl?',
    'When did the director of Aln die?',
    'When did the director of Orl die?',
    'most',
  ],
  ['Is the Aln shorter than the Orl?', 'How long is the Aln?', 'How long is the Orl?', undefined],
  ['Was Aln founded after Orl?', 'When was Aln founded?', 'When was Orl founded?', undefined],
  ['Did Ida Tarn die before Bo Kern?', 'When did Ida Tarn die?', 'When did Bo Kern die?', undefined],
  [
    'Are the authors of Aln and Orl from the same country?',
    'What nationality is the author of Aln?',
    'What nationality is the author of Orl?',
    undefined,
  ],
  ['Do Aln and Orl have the same mayor?', 'What is the mayor of Aln?', 'What is the mayor of Orl?', undefined],
  ['Do Ida and Bo row in the same team?', 'Which team does Ida row?', 'Which team does Bo row?', undefined],
  ['Are Ida Tarn and Bo Kern both painters?', 'Who is Ida Tarn?', 'Who is Bo Kern?', undefined],
  ['What do Ida Tarn and Bo Kern have in common?', 'Who is Ida Tarn?', 'Who is Bo Kern?', undefined],
  ['Wer ist jünger, Ida Tarn oder Bo Kern?', 'Wann wurde Ida Tarn geboren?', 'Wann wurde Bo Kern geboren?', 'most'],
  ['Welche Mühle wurde zuerst gebaut, Aln oder Orl?', 'Wann wurde Aln gebaut?', 'Wann wurde Orl gebaut?', 'least'],
  ['Welcher Turm ist höher, Aln oder Orl?', 'Wie hoch ist Aln?', 'Wie hoch ist Orl?', 'most'],
  ['Ist die Aln kürzer als die Orl?', 'Wie lang ist die Aln?', 'Wie lang ist die Orl?', undefined],
  ['Qui est mort en premier, Ida ou Bo ?', 'Quand est mort Ida ?', 'Quand est mort Bo ?', 'least'],
  [
    'Quelle tour est la plus haute, Aln ou Orl ?',
    'Quelle est la hauteur de Aln ?',
    'Quelle est la hauteur de Orl ?',
    'most',
  ],
  ['¿Quién murió después, Ida o Bo?', '¿Cuándo murió Ida?', '¿Cuándo murió Bo?', 'most'],
])('%s', (question, one, other, wanted) => {
  const found = thingsCompared(question)!;
  expect([found.asks(found.one)[0], found.asks(found.other)[0], found.wanted]).toEqual([one, other, wanted]);
});

it.each([
  'Is the gate open or closed?',
  'Are dogs and cats allowed?',
  'Who is older?',
  'Which is the better boat, and why?',
  'Do I pay before or after the course?',
  'Is it longer than a day?',
  'Was the shop moved after the fire?',
  'When was the lock built or repaired?',
  'Ist das Boot länger als ein Bus?',
])('compares no two things: %s', (question) => {
  expect(thingsCompared(question)).toBeUndefined();
});
