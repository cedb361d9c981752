import type * as v from 'valibot';
import type { Ledger } from '../ledger.ts';
import { strictly } from '../strict.ts';
import { type CachePlan, PromptCache } from './cache.ts';
import { type Billed, type ModelSpec, priceUsd } from './catalogue.ts';
import { manageContext, sinceCompaction } from './context-edits.ts';
import { refuse, refuseField } from './errors.ts';
import { type AnswerBlock, type Finished, finish, newId } from './finish.ts';
import { sample } from './json-schema.ts';
import { type Draft, type StandIn, textDraft } from './model.ts';
import type { ResolvedOptions } from './options.ts';
import { type ModelRequest, modelRequest } from './request.ts';
import { checkRules, type RuleContext } from './rules.ts';
import { countSchema, createSchema } from './schema.ts';
import { type FileLookup, promptTokens } from './tokens.ts';
import type { Block, CountBody, CreateBody } from './types.ts';

/** A scripted answer: a text, a draft, or what makes one from the request. */
export type ScriptedReply = string | Draft | StandIn;

export interface Answer {
  readonly message: Readonly<Record<string, unknown>>;
  readonly finished: Finished;
  readonly plan: CachePlan;
  readonly body: CreateBody;
}

/** One answer in the service's own books, for the administration's reports. */
export interface BilledAnswer {
  readonly atMs: number;
  readonly model: string;
  readonly tier: string;
  readonly geo: string;
  readonly tokens: Billed;
  readonly usd: number;
}

/** Figures of prompt caching over all answers. */
export interface CacheUse {
  requests: number;
  input: number;
  written: number;
  read: number;
}

/**
 * From a body to a message: rules, cache, stand-in model, limits, books. Messages, batches and the chat endpoint share
 * it.
 */
export class Engine {
  readonly replies: ScriptedReply[] = [];
  readonly received: ModelRequest[] = [];
  readonly cache: PromptCache = new PromptCache();
  readonly cacheUse: CacheUse = { requests: 0, input: 0, written: 0, read: 0 };
  readonly billed: BilledAnswer[] = [];
  model: StandIn;
  readonly #options: ResolvedOptions;
  readonly #files: FileLookup;
  readonly #thinkingBefore = new Map<string, string[]>();
  readonly #serverBlocks = new Map<string, string>();

  constructor(options: ResolvedOptions, model: StandIn | undefined, files: FileLookup) {
    this.#options = options;
    this.#files = files;
    this.model = model ?? echo;
  }

  /** A checked body, or a refusal: unknown keys first, then the model, then what the rules say. */
  check(raw: unknown, betas: ReadonlySet<string>, inBatch: boolean): { body: CreateBody; model: ModelSpec } {
    const body = this.#wellFormed(createSchema[this.#options.dialect], raw);
    const model = this.#checkRules(body, betas, inBatch);
    return { body: sinceCompaction(body), model };
  }

  count(raw: unknown, betas: ReadonlySet<string>): number {
    const body = this.#wellFormed(countSchema[this.#options.dialect], raw);
    this.#checkRules(body, betas, false);
    return promptTokens(body, this.#files);
  }

  #wellFormed<T>(schema: v.GenericSchema<unknown, T>, raw: unknown): T {
    const checked = strictly(schema, raw);
    return checked.issue === undefined ? checked.value : refuseField(checked.issue.path, checked.issue.message);
  }

