import { RunnableSequence } from '@langchain/core/runnables';
import type { SearchIndex } from '../../src/index.ts';
import { IbidRetriever } from '../../src/langchain.ts';

/** A chain of LangChain.js whose first step searches an index; each passage carries its citation. */
export function passagesChain(index: SearchIndex): RunnableSequence<string, string> {
  return RunnableSequence.from([
    new IbidRetriever({ index, limit: 3 }),
    (documents: { pageContent: string; id?: string }[]) =>
      documents.map(({ pageContent, id }) => `${pageContent.trim()} (${id})`).join('\n'),
  ]);
}
