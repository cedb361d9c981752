import { objectOf, optionsOf } from '../../core/arguments.ts';
import { mapConcurrent, unlessAborted } from '../../core/async.ts';
import { messageOf } from '../../core/errors.ts';
import { isRecord } from '../../core/records.ts';
import { factsOf } from '../../wire/http/answer.ts';
import {
  anything,
  type Check,
  fields,
  integer,
  refuse,
  required,
  requireRecord,
  shown,
} from '../../wire/http/check.ts';
import { type Cost, sumCosts } from '../../wire/http/cost.ts';
import type { StandardSchema } from '../../wire/http/standard-schema.ts';
// not through the door of `wire/search/`: `ibid` exports this file, and behind the door is what speaks HTTP
import { PartialResultError } from '../../wire/search/failures.ts';
import { searchOperations } from '../../wire/search/operations.ts';
import { isFailed, isFinished, runFailed } from '../../wire/search/research-parse.ts';
import type {
  FunctionCall,
  FunctionTool,
  InputItem,
  ResearchOptions,
  ResearchRequest,
  ResearchRun,
} from '../../wire/search/research-types.ts';
import { answeredCalls } from '../../wire/search/serialise.ts';
import type { SearchService } from '../../wire/search/service.ts';

/** Of which call, in which round, a function is run. */
export interface FunctionContext {
  readonly callId: string;
  /** From 1. */
  readonly round: number;
  readonly signal: AbortSignal;
}

/** A function the model may call. */
export interface ResearchFunction<T = unknown> {
  readonly description?: string | undefined;
  /** JSON Schema of the arguments, as it is sent. */
  readonly parameters?: object | undefined;
  readonly strict?: boolean | undefined;
  /** Checks and converts the arguments before `handler` sees them: a Standard Schema, or a function that throws. */
  readonly parse?: StandardSchema<T> | ((value: unknown) => T) | undefined;
  /** A string goes to the model as it is, anything else as JSON; what it throws, as an error message. */
  handler(args: T, context: FunctionContext): unknown;
}

/** Keeps the type of the arguments between `parse` and `handler`. */
export function researchFunction<T = Record<string, unknown>>(definition: ResearchFunction<T>): ResearchFunction {
  // The loop hands `handler` only what `parse` has made, or, without `parse`, the JSON object the model sent.
  return definition as ResearchFunction;
}

export interface ResearchRunOptions extends Omit<ResearchOptions, 'onFailure'> {
  readonly functions: Readonly<Record<string, ResearchFunction>>;
  /** Requests that may be sent, the first included. @default 8 */
  readonly maxRounds?: number | undefined;
  /** Handlers at work at once. @default 4 */
  readonly concurrency?: number | undefined;
  /** Called after every round. */
  readonly onRound?: ((round: ResearchRound) => void) | undefined;
}

/** One call of a function, and what the model was told. */
export interface FunctionResult {
  readonly call: FunctionCall;
  readonly output: string;
  /** Set when the model was told of an error: unknown function, unusable arguments, or what the handler threw. */
  readonly error: unknown;
}

/** A run that ended in calls of functions, and their results. */
export interface ResearchRound {
  /** From 1. */
  readonly round: number;
  readonly run: ResearchRun;
  readonly results: readonly FunctionResult[];
}

export interface ResearchRunResult {
  /** The last run, which called no function. */
  readonly run: ResearchRun;
  readonly outputText: string;
  readonly rounds: readonly ResearchRound[];
  /** Of all rounds. */
  readonly cost: Cost;
}

const aFunction: Check = (field, value) => {
  if (typeof value !== 'function') refuse(field, 'must be a function');
};
const checkDefinition = fields({
  description: anything,
  parameters: anything,
  strict: anything,
  parse: anything,
  handler: required(aFunction),
});

/** Functions as the tools of a request. @throws IbidError INVALID_ARGUMENT */
export function functionTools(functions: Readonly<Record<string, ResearchFunction>>): readonly FunctionTool[] {
  requireRecord('functions', functions);
  return Object.entries(functions).map(([name, definition]) => {
    checkDefinition(`functions.${name}`, definition);
    const { description, parameters, strict } = definition;
    return {
      type: 'function',
      name,
      ...(description === undefined ? {} : { description }),
      parameters: parameters ?? { type: 'object', properties: {} },
      ...(strict === undefined ? {} : { strict }),
    };
  });
}

/**
 * Sends a request, answers the function calls of its run, and sends it again with the answers, until a run calls no
 * function.
 * @throws IbidError INVALID_ARGUMENT; WireError RUN_FAILED; STEPS_EXCEEDED with the rounds as `partial`
 */
