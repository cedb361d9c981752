import { expect, it } from 'vitest';
import { bareQuestion } from '../../../src/answer/bare-question.ts';

it.each([
  ['Hi! Can you tell me who the treasurer is, please?', 'Who is the treasurer?'],
  ['can you tell me who thomas becket was', 'who was thomas becket'],
  ['Could you please tell me how long the waiting list is?', 'How long is the waiting list?'],
  ['I would like to know: what is the deposit?', 'What is the deposit?'],
  ["I'd like to know when the rent is due.", 'When is the rent due'],
  ['Do you know if I can bring a dog?', 'Can I bring a dog?'],
  ['I was wondering whether there is a lift', 'Is there a lift'],
  ['Please tell me the price of the flat. Thanks in advance!', 'The price of the flat'],
  ['Hi there, quick question: who owns the boat?', 'Who owns the boat?'],
  ['sorry what is the port', 'what is the port'],
  ['When is the rent due, please?', 'When is the rent due?'],
  ['  when is  the\nrent due ', 'when is the rent due'],
  ['The rent is due in May', 'The rent is due in May'],
  ['Could you tell me how Harold was killed?', 'How was Harold killed?'],
  ['Can you tell me what it was used for?', 'What was it used for?'],
  ['Could you explain how the pump works?', 'How the pump works?'],
  ['Do you know how many members are needed?', 'How many members are needed?'],
  ['According to the documents, who owns the boat?', 'Who owns the boat?'],
  ['Who owns the boat according to the documents?', 'Who owns the boat?'],
  ['Based on my files, can you tell me who owns the boat?', 'Who owns the boat?'],
  ['Give me the price of the flat.', 'The price of the flat'],
  ["I'm looking for the price of the flat", 'The price of the flat'],
  ['Laut den Unterlagen: Wem gehört das Boot?', 'Wem gehört das Boot?'],
  ['Selon les documents, qui a écrit ce livre ?', 'Qui a écrit ce livre ?'],
  ['Können Sie mir sagen, wie hoch die Miete ist?', 'Wie hoch ist die Miete?'],
  ['Ich würde gerne wissen, wann der Vertrag endet.', 'Wann der Vertrag endet'],
  ['Pouvez-vous me dire combien coûte le billet, s’il vous plaît ?', 'Combien coûte le billet?'],
  ['Bonjour, je voudrais savoir qui a écrit ce livre', 'Qui a écrit ce livre'],
  ['Hola, ¿puede decirme cuánto cuesta?', 'Cuánto cuesta?'],
  ['Mi può dire quando apre il museo?', 'Quando apre il museo?'],
  ['Kunt u mij vertellen waar de sleutel is?', 'Waar de sleutel is?'],
  ['Você sabe quando abre o museu?', 'Quando abre o museu?'],
  ['Подскажите, пожалуйста, когда открыт музей?', 'Когда открыт музей?'],
])('%j asks %j', (question, bare) => {
  expect(bareQuestion(question)).toBe(bare);
});

it.each([
  'Who owns the boat?',
  'According to the report of May, who owns the boat?', // one of several
  'Where in the documents is the boat?',
  'Who knows what the port is?', // asks for who knows it
  'Can you explain the pump?',
  'Tell me about the lease',
  'What does "hello" print?',
  'Hello world program: where is it?',
  'What is the please option?',
  'Well depth of the borehole?',
  'May I know the password?',
  'Can you tell me?',
  'Hi',
  'Thanks!',
  'please',
  '',
  '?',
])('leaves %j as it is', (question) => {
  expect(bareQuestion(question)).toBe(question);
});
