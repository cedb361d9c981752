import { objectOf } from '../../core/arguments.ts';
import {
  anything,
  boolean,
  type Check,
  type Fields,
  fields,
  filled,
  integer,
  kinds,
  list,
  nullable,
  number,
  oneOf,
  partly,
  refuse,
  required,
  requireText,
  text,
  textOr,
  within,
} from '../http/check.ts';
import { type Census, checkMarkers, countBlock, countMarker, newCensus } from './census.ts';
import { systemBlock } from './check-blocks.ts';
import { checkMessages, type LastTurn } from './check-messages.ts';
import { checkOutputSchema } from './check-schema.ts';
import { checkToolChoice, checkTools } from './check-tools.ts';
import { type MessagesProfile, type ModelRules, modelRules } from './profile.ts';
import type { CountTokensRequest, MessageRequest } from './types.ts';

const MB = 1024 * 1024;
export const maxMessageBytes: number = 32 * MB;

const display = oneOf(['summarized', 'omitted']);
const thinking = kinds(
  { enabled: { budget_tokens: required(integer(1024)), display }, adaptive: { display }, disabled: {} },
  fields,
);

/**
 * Fields of a request that need no look at the others. Tools, messages and the schema of an answer are walked further
 * down.
 */
const countFields: Fields = {
  model: required(text),
  messages: required(anything),
  system: textOr(filled(systemBlock)),
  tools: anything,
  tool_choice: anything,
  thinking,
  effort: oneOf(['low', 'medium', 'high', 'xhigh', 'max'], 'Adaptive thinking is thinking: { type: "adaptive" }.'),
  output_config: fields({
    effort: (field, value) => {
      if (value === undefined) return;
      refuse(field, 'is written `effort` on the request', 'The dialect decides where it stands on the wire.');
    },
    format: kinds({ json_schema: { schema: required(checkOutputSchema) } }),
  }),
  cache_control: anything,
  citations: boolean,
};

const edit: Check = (field, value) => {
  partly({ type: required(text) })(field, value);
  const { type } = value as { type: string }; // checked above
  if (type.startsWith('clear_thinking_') && !field.endsWith('[0]')) refuse(field, `(${type}) must come first`);
  if (!type.startsWith('compact_')) return;
  partly({ trigger: nullable(kinds({ input_tokens: { value: required(integer(50_000)) } })) })(field, value);
};

const messageFields = fields({
  ...countFields,
  stream: (field, value) => {
    if (value !== undefined) {
      refuse(field, 'is not set here', 'Call `stream` instead of `create`; batches do not stream.');
    }
  },
  max_tokens: required(integer(0)),
  temperature: number(0, 1),
  top_p: number(0, 1),
  top_k: integer(0),
  stop_sequences: list(text),
  metadata: fields({ user_id: text }),
  service_tier: oneOf(['auto', 'standard_only']),
  inference_geo: oneOf(['us', 'global']),
  container: textOr(partly({}), 'an object'),
  context_management: partly({ edits: required(filled(edit)) }),
});

/** What a checked request needs on its way: which betas, and how much it weighs at least. */
export interface Checked {
  readonly usesFiles: boolean;
  /** Characters of the large strings. */
  readonly weight: number;
}

export interface CheckOptions {
  /** Path in front of the field names: `requests[3].params`. */
  readonly field?: string;
  readonly batch?: boolean;
}

/** What the rules between the fields of a request look at. */
interface Facts {
  /** Path in front of the field names. */
  readonly where: string;
  readonly rules: ModelRules | undefined;
  readonly census: Census;
  /** Some tool must be called. */
  readonly forced: boolean;
  readonly last: LastTurn;
}

/**
 * What the references say the service refuses, found before sending: a batch would say it a day later.
 * @throws IbidError INVALID_ARGUMENT naming the field and the limit
 */
