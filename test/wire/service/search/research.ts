import type { Exchange, Reply, Route } from '../contract.ts';
import { keyed, refuse, type SearchContext } from './context.ts';
import { eventsOf, type StreamEvent, toWire } from './research-events.ts';
import { type InputItem, type ResearchRequest, readResearchRequest } from './research-request.ts';
import { type RunResult, run, signatureOf, signs } from './research-run.ts';

interface StoredRun {
  readonly id: string;
  readonly request: ResearchRequest;
  readonly conversation: readonly InputItem[];
  readonly result: RunResult;
  readonly createdAt: number;
  /** Polls so far; a background run is done after the scripted number. */
  polls: number;
  cancelledAtPoll: number | undefined;
  readonly events: readonly StreamEvent[];
}

export function researchRoutes(context: SearchContext): Route[] {
  const runs = new Map<string, StoredRun>();

  function create(exchange: Exchange): Reply {
    const request = readResearchRequest(context, exchange.request.body);
    const conversation = [...earlier(request), ...request.items];
    checkCalls(conversation, request);
    const result = run(context, request, conversation);
    exchange.ledger.add({
      service: 'search',
      operation: 'responses',
      model: request.model ?? request.label,
      inputTokens: result.inputTokens,
      outputTokens: result.outputTokens,
      usd: result.costUsd,
    });
    const id = context.nextId('resp');
    const createdAt = context.now();
    const draft = { id, request, conversation, result, createdAt, polls: 0, cancelledAtPoll: undefined };
    const events = eventsOf(
      result,
      (final) => snapshot({ ...draft, events: [] }, final),
      context.script.research ?? {},
    );
    const stored: StoredRun = { ...draft, events };
    runs.set(id, stored);
    const headers = { 'x-request-id': id.replace(/^resp_/, '') };
    if (request.stream) return { headers, events: toWire(events, context.script.research ?? {}) };
    return { headers, json: request.background ? pending(stored, 'queued') : snapshot(stored, true) };
  }

  function earlier({ previousId }: ResearchRequest): readonly InputItem[] {
    if (previousId === undefined) return [];
    const previous = runs.get(previousId);
    if (previous?.result.status !== 'completed') refuse(400, 'invalid_request', 'invalid request');
    const output = previous.result.output.flatMap((item): InputItem[] => {
      if (item.type === 'function_call') return [item];
      return item.type === 'message'
        ? [{ type: 'message', role: 'assistant', text: item.content.map(({ text }) => text).join('') }]
        : [];
    });
    return [...previous.conversation, ...output];
  }

  function find(id: string): StoredRun {
    const stored = runs.get(id);
    if (stored?.request.store !== true) refuse(404, 'not_found', `Response '${id}' not found`);
    return stored;
  }

  function retrieve({ request, params }: Exchange): Reply {
    const stored = find(params.id ?? '');
    const script = context.script.research ?? {};
    const headers = { 'x-request-id': stored.id.replace(/^resp_/, '') };
    if (request.query.get('stream') === 'true') {
      const cursor = Number(request.query.get('starting_after') ?? -1);
      if (script.expiredCursor === true || !Number.isInteger(cursor))
        refuse(400, 'invalid_request', 'cursor expired', 'starting_after');
      stored.polls = Number.POSITIVE_INFINITY;
      return {
        headers,
        events: toWire(
          stored.events.filter((event) => event.sequence_number > cursor),
          script,
        ),
      };
    }
    stored.polls += 1;
    return { headers, json: current(stored) };
  }

  function isDone(stored: StoredRun): boolean {
    return !stored.request.background || stored.polls > (context.script.research?.polls ?? 2);
  }

  function current(stored: StoredRun): Record<string, unknown> {
    const { cancelledAtPoll } = stored;
    if (cancelledAtPoll !== undefined) {
      const over = stored.polls >= cancelledAtPoll + (context.script.research?.cancelPolls ?? 1);
      return pending(stored, over ? 'cancelled' : 'in_progress');
    }
    if (isDone(stored)) return snapshot(stored, true);
    return pending(stored, stored.polls <= 1 ? 'queued' : 'in_progress');
  }

  function pending(stored: StoredRun, status: string): Record<string, unknown> {
    return { ...snapshot(stored, false), status };
  }

  /** Times are those of the snapshot, as recorded. */
  function snapshot(stored: StoredRun, final: boolean): Record<string, unknown> {
    const { request, result } = stored;
    const { body } = request;
    const now = context.now();
    return {
      id: stored.id,
      object: 'response',
      created_at: now,
      completed_at: final ? now : null,
      status: final ? result.status : 'in_progress',
      model: final ? (request.model ?? request.label) : request.label,
      output: final ? result.output : [],
      error: final ? result.error : null,
      incomplete_details: final && result.incompleteReason !== undefined ? { reason: result.incompleteReason } : null,
      usage: final ? result.usage : null,
      background: request.background,
      instructions: body.instructions ?? null,
      max_output_tokens: request.maxOutputTokens ?? null,
      metadata: body.metadata ?? {},
      parallel_tool_calls: body.parallel_tool_calls ?? true,
      previous_response_id: request.previousId ?? null,
      reasoning: body.reasoning ?? null,
      store: request.store,
      temperature: body.temperature ?? 1,
      text: { format: { type: request.schema === undefined ? 'text' : 'json_schema' } },
      tool_choice: body.tool_choice ?? 'auto',
      tools: body.tools ?? [],
      top_p: body.top_p ?? 1,
      truncation: body.truncation ?? 'disabled',
    };
  }

  function cancel({ params }: Exchange): Reply {
    const stored = runs.get(params.id ?? '');
    // An unknown run and a finished one get the same answer.
    if (stored === undefined || isDone(stored) || stored.cancelledAtPoll !== undefined) {
      refuse(400, 'invalid_request', 'response cannot be cancelled');
    }
    stored.cancelledAtPoll = stored.polls;
    return { json: { response_id: stored.id, status: 'cancelling' } };
  }

  function files({ params }: Exchange): Reply {
    const stored = find(params.id ?? '');
    return {
      json: {
        object: 'list',
        data: stored.result.files.map(({ id, filename, content }) => ({
          id,
          object: 'file',
          filename,
          bytes: Buffer.byteLength(content),
          created_at: stored.createdAt,
        })),
      },
    };
  }

  function fileContent({ params }: Exchange): Reply {
    const file = find(params.id ?? '').result.files.find(({ id }) => id === params.file);
    if (file === undefined) refuse(404, 'not_found', `File '${params.file}' not found`);
    return { bytes: file.content, headers: { 'content-type': 'application/octet-stream' } };
  }

  const models = keyed(context, 'GET', '/v1/models', () => ({
    json: {
      object: 'list',
      data: context.models.research.map((id) => ({ id, object: 'model', created: 0, owned_by: id.split('/')[0] })),
    },
  }));

  return [
    models,
    ...['/v1/responses', '/v1/agent'].flatMap((path) => [
      keyed(context, 'POST', path, create),
      keyed(context, 'GET', `${path}/{id}`, retrieve),
      keyed(context, 'POST', `${path}/{id}/cancel`, cancel),
      keyed(context, 'GET', `${path}/{id}/files`, files),
      keyed(context, 'GET', `${path}/{id}/files/{file}/content`, fileContent),
    ]),
  ];
}

/** Calls and outputs come in pairs, calls first; a call of a signing model comes back with its signature. */
function checkCalls(items: readonly InputItem[], request: ResearchRequest): void {
  const open = new Map<string, string>();
  const answered = new Set<string>();
  for (const [at, item] of items.entries()) {
    if (item.type === 'function_call') {
      if (open.has(item.call_id) || answered.has(item.call_id)) {
        refuse(400, 'invalid_request', `call_id '${item.call_id}' occurs twice`, `input[${at}].call_id`);
      }
      if (signs(request.model) && item.thought_signature !== signatureOf(item.call_id)) {
        refuse(
          400,
          'invalid_request',
          'function call is missing a thought_signature',
          `input[${at}].thought_signature`,
        );
      }
      open.set(item.call_id, item.name);
    } else if (item.type === 'function_call_output') {
      if (!open.delete(item.call_id)) {
        refuse(
          400,
          'invalid_request',
          `No tool call found for function call output with call_id ${item.call_id}.`,
          `input[${at}].call_id`,
        );
      }
      answered.add(item.call_id);
    } else if (open.size > 0) break;
  }
  const [missing] = open.keys();
  if (missing !== undefined)
    refuse(400, 'invalid_request', `No tool output found for function call ${missing}.`, 'input');
}
