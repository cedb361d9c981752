import { type Exchange, Refusal, type Route } from '../contract.ts';
import type { Ledger } from '../ledger.ts';
import { seededRandom } from '../random.ts';
import { strictly } from '../strict.ts';
import { type DoorRules, enter, pageByIds } from './door.ts';
import type { Engine } from './engine.ts';
import { refuse, refuseField } from './errors.ts';
import { newId } from './finish.ts';
import type { ResolvedOptions } from './options.ts';
import { batchSchema } from './schema.ts';
import type { BatchBody } from './types.ts';

type State = 'in_progress' | 'canceling' | 'ended';
type Result = Readonly<Record<string, unknown>> & { readonly type: 'succeeded' | 'errored' | 'canceled' | 'expired' };

interface Batch {
  readonly id: string;
  readonly requests: BatchBody['requests'];
  readonly betas: ReadonlySet<string>;
  readonly key: string;
  readonly createdAt: number;
  readonly url: string;
  state: State;
  polls: number;
  endedAt: number | undefined;
  cancelledAt: number | undefined;
  archivedAt?: number | undefined;
  /** Requests carried out before a cancellation. */
  share: number;
  results: { custom_id: string; result: Result }[];
}

/** Batches go on when they are asked for: each look is a step, and the last step carries the requests out. */
export class BatchStore {
  /** Newest first. */
  readonly all: Batch[] = [];
  readonly #engine: Engine;
  readonly #options: ResolvedOptions;

  constructor(engine: Engine, options: ResolvedOptions) {
    this.#engine = engine;
    this.#options = options;
  }

  create(raw: unknown, betas: ReadonlySet<string>, key: string, url: string): Batch {
    const checked = strictly(batchSchema, raw);
    if (checked.issue !== undefined) return refuseField(checked.issue.path, checked.issue.message);
    const seen = new Set<string>();
    for (const [i, request] of checked.value.requests.entries()) {
      if (seen.has(request.custom_id))
        refuseField(`requests.${i}.custom_id`, `"${request.custom_id}" is not unique in the batch`);
      seen.add(request.custom_id);
    }
    const batch: Batch = {
      id: newId('msgbatch'),
      requests: checked.value.requests,
      betas,
      key,
      createdAt: this.#options.now(),
      url,
      state: 'in_progress',
      polls: 0,
      endedAt: undefined,
      cancelledAt: undefined,
      share: 1,
      results: [],
    };
    this.all.unshift(batch);
    return batch;
  }

  get(id: string): Batch {
    return this.all.find((batch) => batch.id === id) ?? refuse(404, `batch ${id} not found`);
  }