export function checkMessage(request: MessageRequest, profile: MessagesProfile, options: CheckOptions = {}): Checked {
  const where = objectOf(options, 'the options').field ?? '';
  required(messageFields)(where, request);
  const facts = checkShared(request, where, profile);
  checkMaxTokens(request, facts, profile, options.batch === true);
  checkSampling(request, facts);
  checkThinking(request, facts);
  checkPrefill(request, facts);
  checkModelRules(request, facts);
  return { usesFiles: facts.census.files, weight: facts.census.weight };
}

/** The same for a token count. */
export function checkCount(request: CountTokensRequest, profile: MessagesProfile): Checked {
  required(fields(countFields))('', request);
  const facts = checkShared(request, '', profile);
  checkThinking(request, facts);
  return { usesFiles: facts.census.files, weight: facts.census.weight };
}

function checkShared(request: CountTokensRequest, where: string, profile: MessagesProfile): Facts {
  const rules = checkModel(within(where, 'model'), request.model, profile);
  const census = newCensus();
  const names = checkTools(within(where, 'tools'), request.tools, rules, census);
  countSystem(request.system, within(where, 'system'), census);
  const last = checkMessages(request.messages, within(where, 'messages'), census);
  countMarker({ cache_control: request.cache_control }, where === '' ? 'request' : where, census);
  checkMarkers(census);
  const forced = checkToolChoice(within(where, 'tool_choice'), request.tool_choice, names);
  const facts = { where, rules, census, forced, last };
  const cited = checkCitations(request, facts);
  checkEffort(request, facts);
  checkFormat(request, facts, cited);
  const images = rules?.maxImages;
  if (images !== undefined && census.images > images) {
    refuse(within(where, 'messages'), `hold ${census.images} images, the limit of ${request.model} is ${images}`);
  }
  return facts;
}

/** @returns the rules of the model, where they are known */
export function checkModel(field: string, model: unknown, profile: MessagesProfile): ModelRules | undefined {
  requireText(field, model);
  const rules = modelRules(profile, model);
  if (rules === undefined && profile.knownModelsOnly) {
    const known = Object.keys(profile.models).join(', ');
    const hint = 'Add others in profile.models, or set profile.knownModelsOnly to false.';
    refuse(field, `"${model}" is not a model of this service (${known})`, hint);
  }
  return rules;
}

function countSystem(system: CountTokensRequest['system'], field: string, census: Census): void {
  if (typeof system === 'string') census.weight += system.length;
  else for (const [at, block] of (system ?? []).entries()) countBlock({ ...block }, `${field}[${at}]`, census);
}

/** @returns whether citations are on for anything in the request */
function checkCitations(request: CountTokensRequest, { census }: Facts): boolean {
  const { on, off } = census.citations;
  const { citations: all } = request;
  if (all === undefined && on !== undefined && off !== undefined) {
    const problem = `has citations off while ${on} has them on; the setting holds for all sources of a request`;
    refuse(off, problem, 'Set `citations` on the request.');
  }
  const uncited = all === undefined ? census.results.off : all ? undefined : census.results.first;
  if (uncited !== undefined && request.tools?.some(({ type }) => String(type).startsWith('web_search_'))) {
    refuse(uncited, 'must have citations on, because the web_search tool is', 'Set `citations: true` on the request.');
  }
  return all === undefined ? on !== undefined : all && (on ?? off) !== undefined;
}

function checkMaxTokens(
  request: MessageRequest,
  { where, rules, forced }: Facts,
  profile: MessagesProfile,
  batch: boolean,
): void {
  const field = within(where, 'max_tokens');
  const warming = profile.allowZeroMaxTokens && !batch;
  const cap = batch ? (rules?.maxBatchOutputTokens ?? rules?.maxOutputTokens) : rules?.maxOutputTokens;
  integer(warming ? 0 : 1, cap)(field, request.max_tokens);
  if (request.max_tokens !== 0) return;
  const clash =
    (request.thinking?.type === 'enabled' && 'thinking') ||
    (request.output_config?.format !== undefined && 'output_config.format') ||
    (forced && 'tool_choice');
  if (clash) refuse(field, `0 (warming the cache) cannot be combined with ${clash}`);
}

