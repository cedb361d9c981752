import * as v from 'valibot';
import type { CacheControl, SentMessage, SystemBlock } from './types.ts';

/**
 * Content blocks as clients may send them: every object strict, so that a key the reference does not name is refused at
 * any depth.
 */

export const cacheControl: v.GenericSchema<unknown, CacheControl> = v.strictObject({
  type: v.literal('ephemeral'),
  ttl: v.optional(v.picklist(['5m', '1h'])),
});
const cached = { cache_control: v.optional(cacheControl) };
const citationsSwitch = v.optional(v.strictObject({ enabled: v.boolean() }));
const text = v.pipe(
  v.string(),
  v.check((value) => /\S/u.test(value), 'text content blocks must contain non-whitespace text'),
);
const index = v.pipe(v.number(), v.integer(), v.minValue(0));
const title = v.nullable(v.string());

const citation = v.variant('type', [
  v.strictObject({
    type: v.literal('char_location'),
    cited_text: v.string(),
    document_index: index,
    document_title: title,
    start_char_index: index,
    end_char_index: index,
  }),
  v.strictObject({
    type: v.literal('page_location'),
    cited_text: v.string(),
    document_index: index,
    document_title: title,
    start_page_number: index,
    end_page_number: index,
  }),
  v.strictObject({
    type: v.literal('content_block_location'),
    cited_text: v.string(),
    document_index: index,
    document_title: title,
    start_block_index: index,
    end_block_index: index,
  }),
  v.strictObject({
    type: v.literal('search_result_location'),
    cited_text: v.string(),
    search_result_index: index,
    source: v.string(),
    title,
    start_block_index: index,
    end_block_index: index,
  }),
  v.strictObject({
    type: v.literal('web_search_result_location'),
    cited_text: v.string(),
    url: v.string(),
    title,
    encrypted_index: v.string(),
  }),
]);

const textBlock = v.strictObject({
  type: v.literal('text'),
  text,
  ...cached,
  citations: v.optional(v.nullable(v.array(citation))),
});
/** Text inside a search result or a `content` document: no marks of its own. */
const innerText = v.strictObject({ type: v.literal('text'), text });

const base64 = v.pipe(
  v.string(),
  v.check((value) => /^[A-Za-z0-9+/]+={0,2}$/.test(value) && value.length % 4 === 0, 'invalid base64 data'),
);
const fileSource = v.strictObject({ type: v.literal('file'), file_id: v.string() });
const urlSource = v.strictObject({ type: v.literal('url'), url: v.pipe(v.string(), v.url()) });
const imageSource = v.variant('type', [
  v.strictObject({
    type: v.literal('base64'),
    media_type: v.picklist(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
    data: base64,
  }),
  urlSource,
  fileSource,
]);
const imageBlock = v.strictObject({ type: v.literal('image'), source: imageSource, ...cached });
const documentSource = v.variant('type', [
  v.strictObject({ type: v.literal('base64'), media_type: v.literal('application/pdf'), data: base64 }),
  v.strictObject({
    type: v.literal('text'),
    media_type: v.literal('text/plain'),
    data: v.pipe(v.string(), v.minLength(1)),
  }),
  urlSource,
  fileSource,
  v.strictObject({
    type: v.literal('content'),
    content: v.union([v.string(), v.pipe(v.array(v.variant('type', [innerText, imageBlock])), v.minLength(1))]),
  }),
]);
const documentBlock = v.strictObject({
  type: v.literal('document'),
  source: documentSource,
  title: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(500)))),
  context: v.optional(v.nullable(v.string())),
  citations: citationsSwitch,
  ...cached,
});
const searchResultBlock = v.strictObject({
  type: v.literal('search_result'),
  source: v.string(),
  title: v.string(),
  content: v.pipe(v.array(innerText), v.minLength(1)),
  citations: citationsSwitch,
  ...cached,
});

const either = <A extends v.GenericSchema, B extends v.GenericSchema>(scalar: A, blocks: B): v.LazySchema<A | B> =>
  v.lazy((input) => (Array.isArray(input) ? blocks : scalar));

const toolResultBlock = v.strictObject({
  type: v.literal('tool_result'),
  tool_use_id: v.pipe(v.string(), v.regex(/^[a-zA-Z0-9_-]+$/)),
  content: v.optional(
    either(v.string(), v.array(v.variant('type', [textBlock, imageBlock, documentBlock, searchResultBlock]))),
  ),
  is_error: v.optional(v.boolean()),
  ...cached,
});
const containerUpload = v.strictObject({ type: v.literal('container_upload'), file_id: v.string(), ...cached });

const caller = v.optional(v.strictObject({ type: v.string(), tool_id: v.optional(v.string()) }));
const toolUseBlock = v.strictObject({
  type: v.literal('tool_use'),
  id: v.pipe(v.string(), v.regex(/^[a-zA-Z0-9_-]+$/)),
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  input: v.record(v.string(), v.unknown()),
  caller,
  ...cached,
});
const thinkingBlock = v.strictObject({ type: v.literal('thinking'), thinking: v.string(), signature: v.string() });
const redactedBlock = v.strictObject({ type: v.literal('redacted_thinking'), data: v.string() });
const compactionBlock = v.strictObject({
  type: v.literal('compaction'),
  content: v.nullable(v.string()),
  encrypted_content: v.optional(v.nullable(v.string())),
  ...cached,
});
const serverToolUse = v.strictObject({
  type: v.literal('server_tool_use'),
  id: v.pipe(v.string(), v.regex(/^srvtoolu_[a-zA-Z0-9_]+$/)),
  name: v.string(),
  input: v.record(v.string(), v.unknown()),
  caller,
  ...cached,
});
/** Results of native tools: their inside is compared with what was issued instead of a schema. */
const serverResult = <T extends string>(type: T) =>
  v.strictObject({ type: v.literal(type), tool_use_id: v.string(), content: v.unknown(), caller, ...cached });

const userBlock = v.variant('type', [
  textBlock,
  imageBlock,
  documentBlock,
  searchResultBlock,
  toolResultBlock,
  containerUpload,
]);
const assistantBlock = v.variant('type', [
  textBlock,
  toolUseBlock,
  thinkingBlock,
  redactedBlock,
  compactionBlock,
  serverToolUse,
  serverResult('web_search_tool_result'),
  serverResult('web_fetch_tool_result'),
  serverResult('code_execution_tool_result'),
  serverResult('bash_code_execution_tool_result'),
  serverResult('text_editor_code_execution_tool_result'),
]);

const stringContent = v.pipe(
  v.string(),
  v.check((value) => /\S/u.test(value), 'text content blocks must contain non-whitespace text'),
);
export const message: v.GenericSchema<unknown, SentMessage> = v.variant('role', [
  v.strictObject({ role: v.literal('user'), content: either(stringContent, v.array(userBlock)) }),
  v.strictObject({ role: v.literal('assistant'), content: either(stringContent, v.array(assistantBlock)) }),
]);
export const systemText: v.GenericSchema<unknown, string | SystemBlock[]> = either(
  v.string(),
  v.array(v.strictObject({ type: v.literal('text'), text, ...cached })),
);
