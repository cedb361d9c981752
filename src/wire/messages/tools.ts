import { objectOf } from '../../core/arguments.ts';
import { isRecord } from '../../core/records.ts';
import { refuse } from '../http/check.ts';
import type { StandardSchema } from '../http/standard-schema.ts';
import type { CacheControl, ToolResultBlockParam, ToolResultContent } from './blocks.ts';
import { toolName } from './check-tools.ts';
import type { AnyToolDefinition, JsonSchema } from './types.ts';

export interface ToolContext {
  /** Aborted when the run is. */
  readonly signal: AbortSignal;
  /** The id of the `tool_use` being answered. */
  readonly toolUseId: string;
  /** Which call of the model asked, from 1. */
  readonly step: number;
}

/** Text, blocks, or any JSON value (sent as JSON text). `undefined` and '' answer without content. */
export type ToolOutput = string | readonly ToolResultContent[] | JsonValue | undefined;
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A definition with what answers it. `input` has been checked when `defineTool` was given a schema to check with. */
export interface Tool {
  readonly definition: AnyToolDefinition;
  run(input: unknown, context: ToolContext): Promise<ToolAnswer> | ToolAnswer;
}

export interface ToolAnswer {
  readonly content?: string | readonly ToolResultContent[] | undefined;
  readonly isError?: boolean | undefined;
}

export interface ToolOptions<T> {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. May be left out when `standardSchema` can write one itself. */
  readonly schema?: JsonSchema | undefined;
  /** Checks and types the input; without it the input is what the model wrote. */
  readonly standardSchema?: StandardSchema<T> | undefined;
  readonly strict?: boolean | undefined;
  readonly cacheControl?: CacheControl | undefined;
  /** Definition fields beyond these: `input_examples`, `defer_loading`, `allowed_callers` … */
  readonly definition?: Readonly<Record<string, unknown>> | undefined;
  /** What it throws goes to the model as the tool's error, message only. */
  readonly run: (input: T, context: ToolContext) => ToolOutput | Promise<ToolOutput>;
}

/**
 * A tool with its handler.
 * @throws IbidError INVALID_ARGUMENT for a name or schema the service does not take
 */
export function defineTool<T = Readonly<Record<string, unknown>>>(options: ToolOptions<T>): Tool {
  const { name, description, standardSchema, run } = objectOf(options, 'the options');
  toolName('tool.name', name);
  const schema = options.schema ?? standardSchema?.['~standard'].jsonSchema?.input({ target: 'draft-2020-12' });
  if (schema === undefined)
    refuse(`tool "${name}".schema`, 'is missing', 'Give the JSON Schema; the standard schema cannot write one.');
  if (schema.type !== 'object') refuse(`tool "${name}".schema`, 'must be a JSON Schema with type "object"');
  const { $schema: _dialect, ...inputSchema } = schema;
  return {
    definition: {
      name,
      description,
      input_schema: inputSchema,
      ...(options.strict === undefined ? {} : { strict: options.strict }),
      ...(options.cacheControl === undefined ? {} : { cache_control: options.cacheControl }),
      ...options.definition,
    },
    run: async (input, context) => {
      if (standardSchema === undefined) return toAnswer(await run(input as T, context)); // the caller's own claim about its schema
      const checked = await standardSchema['~standard'].validate(input);
      if (checked.issues !== undefined)
        return { content: `The input does not fit: ${issuesOf(checked.issues)}`, isError: true };
      return toAnswer(await run(checked.value, context));
    },
  };
}

/** A handler for a tool whose schema the service knows: `bashTool()`, `textEditorTool()`, `computerTool()`. */
export function handleNative(
  definition: AnyToolDefinition,
  run: (input: Readonly<Record<string, unknown>>, context: ToolContext) => ToolOutput | Promise<ToolOutput>,
): Tool {
  return {
    definition,
    run: async (input, context) => toAnswer(await run(isRecord(input) ? input : {}, context)),
  };
}

function issuesOf(
  issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[],
): string {
  const step = (part: unknown): string => String(isRecord(part) ? part.key : part);
  return issues
    .map(({ message, path }) => (path?.length ? `${path.map(step).join('.')}: ${message}` : message))
    .join('; ');
}

const blockTypes = new Set(['text', 'image', 'document', 'search_result']);
const isBlock = (value: unknown): boolean => isRecord(value) && blockTypes.has(value.type as string);

function toAnswer(output: ToolOutput): ToolAnswer {
  if (output === undefined || output === '') return {};
  if (typeof output === 'string') return { content: output };
  if (Array.isArray(output) && output.length > 0 && output.every(isBlock)) {
    return { content: output as readonly ToolResultContent[] }; // each has been looked at
  }
  return { content: JSON.stringify(output) };
}

/** The block that answers a `tool_use`. Empty text is left out: the service refuses it. */
export function toolResult(toolUseId: string, answer: ToolAnswer): ToolResultBlockParam {
  const { content, isError } = answer;
  const empty = content === undefined || (typeof content === 'string' ? content.trim() === '' : content.length === 0);
  return {
    type: 'tool_result',
    tool_use_id: toolUseId,
    ...(empty ? {} : { content }),
    ...(isError === true ? { is_error: true } : {}),
  };
}
