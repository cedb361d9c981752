import type { SseEvent } from '../contract.ts';
import type { RunResult } from './research-run.ts';
import type { ResearchScript } from './script.ts';

export interface StreamEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly [key: string]: unknown;
}

/**
 * Events of one run, with what was recorded on the wire: a built-in search is announced as a `function_call` named
 * `search_web` and ends as `search_results` under the same index, a message begins with `content: null`, and numbers
 * have gaps.
 */
export function eventsOf(
  result: RunResult,
  snapshot: (final: boolean) => Record<string, unknown>,
  script: ResearchScript,
): StreamEvent[] {
  const events: StreamEvent[] = [];
  let sequence = 0;
  const push = (type: string, fields: Record<string, unknown> = {}) => {
    events.push({ type, sequence_number: sequence, ...fields });
    sequence += events.length % 3 === 0 ? 3 : 1;
  };
  push('response.created', { response: snapshot(false) });
  push('response.in_progress', { response: snapshot(false) });
  if (script.unknownKinds === true) push('response.weather.updated', { days: 3 });
  let thinking = false;
  for (const [index, item] of result.output.entries()) {
    if (item.type === 'search_results' || item.type === 'fetch_url_results') {
      if (!thinking) push('response.reasoning.started', { thought: 'Look for sources.' });
      thinking = true;
    } else if (thinking) {
      push('response.reasoning.stopped');
      thinking = false;
    }
    describe(item, index, push);
  }
  if (thinking) push('response.reasoning.stopped');
  if (script.withoutTerminal === true) return events;
  if (result.status === 'failed') push('response.failed', { error: result.error, response: snapshot(true) });
  else if (result.status === 'requires_action') push('response.completed', { response: snapshot(true) });
  else push(`response.${result.status}`, { response: snapshot(true) });
  return events;
}

function describe(
  item: RunResult['output'][number],
  index: number,
  push: (type: string, fields?: Record<string, unknown>) => void,
): void {
  const at = { output_index: index };
  switch (item.type) {
    case 'search_results': {
      const call = `call_search_${index}`;
      push('response.output_item.added', {
        ...at,
        item: {
          type: 'function_call',
          id: `fc_search_${index}`,
          call_id: call,
          name: 'search_web',
          arguments: JSON.stringify({ queries: item.queries }),
          status: 'completed',
        },
      });
      push('response.reasoning.search_queries', { queries: item.queries, call_id: call });
      push('response.reasoning.search_results', { results: item.results, call_id: call });
      push('response.output_item.done', { ...at, item });
      return;
    }
    case 'fetch_url_results': {
      const urls = item.contents.map(({ url }) => url);
      push('response.reasoning.fetch_url_queries', { urls });
      push('response.output_item.added', {
        ...at,
        item: {
          type: 'function_call',
          id: `fc_fetch_${index}`,
          call_id: `call_fetch_${index}`,
          name: 'fetch_url',
          arguments: JSON.stringify({ urls }),
          status: 'completed',
        },
      });
      push('response.reasoning.fetch_url_results', { contents: item.contents });
      push('response.output_item.done', { ...at, item });
      return;
    }
    case 'message': {
      const part = item.content[0]!;
      push('response.output_item.added', { ...at, item: { ...item, status: 'in_progress', content: null } });
      const place = { item_id: item.id, ...at, content_index: 0 };
      for (const delta of part.text.split(/(?<=\s)/)) push('response.output_text.delta', { ...place, delta });
      push('response.output_text.done', { ...place, text: part.text });
      push('response.output_item.done', { ...at, item });
      return;
    }
    default:
      push('response.output_item.added', { ...at, item });
      push('response.output_item.done', { ...at, item });
  }
}

/** As sent: named or not, cut short by an `error` event, with or without the `[DONE]` nobody documents. */
export function toWire(events: readonly StreamEvent[], script: ResearchScript): SseEvent[] {
  const kept: readonly StreamEvent[] =
    script.errorEventAfter === undefined
      ? events
      : [
          ...events.slice(0, script.errorEventAfter),
          {
            type: 'error',
            sequence_number: (events[script.errorEventAfter - 1]?.sequence_number ?? 0) + 1,
            error: { message: 'upstream closed', type: 'bad_gateway', code: 502 },
          },
        ];
  const sent: SseEvent[] = kept.map((data) => (script.namedEvents === true ? { event: data.type, data } : { data }));
  return script.done === true ? [...sent, { data: '[DONE]' }] : sent;
}
