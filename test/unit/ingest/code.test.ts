import { expect, it } from 'vitest';
import { titleFromName } from '../../../src/ingest/title.ts';
import { parseCode } from '../../../src/read/code/code.ts';
import { search } from '../../../src/retrieve/search.ts';
import { chunkDocument } from '../../../src/text/chunk/chunk.ts';
import { type MemoryDocument, memorySnapshot } from '../../support/memory-snapshot.ts';

it('titles code by its whole name, and other files without extension', () => {
  expect(
    ['src/pump.c', 'src/pump.h', 'PUMP.PY', 'notes/pump.md', 'pump.tar.gz', 'Makefile'].map(titleFromName),
  ).toEqual(['pump.c', 'pump.h', 'PUMP.PY', 'pump', 'pump.tar', 'Makefile']);
});

it('finds code by its language, which stands nowhere in it', async () => {
  const cut = (name: string, text: string): MemoryDocument => {
    const document = { uri: name, ...parseCode(text, { name }), title: titleFromName(name) };
    return { uri: name, title: document.title, chunks: chunkDocument(document) };
  };
  const documents = [
    cut('pump.py', 'def start_pump(level):\n    return level > 3\n'),
    cut('pump.rs', 'fn start_pump(level: u32) -> bool {\n    level > 3\n}\n'),
    { uri: 'pump.md', title: 'Pump', chunks: [{ text: 'How to start the pump.' }] },
    ...Array.from({ length: 20 }, (_, i) => ({ uri: `${i}.md`, title: '', chunks: [{ text: `The level is ${i}.` }] })),
  ];
  const snapshot = await memorySnapshot(documents);
  const code = async (query: string): Promise<string[]> =>
    (await search(snapshot, undefined, query)).map(({ chunk: { uri } }) => uri).filter((uri) => !uri.endsWith('.md'));
  expect(await code('start pump')).toEqual(['pump.py', 'pump.rs']);
  expect(await code('start pump rust')).toEqual(['pump.rs', 'pump.py']);
  expect(await code('start pump python')).toEqual(['pump.py', 'pump.rs']);
  expect(await code('rust')).toEqual(['pump.rs']);
});
