import { refuse, refuseField } from './errors.ts';
import type { RuleContext } from './rules.ts';
import { sealed, verifies } from './signatures.ts';
import type { AssistantBlock, Block, CountBody, SentMessage, ToolUseBlock, UserBlock } from './types.ts';

type Blocks = readonly Block[];

export function blocksOf(message: SentMessage): readonly (UserBlock | AssistantBlock)[] {
  return typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
}

/** Order and pairing of turns, tool calls and results, echoes, and the last assistant turn. */
export function checkMessages(body: CountBody, context: RuleContext): void {
  const { messages } = body;
  if (messages[0]!.role !== 'user') refuse(400, 'messages: first message must use the "user" role');
  for (const [m, message] of messages.entries()) {
    const last = m === messages.length - 1;
    if (Array.isArray(message.content) && message.content.length === 0 && !(last && message.role === 'assistant')) {
      refuseField(
        `messages.${m}`,
        'all messages must have non-empty content except for the optional final assistant message',
      );
    }
    if (m > 0 && messages[m - 1]!.role === message.role && context.dialect === 'reference') {
      refuse(
        400,
        `messages: roles must alternate between "user" and "assistant", but found multiple "${message.role}" roles in a row`,
      );
    }
  }
  const turns = merged(messages);
  turns.forEach((turn, t) => {
    if (turn.role === 'assistant') checkAssistantTurn(turn, turns[t + 1], context, body);
    else checkUserTurn(turn, turns[t - 1], context);
  });
  checkPrefill(body, turns.at(-1)!, context);
  checkImages(turns, context);
}

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly path: string;
  readonly blocks: Blocks;
}

/** Neighbouring turns of one role are one turn. */
function merged(messages: readonly SentMessage[]): Turn[] {
  const turns: Turn[] = [];
  messages.forEach((message, m) => {
    const before = turns.at(-1);
    if (before?.role === message.role)
      turns[turns.length - 1] = { ...before, blocks: [...before.blocks, ...blocksOf(message)] };
    else turns.push({ role: message.role, path: `messages.${m}`, blocks: blocksOf(message) });
  });
  return turns;
}

function checkAssistantTurn(turn: Turn, next: Turn | undefined, context: RuleContext, body: CountBody): void {
  const calls = turn.blocks.filter((block): block is ToolUseBlock => block.type === 'tool_use');
  const answered = new Set(
    (next?.blocks ?? []).flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : [])),
  );
  const open = calls.filter((call) => !answered.has(call.id));
  if (open.length > 0) {
    refuseField(
      turn.path,
      `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.map((call) => call.id).join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    );
  }
  if (new Set(calls.map((call) => call.id)).size < calls.length)
    refuseField(turn.path, '`tool_use` ids must be unique');
  turn.blocks.forEach((block, b) => void checkEcho(block, `${turn.path}.content.${b}`, context));
  const thinks = body.thinking?.type === 'enabled' || body.thinking?.type === 'adaptive';
  if (calls.length === 0 || !thinks) return;
  const signatures = new Set(turn.blocks.flatMap((block) => (block.type === 'thinking' ? [block.signature] : [])));
  const lost = calls.flatMap((call) => context.thinkingBefore(call.id)).find((signature) => !signatures.has(signature));
  if (lost !== undefined) {
    refuseField(
      `${turn.path}.content.0.type`,
      'Expected `thinking` or `redacted_thinking`, but found `tool_use`. The thinking blocks of a tool loop must be sent back.',
    );
  }
}

function checkEcho(block: Block, path: string, context: RuleContext): void {
  if (block.type === 'thinking' && !verifies(block.thinking, block.signature)) {
    refuseField(
      path,
      'Invalid `signature` in `thinking` block: `thinking` blocks cannot be modified and must remain as they were in the original response.',
    );
  }
  if (block.type === 'redacted_thinking' && !sealed(block.data))
    refuseField(path, 'Invalid `data` in `redacted_thinking` block');
  if (!context.isTrueEcho(block)) refuseField(path, `the \`${block.type}\` block is not the one that was returned`);
}