function checkSampling(
  { model, temperature, top_p: topP, top_k: topK }: MessageRequest,
  { where, rules }: Facts,
): void {
  if (temperature !== undefined && topP !== undefined) {
    refuse(within(where, 'top_p'), 'cannot be combined with temperature; set one of them');
  }
  if (rules?.sampling === false && ((temperature ?? 1) !== 1 || topP !== undefined || topK !== undefined)) {
    refuse(within(where, 'temperature'), `top_p and top_k too cannot be changed on ${model}`);
  }
}

function checkThinking(request: CountTokensRequest & Partial<MessageRequest>, { where, rules, forced }: Facts): void {
  const { thinking, max_tokens: maxTokens } = request;
  if (thinking === undefined) return;
  const known = rules?.thinking ?? [thinking.type];
  oneOf(known, `${request.model} does not know the others.`)(within(where, 'thinking.type'), thinking.type);
  if (thinking.type === 'disabled') return;
  if (thinking.type === 'enabled') {
    const { budget_tokens: budget } = thinking;
    if (maxTokens !== undefined && budget >= maxTokens) {
      const problem = `${budget} must be below max_tokens (${maxTokens}), which covers thinking and text`;
      refuse(within(where, 'thinking.budget_tokens'), problem);
    }
    if (forced) {
      const hint = 'Use "auto", or thinking { type: "adaptive" }.';
      refuse(within(where, 'tool_choice'), 'cannot force a tool while thinking is "enabled"', hint);
    }
  }
  if (request.temperature !== undefined && request.temperature !== 1) {
    refuse(within(where, 'temperature'), 'cannot be changed while thinking is on');
  }
  if (request.top_k !== undefined) refuse(within(where, 'top_k'), 'cannot be set while thinking is on');
  if (request.top_p !== undefined && request.top_p < 0.95) {
    refuse(within(where, 'top_p'), 'must be from 0.95 to 1 while thinking is on');
  }
}

function checkEffort({ model, effort }: CountTokensRequest, { where, rules }: Facts): void {
  if (effort === undefined || rules?.effort === undefined) return;
  const field = within(where, 'effort');
  if (rules.effort.length === 0) refuse(field, `is not known to ${model}`);
  oneOf(rules.effort, `${model} does not know the others.`)(field, effort);
}

function checkFormat(request: CountTokensRequest, { where, last }: Facts, cited: boolean): void {
  if (request.output_config?.format === undefined) return;
  const field = within(where, 'output_config.format');
  if (cited) refuse(field, 'cannot be combined with citations', 'Ask for cited text, or make two calls.');
  if (last.role === 'assistant' && !last.paused) {
    refuse(field, 'cannot be combined with a last assistant message to continue');
  }
}

function checkPrefill(request: MessageRequest, { rules, last }: Facts): void {
  if (last.role !== 'assistant' || last.paused || rules?.allowPrefill !== false) return;
  const problem = `must be "user": ${request.model} does not continue an assistant message`;
  refuse(`${last.field}.role`, problem, 'Say in the instruction how the answer begins, or use output_config.format.');
}

function checkModelRules(request: MessageRequest, { where, rules }: Facts): void {
  if (request.inference_geo !== undefined && rules?.inferenceGeo === false) {
    refuse(within(where, 'inference_geo'), `is not known to ${request.model}`);
  }
  if (rules?.compaction !== false) return;
  for (const [at, { type }] of (request.context_management?.edits ?? []).entries()) {
    if (!type.startsWith('compact_')) continue;
    refuse(within(where, `context_management.edits[${at}]`), `(${type}) is not known to ${request.model}`);
  }
}

/**
 * Refuses a body over the limit. The exact size is only worked out when the strings alone come near it:
 * escaping makes a character six bytes at most.
 */
export function checkSize(body: unknown, weight: number, limit: number, what: string): void {
  if (weight * 6 < limit * 0.9) return;
  const bytes = Buffer.byteLength(JSON.stringify(body));
  if (bytes <= limit) return;
  const problem = `is ${bytes} bytes, the limit is ${limit} (${limit / MB} MB)`;
  refuse(what, problem, 'Upload large files once and refer to them by file_id.');
}
