import { anything, type Check, choose, flag, integer, list, number, oneOf, record, tagged, text } from '../shape.ts';

const model = text({ min: 1 });
const some = text({ min: 1 });

const toolCall = record({
  id: some,
  type: oneOf('function'),
  function: record({ name: some, arguments: text() }),
});
const parts = list(
  tagged('type', {
    text: { text: text() },
    image_url: { image_url: record({ url: some, 'detail?': text() }) },
  }),
  { min: 1 },
);
const message = tagged('role', {
  system: { content: text() },
  developer: { content: text() },
  user: { content: choose((value) => (typeof value === 'string' ? text() : parts)) },
  assistant: {
    'content?': choose((value) => (value === null ? anything : text())),
    'tool_calls?': list(toolCall, { min: 1 }),
  },
  tool: { content: text(), tool_call_id: some },
});
const tool = record({
  type: oneOf('function'),
  function: record({
    name: text({ pattern: /^[\w-]{1,64}$/ }),
    'description?': text(),
    'parameters?': anything,
    'strict?': flag,
  }),
});

type Operation = 'embeddings' | 'chat' | 'rerank' | 'teiRerank' | 'speech';

/** What each operation takes; a field that is not named is refused. */
export const bodies: Readonly<Record<Operation, Check>> = {
  embeddings: record({
    model,
    input: choose((value) => (typeof value === 'string' ? some : list(some, { min: 1, max: 2048 }))),
    'dimensions?': integer(1),
    'encoding_format?': oneOf('float', 'base64'),
  }),
  chat: record({
    model,
    messages: list(message, { min: 1 }),
    'max_tokens?': integer(1),
    'max_completion_tokens?': integer(1),
    'temperature?': number(0, 2),
    'top_p?': number(0, 1),
    'seed?': integer(),
    'stop?': anything,
    'tools?': list(tool, { min: 1 }),
    'tool_choice?': choose((value) => (typeof value === 'string' ? oneOf('none', 'auto', 'required') : anything)),
    'parallel_tool_calls?': flag,
    'response_format?': tagged('type', {
      text: {},
      json_object: {},
      json_schema: { json_schema: record({ name: some, schema: anything, 'strict?': flag }) },
    }),
    'stream?': flag,
    'stream_options?': record({ 'include_usage?': flag }),
  }),
  rerank: record({ 'model?': model, query: some, documents: list(text(), { min: 1 }), 'top_n?': integer(1) }),
  teiRerank: record({
    query: some,
    texts: list(text(), { min: 1 }),
    'truncate?': flag,
    'raw_scores?': flag,
    'return_text?': flag,
  }),
  speech: record({
    model,
    input: some,
    voice: some,
    'response_format?': oneOf('mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'),
    'speed?': number(0.25, 4),
    'instructions?': text(),
  }),
};

/** Parts of a transcription. */
export const formFields: readonly string[] = [
  'file',
  'model',
  'language',
  'prompt',
  'temperature',
  'response_format',
  'timestamp_granularities[]',
];
