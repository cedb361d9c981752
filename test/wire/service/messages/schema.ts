import * as v from 'valibot';
import type { Dialect } from '../contract.ts';
import { cacheControl, message, systemText } from './schema-blocks.ts';
import type { BatchBody, CountBody, CreateBody } from './types.ts';

const toolName = v.pipe(v.string(), v.regex(/^[a-zA-Z0-9_-]{1,64}$/));
const jsonSchema = v.looseObject({ type: v.literal('object') });
const customExtras = {
  type: v.optional(v.literal('custom')),
  description: v.optional(v.string()),
  strict: v.optional(v.boolean()),
  input_examples: v.optional(v.array(v.record(v.string(), v.unknown()))),
  cache_control: v.optional(cacheControl),
  eager_input_streaming: v.optional(v.boolean()),
  defer_loading: v.optional(v.boolean()),
  allowed_callers: v.optional(v.array(v.string())),
};
const referenceTool = v.strictObject({ name: toolName, parameters: jsonSchema, ...customExtras });
const publicTool = v.strictObject({ name: toolName, input_schema: jsonSchema, ...customExtras });

const domains = v.array(v.pipe(v.string(), v.regex(/^[^/:\s]+\.[^/:\s]+(\/\S*)?$/, 'domains come without a scheme')));
const nativeExtras = {
  cache_control: v.optional(cacheControl),
  max_uses: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  allowed_domains: v.optional(domains),
  blocked_domains: v.optional(domains),
  allowed_callers: v.optional(v.array(v.string())),
  defer_loading: v.optional(v.boolean()),
};
const webSearchTool = v.strictObject({
  type: v.picklist(['web_search_20250305', 'web_search_20260209', 'web_search_20260318']),
  name: v.literal('web_search'),
  user_location: v.optional(
    v.strictObject({
      type: v.literal('approximate'),
      city: v.optional(v.string()),
      region: v.optional(v.string()),
      country: v.optional(v.pipe(v.string(), v.length(2))),
      timezone: v.optional(v.string()),
    }),
  ),
  ...nativeExtras,
});
const webFetchTool = v.strictObject({
  type: v.picklist(['web_fetch_20250910', 'web_fetch_20260209', 'web_fetch_20260309', 'web_fetch_20260318']),
  name: v.literal('web_fetch'),
  citations: v.optional(v.strictObject({ enabled: v.boolean() })),
  max_content_tokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  use_cache: v.optional(v.boolean()),
  ...nativeExtras,
});
const plainNative = { cache_control: v.optional(cacheControl) };
const codeTool = v.strictObject({
  type: v.picklist(['code_execution_20250825', 'code_execution_20260120', 'code_execution_20260521']),
  name: v.literal('code_execution'),
  ...plainNative,
});
const bashTool = v.strictObject({ type: v.literal('bash_20250124'), name: v.literal('bash'), ...plainNative });
const editorTool = v.strictObject({
  type: v.literal('text_editor_20250728'),
  name: v.literal('str_replace_based_edit_tool'),
  max_characters: v.optional(v.number()),
  ...plainNative,
});
const computerTool = v.strictObject({
  type: v.picklist(['computer_20250124', 'computer_20251124']),
  name: v.literal('computer'),
  display_width_px: v.number(),
  display_height_px: v.number(),
  display_number: v.optional(v.number()),
  ...plainNative,
});
const nativeTool = v.variant('type', [webSearchTool, webFetchTool, codeTool, bashTool, editorTool, computerTool]);

const isNative = (tool: unknown): boolean =>
  typeof tool === 'object' && tool !== null && 'type' in tool && tool.type !== 'custom' && tool.type !== undefined;

const parallel = { disable_parallel_tool_use: v.optional(v.boolean()) };
const namedChoice = v.strictObject({ type: v.literal('tool'), name: toolName, ...parallel });
const publicChoice = v.variant('type', [
  v.strictObject({ type: v.literal('auto'), ...parallel }),
  v.strictObject({ type: v.literal('any'), ...parallel }),
  namedChoice,
  v.strictObject({ type: v.literal('none') }),
]);
/** The reference's strings; a named tool can be said in the object form only. */
const referenceChoice = v.lazy(
  (input): typeof namedChoice | v.PicklistSchema<['auto', 'any', 'tool', 'none'], undefined> =>
    typeof input === 'object' ? namedChoice : v.picklist(['auto', 'any', 'tool', 'none']),
);

const display = v.optional(v.picklist(['summarized', 'omitted']));
const thinking = v.variant('type', [
  v.strictObject({
    type: v.literal('enabled'),
    budget_tokens: v.pipe(v.number(), v.integer(), v.minValue(1024, 'Input should be greater than or equal to 1024')),
    display,
  }),
  v.strictObject({ type: v.literal('adaptive'), display }),
  v.strictObject({ type: v.literal('disabled') }),
]);
const effort = v.picklist(['low', 'medium', 'high', 'xhigh', 'max']);
const format = v.strictObject({ type: v.literal('json_schema'), schema: v.record(v.string(), v.unknown()) });