  #checkRules(body: CountBody, betas: ReadonlySet<string>, inBatch: boolean): ModelSpec {
    const model =
      this.#options.models.find((candidate) => candidate.id === body.model) ?? refuse(404, `model: ${body.model}`);
    const context: RuleContext = {
      dialect: this.#options.dialect,
      model,
      betas,
      allowPrefill: this.#options.allowPrefill,
      zeroMaxTokens: this.#options.zeroMaxTokens,
      filesBeta: this.#options.filesBeta,
      hasFile: (id) => this.#files(id) !== undefined,
      isTrueEcho: (block) => this.#isTrueEcho(block),
      thinkingBefore: (id) => this.#thinkingBefore.get(id) ?? [],
      inBatch,
    };
    checkRules(body, context);
    return model;
  }

  /** Input tokens that count against the rate limit. */
  plan(body: CreateBody, model: ModelSpec, workspace: string): CachePlan {
    const plan = this.cache.plan(body, workspace, model.minCacheTokens, this.#options.now(), this.#files);
    if (plan.total > model.window) refuse(400, `prompt is too long: ${plan.total} tokens > ${model.window} maximum`);
    return plan;
  }

  async answer(body: CreateBody, model: ModelSpec, plan: CachePlan, tier: 'standard' | 'batch'): Promise<Answer> {
    const request = await modelRequest(body, model, this.#files);
    this.received.push(request);
    const managed = manageContext(body, plan.total);
    const draft = await this.#draftOf(request, managed.pause);
    const finished = finish(draft, request, Math.max(1, model.window - plan.total));
    plan.commit();
    this.cacheUse.requests += 1;
    this.cacheUse.input += plan.input;
    this.cacheUse.written += plan.write5m + plan.write1h;
    this.cacheUse.read += plan.read;
    const content: AnswerBlock[] = [...managed.blocks, ...finished.content];
    this.#remember(content);
    const message: Record<string, unknown> = {
      id: newId('msg'),
      type: 'message',
      role: 'assistant',
      model: model.id,
      content,
      stop_reason: finished.stopReason,
      stop_sequence: finished.stopSequence,
      ...(draft.stopDetails === undefined ? {} : { stop_details: draft.stopDetails }),
      usage: { ...usageOf(plan, finished, draft, tier, body), ...managed.usage(finished.outputTokens), ...draft.usage },
      ...(managed.applied === undefined ? {} : { context_management: { applied_edits: managed.applied } }),
    };
    return { message, finished, plan, body };
  }

  async #draftOf(request: ModelRequest, pause: boolean): Promise<Draft> {
    if (pause) return { content: [], stopReason: 'compaction' };
    return request.maxTokens === 0 ? { content: [], stopReason: 'max_tokens' } : this.#draft(request);
  }

  async #draft(request: ModelRequest): Promise<Draft> {
    const scripted = this.replies.shift();
    if (scripted === undefined) return this.model(request);
    if (typeof scripted === 'string') return textDraft(scripted);
    return typeof scripted === 'function' ? scripted(request) : scripted;
  }

  #remember(content: readonly AnswerBlock[]): void {
    const signatures = content.flatMap((block) => (block.type === 'thinking' ? [String(block.signature)] : []));
    for (const block of content) {
      if (block.type === 'tool_use') this.#thinkingBefore.set(String(block.id), signatures);
      const key = serverKey(block);
      if (key !== undefined) this.#serverBlocks.set(key, JSON.stringify(block));
    }
  }

  #isTrueEcho(block: Block): boolean {
    const key = serverKey(block as unknown as AnswerBlock);
    const issued = key === undefined ? undefined : this.#serverBlocks.get(key);
    if (issued === undefined) return true;
    const { cache_control: _marker, ...rest } = block as unknown as Record<string, unknown>;
    return sameJson(rest, JSON.parse(issued));
  }

  /** Writes one answer into the books. */
  bill(
    ledger: Ledger,
    operation: string,
    model: ModelSpec,
    answer: Answer,
    tier: 'standard' | 'batch',
    items?: readonly string[],
  ): void {
    const usage = answer.message.usage as { server_tool_use?: { web_search_requests?: number } };
    const billed: Billed = {
      input: answer.plan.input,
      output: answer.finished.outputTokens,
      write5m: answer.plan.write5m,
      write1h: answer.plan.write1h,
      read: answer.plan.read,
      webSearches: usage.server_tool_use?.web_search_requests ?? 0,
    };
    const geo = answer.body.inference_geo ?? 'global';
    const usd = priceUsd(model, billed, tier === 'batch', geo);
    this.billed.push({ atMs: this.#options.now(), model: model.id, tier, geo, tokens: billed, usd });
    ledger.add({
      service: 'messages',
      operation,
      model: model.id,
      inputTokens: answer.plan.total,
      outputTokens: billed.output,
      usd,
      ...(items === undefined ? {} : { items }),
    });
  }
}

function usageOf(
  plan: CachePlan,
  finished: Finished,
  draft: Draft,
  tier: string,
  body: CreateBody,
): Record<string, unknown> {
  return {
    input_tokens: plan.input,
    output_tokens: finished.outputTokens,
    cache_creation_input_tokens: plan.write5m + plan.write1h,
    cache_read_input_tokens: plan.read,
    cache_creation: { ephemeral_5m_input_tokens: plan.write5m, ephemeral_1h_input_tokens: plan.write1h },
    server_tool_use:
      draft.webSearches === undefined ? null : { web_search_requests: draft.webSearches, web_fetch_requests: 0 },
    service_tier: tier,
    inference_geo: body.inference_geo ?? 'global',
    ...(finished.thinkingTokens > 0 ? { output_tokens_details: { thinking_tokens: finished.thinkingTokens } } : {}),
  };
}

function serverKey(block: AnswerBlock): string | undefined {
  if (block.type === 'server_tool_use') return `call ${String(block.id)}`;
  return block.type.endsWith('_tool_result') ? `result ${String(block.tool_use_id)}` : undefined;
}

/** Equal as JSON, whatever the order of keys. */
function sameJson(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b;
  const keys = Object.keys(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    keys.length === Object.keys(b).length &&
    keys.every((key) => key in b && sameJson((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]))
  );
}

/** The default stand-in: continues a pre-filled answer, fills a schema, else says what it was asked. */
const echo: StandIn = (request) => {
  if (request.format !== undefined) return textDraft(JSON.stringify(sample(request.format)));
  if (request.prefill !== '') return textDraft(' and so on.');
  return textDraft(`You said: ${request.question}`);
};
