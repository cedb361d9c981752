import { openIndex } from '../../src/index.ts';
import { modelServer } from '../../src/models.ts';

/** Vectors, answers and scores by models on the caller's own machine: Ollama, llama.cpp, vLLM, LM Studio and others. */
export async function askOwnServer(address: string, baseUrl: string, question: string): Promise<string[]> {
  await using server = modelServer({ baseUrl });
  await using index = await openIndex(address, {
    create: true,
    embedder: server.embedder({ model: 'embedder', queryPrefix: 'query: ', documentPrefix: 'passage: ' }),
    models: { writer: server.writer({ model: 'writer' }), reranker: server.reranker({ model: 'reranker' }) },
  });
  await index.add([{ uri: 'note:1', title: 'Lamp', text: 'The lamp burns rapeseed oil. The keeper trims the wick.' }]);
  const { citations } = await index.ask(question, { rerank: true });
  return citations.map(({ quote }) => quote);
}
