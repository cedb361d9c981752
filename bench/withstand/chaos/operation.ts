/** A process that changes an index, for scenarios that end or disturb it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { judgedQuestion, tuneFolder } from '../../../src/eval.ts';
import { IbidError, type OpenIndexOptions, openIndex, type SearchIndex, writeSettings } from '../../../src/index.ts';
import { fakeEmbedder, fakeWebSearch } from '../../../src/testing.ts';
import { DOCUMENTS, libraryOf, nameOf, writeLibrary } from './library.ts';

export const operations = ['ingest', 'first', 'rebuild', 'remove', 'add', 'reembed', 'repair', 'tune'] as const;
export type OperationName = (typeof operations)[number];

export const addressOf = (root: string): string => join(root, '.ibid');

export interface Order {
  readonly operation: OperationName | 'versions' | 'pages';
  readonly root: string;
  readonly waitMs?: number;
  /** After a failure: waits until this file exists, and runs again in the same process. */
  readonly again?: string;
  /** `versions`: how many ingests. */
  readonly many?: number;
  /** `pages`: which of the processes this is. */
  readonly self?: number;
}

export const indexOptions: OpenIndexOptions = { embedder: fakeEmbedder(16) };
export const given: readonly { uri: string; text: string }[] = Array.from({ length: 6 }, (_, i) => ({
  uri: `note:${i}`,
  text: `Note ${i} says that Version 0 of document ${i} is kept. `.repeat(12),
}));

/** For `tune`: each is answered by one document. */
const questions = Array.from({ length: 30 }, (_, n) => {
  const i = 1 + (n % (DOCUMENTS - 1));
  return judgedQuestion('own', `paragraph ${n % 5} at ${nameOf(i)}`, [{ uri: `docs/${i % 5}/document-${i}.md` }]);
});

/** An index that `reembed` has switched has the local embedder; one that is damaged or only begun tells nothing. */
export async function optionsOf(address: string): Promise<OpenIndexOptions> {
  if (!existsSync(join(address, 'lance'))) return indexOptions;
  try {
    await using index = await openIndex(address, indexOptions);
    const { embedder } = await index.status();
    return embedder?.startsWith('local-') ? {} : indexOptions;
  } catch (error) {
    if (error instanceof IbidError && /^INDEX_(?:DAMAGED|NOT_FOUND)$/.test(error.code)) return indexOptions;
    throw error;
  }
}

const small = { force: true, commit: { chunks: 8 } } as const;

/** Runs one operation to its end. */
export async function operate(index: SearchIndex, { operation, root, many = 1, self = 0 }: Order): Promise<void> {
  const docs = join(root, 'docs');
  switch (operation) {
    case 'ingest':
    case 'first':
      await index.ingest(docs, small);
      return;
    case 'rebuild':
      await index.ingest(docs, { ...small, rebuild: true });
      return;
    case 'remove':
      await index.remove(['docs/1', 'docs/2/document-2.md', 'docs/mail.eml'], { force: true });
      return;
    case 'add':
      await index.add(given.map((one) => ({ ...one, text: `${one.text}It was added again.` })));
      await index.add(given.slice(3).map((one) => ({ ...one, uri: `${one.uri}-new` })));
      return;
    case 'reembed': {
      const { embedder } = await index.status();
      if (!embedder?.startsWith('local-')) await index.reembed({ to: 'local', switch: 'always', sample: 8 });
      return;
    }
    case 'repair':
      await index.repair();
      return;
    case 'tune': {
      const report = await tuneFolder([docs], { base: root, exclude: index.address, questions, minutes: 2 });
      writeSettings(index.address, { search: report.search.tuning ?? {} });
      return;
    }
    case 'versions':
      for (let version = 2; version < many + 2; version++) {
        writeLibrary(root, libraryOf(version));
        await index.ingest(docs, { ...small, rebuild: version % 6 === 0 });
        process.send?.(version);
      }
      return;
    case 'pages':
      for (let n = 0; n < many; n++) {
        const { hits } = await index.search(`page${self}x${n} tide`, { web: true, limit: 20 });
        if (!hits.some(({ chunk }) => chunk.text.includes(`page${self}x${n}`))) throw new Error('the page is missing');
      }
  }
}

/** Pages of the web that each process of `pages` finds on its own. */
function pagesOf(self: number, many: number): OpenIndexOptions {
  const page = (n: number): string => `The page page${self}x${n} is about the tide, as ${n} others are. `.repeat(8);
  const pages = Array.from({ length: many }, (_, n) => ({
    url: `https://pages.example/${self}/${n}`,
    title: `Page ${self}x${n}`,
    extracts: [page(n)],
  }));
  return { models: { web: fakeWebSearch(pages) } };
}

async function main(order: Order): Promise<void> {
  const address = addressOf(order.root);
  const pages = order.operation === 'pages' ? pagesOf(order.self ?? 0, order.many ?? 1) : {};
  const index = await openIndex(address, {
    ...(await optionsOf(address)),
    ...pages,
    create: true,
    waitMs: order.waitMs,
  });
  try {
    await operate(index, order);
  } catch (error) {
    if (order.again === undefined) throw error;
    process.send?.(`failed ${codeOf(error)}`);
    while (!existsSync(order.again)) await sleep(20);
    await operate(index, order);
  } finally {
    await index.close();
  }
}

export function codeOf(error: unknown): string {
  return error instanceof IbidError ? error.code : `NOT AN ERROR OF OURS: ${String(error)}`;
}

if (process.argv[1] === import.meta.filename) {
  try {
    await main(JSON.parse(process.argv[2]!) as Order); // written by `start`
  } catch (error) {
    process.send?.(`failed ${codeOf(error)} ${error instanceof Error ? error.message : ''}`);
    process.exitCode = 1;
  }
  process.disconnect?.();
}
