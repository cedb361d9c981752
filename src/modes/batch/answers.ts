import { objectOf } from '../../core/arguments.ts';
import { mapConcurrent } from '../../core/async.ts';
import { IbidError, isRefusal } from '../../core/errors.ts';
import { affordable, Meter } from '../../core/meter.ts';
import type { MessagesService } from '../../wire/messages/index.ts';
import type { BatchAnswerOptions, BatchEvent, BatchQuestion, Retrieve } from './contract.ts';
import { memoryJournal } from './journal.ts';
import { answerOf, type PreparedQuestion, partsOf, prepareOne } from './requests.ts';
import { createBatch, ended, findAll, modelOf, resultsOf } from './service.ts';
import { knownBatches } from './state.ts';

const CONCURRENCY = 2;

/**
 * Answers many questions through the batch operation, at half the price: one search each, then everything is sent
 * together. A question that is in the journal is never sent again unless it has failed there, which is not billed.
 * @throws IbidError INVALID_ARGUMENT, BUDGET_EXCEEDED before anything is sent, NOT_READY while another process has the
 * journal, and what the service throws; another run with the same journal goes on from there
 */
export async function* answerInBatch(
  questions: readonly BatchQuestion[],
  retrieve: Retrieve,
  service: MessagesService,
  options: BatchAnswerOptions,
): AsyncGenerator<BatchEvent, void, undefined> {
  checkQuestions(questions);
  const { signal, meter = new Meter(), journal = memoryJournal(), wait = true } = options;
  await using _held = await journal.lock?.();
  const totals = { answered: 0, refused: 0, failed: 0, pending: 0, costUsd: 0 };
  const wanted = new Map(questions.map((question) => [keyOf(question), question]));
  const batches = await findAll(service, knownBatches(await journal.read()), { signal, wait, pollMs: options.pollMs });
  const known = new Set(batches.flatMap(({ requests }) => [...requests.values()].map(keyOf)));

  const prepared: PreparedQuestion[] = [];
  const fresh = questions.filter((question) => !known.has(keyOf(question)));
  const prepare = (question: BatchQuestion, inner: AbortSignal) =>
    prepareOne(question, retrieve, service, options, inner);
  for await (const one of mapConcurrent(fresh, prepare, { concurrency: CONCURRENCY, signal })) {
    if ('request' in one) {
      prepared.push(one);
      continue;
    }
    totals.answered++;
    totals.refused++;
    yield { type: 'answer', id: one.id, answer: one.answer };
  }
  const maxUsd = prepared.reduce((sum, { usd }) => sum + affordable(usd, modelOf(options, service), meter), 0);
  const counts = { questions: questions.length, known: questions.length - fresh.length, refused: totals.refused };
  yield { type: 'planned', ...counts, requests: prepared.length, maxUsd };

  const reservation = meter.reserve(maxUsd);
  let paidUsd = 0;
  /** Highest bill if this run ends now: of the batches that were created, and of those whose answer is not known. */
  let openUsd = 0;
  try {
    for (const part of partsOf(prepared)) {
      const worst = part.reduce((sum, { usd }) => sum + (usd ?? 0), 0);
      const batch = await createBatch(part, service, journal, options).catch((error: unknown) => {
        if (!isRefusal(error)) openUsd += worst;
        throw error;
      });
      openUsd += worst;
      batches.push(batch);
      yield { type: 'created', batchId: batch.id, requests: part.length };
    }
    for (const batch of batches) {
      const own = [...batch.requests.values()].filter((request) => wanted.has(keyOf(request)));
      if (own.length === 0) continue;
      if (!(yield* ended(service, batch, wait, options))) {
        totals.pending += own.length;
        continue;
      }
      const open = new Map(own.map((request) => [request.customId, request]));
      for await (const result of resultsOf(service, batch, own, signal)) {
        const request = open.get(result.custom_id);
        if (!request || !open.delete(result.custom_id)) continue; // a result of another question, or one that was told already
        const { told, costUsd, mayAskAgain } = await answerOf(result, request, batch, service, options);
        totals.costUsd += costUsd;
        if (batch.isNew) paidUsd += costUsd;
        if (told.type === 'answer') totals.answered++;
        else totals.failed++;
        if (mayAskAgain) await journal.append([{ type: 'failed', customId: result.custom_id }]);
        yield told;
      }
      // it may have been billed, and the results may be whole the next time: it is not asked again
      for (const { id } of open.values()) {
        totals.failed++;
        const message = `the results of batch ${batch.id} have no line for it`;
        yield { type: 'failed', id, code: 'RESPONSE_INVALID', message };
      }
    }
    // what is pending will cost up to its estimate
    reservation.settle(totals.pending > 0 ? maxUsd : paidUsd);
  } finally {
    reservation.settle(openUsd); // has no effect on a reservation that is settled already
  }
  yield { type: 'done', summary: { questions: questions.length, ...totals } };
}

/** A question may come back under its id with other words: then it is another question. */
function keyOf({ id, question }: Pick<BatchQuestion, 'id' | 'question'>): string {
  return `${id}\n${question}`;
}

/** @throws IbidError INVALID_ARGUMENT */
function checkQuestions(questions: readonly BatchQuestion[]): void {
  const seen = new Set<string>();
  for (const [i, given] of questions.entries()) {
    const at = `question ${i + 1}`;
    const { id, question } = objectOf(given, at);
    if (typeof id !== 'string' || id === '') throw new IbidError('INVALID_ARGUMENT', `${at} has no id`);
    if (typeof question !== 'string' || question.trim() === '')
      throw new IbidError('INVALID_ARGUMENT', `${at} ("${id}") is empty`);
    if (seen.has(id)) throw new IbidError('INVALID_ARGUMENT', `${at}: the id "${id}" is used twice`);
    seen.add(id);
  }
}
