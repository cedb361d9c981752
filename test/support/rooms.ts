/** A folder of `src/`. It imports from lower floors only; rooms on one floor do not know each other. */
export interface Room {
  readonly floor: number;
  readonly name: string;
  /** What the room turns into what. */
  readonly does: string;
  /** Packages that are imported in this room and, unless another room owns them too, nowhere else. */
  readonly owns?: readonly string[];
}

export const rooms: readonly Room[] = [
  { floor: 0, name: 'core', does: 'shared types, errors, tasks, money, reports, async helpers', owns: ['p-limit'] },
  {
    floor: 1,
    name: 'text',
    does: 'string → normalised text, tokens, sentences, chunks with spans; every list of function words',
    owns: ['gpt-tokenizer', 'stemmer'],
  },
  { floor: 1, name: 'eval', does: 'judgements and rankings → nDCG, recall, intervals; mean and quantile' },
  { floor: 1, name: 'lexical', does: 'terms ↔ compressed postings' },
  { floor: 1, name: 'vector', does: 'int8 rows and sign planes → nearest neighbours; the WebAssembly assembler' },
  {
    floor: 1,
    name: 'transcribe',
    does: 'sound → words with times: parts, seams, what was paid; the `Transcriber` contract',
  },
  {
    floor: 1,
    name: 'wire',
    does: 'typed HTTP clients of the three services; knows no chunk and no index',
    owns: ['undici', 'eventsource-parser', '@opentelemetry/api'],
  },
  {
    floor: 2,
    name: 'read',
    does: 'bytes of a file → `Document`, by family of formats',
    owns: [
      'unpdf',
      'htmlparser2',
      'markdown-it',
      'saxes',
      'chardet',
      'smol-toml',
      'yaml',
      'hyparquet',
      'apache-arrow',
      'music-metadata',
    ],
  },
  {
    floor: 2,
    name: 'embed',
    does: 'chunks grouped by document → int8 vectors: the `Embedder` contract and who keeps it',
  },
  { floor: 2, name: 'speak', does: 'text → sound with times, captions, what it cost; the `Speaker` contract' },
  {
    floor: 3,
    name: 'store',
    does: 'chunks and vectors ↔ LanceDB: tables, segments, generations, manifest, filters',
    owns: ['@lancedb/lancedb', 'apache-arrow'],
  },
  { floor: 4, name: 'ingest', does: 'source → read, cut, embed, store; reconciled and resumable', owns: ['ignore'] },
  {
    floor: 4,
    name: 'retrieve',
    does: 'query → ranked hits of one snapshot; the reranking stage and the `Reranker` contract',
  },
  {
    floor: 5,
    name: 'queue',
    does: 'files of a run → parts beside the index, cut and embedded by other processes; what a queue holds',
    owns: ['bullmq', 'ioredis'],
  },
  { floor: 5, name: 'answer', does: 'hits → answer with proven citations; the `LanguageModel` contract' },
  {
    floor: 6,
    name: 'web',
    does: 'the live web beside an index: query variants, merge, snapshots; the `WebSearch` contract',
  },
  {
    floor: 7,
    name: 'passages',
    does: 'query → hits of index, web and reranker, with a report; a cited span in its context',
  },
  { floor: 7, name: 'services', does: 'wire clients dressed as the contracts; the parts an index works with' },
  { floor: 7, name: 'testing', does: 'checks of each contract for any test runner, and fakes' },
  {
    floor: 8,
    name: 'modes',
    does: 'question → who answers: extractive, grounded, agent, research, answer service, batch',
  },
  {
    floor: 8,
    name: 'overview',
    does: 'what a corpus says → a script of two voices, each sentence proven; its sound and its page',
  },
  { floor: 8, name: 'quality', does: 'judged questions → scores: tune, gate, evaluate, compare two embedders' },
  {
    floor: 9,
    name: 'bridges',
    does: 'an index as parts of other libraries, and their models as ours',
    owns: ['@langchain/core', 'ai'],
  },
  { floor: 9, name: 'search-index', does: 'options → a wired, closable `SearchIndex`' },
  {
    floor: 10,
    name: 'serve',
    does: '`SearchIndex` → HTTP: the page, our API, dialects of others, MCP; who may read what',
    owns: ['@modelcontextprotocol/server', '@opentelemetry/api'],
  },
  {
    floor: 12,
    name: 'cli',
    does: 'argv → `SearchIndex`, through the doors',
    owns: ['commander', 'cli-progress', 'hyparquet-writer'],
  },
];

/** The files beside the rooms: what a package, a command, a bench or a test of ours may import. */
export const doors: Readonly<Record<string, string>> = {
  'index.ts': '`ibid`: open, ingest, add, search, ask, show',
  'eval.ts': '`ibid/eval`: metrics, judged folders, tuning, the gate',
  'ai.ts': '`ibid/ai`: a tool, a model and a writer for the AI SDK',
  'langchain.ts': '`ibid/langchain`: a retriever and a vector store for LangChain.js',
  'models.ts': '`ibid/models`: models of your own server as parts of an index',
  'testing.ts': '`ibid/testing`: checks of the contracts, fakes',
  'wire.ts': '`ibid/wire`: the clients of the services, tool loops, long speech',
  'queue.ts': '`ibid/queue`: an ingest over several processes or machines',
  'serve.ts': '`ibid/serve`: an index over HTTP and MCP, tokens',
  'internal.ts': 'what the benches must see inside; not in the package',
};

/** The floor of the doors. */
export const doorFloor = 11;

/** The table of `src/README.md`. */
export function roomTable(): string {
  const rows = rooms.map(
    ({ floor, name, does, owns = [] }) => `| ${floor} | \`${name}/\` | ${does} | ${owns.join(', ')} |`,
  );
  const entries = Object.entries(doors).map(([file, does]) => `| ${doorFloor} | \`${file}\` | ${does} | |`);
  const at = rows.length - 1; // the doors stand below the command line
  return [
    '| floor | room | turns what into what | owns the package |',
    '| --: | --- | --- | --- |',
    ...rows.slice(0, at),
    ...entries,
    ...rows.slice(at),
  ].join('\n');
}
