import type { ModelSpec } from './catalogue.ts';
import { toolChoiceOf } from './rules.ts';
import { blocksOf } from './rules-messages.ts';
import type { FileLookup } from './tokens.ts';
import type { Block, CreateBody, DocumentBlock, SearchResultBlock, ToolChoiceObject } from './types.ts';

/** Something an answer can cite, numbered as the service numbers it. */
export type Source =
  /** Plain text: cited by characters. */
  | {
      readonly kind: 'text';
      readonly index: number;
      readonly title: string | null;
      readonly text: string;
      readonly fileId: string | null;
    }
  /** PDF: cited by pages, which count from 1. */
  | {
      readonly kind: 'pages';
      readonly index: number;
      readonly title: string | null;
      readonly pages: readonly string[];
      readonly fileId: string | null;
    }
  /** Given blocks of a document; those that are no text are ''. */
  | {
      readonly kind: 'blocks';
      readonly index: number;
      readonly title: string | null;
      readonly blocks: readonly string[];
      readonly fileId: string | null;
    }
  | {
      readonly kind: 'search';
      readonly index: number;
      readonly title: string;
      readonly source: string;
      readonly blocks: readonly string[];
    };

/** A request as a stand-in model sees it: one form for both dialects. */
export interface ModelRequest {
  readonly model: ModelSpec;
  readonly system: string;
  readonly turns: readonly { readonly role: 'user' | 'assistant'; readonly blocks: readonly Block[] }[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly schema: unknown;
    readonly native: string | undefined;
  }[];
  readonly toolChoice: ToolChoiceObject | undefined;
  readonly thinking: 'off' | 'enabled' | 'adaptive';
  readonly effort: string | undefined;
  /** JSON schema of a structured answer. */
  readonly format: unknown;
  readonly maxTokens: number;
  /** Whether citations are switched on. */
  readonly citations: boolean;
  readonly sources: readonly Source[];
  /** Text of the last user turn that has any beside tool results. */
  readonly question: string;
  /** Assistant turns with tool calls since that turn. */
  readonly toolRounds: number;
  /** Text of a last assistant turn the answer continues; ''. */
  readonly prefill: string;
  readonly body: CreateBody;
}

export async function modelRequest(body: CreateBody, model: ModelSpec, files: FileLookup): Promise<ModelRequest> {
  const turns = body.messages.map((message) => ({ role: message.role, blocks: blocksOf(message) as readonly Block[] }));
  let asked = turns.length - 1;
  while (asked > 0 && (turns[asked]!.role !== 'user' || !turns[asked]!.blocks.some((block) => block.type === 'text')))
    asked -= 1;
  const last = turns.at(-1)!;
  const citable = turns.flatMap((turn) => turn.blocks).flatMap((block) => citableBlocks(block));
  return {
    model,
    system: typeof body.system === 'string' ? body.system : (body.system ?? []).map((block) => block.text).join('\n'),
    turns,
    tools: (body.tools ?? []).map((tool) => ({
      name: tool.name,
      description: 'description' in tool ? (tool.description ?? '') : '',
      schema: 'parameters' in tool ? tool.parameters : 'input_schema' in tool ? tool.input_schema : undefined,
      native: tool.type === undefined || tool.type === 'custom' ? undefined : tool.type,
    })),
    toolChoice: toolChoiceOf(body),
    thinking: body.thinking === undefined || body.thinking.type === 'disabled' ? 'off' : body.thinking.type,
    effort: body.effort ?? body.output_config?.effort,
    format: body.output_config?.format?.schema,
    maxTokens: body.max_tokens,
    citations: citable.some((block) => block.citations?.enabled === true),
    sources: await numbered(citable, files),
    question: textOf(turns[asked]!.blocks),
    toolRounds: turns.slice(asked + 1).filter((turn) => turn.blocks.some((block) => block.type === 'tool_use')).length,
    prefill: last.role === 'assistant' ? textOf(last.blocks) : '',
    body,
  };
}

function textOf(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}

function citableBlocks(block: Block): (DocumentBlock | SearchResultBlock)[] {
  if (block.type === 'document' || block.type === 'search_result') return [block];
  if (block.type !== 'tool_result' || !Array.isArray(block.content)) return [];
  return block.content.flatMap((inner) => citableBlocks(inner));
}

/** Documents and search results are numbered apart, each from 0 over all turns and tool results. */
async function numbered(blocks: readonly (DocumentBlock | SearchResultBlock)[], files: FileLookup): Promise<Source[]> {
  let documents = 0;
  let results = 0;
  const sources: Source[] = [];
  for (const block of blocks) {
    if (block.type === 'document') sources.push(await documentSource(block, documents++, files));
    else
      sources.push({
        kind: 'search',
        index: results++,
        title: block.title,
        source: block.source,
        blocks: block.content.map((part) => part.text),
      });
  }
  return sources;
}

async function documentSource(block: DocumentBlock, index: number, files: FileLookup): Promise<Source> {
  const { source } = block;
  const head = { index, title: block.title ?? null, fileId: source.type === 'file' ? source.file_id : null };
  if (source.type === 'text') return { kind: 'text', ...head, text: source.data };
  if (source.type === 'content') {
    const blocks =
      typeof source.content === 'string'
        ? [source.content]
        : source.content.map((part) => (part.type === 'text' ? part.text : ''));
    return { kind: 'blocks', ...head, blocks };
  }
  // The stand-in fetches nothing: a document behind an address has no citable text here.
  if (source.type === 'url') return { kind: 'text', ...head, text: '' };
  const file = source.type === 'file' ? files(source.file_id) : undefined;
  const bytes = source.type === 'file' ? (file?.bytes ?? Buffer.alloc(0)) : Buffer.from(source.data, 'base64');
  if (source.type === 'file' && file?.mimeType !== 'application/pdf')
    return { kind: 'text', ...head, text: bytes.toString('utf8') };
  return { kind: 'pages', ...head, pages: await pdfPages(bytes) };
}

async function pdfPages(bytes: Buffer): Promise<readonly string[]> {
  const { extractText } = await import('unpdf');
  try {
    return (await extractText(new Uint8Array(bytes), { mergePages: false })).text;
  } catch {
    return [];
  }
}