export async function runResearch(
  service: SearchService,
  request: ResearchRequest,
  options: ResearchRunOptions,
): Promise<ResearchRunResult> {
  objectOf(service, 'the client', 'research');
  objectOf(request, 'the request');
  const { functions, maxRounds = 8, concurrency = 4, onRound, ...call } = optionsOf(options);
  objectOf(functions, 'functions');
  const { signal } = call;
  const operation = searchOperations(service.profile.paths)['research.create'];
  const send = async (round: ResearchRequest): Promise<ResearchRun> => {
    const begun = await service.research.create(round, { ...call, onFailure: 'return' });
    return isFinished(begun.status) ? begun : service.research.wait(begun.id, { ...call, onFailure: 'return' });
  };
  integer(1, 100)('maxRounds', maxRounds);
  integer(1, 100)('concurrency', concurrency);
  const tools = functionTools(functions);
  for (const tool of request.tools ?? []) {
    if (tool.type === 'function' && tools.some(({ name }) => name === tool.name)) {
      refuse('functions', `"${tool.name}" is also declared in tools`);
    }
  }
  let input: readonly InputItem[] =
    typeof request.input === 'string' ? [{ type: 'message', role: 'user', content: request.input }] : request.input;
  const rounds: ResearchRound[] = [];
  for (let round = 1; round <= maxRounds; round++) {
    signal?.throwIfAborted();
    // The first round keeps the input as the caller spelled it.
    const sent = { ...request, ...(round === 1 ? {} : { input }), tools: [...(request.tools ?? []), ...tools] };
    const run = await send(sent.tools.length === 0 ? { ...sent, tools: undefined } : sent);
    const calls = run.functionCalls;
    const waits = run.status === 'completed' || (run.status === 'requires_action' && calls.length > 0);
    if (!waits || (isFailed(run) && calls.length === 0)) throw runFailed({ operation, info: run.info }, run);
    const answer = (asked: FunctionCall, inner: AbortSignal): Promise<FunctionResult> =>
      answerCall(functions, asked, { callId: asked.call_id, round, signal: inner });
    const results =
      calls.length === 0 ? [] : await Array.fromAsync(mapConcurrent(calls, answer, { concurrency, signal }));
    const done = { round, run, results };
    rounds.push(done);
    onRound?.(done);
    if (calls.length === 0) {
      return { run, outputText: run.outputText, rounds, cost: sumCosts(rounds.map((entry) => entry.run.cost)) };
    }
    input = [...input, ...answeredCalls(run, results)];
  }
  const message = `${operation.name}: the model still calls functions after ${maxRounds} rounds`;
  throw new PartialResultError('STEPS_EXCEEDED', message, rounds, {
    ...factsOf({ operation, info: rounds.at(-1)?.run.info }),
    hint: 'Raise maxRounds, or let the functions answer more at once.',
  });
}

/** Only declared functions run; everything that goes wrong is told to the model, except an abort. */
export async function answerCall(
  functions: Readonly<Record<string, ResearchFunction>>,
  call: FunctionCall,
  context: FunctionContext,
): Promise<FunctionResult> {
  try {
    // A name such as "constructor" must not find what every object inherits.
    const definition = Object.hasOwn(functions, call.name) ? functions[call.name] : undefined;
    if (definition === undefined) throw new Error(`There is no function "${call.name}".`);
    const args = await parseArguments(definition, call.arguments);
    const value = await unlessAborted(() => definition.handler(args, context), context.signal);
    const output = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');
    return { call, output, error: undefined };
  } catch (error) {
    context.signal.throwIfAborted();
    const message = messageOf(error);
    return { call, output: JSON.stringify({ error: message }), error };
  }
}

async function parseArguments(definition: ResearchFunction, json: string): Promise<unknown> {
  let value: unknown;
  try {
    value = json.trim() === '' ? {} : JSON.parse(json);
  } catch {
    throw new Error('The arguments are not JSON.');
  }
  if (!isRecord(value)) throw new Error(`The arguments must be a JSON object, got ${shown(value)}.`);
  const { parse } = definition;
  if (parse === undefined) return value;
  if (!('~standard' in parse)) return parse(value);
  const result = await parse['~standard'].validate(value);
  if (result.issues === undefined) return result.value;
  throw new Error(result.issues.map(({ message, path }) => `${pathText(path)}${message}`).join('; '));
}

function pathText(path: readonly unknown[] | undefined): string {
  if (path === undefined || path.length === 0) return '';
  return `${path.map((step) => String(isRecord(step) ? step.key : step)).join('.')}: `;
}
