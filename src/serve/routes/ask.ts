import type { Answer, AnswerEvent } from '../../answer/contract.ts';
import { IbidError } from '../../core/errors.ts';
import type { AskOptions } from '../../modes/options.ts';
import { answerToJson, hitToJson } from '../../search-index/json.ts';
import type { SearchIndex } from '../../search-index/search-index.ts';
import { mustPay } from '../access.ts';
import { answerAnswer, type ServedAnswer, servedShards } from '../answer-shapes.ts';
import { ofIndex, problemOf, Refusal, warningToJson } from '../problem.ts';
import { type AskRequest, askRequest } from '../request-shapes.ts';
import { type Call, type Route, route, type ServerEvent } from '../route.ts';

export const askRoute: Route = route<AskRequest>({
  path: '/api/ask',
  methods: ['GET', 'POST'],
  summary: 'Answers a question with citations, or says that the documents do not know.',
  scope: 'ask',
  request: askRequest,
  answer: answerAnswer,
  media: 'text/event-stream',
  handle: async (call) => {
    const { stream = /\btext\/event-stream\b/.test(call.headers.accept ?? '') } = call.input;
    if (stream) return { events: eventsOf(call) };
    for await (const event of askIndexes(call.input, call))
      if (event.type === 'done') return { json: servedAnswer(event.answer, event.index) };
    throw new IbidError('RESPONSE_INVALID', 'the answer has no end');
  },
});

/** An event of an answer, and of which index, where the server has several. */
type ServedEvent = AnswerEvent & { readonly index?: string };

/**
 * The events of an answer. Of several indexes, those of the one whose answer has the most support; each is asked, which
 * only a mode without costs may do.
 * @throws Refusal, IbidError
 */
export async function* askIndexes(
  request: AskRequest,
  { access, indexes, signal }: Pick<Call, 'access' | 'indexes' | 'signal'>,
): AsyncGenerator<ServedEvent> {
  const { question, index: names, stream: _, ...asked } = request;
  const chosen = indexes.chosen(names);
  const options = { mode: 'extractive', ...asked, budget: access.budget, signal } as AskOptions; // checked by its schema
  const costs = options.mode !== 'extractive' || asked.web === true || asked.rerank === true;
  if (costs) mustPay(access);
  if (chosen.length === 1) {
    const [name, index] = chosen[0]!;
    for await (const event of access.view(index).ask(question, options))
      yield indexes.areSeveral ? { ...event, index: name } : event;
    return;
  }
  if (costs)
    throw new Refusal(400, 'INVALID_ARGUMENT', 'a question that costs money is asked of one index', {
      hint: 'Name the index.',
    });
  const all = await Promise.all(
    chosen.map(([name, index]) => ofIndex(name, () => collected(name, access.view(index), question, options))),
  );
  const best = all.reduce((a, b) => (b.support > a.support ? b : a));
  yield* best.events;
}

async function collected(
  name: string,
  index: SearchIndex,
  question: string,
  options: AskOptions,
): Promise<{ readonly support: number; readonly events: readonly ServedEvent[] }> {
  const events: ServedEvent[] = [];
  let support = 0;
  for await (const event of index.ask(question, options)) {
    events.push({ ...event, index: name });
    if (event.type === 'done') support = event.answer.support;
  }
  return { support, events };
}

export function servedAnswer(answer: Answer, index: string | undefined): ServedAnswer {
  const named = index !== undefined && { index };
  const { error, skipped, hits, shards, ...json } = answerToJson(answer);
  const { warnings = [] } = answer.report ?? {};
  return {
    ...json,
    hits: hits.map((hit) => ({ ...hit, ...named })),
    // messages of services stay here
    ...(error && {
      error: {
        message: problemOf(answer.grounding?.error).message,
        ...(error.code !== undefined && { code: error.code }),
      },
    }),
    ...(skipped && {
      skipped: skipped.map(({ mode, code }) => ({ mode, code, message: problemOf(new IbidError(code, '')).message })),
    }),
    ...servedShards([shards]),
    ...(warnings.length > 0 && { warnings: warnings.map(warningToJson) }),
    ...named,
  };
}

async function* eventsOf(call: Call<AskRequest>): AsyncGenerator<ServerEvent> {
  for await (const event of askIndexes(call.input, call)) yield { event: event.type, data: eventToJson(event) };
}

function eventToJson(event: ServedEvent): unknown {
  const named = event.index !== undefined && { index: event.index };
  switch (event.type) {
    case 'hits':
      return {
        query: event.query,
        hits: event.hits.map((hit, i) => ({ ...hitToJson(hit, i + 1), ...named })),
        ...named,
      };
    case 'done':
      return servedAnswer(event.answer, event.index);
    case 'citation':
      return answerToJson({ ...noAnswer, citations: [event.citation] }).citations[0];
    case 'skipped': {
      const { mode, code } = event.skipped;
      return { mode, code, message: problemOf(new IbidError(code, '')).message };
    }
    case 'link':
      return event.link;
    case 'silence':
      return event.silence;
    default: {
      const { type: _, index: __, ...rest } = event;
      return rest;
    }
  }
}

const noAnswer: Answer = {
  question: '',
  answer: '',
  abstained: false,
  confidence: 'none',
  support: 0,
  citations: [],
  hits: [],
};
