import type { Exchange, Reply, Route, SseEvent } from '../contract.ts';
import { type ComposedAnswer, composeAnswer } from './chat-answer.ts';
import { type ChatRequest, readChatRequest } from './chat-request.ts';
import { countText, keyed, refuse, type SearchContext } from './context.ts';
import type { AnswerScript } from './script.ts';

export function chatRoutes(context: SearchContext): Route[] {
  return ['/chat/completions', '/v1/chat/completions'].map((path) =>
    keyed(context, 'POST', path, (exchange) => {
      refuseWhenRetired(context);
      const request = readChatRequest(context, exchange.request.body);
      const answer = composeAnswer(context, request);
      book(exchange, request, answer, 'chat.completions');
      const id = context.nextId('chat');
      if (!request.stream) return { json: completeBody(context, id, request, answer) };
      return { events: streamEvents(context, id, request, answer) } satisfies Reply;
    }),
  );
}

export function refuseWhenRetired(context: SearchContext): void {
  if (context.script.answer?.retired === true) {
    refuse(403, 'chat_completions_not_available', 'Chat completions is not available. Use /v1/responses instead.');
  }
}

export function book({ ledger }: Exchange, request: ChatRequest, answer: ComposedAnswer, operation: string): void {
  ledger.add({
    service: 'search',
    operation,
    model: request.model,
    inputTokens: answer.promptTokens,
    outputTokens: countText(answer.content),
    usd: answer.totalCost,
    items: [request.question],
  });
}

export function completeBody(
  context: SearchContext,
  id: string,
  request: ChatRequest,
  answer: ComposedAnswer,
): Record<string, unknown> {
  return {
    id,
    model: request.model,
    created: context.now(),
    object: 'chat.completion',
    choices: [{ index: 0, finish_reason: answer.finishReason, message: messageOf(answer, answer.content) }],
    ...citations(context.script.answer ?? {}, answer),
    ...sources(answer),
    ...(answer.related === undefined ? {} : { related_questions: answer.related }),
    ...withUsage(answer.usage(countText(answer.content), true)),
  };
}

function messageOf(answer: ComposedAnswer, content: string): Record<string, unknown> {
  return { role: 'assistant', content, ...(answer.steps === undefined ? {} : { reasoning_steps: answer.steps }) };
}

function citations(script: AnswerScript, answer: ComposedAnswer): Record<string, unknown> {
  if (script.citations === 'absent') return {};
  return { citations: script.citations === 'null' ? null : answer.results.map(({ url }) => url) };
}

function sources(answer: ComposedAnswer): Record<string, unknown> {
  return {
    search_results: answer.results.map((result) => ({ ...result, source: 'web' })),
    ...(answer.images === undefined ? {} : { images: answer.images }),
  };
}

const withUsage = (usage: Record<string, unknown> | undefined) => (usage === undefined ? {} : { usage });

function pieces(text: string, length: number | undefined): string[] {
  if (length === undefined) return text.split(/(?<=\s)/);
  return Array.from({ length: Math.ceil(text.length / length) }, (_, at) => text.slice(at * length, (at + 1) * length));
}

/** Plain `data:` chunks; the whole stream is made at once so that it can be spoiled as one. */
function streamEvents(context: SearchContext, id: string, request: ChatRequest, answer: ComposedAnswer): SseEvent[] {
  const script = context.script.answer ?? {};
  const created = context.now();
  let at = 0;
  const chunk = (object: string, choice: Record<string, unknown>, extra: Record<string, unknown> = {}): SseEvent => ({
    // The time of the chunk, not of the stream.
    data: {
      id,
      model: request.model,
      created: created + Math.floor(at++ / 10),
      object,
      ...extra,
      choices: [{ index: 0, ...choice }],
    },
  });
  const events = request.concise ? conciseEvents(answer, script, chunk) : fullEvents(answer, script, chunk);
  if (script.done === true) events.push({ data: '[DONE]' });
  return events;
}

type MakeChunk = (object: string, choice: Record<string, unknown>, extra?: Record<string, unknown>) => SseEvent;

function fullEvents(answer: ComposedAnswer, script: AnswerScript, chunk: MakeChunk): SseEvent[] {
  const events: SseEvent[] = [];
  const cited = citations(script, answer);
  let soFar = '';
  const parts = pieces(answer.content, script.pieceLength);
  for (const [at, piece] of parts.entries()) {
    soFar += piece;
    const last = script.oldEnding === true && at === parts.length - 1;
    events.push(
      chunk(
        'chat.completion.chunk',
        {
          ...(script.withoutMessage === true ? {} : { message: { role: 'assistant', content: soFar } }),
          delta: { role: 'assistant', content: piece },
          finish_reason: last ? answer.finishReason : null,
        },
        { ...cited, ...(last ? sources(answer) : {}), ...withUsage(answer.usage(countText(soFar), last)) },
      ),
    );
  }
  if (script.oldEnding === true) return events;
  events.push(
    chunk(
      'chat.completion.done',
      {
        ...(script.withoutMessage === true ? {} : { message: messageOf(answer, answer.content) }),
        delta: { role: 'assistant', content: '' },
        finish_reason: answer.finishReason,
      },
      {
        ...cited,
        ...sources(answer),
        ...(answer.related === undefined ? {} : { related_questions: answer.related }),
        ...withUsage(answer.usage(countText(answer.content), true)),
      },
    ),
  );
  return events;
}

function conciseEvents(answer: ComposedAnswer, script: AnswerScript, chunk: MakeChunk): SseEvent[] {
  const events: SseEvent[] = [];
  for (const step of answer.steps ?? []) {
    events.push(
      chunk('chat.reasoning', {
        delta: { role: 'assistant', content: '', reasoning_steps: [step] },
        finish_reason: null,
      }),
    );
  }
  const partial = answer.usage(0, false);
  delete partial?.cost;
  events.push(
    chunk(
      'chat.reasoning.done',
      {
        message: {
          role: 'assistant',
          content: '',
          ...(answer.steps === undefined ? {} : { reasoning_steps: answer.steps }),
        },
        delta: { role: 'assistant', content: '' },
        finish_reason: null,
      },
      { ...sources(answer), ...withUsage(partial) },
    ),
  );
  for (const piece of pieces(answer.content, script.pieceLength)) {
    events.push(chunk('chat.completion.chunk', { delta: { role: 'assistant', content: piece }, finish_reason: null }));
  }
  events.push(
    chunk(
      'chat.completion.done',
      {
        message: messageOf(answer, answer.content),
        delta: { role: 'assistant', content: '' },
        finish_reason: answer.finishReason,
      },
      {
        ...citations(script, answer),
        ...sources(answer),
        ...(answer.related === undefined ? {} : { related_questions: answer.related }),
        ...withUsage(answer.usage(countText(answer.content), true)),
      },
    ),
  );
  return events;
}
