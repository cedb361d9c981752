import { sample } from './json-schema.ts';
import { type DraftBlock, type StandIn, textDraft } from './model.ts';
import type { ModelRequest } from './request.ts';

export interface ToolCall {
  /** A name that was declared, or one that was not: models do that. */
  readonly name: string;
  /** @default the plainest input the tool's schema allows */
  readonly input?: unknown | ((request: ModelRequest) => unknown);
}

export interface ToolUserOptions {
  /** One entry per round: the calls made in it. */
  readonly rounds: readonly (readonly ToolCall[])[];
  /** Starts over at the end of the rounds and never answers, unless tools are forbidden. */
  readonly forever?: boolean;
  /** Text before the calls of each round. @default none */
  readonly say?: string;
  /** Thought before the calls of each round, when thinking is on. */
  readonly think?: string;
  /** Answers after the last round. @default a sentence that counts the rounds */
  readonly answer?: StandIn;
}

/**
 * Calls tools in a given order. It keeps no state: the round is told from the conversation, so that one stand-in serves
 * many conversations, and a conversation can be resumed.
 */
export function toolUser(options: ToolUserOptions): StandIn {
  return (request) => {
    const { rounds } = options;
    const round = options.forever === true ? rounds[request.toolRounds % rounds.length] : rounds[request.toolRounds];
    const forbidden = request.toolChoice?.type === 'none' || request.tools.length === 0;
    if (round === undefined || round.length === 0 || forbidden) {
      return options.answer?.(request) ?? textDraft(`Done after ${request.toolRounds} rounds of tools.`);
    }
    const thought: DraftBlock[] = options.think === undefined ? [] : [{ type: 'thinking', thinking: options.think }];
    const forced = request.toolChoice?.type === 'any' || request.toolChoice?.type === 'tool';
    const said: DraftBlock[] = options.say === undefined || forced ? [] : [{ type: 'text', text: options.say }];
    const most = request.toolChoice?.disable_parallel_tool_use === true ? 1 : round.length;
    const calls = round
      .slice(0, most)
      .map((call): DraftBlock => ({ type: 'tool_use', name: call.name, input: inputOf(call, request) }));
    return { content: [...thought, ...said, ...calls] };
  };
}

function inputOf(call: ToolCall, request: ModelRequest): unknown {
  if (typeof call.input === 'function') return (call.input as (request: ModelRequest) => unknown)(request);
  if (call.input !== undefined) return call.input;
  return sample(request.tools.find((tool) => tool.name === call.name)?.schema ?? {});
}
