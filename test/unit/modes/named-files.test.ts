import { describe, expect, it } from 'vitest';
import { isFileNamed, wordsOfName } from '../../../src/answer/sentences/question/file-name.ts';
import { openIndex } from '../../../src/index.ts';
import { documentNamed } from '../../../src/text/languages/document-names.ts';
import { tempFolder } from '../../support/temp.ts';

describe('what a document says that only its file name calls so', () => {
  it('is found and answered, and of another document with such letters not', async () => {
    const base = tempFolder();
    await using index = await openIndex(`${base}/.ibid`, { create: true, base });
    const agreement =
      '# Agreement\n\nBetween the two firms the following holds.\n\nPlans are given back within nine days when the other side asks.\n\nWhoever breaks a promise owes 7,000 crowns for each case.\n';
    const other = (i: number) =>
      `# Minutes ${i}\n\nWe spoke of breaking the ice on pond ${i}. The calendar of ${i} hangs in the hall.`;
    await index.add([
      { uri: 'papers/NDA_kestrel2025.md', text: agreement },
      ...Array.from({ length: 30 }, (_, i) => ({ uri: `minutes/agenda-${i}.md`, text: other(i) })),
    ]);
    const { answer, hits } = await index.ask('What does the NDA say about breaking a promise?', { mode: 'extractive' });
    expect(answer).toContain('7,000 crowns');
    expect(hits.some(({ chunk }) => chunk.uri === 'papers/NDA_kestrel2025.md')).toBe(true);
    const within = await index.ask('What does the NDA say about breaking a promise?', {
      mode: 'extractive',
      where: { uri: { like: 'minutes/%' } },
    });
    expect(within.hits.every(({ chunk }) => chunk.uri.startsWith('minutes/'))).toBe(true);
  });

  it.each([
    ['What does the Kestrel NDA say about prices?', 'Kestrel NDA'],
    ["What does Ann's CV say about languages?", 'Ann CV'],
    ['How long is silence kept in the NDA?', 'NDA'],
    ['According to the lease, who paints the walls?', 'lease'],
    ['Was steht in der Hausordnung über Hunde?', 'Hausordnung'],
    ['Que dit le bail sur les animaux ?', 'bail'],
    ['¿Qué dice el contrato sobre la fianza?', 'contrato'],
    ['Who paints the walls in the office?', undefined],
  ])('%s', (question, name) => {
    expect(documentNamed(question)).toBe(name);
  });

  it.each([
    ['a/nda-kestrel.md', 'What does the NDA say?', true],
    ['a/KestrelNDA2025.docx', 'What does the NDA say?', true],
    ['a/agenda.md', 'What does the NDA say?', false],
    ['nda/prices.md', 'What does the NDA say?', false],
    ['a/nda-kestrel.md', 'What does the Merlin NDA say?', false],
  ])('%s: %s', (uri, question, isNamed) => {
    expect(isFileNamed(uri, wordsOfName(question))).toBe(isNamed);
  });
});
