import { type Census, checkAssistantBlock, checkUserBlock } from './check-blocks.ts';
import { isRecord, mustBeOneOf, mustBeText, refuse } from './refuse.ts';

const maxMessages = 100_000;

interface Turn {
  readonly role: 'user' | 'assistant';
  /** Blocks with their paths. */
  readonly blocks: { readonly block: Record<string, unknown>; readonly field: string }[];
}

/** The last turn, as the rules about prefilling need it. */
export interface LastTurn {
  readonly role: 'user' | 'assistant';
  readonly field: string;
  /** A server-tool loop that stopped half-way and is resumed, which is no prefill. */
  readonly paused: boolean;
}

const pausing = new Set(['server_tool_use', 'compaction']);

export function checkMessages(messages: unknown, field: string, census: Census): LastTurn {
  if (!Array.isArray(messages) || messages.length === 0) refuse(field, 'must be a list of at least one message');
  if (messages.length > maxMessages) refuse(field, `holds ${messages.length} messages, the limit is ${maxMessages}`);
  const turns: Turn[] = [];
  messages.forEach((message: unknown, at) => {
    const path = `${field}[${at}]`;
    if (!isRecord(message)) refuse(path, 'must be { role, content }');
    mustBeOneOf(
      message.role,
      `${path}.role`,
      ['user', 'assistant'],
      message.role === 'system' ? 'Put it into the request field `system`.' : undefined,
    );
    const role = message.role as Turn['role']; // checked above
    if (at === 0 && role !== 'user') refuse(`${path}.role`, 'must be "user" in the first message');
    if (turns.at(-1)?.role !== role) turns.push({ role, blocks: [] });
    const turn = turns.at(-1)!;
    for (const entry of blocksOf(message.content, `${path}.content`, role, census)) turn.blocks.push(entry);
  });
  for (const [at, turn] of turns.entries()) checkToolTurn(turn, turns[at - 1]);
  const last = turns.at(-1)!;
  checkAnswered(last);
  return {
    role: last.role,
    field: `${field}[${messages.length - 1}]`,
    paused: last.blocks.some(({ block }) => pausing.has(block.type as string) || isServerResult(block)),
  };
}

const isServerResult = (block: Record<string, unknown>): boolean =>
  block.type !== 'tool_result' && typeof block.type === 'string' && block.type.endsWith('_tool_result');

function blocksOf(content: unknown, field: string, role: Turn['role'], census: Census): Turn['blocks'] {
  if (typeof content === 'string') {
    census.weight += mustBeText(content, field).length;
    return [{ block: { type: 'text', text: content }, field }];
  }
  if (!Array.isArray(content)) refuse(field, 'must be a string or a list of blocks');
  if (content.length === 0) refuse(field, 'must hold at least one block');
  return content.map((block: unknown, at) => {
    const path = `${field}[${at}]`;
    if (!isRecord(block)) refuse(path, 'must be a block, an object with a "type"');
    (role === 'user' ? checkUserBlock : checkAssistantBlock)(block, path, census);
    return { block, field: path };
  });
}

/** Every tool_use is answered in the very next message, once, before anything else in it. */
function checkToolTurn(turn: Turn, before: Turn | undefined): void {
  if (turn.role === 'assistant') return;
  const open = new Map(
    (before?.blocks ?? [])
      .filter(({ block }) => block.type === 'tool_use')
      .map(({ block, field }) => [block.id as string, field]),
  );
  const answered = new Set<string>();
  let other: string | undefined;
  for (const { block, field } of turn.blocks) {
    if (block.type !== 'tool_result') {
      other ??= field;
      continue;
    }
    const id = block.tool_use_id as string;
    if (answered.has(id)) refuse(`${field}.tool_use_id`, `"${id}" is answered twice`);
    if (!open.delete(id)) refuse(`${field}.tool_use_id`, `"${id}" is no tool_use of the message before`);
    answered.add(id);
    if (other !== undefined) {
      refuse(
        field,
        `stands after ${other}; tool_result blocks come first in their message`,
        'Move other blocks behind the results.',
      );
    }
  }
  refuseOpen(open);
  if (other !== undefined && before !== undefined && answered.size > 0 && hasOpenServerCall(before)) {
    refuse(
      other,
      'stands beside the answers to a turn with an unfinished server tool; only tool_result blocks may',
      undefined,
    );
  }
}

function hasOpenServerCall({ blocks }: Turn): boolean {
  const finished = new Set(blocks.filter(({ block }) => isServerResult(block)).map(({ block }) => block.tool_use_id));
  return blocks.some(({ block }) => block.type === 'server_tool_use' && !finished.has(block.id));
}

function checkAnswered(last: Turn): void {
  if (last.role !== 'assistant') return;
  refuseOpen(
    new Map(
      last.blocks
        .filter(({ block }) => block.type === 'tool_use')
        .map(({ block, field }) => [block.id as string, field]),
    ),
  );
}

function refuseOpen(open: ReadonlyMap<string, string>): void {
  for (const [id, field] of open) {
    refuse(
      field,
      `(tool_use "${id}") has no tool_result in the next message`,
      'Answer every tool_use; a skipped one with is_error: true and a short reason.',
    );
  }
}