function checkUserTurn(turn: Turn, before: Turn | undefined, context: RuleContext): void {
  const called = new Set((before?.blocks ?? []).flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])));
  const seen = new Set<string>();
  let other = false;
  for (const [b, block] of turn.blocks.entries()) {
    const path = `${turn.path}.content.${b}`;
    checkFiles(block, path, context);
    if (block.type !== 'tool_result') {
      other = true;
      continue;
    }
    if (!called.has(block.tool_use_id)) {
      refuseField(
        path,
        `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${block.tool_use_id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      );
    }
    if (seen.has(block.tool_use_id))
      refuseField(
        path,
        `each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${block.tool_use_id}`,
      );
    if (other) refuseField(path, '`tool_result` blocks must come first in the content of a message');
    seen.add(block.tool_use_id);
    if (!Array.isArray(block.content)) continue;
    const results = block.content.filter((inner) => inner.type === 'search_result').length;
    if (results > 0 && results < block.content.length) {
      refuseField(path, 'when a `tool_result` holds a `search_result`, all its blocks must be `search_result` blocks');
    }
    block.content.forEach((inner, i) => void checkFiles(inner, `${path}.content.${i}`, context));
  }
  const pending = pendingServerCalls(before?.blocks ?? []);
  if (pending.length > 0 && turn.blocks.some((block) => block.type !== 'tool_result')) {
    refuseField(turn.path, 'only `tool_result` blocks may follow a turn with an unfinished `server_tool_use`');
  }
}

/** Ids of native calls without their result. */
function pendingServerCalls(blocks: Blocks): string[] {
  const done = new Set(
    blocks.flatMap((block) =>
      block.type.endsWith('_tool_result') && 'tool_use_id' in block ? [block.tool_use_id] : [],
    ),
  );
  return blocks.flatMap((block) => (block.type === 'server_tool_use' && !done.has(block.id) ? [block.id] : []));
}

function checkFiles(block: Block, path: string, context: RuleContext): void {
  const id =
    block.type === 'container_upload'
      ? block.file_id
      : (block.type === 'image' || block.type === 'document') && block.source.type === 'file'
        ? block.source.file_id
        : undefined;
  if (id !== undefined && context.filesBeta && !context.betas.has('files-api-2025-04-14')) {
    refuseField(path, 'Extra inputs are not permitted (beta files-api-2025-04-14 is not set)');
  }
  if (id !== undefined && !context.hasFile(id)) refuseField(path, `File not found: ${id}`);
}

function checkPrefill(body: CountBody, last: Turn, { model, allowPrefill }: RuleContext): void {
  if (last.role === 'user') return;
  // A paused turn of native tools, and a compaction, are sent back as they are and go on: that is no prefill.
  if (last.blocks.some((block) => block.type === 'server_tool_use' || block.type === 'compaction')) return;
  if (!allowPrefill && !model.prefill)
    refuse(
      400,
      `This model does not support assistant message prefill. The conversation must end with a user message.`,
    );
  if (body.thinking?.type === 'enabled' || body.thinking?.type === 'adaptive')
    refuse(400, 'When thinking is enabled, the final message must not be an assistant prefill.');
  if (body.output_config?.format !== undefined)
    refuse(400, 'output_config.format cannot be used with an assistant prefill.');
  const text = last.blocks.at(-1);
  if (text?.type === 'text' && /\s$/.test(text.text))
    refuse(400, 'messages: final assistant content cannot end with trailing whitespace');
}

function checkImages(turns: readonly Turn[], { model }: RuleContext): void {
  const most = model.window > 200_000 ? 600 : 100;
  const images = turns.flatMap((turn) => turn.blocks).filter((block) => block.type === 'image').length;
  if (images > most) refuse(400, `messages: too many images: ${images} > ${most}`);
}
