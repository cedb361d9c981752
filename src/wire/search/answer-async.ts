import { randomUUID } from 'node:crypto';
import { factsOf, infoOf, invalidAnswer, type Shape, shaped, type Where } from '../http/answer.ts';
import { requireText } from '../http/check.ts';
import type { Reply } from '../http/contract.ts';
import { ask, type Sent } from '../http/endpoint.ts';
import { type CheckedAnswer, checkAnswer } from './answer-check.ts';
import { parseChatResponse, readAnswer } from './answer-parse.ts';
import type { AsyncAnswer, AsyncAnswerBody, AsyncAnswerPage, AsyncAnswers } from './answer-types.ts';
import type { SearchContext } from './context.ts';
import { PartialResultError } from './failures.ts';
import { findModel } from './models.ts';
import { type Open, optionalText } from './parse.ts';
import { waitFor } from './poll.ts';
import type { SearchProfile } from './profile.ts';
import { isFinished } from './research-parse.ts';
import { answerBody } from './serialise.ts';

const queued: Shape = { id: 'string', status: 'string' };

/** @param asked the request that queued the answer, where it is known */
function read(
  profile: SearchProfile,
  where: Where,
  reply: Reply<unknown>,
  asked?: Pick<CheckedAnswer, 'model' | 'notes'>,
): AsyncAnswer {
  const response = shaped<AsyncAnswerBody>(where, reply.body, queued);
  const { id, status, response: done } = response;
  const info = infoOf(reply);
  if (done === undefined || done === null) {
    if (status === 'COMPLETED') throw invalidAnswer(where, 'the answer is COMPLETED but holds no response');
    return { id, status, answer: undefined, response, info };
  }
  const name = optionalText(response.model) ?? '';
  const unlisted = { name, wireName: name, kind: 'answer', contextTokens: 0, reasons: true } as const;
  const model = asked?.model ?? findModel(profile.models, 'answer', name) ?? unlisted;
  const facts = { model, prices: profile.prices, contextSize: undefined, notes: asked?.notes ?? [], info };
  return { id, status, answer: readAnswer(parseChatResponse(where, done), facts), response, info };
}

/** The answer of `answers.async.get`. */
export async function queuedAnswer(sent: Sent<SearchProfile>): Promise<AsyncAnswer> {
  const { reply, where } = await ask(sent);
  return read(sent.wiring.profile, where, reply);
}

/** The answer of `answers.async.list`. */
export async function queuedAnswers(sent: Sent<SearchProfile>): Promise<AsyncAnswerPage> {
  const { reply, where } = await ask(sent);
  const response = shaped<Open & { requests: readonly AsyncAnswerBody[] }>(where, reply.body, { requests: [queued] });
  return { requests: response.requests, nextToken: optionalText(response.next_token) || undefined, response };
}

/** @param reads the methods that follow from the table of operations */
export function asyncAnswers(context: SearchContext, reads: Pick<AsyncAnswers, 'get' | 'list'>): AsyncAnswers {
  const { profile, operations } = context;
  return {
    get: reads.get,
    list: reads.list,

    async create(request, options = {}) {
      const checked = checkAnswer(profile, request, false, options);
      const { idempotencyKey = randomUUID() } = options;
      requireText('idempotencyKey', idempotencyKey);
      const body = answerBody(profile.dialect, checked.request, checked.model, false);
      const call = {
        json: { request: { ...body, ...options.extraBody }, idempotency_key: idempotencyKey },
        estimate: { inputTokens: checked.inputTokens },
        attributes: { 'gen_ai.request.model': checked.model.wireName },
        options,
      };
      const { reply, where } = await ask({ wiring: context, operation: operations['answers.async.create'], call });
      return read(profile, where, reply, checked);
    },

    async wait(id, options = {}) {
      const operation = operations['answers.async.get'];
      const last = await waitFor(
        operation,
        (call) => reads.get(id, call),
        ({ status }) => isFinished(status),
        options,
      );
      if (last.answer !== undefined && last.status === 'COMPLETED') return last.answer;
      const why = last.response.error_message ?? 'the service gives no reason';
      const message = `${operation.name}: the answer ended as ${last.status}: ${why}`;
      throw new PartialResultError('RUN_FAILED', message, last, factsOf({ operation, info: last.info }));
    },
  };
}
