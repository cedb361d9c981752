import { createHash } from 'node:crypto';
import { type FileLookup, type Segment, segmentsOf, sum } from './tokens.ts';
import type { Block, CountBody } from './types.ts';

/** How the prompt of one request splits into what is new, written and read. */
export interface CachePlan {
  /** After the last marker: `usage.input_tokens`. */
  readonly input: number;
  readonly write5m: number;
  readonly write1h: number;
  readonly read: number;
  readonly total: number;
  /** Makes the writes readable; called when the answer begins, as the service does. */
  commit(): void;
}

const lifetimeMs = { '5m': 300_000, '1h': 3_600_000 } as const;
const lookBack = 20;

/** Prompt prefixes by hash: written at markers, read by the longest prefix at most 20 segments before a marker. */
export class PromptCache {
  readonly #entries = new Map<string, { expiresAt: number; lifeMs: number }>();

  /**
   * @param workspace entries are seen within one only
   * @param minTokens shorter prefixes are neither written nor read
   * @param now ms; lifetimes count from here and are renewed by use
   */
  plan(body: CountBody, workspace: string, minTokens: number, now: number, files: FileLookup): CachePlan {
    const segments = segmentsOf(body, files);
    const total = sum(segments.map((segment) => segment.tokens));
    const { hashes, upTo } = prefixes(segments, body, workspace);
    const markers = segments.flatMap((segment, at) =>
      segment.marker !== undefined && upTo[at]! >= minTokens ? [{ at, ttl: segment.marker }] : [],
    );
    let readAt = -1;
    for (const marker of markers) {
      for (let at = marker.at; at > readAt && at > marker.at - lookBack; at--) {
        const entry = this.#entries.get(hashes[at]!);
        if (entry !== undefined && entry.expiresAt > now && upTo[at]! >= minTokens) readAt = at;
      }
    }
    const write = { '5m': 0, '1h': 0 };
    let boundary = readAt < 0 ? 0 : upTo[readAt]!;
    for (const marker of markers) {
      if (marker.at <= readAt) continue;
      write[marker.ttl] += upTo[marker.at]! - boundary;
      boundary = upTo[marker.at]!;
    }
    const commit = (): void => {
      const used = readAt < 0 ? undefined : this.#entries.get(hashes[readAt]!);
      if (used !== undefined) used.expiresAt = now + used.lifeMs;
      for (const { at, ttl } of markers) {
        const lifeMs = at <= readAt ? (this.#entries.get(hashes[at]!)?.lifeMs ?? lifetimeMs[ttl]) : lifetimeMs[ttl];
        this.#entries.set(hashes[at]!, { expiresAt: now + lifeMs, lifeMs });
      }
    };
    return {
      input: total - boundary,
      write5m: write['5m'],
      write1h: write['1h'],
      read: readAt < 0 ? 0 : upTo[readAt]!,
      total,
      commit,
    };
  }

  clear(): void {
    this.#entries.clear();
  }
}

/** Hash and tokens of every prefix. Settings that invalidate a level are hashed in where that level begins. */
function prefixes(
  segments: readonly Segment[],
  body: CountBody,
  workspace: string,
): { hashes: string[]; upTo: number[] } {
  const salts = {
    tools: '',
    system: JSON.stringify([
      citationsOn(body),
      body.tools?.some((tool) => tool.type?.startsWith('web_search') === true) === true,
    ]),
    messages: JSON.stringify([
      body.tool_choice,
      body.thinking,
      body.effort ?? body.output_config?.effort,
      hasImages(body),
    ]),
  };
  let hash = `${workspace}\n${body.model}`;
  let level: Segment['level'] = 'tools';
  let tokens = 0;
  const hashes: string[] = [];
  const upTo: number[] = [];
  for (const segment of segments) {
    // A level that has no segments still counts: skipping system must not skip its salt.
    if (segment.level !== level) {
      if (level === 'tools') hash = digest(hash, salts.system);
      if (segment.level === 'messages') hash = digest(hash, salts.messages);
      level = segment.level;
    }
    hash = digest(hash, `${segment.level}\0${segment.material}`);
    tokens += segment.tokens;
    hashes.push(hash);
    upTo.push(tokens);
  }
  return { hashes, upTo };
}

function digest(before: string, material: string): string {
  return createHash('sha256').update(before).update('\0').update(material).digest('base64');
}

function anyBlock(body: CountBody, test: (block: Block) => boolean): boolean {
  return body.messages.some(
    (message) => typeof message.content !== 'string' && message.content.some((block: Block) => test(block)),
  );
}

function citationsOn(body: CountBody): boolean {
  return anyBlock(
    body,
    (block) =>
      ((block.type === 'document' || block.type === 'search_result') && block.citations?.enabled === true) ||
      (block.type === 'tool_result' &&
        Array.isArray(block.content) &&
        block.content.some(
          (inner) =>
            'citations' in inner &&
            inner.type !== 'text' &&
            (inner.citations as { enabled?: boolean } | undefined)?.enabled === true,
        )),
  );
}

function hasImages(body: CountBody): boolean {
  return anyBlock(body, (block) => block.type === 'image');
}