  /** One look from outside. */
  async poll(batch: Batch, ledger: Ledger): Promise<void> {
    if (batch.state === 'ended') return;
    batch.polls += 1;
    if (batch.state === 'canceling' || batch.polls >= this.#options.batches.pollsUntilEnd)
      await this.#end(batch, ledger);
  }

  cancel(batch: Batch): void {
    if (batch.state === 'ended') refuse(400, `batch ${batch.id} has already ended`);
    if (batch.state === 'canceling') return;
    batch.state = 'canceling';
    batch.cancelledAt = this.#options.now();
    batch.share = batch.polls / Math.max(1, this.#options.batches.pollsUntilEnd);
  }

  /** As 29 days do: the batch is listed, and its results are gone. */
  archive(id: string): void {
    this.get(id).archivedAt = this.#options.now();
  }

  remove(batch: Batch): void {
    if (batch.state !== 'ended') refuse(400, `batch ${batch.id} has not ended; cancel it first`);
    this.all.splice(this.all.indexOf(batch), 1);
  }

  async #end(batch: Batch, ledger: Ledger): Promise<void> {
    const carriedOut = Math.floor(batch.requests.length * batch.share);
    const results: Batch['results'] = [];
    for (const [i, request] of batch.requests.entries()) {
      const result: Result = i >= carriedOut ? { type: 'canceled' } : await this.#carryOut(request, batch, ledger);
      results.push({ custom_id: request.custom_id, result });
    }
    const random = seededRandom(this.#options.batches.seed);
    for (let i = results.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [results[i], results[j]] = [results[j]!, results[i]!];
    }
    batch.results = results;
    batch.endedAt = this.#options.now();
    batch.state = 'ended';
  }

  async #carryOut(request: BatchBody['requests'][number], batch: Batch, ledger: Ledger): Promise<Result> {
    const outcome = this.#options.batches.outcome(request.custom_id);
    if (outcome === 'expired' || outcome === 'canceled') return { type: outcome };
    if (outcome !== undefined) return errored(outcome);
    try {
      const { body, model } = this.#engine.check(request.params, batch.betas, true);
      const plan = this.#engine.plan(body, model, batch.key);
      const answer = await this.#engine.answer(body, model, plan, 'batch');
      this.#engine.bill(ledger, 'batches.request', model, answer, 'batch', [request.custom_id]);
      return { type: 'succeeded', message: answer.message };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return errored((error.reply.json as { error: { type: string; message: string } }).error);
    }
  }
}

function errored(error: { readonly type: string; readonly message: string }): Result {
  return { type: 'errored', error: { type: 'error', error, request_id: newId('req') } };
}

function view(batch: Batch): { readonly id: string } & Record<string, unknown> {
  const ended = batch.state === 'ended';
  const count = (type: string): number => batch.results.filter((entry) => entry.result.type === type).length;
  const iso = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());
  return {
    id: batch.id,
    type: 'message_batch',
    processing_status: batch.state,
    request_counts: {
      processing: ended ? 0 : batch.requests.length,
      succeeded: count('succeeded'),
      errored: count('errored'),
      canceled: count('canceled'),
      expired: count('expired'),
    },
    created_at: iso(batch.createdAt),
    expires_at: iso(batch.createdAt + 86_400_000),
    ended_at: iso(batch.endedAt),
    archived_at: iso(batch.archivedAt),
    cancel_initiated_at: iso(batch.cancelledAt),
    results_url:
      ended && batch.archivedAt === undefined ? `${batch.url}/v1/messages/batches/${batch.id}/results` : null,
  };
}

export function batchRoutes(store: BatchStore, options: ResolvedOptions): Route[] {
  const one = (exchange: Exchange, rules: DoorRules = {}): Batch => {
    enter(exchange, options, rules);
    return store.get(exchange.params.id!);
  };
  return [
    {
      method: 'POST',
      path: '/v1/messages/batches',
      maxBytes: 256 << 20,
      handle: (exchange) => {
        const { betas, key } = enter(exchange, options, { body: 'json' });
        return { json: view(store.create(exchange.request.body, betas, key, exchange.url)) };
      },
    },
    {
      method: 'GET',
      path: '/v1/messages/batches',
      handle: (exchange) => {
        enter(exchange, options, { query: ['limit', 'after_id', 'before_id'] });
        return { json: pageByIds(store.all.map(view), exchange.request.query) };
      },
    },
    {
      method: 'GET',
      path: '/v1/messages/batches/{id}',
      handle: async (exchange) => {
        const batch = one(exchange);
        await store.poll(batch, exchange.ledger);
        return { json: view(batch) };
      },
    },
    {
      method: 'POST',
      path: '/v1/messages/batches/{id}/cancel',
      handle: (exchange) => {
        const batch = one(exchange);
        store.cancel(batch);
        return { json: view(batch) };
      },
    },
    {
      method: 'DELETE',
      path: '/v1/messages/batches/{id}',
      handle: (exchange) => {
        const batch = one(exchange);
        store.remove(batch);
        return { json: { id: batch.id, type: 'message_batch_deleted' } };
      },
    },
    {
      method: 'GET',
      path: '/v1/messages/batches/{id}/results',
      handle: (exchange) => {
        const batch = one(exchange);
        if (batch.state !== 'ended') refuse(404, `batch ${batch.id} has no results yet`);
        if (batch.archivedAt !== undefined) refuse(400, `the results of batch ${batch.id} are archived`);
        return { headers: { 'content-type': 'application/x-jsonl' }, chunks: lines(batch) };
      },
    },
  ];
}

function* lines(batch: Batch): Generator<string> {
  for (const entry of batch.results) yield `${JSON.stringify(entry)}\n`;
}
