import { list, oneOf, record, refuse, required, textOr } from '../http/check.ts';
import { type Census, countBlock, countMarker } from './census.ts';
import { assistantBlock, userBlock } from './check-blocks.ts';

type Block = Record<string, unknown>;

interface Turn {
  readonly role: 'user' | 'assistant';
  /** Blocks with their paths. */
  readonly blocks: { readonly block: Block; readonly field: string }[];
}

/** The last turn, as the rules about prefilling need it. */
export interface LastTurn {
  readonly role: 'user' | 'assistant';
  readonly field: string;
  /** A server-tool loop that stopped half-way and is resumed, which is no prefill. */
  readonly paused: boolean;
}

const pausing = new Set(['server_tool_use', 'compaction']);
const roles = required(oneOf(['user', 'assistant'], 'A system message goes into the request field `system`.'));
const contents = {
  user: required(textOr(list(userBlock, Number.MAX_SAFE_INTEGER, 1))),
  assistant: required(textOr(list(assistantBlock, Number.MAX_SAFE_INTEGER, 1))),
};
const messageList = required(list(record, 100_000, 1));

/** @throws IbidError INVALID_ARGUMENT */
export function checkMessages(messages: unknown, field: string, census: Census): LastTurn {
  messageList(field, messages);
  const turns: Turn[] = [];
  (messages as Block[]).forEach((message, at) => {
    const path = `${field}[${at}]`;
    roles(`${path}.role`, message.role);
    const role = message.role as Turn['role']; // one of the two
    if (at === 0 && role !== 'user') refuse(`${path}.role`, 'must be "user" in the first message');
    contents[role](`${path}.content`, message.content);
    if (turns.at(-1)?.role !== role) turns.push({ role, blocks: [] });
    turns.at(-1)!.blocks.push(...blocksOf(message.content as string | Block[], `${path}.content`));
  });
  for (const { role, blocks } of turns) for (const { block, field } of blocks) count(role, block, field, census);
  for (const [at, turn] of turns.entries()) checkToolTurn(turn, turns[at - 1]);
  const last = turns.at(-1)!;
  if (last.role === 'assistant') refuseOpen(openCalls(last));
  return {
    role: last.role,
    field: `${field}[${(messages as Block[]).length - 1}]`,
    paused: last.blocks.some(({ block }) => pausing.has(block.type as string) || isServerResult(block)),
  };
}

const isServerResult = (block: Block): boolean =>
  block.type !== 'tool_result' && typeof block.type === 'string' && block.type.endsWith('_tool_result');

const blocksOf = (content: string | readonly Block[], field: string): Turn['blocks'] =>
  typeof content === 'string'
    ? [{ block: { type: 'text', text: content }, field }]
    : content.map((block, at) => ({ block, field: `${field}[${at}]` }));

/** Of an answer that goes back only the marker counts: what is inside is the service's own. */
function count(role: Turn['role'], block: Block, field: string, census: Census): void {
  if (role === 'user') countBlock(block, field, census);
  else {
    countMarker(block, field, census);
    for (const value of [block.text, block.thinking]) if (typeof value === 'string') census.weight += value.length;
  }
}

const openCalls = (turn: Turn | undefined): Map<string, string> =>
  new Map(
    (turn?.blocks ?? [])
      .filter(({ block }) => block.type === 'tool_use')
      .map(({ block, field }) => [block.id as string, field]),
  );

/** Every tool_use is answered in the very next message, once, before anything else in it. */
function checkToolTurn(turn: Turn, before: Turn | undefined): void {
  if (turn.role === 'assistant') return;
  const open = openCalls(before);
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
    refuse(other, 'stands beside the answers to a turn with an unfinished server tool; only tool_result blocks may');
  }
}

function hasOpenServerCall({ blocks }: Turn): boolean {
  const finished = new Set(blocks.filter(({ block }) => isServerResult(block)).map(({ block }) => block.tool_use_id));
  return blocks.some(({ block }) => block.type === 'server_tool_use' && !finished.has(block.id));
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
