import { countTokens as count } from 'gpt-tokenizer';
import { blocksOf } from './rules-messages.ts';
import type { Block, CountBody, DocumentBlock } from './types.ts';

/** Looks a file up, for blocks that name one. */
export type FileLookup = (id: string) => { readonly mimeType: string; readonly bytes: Buffer } | undefined;

const known = new Map<string, number>();

/**
 * Tokens of a text in o200k_base. The tokeniser is quadratic in the length of one word, so very long words are
 * estimated.
 */
export function textTokens(text: string): number {
  if (text === '') return 0;
  const before = known.get(text);
  if (before !== undefined) return before;
  let tokens = 0;
  for (const piece of text.split(/(\S{4000,})/)) {
    tokens +=
      piece.length >= 4000 && !/\s/.test(piece)
        ? Math.ceil(piece.length / 3)
        : count(piece, { disallowedSpecial: new Set() });
  }
  if (known.size > 20_000) known.clear();
  known.set(text, tokens);
  return tokens;
}

const imageTokens = 1568;
const pageTokens = 2000;
const messageOverhead = 4;

function blockTokens(block: Block, files: FileLookup): number {
  switch (block.type) {
    case 'text':
      return textTokens(block.text);
    case 'image':
      return imageTokens;
    case 'document':
      return documentTokens(block, files);
    case 'search_result':
      return textTokens(`${block.title}\n${block.source}`) + sum(block.content.map((part) => textTokens(part.text)));
    case 'tool_use':
    case 'server_tool_use':
      return 10 + textTokens(`${block.name} ${JSON.stringify(block.input)}`);
    case 'tool_result':
      if (block.content === undefined) return 8;
      if (typeof block.content === 'string') return 8 + textTokens(block.content);
      return 8 + sum(block.content.map((part) => blockTokens(part, files)));
    case 'thinking':
      return textTokens(block.thinking);
    case 'redacted_thinking':
      return 100;
    case 'compaction':
      return textTokens(block.content ?? '');
    case 'container_upload':
      return 20;
    default:
      return textTokens(JSON.stringify(block.content ?? ''));
  }
}

function documentTokens(block: DocumentBlock, files: FileLookup): number {
  const head = textTokens(`${block.title ?? ''}\n${block.context ?? ''}`);
  const { source } = block;
  if (source.type === 'text') return head + textTokens(source.data);
  if (source.type === 'content') {
    if (typeof source.content === 'string') return head + textTokens(source.content);
    return head + sum(source.content.map((part) => (part.type === 'text' ? textTokens(part.text) : imageTokens)));
  }
  if (source.type === 'url') return head + pageTokens;
  const bytes = source.type === 'file' ? files(source.file_id)?.bytes : Buffer.from(source.data, 'base64');
  const mimeType = source.type === 'file' ? files(source.file_id)?.mimeType : source.media_type;
  if (bytes === undefined) return head;
  if (mimeType !== 'application/pdf') return head + textTokens(bytes.toString('utf8'));
  return head + pageTokens * Math.max(1, bytes.toString('latin1').match(/\/Type\s*\/Page[^s]/g)?.length ?? 1);
}

/** A stretch of the prompt that can end in a cache marker, in the order hashed: tools, system, messages. */
export interface Segment {
  readonly level: 'tools' | 'system' | 'messages';
  /** What is hashed: the wire text without its marker. */
  readonly material: string;
  readonly tokens: number;
  readonly marker: '5m' | '1h' | undefined;
}

/** The whole prompt of a request, segment by segment. */
export function segmentsOf(body: CountBody, files: FileLookup): Segment[] {
  const segments: Segment[] = [];
  body.tools?.forEach((tool, i) => {
    const { cache_control: marker, ...rest } = tool;
    const material = JSON.stringify(rest);
    segments.push({
      level: 'tools',
      material,
      tokens: textTokens(material) + (i === 0 ? 500 : 0),
      marker: ttl(marker),
    });
  });
  const system = typeof body.system === 'string' ? [{ type: 'text' as const, text: body.system }] : (body.system ?? []);
  for (const block of system) {
    const marker = 'cache_control' in block ? ttl(block.cache_control) : undefined;
    segments.push({ level: 'system', material: block.text, tokens: textTokens(block.text), marker });
  }
  const choice = typeof body.tool_choice === 'object' ? body.tool_choice.type : body.tool_choice;
  // Forcing a tool costs 90 tokens more, and leaves tools and system readable from the cache.
  const forced = choice === 'any' || choice === 'tool' ? 90 : 0;
  for (const [m, message] of body.messages.entries()) {
    blocksOf(message).forEach((block, b) => {
      const inner = block.type === 'tool_result' && Array.isArray(block.content) ? block.content : [];
      const marker =
        ('cache_control' in block ? ttl(block.cache_control) : undefined) ??
        inner.map((part) => ttl(part.cache_control)).find(Boolean);
      const material = JSON.stringify([message.role, withoutMarkers(block)]);
      segments.push({
        level: 'messages',
        material,
        tokens: blockTokens(block, files) + (b > 0 ? 0 : messageOverhead + (m === 0 ? forced : 0)),
        marker,
      });
    });
  }
  if (body.cache_control !== undefined && segments.length > 0) {
    const last = segments.length - 1;
    segments[last] = { ...segments[last]!, marker: segments[last]!.marker ?? ttl(body.cache_control) };
  }
  return segments;
}

export function promptTokens(body: CountBody, files: FileLookup): number {
  return sum(segmentsOf(body, files).map((segment) => segment.tokens));
}

function ttl(control: { readonly ttl?: '5m' | '1h' | undefined } | undefined): '5m' | '1h' | undefined {
  return control === undefined ? undefined : (control.ttl ?? '5m');
}

function withoutMarkers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarkers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (key === 'cache_control' ? [] : [[key, withoutMarkers(inner)]])),
  );
}

export function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}
