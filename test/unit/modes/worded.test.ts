import { expect, it } from 'vitest';
import { type AskOptions, openIndex } from '../../../src/index.ts';
import { tempFolder } from '../../support/temp.ts';

const text = `# Club

In 1970 the boathouse was built by Thomas Becket. The treasurer is Ann Moor.

The committee meets on Mondays. The waiting list has 31 names.
`;
const mode: AskOptions = { mode: 'extractive' };

it('answers a question in other wordings as it answers the question', async () => {
  const base = tempFolder();
  await using index = await openIndex(`${base}/.ibid`, { create: true, base });
  await index.add([{ uri: 'club.md', text }]);
  const said = async (question: string): Promise<unknown> => {
    const { answer, confidence, citations } = await index.ask(question, mode);
    return { answer, confidence, quotes: citations.map(({ quote }) => quote) };
  };
  const wordings = [
    ['Who is the treasurer?', 'Hi! Can you tell me who the treasurer is, please?', 'who is the treasuerr?'],
    [
      'When does the committee meet?',
      'I would like to know when does the committee meet',
      'when does the comittee meet?',
    ],
    ['Who built the boathouse?', 'Do you know who built the boathouse?', 'who built the boathuose?'],
  ];
  for (const [question, ...others] of wordings)
    for (const other of others)
      expect({ other, ...((await said(other)) as object) }).toEqual({ other, ...((await said(question!)) as object) });
});

it('says which words an answer rests on, and keeps the question', async () => {
  const base = tempFolder();
  await using index = await openIndex(`${base}/.ibid`, { create: true, base });
  await index.add([{ uri: 'club.md', text }]);
  const misspelt = await index.ask('when does the comittee meet?', mode);
  expect(misspelt.question).toBe('when does the comittee meet?');
  expect(misspelt.report?.corrected).toBe('when does the committee meet?');
  const polite = await index.ask('Can you tell me when the committee meets?', mode);
  expect(polite.question).toBe('Can you tell me when the committee meets?');
  expect(polite.report?.corrected).toBeUndefined();
});

it('understands a polite follow-up', async () => {
  const base = tempFolder();
  await using index = await openIndex(`${base}/.ibid`, { create: true, base });
  await index.add([{ uri: 'club.md', text }]);
  const question = 'Hello, do you know who the treasurer is?';
  const { answer } = await index.ask(question, mode);
  const history = [
    { role: 'user' as const, text: question },
    { role: 'assistant' as const, text: answer },
  ];
  const next = await index.ask('Thanks! And could you tell me how many names the waiting list has?', {
    ...mode,
    history,
  });
  expect(next.answer).toContain('31 names');
});

it('knows whom a polite follow-up means', async () => {
  const base = tempFolder();
  await using index = await openIndex(`${base}/.ibid`, { create: true, base });
  const life =
    '# Ann Moor\n\nAnn Moor was born in Hull in 1961. She keeps bees.\n\n# Tor Ask\n\nTor Ask was born in Oslo in 1950.\n';
  await index.add([
    { uri: 'club.md', text },
    { uri: 'lives.md', text: life },
  ]);
  const question = 'Who is the treasurer?';
  const history = [
    { role: 'user' as const, text: question },
    { role: 'assistant' as const, text: (await index.ask(question, mode)).answer },
  ];
  const plain = await index.ask('When was she born?', { ...mode, history });
  const polite = await index.ask('Could you tell me when she was born, please?', { ...mode, history });
  expect(plain.answer).toContain('1961');
  expect(polite.answer).toBe(plain.answer);
});