const tokensOf = (
  kind: 'input_tokens' | 'tool_uses' | 'thinking_turns',
): v.GenericSchema<unknown, { type: string; value: number }> =>
  v.strictObject({ type: v.literal(kind), value: v.pipe(v.number(), v.integer(), v.minValue(0)) });
const contextManagement = v.strictObject({
  edits: v.array(
    v.variant('type', [
      v.strictObject({
        type: v.literal('compact_20260112'),
        trigger: v.optional(
          v.strictObject({
            type: v.literal('input_tokens'),
            value: v.pipe(
              v.number(),
              v.integer(),
              v.minValue(50_000, 'Input should be greater than or equal to 50000'),
            ),
          }),
        ),
        pause_after_compaction: v.optional(v.boolean()),
        instructions: v.optional(v.nullable(v.string())),
      }),
      v.strictObject({
        type: v.literal('clear_thinking_20251015'),
        keep: v.optional(v.union([v.literal('all'), tokensOf('thinking_turns')])),
      }),
      v.strictObject({
        type: v.literal('clear_tool_uses_20250919'),
        trigger: v.optional(v.union([tokensOf('input_tokens'), tokensOf('tool_uses')])),
        keep: v.optional(tokensOf('tool_uses')),
        clear_at_least: v.optional(tokensOf('input_tokens')),
        exclude_tools: v.optional(v.array(v.string())),
        clear_tool_inputs: v.optional(v.union([v.boolean(), v.array(v.string())])),
      }),
    ]),
  ),
});

const shared = {
  model: v.pipe(v.string(), v.minLength(1)),
  messages: v.pipe(
    v.array(message),
    v.minLength(1, 'at least one message is required'),
    v.maxLength(100_000, 'at most 100000 messages are permitted'),
  ),
  system: v.optional(systemText),
  thinking: v.optional(thinking),
  cache_control: v.optional(cacheControl),
  context_management: v.optional(contextManagement),
};
const generation = {
  max_tokens: v.pipe(v.number(), v.integer(), v.minValue(0, 'Input should be greater than or equal to 0')),
  temperature: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1, 'range: 0..1'))),
  top_p: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  top_k: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  stop_sequences: v.optional(
    v.array(
      v.pipe(
        v.string(),
        v.check((value) => /\S/u.test(value), 'each stop sequence must contain non-whitespace'),
      ),
    ),
  ),
  stream: v.optional(v.boolean()),
  metadata: v.optional(v.strictObject({ user_id: v.optional(v.nullable(v.string())) })),
  service_tier: v.optional(v.picklist(['auto', 'standard_only'])),
  inference_geo: v.optional(v.picklist(['us', 'global'])),
  container: v.optional(v.union([v.string(), v.strictObject({ id: v.optional(v.string()) })])),
};
const referenceOnly = {
  tools: v.optional(v.array(v.lazy((tool) => (isNative(tool) ? nativeTool : referenceTool)))),
  tool_choice: v.optional(referenceChoice),
  effort: v.optional(effort),
  output_config: v.optional(v.strictObject({ format: v.optional(format) })),
};
const publicOnly = {
  tools: v.optional(v.array(v.lazy((tool) => (isNative(tool) ? nativeTool : publicTool)))),
  tool_choice: v.optional(publicChoice),
  output_config: v.optional(v.strictObject({ effort: v.optional(effort), format: v.optional(format) })),
};

const referenceCreate = v.strictObject({ ...shared, ...generation, ...referenceOnly });
const publicCreate = v.strictObject({ ...shared, ...generation, ...publicOnly });
const referenceCount = v.strictObject({ ...shared, ...referenceOnly });
const publicCount = v.strictObject({ ...shared, ...publicOnly });

export const createSchema: Readonly<Record<Dialect, v.GenericSchema<unknown, CreateBody>>> = {
  reference: referenceCreate,
  public: publicCreate,
};
export const countSchema: Readonly<Record<Dialect, v.GenericSchema<unknown, CountBody>>> = {
  reference: referenceCount,
  public: publicCount,
};

export const batchSchema: v.GenericSchema<unknown, BatchBody> = v.strictObject({
  requests: v.pipe(
    v.array(
      v.strictObject({
        custom_id: v.pipe(v.string(), v.regex(/^[a-zA-Z0-9_-]{1,64}$/)),
        params: v.record(v.string(), v.unknown()),
      }),
    ),
    v.minLength(1),
    v.maxLength(100_000),
  ),
});
