import { expect, it } from 'vitest';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';

const text = 'The Bank of Norland was founded in 1871. It had nine governors in 1863.';
const about = (question: string, more = '') =>
  ask(question, [hitOf(chunkOf(text + more, { title: 'Banks', uri: 'banks.md' }))]);

it.each([
  ['When was the Bank of Norland founded?', '', 'high'],
  ['When was the Bank of Quayport founded?', '', 'low'],
  ['When was the Bank of the Isles founded?', '', 'low'],
  ['When was the Bank of Quayport founded?', ' The Bank of Quayport came later.', 'low'], // the sentence is of another
  ['When did the Bank of Quayport have governors?', ' The Bank of Quayport came later.', 'high'], // named beside
  ['When was the Bank of Norlund founded?', '', 'high'], // misspelt
])('the thing of another name is in doubt: %s%s', (question, more, confidence) => {
  expect(about(question, more).confidence).toBe(confidence);
});

it('knows the thing by the title of its page', () => {
  const hit = hitOf(
    chunkOf('It had nine governors in 1863.', { title: 'Supreme_Bank_of_the_United_Isles', uri: 'a.pdf' }),
  );
  expect(ask('How many governors did the Supreme Bank of Norland have in 1863?', [hit]).confidence).toBe('low');
  expect(ask('How many governors did the Supreme Bank of the United Isles have in 1863?', [hit]).confidence).toBe(
    'high',
  );
});

it('that other documents name that name is not enough', () => {
  const bank = hitOf(chunkOf(text, { title: 'Banks', uri: 'banks.md' }));
  const town = hitOf(chunkOf('Quayport was founded in 1402.', { title: 'Quayport', uri: 'quayport.md' }), 0.4);
  expect(ask('When was the Bank of Norland founded?', [bank, town]).confidence).toBe('high');
  const other = ask('When was the Bank of Quayport founded?', [bank, town]);
  expect(other.citations[0]!.uri).toBe('banks.md');
  expect(other.confidence).toBe('low');
});
