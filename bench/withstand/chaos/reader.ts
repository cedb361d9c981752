/** A process that reads an index again and again while others write to it. */
import { type ExportedChunk, openIndex } from '../../../src/index.ts';
import { DOCUMENTS, documentsOf, nameOf } from './library.ts';
import { addressOf, indexOptions } from './operation.ts';
import { told } from './world.ts';

/** What a reader saw in all. */
export interface Seen {
  readonly reads: number;
  readonly wrong: readonly string[];
  /** The version it sees when the writer has ended. */
  readonly last: number;
  /** Exports that began before a rebuild switched and were told to begin again. */
  readonly outdated: number;
}

const MOST_TOLD = 20;

/** Reads until the parent says `end`, then once more. */
async function read(root: string): Promise<Seen> {
  const wrong = new Set<string>();
  const newest = new Map<string, number>();
  let ended = false;
  let reads = 0;
  let outdated = 0;
  process.on('message', () => {
    ended = true;
  });
  const saw = (what: string): void => {
    if (wrong.size < MOST_TOLD) wrong.add(what);
  };
  await using index = await openIndex(addressOf(root), indexOptions);
  const exported = async (): Promise<number[]> => {
    let chunks: ExportedChunk[] = [];
    for (let attempt = 0; ; attempt++) {
      try {
        chunks = await Array.fromAsync(index.export());
        break;
      } catch (error) {
        if (attempt === 3 || !told(error).includes('of this snapshot were replaced')) throw error;
        outdated++;
      }
    }
    const { broken, documents } = documentsOf(chunks);
    for (const what of broken) saw(`export: ${what}`);
    for (const [uri, { version }] of documents) {
      if (!uri.startsWith('docs/')) continue;
      if (version < (newest.get(uri) ?? 0)) saw(`export: ${uri} goes back from ${newest.get(uri)} to ${version}`);
      newest.set(uri, version);
    }
    if (documents.size < DOCUMENTS) saw(`export: only ${documents.size} documents`);
    return [...documents].flatMap(([uri, { version }]) => (uri.startsWith('docs/') ? [version] : []));
  };
  const ways: readonly (() => Promise<unknown>)[] = [
    exported,
    async () => {
      const i = 1 + (reads % (DOCUMENTS - 1));
      const { hits } = await index.search(nameOf(i), { limit: 10 });
      if (!hits.some(({ chunk }) => chunk.uri.endsWith(`document-${i}.md`))) saw(`search: document ${i} is missing`);
      for (const { chunk } of hits) {
        if (!chunk.uri.startsWith('docs/')) continue;
        const version = Number(/Version (\d+) of/.exec(chunk.text)?.[1] ?? Number.MAX_SAFE_INTEGER);
        if (version < (newest.get(chunk.uri) ?? 0)) saw(`search: ${chunk.uri} goes back to version ${version}`);
      }
    },
    async () => await index.ask('What does note 2 say?'),
    () => index.status(),
    async () => {
      for (const { check, ok, detail } of await index.check()) {
        if (!ok && check !== 'manifest') saw(`check ${check}: ${detail}`);
      }
    },
    () => Array.fromAsync(index.documents()),
  ];
  while (!ended) {
    const way = ways[reads % 2 === 0 ? 1 : ((reads >> 1) * 5 + (reads >> 4)) % ways.length]!;
    await way().catch((error: unknown) => saw(`read ${ways.indexOf(way)}: ${told(error)}`));
    reads++;
  }
  const versions = await exported().catch((error: unknown) => {
    saw(`at the end: ${told(error)}`);
    return [-1];
  });
  return { reads, wrong: [...wrong], last: Math.min(...versions), outdated };
}

if (process.argv[1] === import.meta.filename) {
  process.send?.('ready');
  process.send?.(await read(process.argv[2]!));
  process.disconnect?.();
}
