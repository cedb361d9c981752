import { expect, it } from 'vitest';
import { openIndex } from '../../../src/index.ts';
import { tempFolder } from '../../support/temp.ts';

it('finds what stands at the end of an entry that goes on over several passages', async () => {
  const base = tempFolder();
  await using index = await openIndex(`${base}/.ibid`, { create: true, base });
  const says = Array.from({ length: 70 }, (_, i) => `Rope ${i} of the winch is looked at before it hauls.`).join(' ');
  const entry = (name: string, back: string): string =>
    `<dl><dt>class ${name}(slow)</dt><dd><p>${says}</p><p>Parameters:</p><ul><li>slow (bool) – ${back}</li></ul></dd></dl>`;
  const page = (title: string, ...entries: string[]): Uint8Array =>
    new TextEncoder().encode(`<html><head><title>${title}</title></head><body>${entries.join('\n')}</body></html>`);
  await index.add([
    { uri: 'a.html', content: page('Winches', entry('quay.Winch', 'hauls by night'), entry('quay.Hoist', 'by day')) },
    { uri: 'b.html', content: page('Others', '<p>quay.Winch and quay.Hoist are old.</p>', entry('x.Lamp', 'is lit')) },
  ]);
  const ask = (question: string, where?: { uri: string }) =>
    index.ask(question, { mode: 'extractive', ...(where && { where }) });
  const { answer, confidence } = await ask('What is the slow parameter of quay.Winch?');
  expect(answer).toContain('hauls by night');
  expect(confidence).toBe('high');
  expect((await ask('What is the slow parameter of quay.Hoist?')).answer).toContain('by day');
  const { hits } = await ask('What is the slow parameter of quay.Winch?', { uri: 'b.html' });
  expect(new Set(hits.map(({ chunk }) => chunk.uri))).toEqual(new Set(['b.html']));
});
