import { randomUUID } from 'node:crypto';
import type { ReplyInfo, WireCallOptions } from '../http/contract.ts';
import { checkAnswer } from './answer-check.ts';
import { parseChatResponse, readAnswer } from './answer-parse.ts';
import type { Answer, AnswerOptions, AnswerRequest } from './answer-types.ts';
import { checkKnown, checkText } from './check.ts';
import { infoOf, type SearchContext } from './context.ts';
import { factsOf, invalid, PartialResultError, type Where } from './failures.ts';
import { findModel, type SearchModel } from './models.ts';
import { type Open, optionalText, recordOf, records, textOf } from './parse.ts';
import { poll, type WaitOptions } from './poll.ts';
import { isFinished } from './research-parse.ts';
import { answerBody, defined } from './serialise.ts';

/** A queued answer in the service's words; kept 7 days. */
export interface AsyncAnswerBody extends Open {
  readonly id: string;
  readonly model?: string;
  /** Further values may appear. */
  readonly status: 'CREATED' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | (string & {});
  /** Unix seconds. */
  readonly created_at?: number;
  readonly started_at?: number | null;
  readonly completed_at?: number | null;
  readonly failed_at?: number | null;
  readonly error_message?: string | null;
}

export interface AsyncAnswer {
  readonly id: string;
  readonly status: AsyncAnswerBody['status'];
  /** Once the status is COMPLETED. */
  readonly answer: Answer | undefined;
  readonly response: AsyncAnswerBody;
  readonly info: ReplyInfo;
}

export interface AsyncAnswerPage {
  readonly requests: readonly AsyncAnswerBody[];
  readonly nextToken: string | undefined;
  readonly response: Open;
}

export interface AsyncCreateOptions extends Omit<AnswerOptions, 'onRetired'> {
  /** Two requests with one key are one answer. @default a new one per call, kept over its retries */
  readonly idempotencyKey?: string | undefined;
}

export interface AsyncAnswers {
  create(request: AnswerRequest, options?: AsyncCreateOptions): Promise<AsyncAnswer>;
  get(id: string, options?: WireCallOptions): Promise<AsyncAnswer>;
  /** @throws WireError RUN_FAILED with `partial` when the answer failed; TIMEOUT after `timeoutMs` */
  wait(id: string, options?: WaitOptions): Promise<Answer>;
  list(
    query?: { readonly limit?: number | undefined; readonly next_token?: string | undefined },
    options?: WireCallOptions,
  ): Promise<AsyncAnswerPage>;
}

export function asyncAnswers(context: SearchContext): AsyncAnswers {
  const { transport, profile, operations } = context;

  const read = (
    where: Where & { info: ReplyInfo },
    body: unknown,
    asked: SearchModel | undefined,
    notes: readonly string[],
  ): AsyncAnswer => {
    const response = parseQueued(where, body);
    const done = response.response;
    if (done === undefined || done === null) {
      if (response.status === 'COMPLETED') throw invalid(where, 'the answer is COMPLETED but holds no response');
      return { id: response.id, status: response.status, answer: undefined, response, info: where.info };
    }
    const name = optionalText(response.model) ?? '';
    const model = asked ??
      findModel(profile.models, 'answer', name) ?? {
        name,
        wireName: name,
        kind: 'answer',
        contextTokens: 0,
        reasons: true,
      };
    const facts = { model, prices: profile.prices, contextSize: undefined, notes, info: where.info };
    const answer = readAnswer(parseChatResponse(where, done), facts);
    return { id: response.id, status: response.status, answer, response, info: where.info };
  };

  const get = async (id: string, options?: WireCallOptions): Promise<AsyncAnswer> => {
    checkText('id', id);
    const operation = operations['answers.async.get'];
    const reply = await transport.json(operation, { path: { id }, options });
    return read({ operation, info: infoOf(reply) }, reply.body, undefined, []);
  };

  return {
    get,

    async create(request, options = {}) {
      const checked = checkAnswer(profile, request, false, options);
      const operation = operations['answers.async.create'];
      if (options.idempotencyKey !== undefined) checkText('idempotencyKey', options.idempotencyKey);
      const reply = await transport.json(operation, {
        json: {
          request: { ...answerBody(profile.dialect, checked.request, checked.model, false), ...options.extraBody },
          idempotency_key: options.idempotencyKey ?? randomUUID(),
        },
        estimate: { inputTokens: checked.inputTokens },
        attributes: { 'gen_ai.request.model': checked.model.wireName },
        options,
      });
      return read({ operation, info: infoOf(reply) }, reply.body, checked.model, checked.notes);
    },

    async wait(id, options = {}) {
      const operation = operations['answers.async.get'];
      const last = await poll(
        operation,
        (call) => get(id, call),
        ({ status }) => isFinished(status),
        options,
      );
      if (last.answer !== undefined && last.status === 'COMPLETED') return last.answer;
      const why = last.response.error_message ?? 'the service gives no reason';
      throw new PartialResultError(
        'RUN_FAILED',
        `${operation.name}: the answer ended as ${last.status}: ${why}`,
        last,
        factsOf({ operation, info: last.info }),
      );
    },

    async list(query = {}, options) {
      checkKnown('query', query, ['limit', 'next_token']);
      const operation = operations['answers.async.list'];
      const reply = await transport.json(operation, {
        query: defined(query) as typeof query & Record<string, string | number>,
        options,
      });
      const where = { operation, info: infoOf(reply) };
      const response = recordOf(where, 'the body', reply.body);
      if (!Array.isArray(response.requests)) throw invalid(where, 'requests is not an array');
      const requests = records(response.requests).map((entry) => parseQueued(where, entry));
      return { requests, nextToken: optionalText(response.next_token) || undefined, response };
    },
  };
}

function parseQueued(where: Where, body: unknown): AsyncAnswerBody {
  const response = recordOf(where, 'the body', body);
  textOf(where, 'id', response.id);
  textOf(where, 'status', response.status);
  return response as AsyncAnswerBody; // id and status have been checked, everything else is optional and read through checks
}
