import type { Reply, Route, SseEvent, WireService } from '../contract.ts';
import { AdminStore, adminRoutes } from './admin.ts';
import { BatchStore, batchRoutes } from './batches.ts';
import { catalogue, listing, liveCatalogue } from './catalogue.ts';
import { chatRoute } from './chat.ts';
import { enter, pageByIds } from './door.ts';
import { type CacheUse, Engine, type ScriptedReply } from './engine.ts';
import { errorReply, refuse } from './errors.ts';
import { FileStore, fileRoutes } from './files.ts';
import { newId } from './finish.ts';
import { Buckets } from './limits.ts';
import type { StandIn } from './model.ts';
import type { MessagesOptions, ResolvedOptions } from './options.ts';
import type { ModelRequest } from './request.ts';
import { streamOf } from './stream.ts';

/** The messages service with what tests steer and look at. */
export interface MessagesService extends WireService {
  readonly apiKey: string;
  readonly adminKey: string;
  /** Queued answers come first, in order; then the stand-in model answers. */
  reply(...replies: ScriptedReply[]): void;
  /** Answers when nothing is queued; may be exchanged. */
  model: StandIn;
  /** Every request that reached a model, in one form for both dialects. */
  readonly received: readonly ModelRequest[];
  /** Prompt caching over all answers; the hit rate is `read / (read + written + input)`. */
  readonly cacheUse: CacheUse;
  readonly files: FileStore;
  readonly batches: BatchStore;
  readonly admin: AdminStore;
}

function resolve(options: MessagesOptions): ResolvedOptions {
  const dialect = options.dialect ?? 'reference';
  return {
    dialect,
    headerPrefix: options.headerPrefix ?? (dialect === 'public' ? 'anthropic-' : 'x-service-'),
    apiKey: options.apiKey ?? 'test-key',
    adminKey: options.adminKey ?? 'test-admin-key',
    models: options.models ?? (dialect === 'public' ? liveCatalogue : catalogue),
    allowPrefill: options.allowPrefill ?? dialect === 'reference',
    zeroMaxTokens: options.zeroMaxTokens ?? dialect === 'public',
    filesBeta: options.filesBeta ?? dialect === 'reference',
    filesPaging: options.filesPaging ?? (dialect === 'reference' ? 'ids' : 'page'),
    limits: options.limits,
    now: options.now ?? Date.now,
    signatureEvents: options.signatureEvents ?? false,
    thinkMs: options.thinkMs ?? 0,
    eventMs: options.eventMs ?? 0,
    batches: {
      pollsUntilEnd: options.batches?.pollsUntilEnd ?? 2,
      seed: options.batches?.seed ?? 1,
      outcome: options.batches?.outcome ?? (() => undefined),
    },
  };
}

export function messagesService(given: MessagesOptions = {}): MessagesService {
  const options = resolve(given);
  const files = new FileStore(options.now);
  const engine = new Engine(options, given.model, (id) => files.get(id));
  const batches = new BatchStore(engine, options);
  const admin = new AdminStore(engine, options);
  const buckets = options.limits === undefined ? undefined : new Buckets(options.limits, options.now);
  return {
    name: 'messages',
    apiKey: options.apiKey,
    adminKey: options.adminKey,
    reply: (...replies) => void engine.replies.push(...replies),
    get model() {
      return engine.model;
    },
    set model(model) {
      engine.model = model;
    },
    received: engine.received,
    cacheUse: engine.cacheUse,
    files,
    batches,
    admin,
    claims: (headers) => {
      if (headers['x-api-key'] !== undefined || headers[`${options.headerPrefix}version`] !== undefined) return 2;
      if (headers.authorization === `Bearer ${options.apiKey}`) return 3;
      return headers.authorization === undefined ? 0 : 1;
    },
    fail: (status, message) => errorReply(status, message),
    headers: (_exchange, reply) => ({
      'request-id': reply.headers?.['request-id'] ?? newId('req'),
      [`${options.headerPrefix}organization-id`]: 'org-loopback',
      ...buckets?.headers(options.headerPrefix),
    }),
    routes: [
      createRoute(engine, options, buckets),
      countRoute(engine, options),
      ...batchRoutes(batches, options),
      ...modelRoutes(options),
      ...fileRoutes(files, options),
      chatRoute(engine, options),
      ...adminRoutes(admin, options),
    ],
  };
}

function createRoute(engine: Engine, options: ResolvedOptions, buckets: Buckets | undefined): Route {
  let streams = 0;
  return {
    method: 'POST',
    path: '/v1/messages',
    handle: async (exchange): Promise<Reply> => {
      const caller = enter(exchange, options, { body: 'json' });
      const { body, model } = engine.check(exchange.request.body, caller.betas, false);
      const plan = engine.plan(body, model, caller.key);
      buckets?.take(plan.input + plan.write5m + plan.write1h);
      if (options.thinkMs > 0) await wait(options.thinkMs);
      const answer = await engine.answer(body, model, plan, 'standard');
      buckets?.spendOutput(answer.finished.outputTokens);
      engine.bill(exchange.ledger, 'messages.create', model, answer, 'standard');
      if (body.stream !== true) return { json: answer.message };
      streams += 1;
      const events = streamOf(answer.message, {
        seed: streams,
        signatureEvents: options.signatureEvents,
        cutInput: answer.finished.cutInput,
      });
      return { events: options.eventMs > 0 ? slowly(events, options.eventMs) : events };
    },
  };
}

function countRoute(engine: Engine, options: ResolvedOptions): Route {
  return {
    method: 'POST',
    path: '/v1/messages/count_tokens',
    handle: (exchange) => {
      const { betas } = enter(exchange, options, { body: 'json' });
      const tokens = engine.count(exchange.request.body, betas);
      exchange.ledger.add({ service: 'messages', operation: 'messages.count', inputTokens: 0, usd: 0 });
      return { json: { input_tokens: tokens } };
    },
  };
}

function modelRoutes(options: ResolvedOptions): Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/models',
      handle: (exchange) => {
        enter(exchange, options, { query: ['limit', 'after_id', 'before_id'] });
        const items = options.models.map((model) => ({ ...listing(model), id: model.id }));
        return { json: pageByIds(items, exchange.request.query) };
      },
    },
    {
      method: 'GET',
      path: '/v1/models/{id}',
      handle: (exchange) => {
        enter(exchange, options);
        const id = exchange.params.id;
        return { json: listing(options.models.find((model) => model.id === id) ?? refuse(404, `model: ${id}`)) };
      },
    },
  ];
}

function wait(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

async function* slowly(events: Iterable<SseEvent>, everyMs: number): AsyncGenerator<SseEvent> {
  for (const event of events) {
    yield event;
    await wait(everyMs);
  }
}
