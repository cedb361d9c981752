import type { Exchange, Route } from '../contract.ts';
import { record, text } from '../shape.ts';
import { book, completeBody, refuseWhenRetired } from './chat.ts';
import { composeAnswer } from './chat-answer.ts';
import { readChatRequest } from './chat-request.ts';
import { checkBody, keyed, refuse, type SearchContext } from './context.ts';

interface Job {
  readonly id: string;
  readonly model: string;
  readonly createdAt: number;
  polls: number;
  readonly response: Record<string, unknown>;
}

const PATH = '/async/chat/completions';
const PAGE_SIZE = 20;

/** Answers later: a job is done after a number of polls instead of after a time. */
export function asyncChatRoutes(context: SearchContext): Route[] {
  const jobs = new Map<string, Job>();
  const byKey = new Map<string, string>();

  const outer = record({
    request: (value, path) => record_like(value, path),
    'idempotency_key?': text({ min: 1 }),
  });

  function create(exchange: Exchange) {
    const body = checkBody(context, exchange.request.body, outer);
    const request = readChatRequest(context, body.request, true);
    const key = body.idempotency_key as string | undefined;
    const known = key === undefined ? undefined : jobs.get(byKey.get(key) ?? '');
    if (known !== undefined) return { json: view(context, known, true) };
    const answer = composeAnswer(context, request);
    book(exchange, request, answer, 'async.chat.completions');
    const id = context.nextId('async');
    const job: Job = {
      id,
      model: request.model,
      createdAt: context.now(),
      polls: 0,
      response: completeBody(context, id, request, answer),
    };
    jobs.set(id, job);
    if (key !== undefined) byKey.set(key, id);
    return { json: view(context, job, true) };
  }

  return [
    keyed(context, 'POST', PATH, (exchange) => {
      refuseWhenRetired(context);
      return create(exchange);
    }),
    keyed(context, 'GET', PATH, ({ request }) => {
      refuseWhenRetired(context);
      const from = Number(request.query.get('next_token') ?? 0);
      const all = [...jobs.values()];
      const end = from + Number(request.query.get('limit') ?? PAGE_SIZE);
      return {
        json: {
          requests: all.slice(from, end).map((job) => view(context, job, false)),
          ...(end < all.length ? { next_token: String(end) } : {}),
        },
      };
    }),
    keyed(context, 'GET', `${PATH}/{id}`, ({ params }) => {
      refuseWhenRetired(context);
      const job = jobs.get(params.id ?? '');
      if (job === undefined) refuse(404, 'not_found', `Async request '${params.id}' not found`);
      job.polls += 1;
      return { json: view(context, job, true) };
    }),
  ];
}

function record_like(value: unknown, path: readonly (string | number)[]): void {
  // The request itself is checked as a chat request; here it only has to be one.
  if (typeof value !== 'object' || value === null) record({})(value, path);
}

function view(context: SearchContext, job: Job, whole: boolean): Record<string, unknown> {
  const { polls = 1, asyncFailure } = context.script.answer ?? {};
  const ended = job.polls > polls;
  const status =
    job.polls === 0 ? 'CREATED' : !ended ? 'IN_PROGRESS' : asyncFailure === undefined ? 'COMPLETED' : 'FAILED';
  return {
    id: job.id,
    model: job.model,
    status,
    created_at: job.createdAt,
    ...(status === 'CREATED' ? {} : { started_at: job.createdAt + 1 }),
    ...(status === 'COMPLETED' ? { completed_at: job.createdAt + 2 } : {}),
    ...(status === 'FAILED' ? { failed_at: job.createdAt + 2, error_message: asyncFailure } : {}),
    ...(whole && status === 'COMPLETED' ? { response: job.response } : {}),
  };
}
