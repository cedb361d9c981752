import type { AnswerBlock } from './finish.ts';
import { textTokens } from './tokens.ts';
import type { CreateBody } from './types.ts';

/** What context management did to one request. */
export interface Managed {
  /** Blocks in front of the answer. */
  readonly blocks: readonly AnswerBlock[];
  /** The answer ends after the compaction. */
  readonly pause: boolean;
  readonly applied: readonly Readonly<Record<string, unknown>>[] | undefined;
  usage(outputTokens: number): Readonly<Record<string, unknown>>;
}

const nothing: Managed = { blocks: [], pause: false, applied: undefined, usage: () => ({}) };

/**
 * Compaction and clearing as the betas describe them: a compaction block with a summary once the input passes the
 * trigger, its tokens in `usage.iterations` only; cleared tool uses and thinking turns counted in `applied_edits`.
 */
export function manageContext(body: CreateBody, inputTokens: number): Managed {
  const edits = body.context_management?.edits;
  if (edits === undefined) return nothing;
  const applied: Record<string, unknown>[] = [];
  let summary: string | undefined;
  let pause = false;
  for (const edit of edits) {
    if (edit.type === 'compact_20260112') {
      if (inputTokens < (edit.trigger?.value ?? 150_000)) continue;
      summary = `<summary>${body.messages.length} messages${edit.instructions == null ? '' : `; ${edit.instructions}`}</summary>`;
      pause = edit.pause_after_compaction === true;
    } else if (edit.type === 'clear_tool_uses_20250919') {
      const uses = count(body, 'tool_use');
      const over =
        edit.trigger?.type === 'tool_uses' ? uses > edit.trigger.value : inputTokens > (edit.trigger?.value ?? 100_000);
      const keep = typeof edit.keep === 'object' ? edit.keep.value : 3;
      if (over && uses > keep)
        applied.push({ type: edit.type, cleared_tool_uses: uses - keep, cleared_input_tokens: (uses - keep) * 50 });
    } else {
      const turns = count(body, 'thinking');
      const keep = edit.keep === 'all' ? turns : (edit.keep?.value ?? 1);
      if (turns > keep)
        applied.push({
          type: edit.type,
          cleared_thinking_turns: turns - keep,
          cleared_input_tokens: (turns - keep) * 50,
        });
    }
  }
  if (summary === undefined) return { ...nothing, applied };
  const spent = textTokens(summary);
  return {
    blocks: [{ type: 'compaction', content: summary }],
    pause,
    applied,
    usage: (outputTokens) => ({
      iterations: [
        { type: 'compaction', input_tokens: inputTokens, output_tokens: spent },
        ...(pause ? [] : [{ type: 'message', input_tokens: spent, output_tokens: outputTokens }]),
      ],
    }),
  };
}

function count(body: CreateBody, type: string): number {
  return body.messages.reduce(
    (sum, message) =>
      sum +
      (typeof message.content === 'string'
        ? 0
        : (message.content as readonly { type: string }[]).filter((block) => block.type === type).length),
    0,
  );
}

/** What is before the last compaction block is ignored by the service: neither read nor counted. */
export function sinceCompaction(body: CreateBody): CreateBody {
  for (let m = body.messages.length - 1; m >= 0; m--) {
    const message = body.messages[m]!;
    if (message.role !== 'assistant' || typeof message.content === 'string') continue;
    const at = message.content.findLastIndex((block) => block.type === 'compaction' && block.content !== null);
    if (at < 0) continue;
    return {
      ...body,
      messages: [{ role: 'assistant', content: message.content.slice(at) }, ...body.messages.slice(m + 1)],
    };
  }
  return body;
}
