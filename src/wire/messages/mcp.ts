import { createHash } from 'node:crypto';
import { isRecord } from '../../core/records.ts';
import { refuse } from '../http/check.ts';
import type { DocumentBlockParam, ImageBlockParam, ImageMediaType, TextBlockParam } from './blocks.ts';
import type { Tool, ToolAnswer } from './tools.ts';

/** A tool as a server of the Model Context Protocol lists it (`tools/list`). */
export interface McpTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
}

/** What `tools/call` answers. */
export interface McpCallResult {
  readonly content?: readonly unknown[] | undefined;
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

export type McpCall = (
  params: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> },
  options: { readonly signal: AbortSignal },
) => Promise<McpCallResult>;

export interface McpOptions {
  /** Put before each name, to keep the tools of several servers apart: `docs_`. */
  readonly prefix?: string | undefined;
}

/**
 * Tools of an MCP server as tools of a request: names made fit (`files/read` → `files_read`), schemas made objects,
 * results converted.
 * @param list what `tools/list` answered
 * @param call sends `tools/call`; gets the server's own tool name
 */
export function toolsFromMcp(
  list: { readonly tools: readonly McpTool[] },
  call: McpCall,
  options: McpOptions = {},
): Tool[] {
  const prefix = options.prefix ?? '';
  if (!/^[a-zA-Z0-9_-]{0,32}$/.test(prefix)) refuse('prefix', 'must be at most 32 letters, digits, "_" or "-"');
  const taken = new Set<string>();
  return list.tools.map((tool, at) => {
    if (typeof tool.name !== 'string' || tool.name === '') refuse(`tools[${at}].name`, 'must be a string');
    const name = fitName(prefix + tool.name, taken);
    const description = tool.description ?? tool.title;
    return {
      definition: {
        name,
        ...(description === undefined ? {} : { description }),
        input_schema: objectSchema(tool.inputSchema, `tools[${at}].inputSchema`),
      },
      run: async (input, { signal }) =>
        fromMcpResult(await call({ name: tool.name, arguments: isRecord(input) ? input : {} }, { signal })),
    };
  });
}

/**
 * A name the service takes. Where fitting changed it or it is taken, a hash of the original keeps it apart and the same
 * in every run.
 */
function fitName(original: string, taken: Set<string>): string {
  let name = original.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
  if (name.length > 64 || taken.has(name)) {
    const mark = createHash('sha256').update(original).digest('hex').slice(0, 8);
    name = `${name.slice(0, 55)}_${mark}`;
  }
  if (taken.has(name)) refuse('tools', `name "${original}" twice`);
  taken.add(name);
  return name;
}

function objectSchema(schema: unknown, field: string): Record<string, unknown> {
  if (schema === undefined || schema === null) return { type: 'object', properties: {} };
  if (!isRecord(schema)) refuse(field, 'must be a JSON Schema');
  if (schema.type !== undefined && schema.type !== 'object') refuse(`${field}.type`, 'must be "object"');
  const { $schema: _dialect, ...rest } = schema;
  return { ...rest, type: 'object' };
}

type Part = TextBlockParam | ImageBlockParam | DocumentBlockParam;
const imageTypes = new Set<unknown>(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
const textBlock = (text: string): Part[] => (text.trim() === '' ? [] : [{ type: 'text', text }]);

/**
 * A result's parts as blocks; what the service cannot take (audio, other binaries) becomes a note, so that nothing is
 * lost in silence.
 */
export function fromMcpResult(result: McpCallResult): ToolAnswer {
  const parts = (result.content ?? []).flatMap(fromPart);
  const structured =
    parts.length === 0 && result.structuredContent !== undefined
      ? textBlock(JSON.stringify(result.structuredContent))
      : [];
  const content = [...parts, ...structured];
  return {
    ...(content.length === 0 ? {} : { content }),
    ...(result.isError === true ? { isError: true } : {}),
  };
}

function fromPart(part: unknown): Part[] {
  if (!isRecord(part)) return [];
  const { type, mimeType } = part;
  if (type === 'text' && typeof part.text === 'string') return textBlock(part.text);
  if ((type === 'image' || type === 'audio') && typeof part.data === 'string')
    return binary(part.data, mimeType, String(type));
  if (type === 'resource_link')
    return textBlock(`[${String(part.title ?? part.name ?? 'resource')}: ${String(part.uri)}]`);
  if (type === 'resource' && isRecord(part.resource)) {
    const { uri, text, blob, mimeType: kind } = part.resource;
    if (typeof text === 'string') return textBlock(text);
    if (typeof blob === 'string') return binary(blob, kind, String(uri));
  }
  return textBlock(`[a ${String(type)} part that cannot be shown]`);
}

function binary(data: string, mediaType: unknown, name: string): Part[] {
  if (imageTypes.has(mediaType)) {
    return [{ type: 'image', source: { type: 'base64', media_type: mediaType as ImageMediaType, data } }]; // one of the four
  }
  if (mediaType === 'application/pdf') {
    return [{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } }];
  }
  return textBlock(`[${name}: ${String(mediaType ?? 'binary')} that cannot be shown]`);
}
