import { type Census, checkMarker, checkMarkers, checkTextBlock, newCensus } from './check-blocks.ts';
import { checkMessages, type LastTurn } from './check-messages.ts';
import { checkOutputSchema } from './check-schema.ts';
import { checkToolChoice, checkTools } from './check-tools.ts';
import { type MessagesProfile, type ModelRules, modelRules } from './profile.ts';
import { isRecord, mustBeInteger, mustBeNumber, mustBeOneOf, mustBeText, mustKnow, refuse } from './refuse.ts';
import type { CountTokensRequest, MessageRequest } from './types.ts';

const MB = 1024 * 1024;
export const maxMessageBytes: number = 32 * MB;

const countFields = [
  'model',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'thinking',
  'effort',
  'output_config',
  'cache_control',
  'citations',
];
const countFieldSet = new Set(countFields);
const messageFieldSet = new Set([
  ...countFields,
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'metadata',
  'service_tier',
  'inference_geo',
  'container',
  'context_management',
]);

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

/**
 * Everything the references say the service refuses, found before sending.
 * @throws IbidError INVALID_ARGUMENT naming the field and the limit
 */
export function checkMessage(request: MessageRequest, profile: MessagesProfile, options: CheckOptions = {}): Checked {
  const at = options.field === undefined ? '' : `${options.field}.`;
  const field = options.field ?? 'request';
  if (!isRecord(request)) refuse(field, 'must be an object');
  if (request.stream !== undefined)
    refuse(`${at}stream`, 'is not set here', 'Call `stream` instead of `create`; batches do not stream.');
  mustKnow(request, options.field ?? '', messageFieldSet);
  const { rules, census, forced, last } = checkShared(request, at, profile);
  checkMaxTokens(request, at, profile, rules, options.batch === true, forced);
  checkSampling(request, at, rules);
  checkThinking(request, at, rules, forced, request.max_tokens);
  checkPrefill(request, at, rules, last);
  checkRest(request, at, rules);
  return { usesFiles: census.files, weight: census.weight };
}

/** The same for a token count. */
export function checkCount(request: CountTokensRequest, profile: MessagesProfile): Checked {
  if (!isRecord(request)) refuse('request', 'must be an object');
  mustKnow(request, '', countFieldSet);
  const { rules, census, forced } = checkShared(request, '', profile);
  checkThinking(request, '', rules, forced, undefined);
  return { usesFiles: census.files, weight: census.weight };
}

interface Shared {
  readonly rules: ModelRules | undefined;
  readonly census: Census;
  readonly forced: boolean;
  readonly last: LastTurn;
}

function checkShared(request: CountTokensRequest, at: string, profile: MessagesProfile): Shared {
  const rules = checkModel(`${at}model`, request.model, profile);
  const census = newCensus();
  const names =
    request.tools === undefined ? new Set<string>() : checkTools(request.tools, `${at}tools`, rules, census);
  checkSystem(request.system, `${at}system`, census);
  const last = checkMessages(request.messages, `${at}messages`, census);
  if (request.cache_control !== undefined)
    checkMarker({ cache_control: request.cache_control }, at.slice(0, -1) || 'request', census);
  checkMarkers(census);
  const forced = request.tool_choice !== undefined && checkToolChoice(request.tool_choice, names, `${at}tool_choice`);
  const cited = checkCitations(request, at, census);
  checkEffort(request, at, rules);
  checkOutput(request, at, cited, last);
  const images = rules?.maxImages;
  if (images !== undefined && census.images > images) {
    refuse(`${at}messages`, `hold ${census.images} images, the limit of ${request.model} is ${images}`);
  }
  return { rules, census, forced, last };
}

export function checkModel(field: string, model: unknown, profile: MessagesProfile): ModelRules | undefined {
  mustBeText(model, field);
  const rules = modelRules(profile, model as string);
  if (rules === undefined && profile.knownModelsOnly) {
    const known = Object.keys(profile.models).join(', ');
    refuse(
      field,
      `"${String(model)}" is not a model of this service (${known})`,
      'Add others in profile.models, or set profile.knownModelsOnly to false.',
    );
  }
  return rules;
}

function checkSystem(system: unknown, field: string, census: Census): void {
  if (system === undefined) return;
  if (typeof system === 'string') {
    census.weight += mustBeText(system, field).length;
    return;
  }
  if (!Array.isArray(system) || system.length === 0)
    refuse(field, 'must be a string or a list of at least one text block');
  system.forEach((block: unknown, at) => {
    const path = `${field}[${at}]`;
    if (!isRecord(block) || block.type !== 'text') refuse(path, 'must be a text block');
    checkTextBlock(block, path, census);
    checkMarker(block, path, census);
  });
}

/** @returns whether citations are on for anything in the request */
function checkCitations(request: CountTokensRequest, at: string, { citations, results }: Census): boolean {
  const { on, off } = citations;
  const { citations: all } = request;
  if (all !== undefined && typeof all !== 'boolean') refuse(`${at}citations`, 'must be a boolean');
  if (all === undefined && on !== undefined && off !== undefined) {
    refuse(
      off,
      `has citations off while ${on} has them on; the setting holds for all documents and search results of a request`,
      'Set `citations` on the request.',
    );
  }
  const uncited = all === undefined ? results.off : all ? undefined : results.first;
  if (uncited !== undefined && request.tools?.some(({ type }) => String(type).startsWith('web_search_'))) {
    refuse(uncited, 'must have citations on, because the web_search tool is', 'Set `citations: true` on the request.');
  }
  return all === undefined ? on !== undefined : all && (on ?? off) !== undefined;
}

function checkMaxTokens(
  request: MessageRequest,
  at: string,
  profile: MessagesProfile,
  rules: ModelRules | undefined,
  batch: boolean,
  forced: boolean,
): void {
  const warming = profile.allowZeroMaxTokens && !batch;
  const cap = batch ? (rules?.maxBatchOutputTokens ?? rules?.maxOutputTokens) : rules?.maxOutputTokens;
  mustBeInteger(request.max_tokens, `${at}max_tokens`, warming ? 0 : 1, cap);
  if (request.max_tokens !== 0) return;
  const clash =
    (request.thinking?.type === 'enabled' && 'thinking') ||
    (request.output_config?.format !== undefined && 'output_config.format') ||
    (forced && 'tool_choice');
  if (clash) refuse(`${at}max_tokens`, `0 (warming the cache) cannot be combined with ${clash}`);
}

function checkSampling(request: MessageRequest, at: string, rules: ModelRules | undefined): void {
  const { temperature, top_p: topP, top_k: topK } = request;
  if (temperature !== undefined) mustBeNumber(temperature, `${at}temperature`, 0, 1);
  if (topP !== undefined) mustBeNumber(topP, `${at}top_p`, 0, 1);
  if (topK !== undefined) mustBeInteger(topK, `${at}top_k`, 0);
  if (temperature !== undefined && topP !== undefined)
    refuse(`${at}top_p`, 'cannot be combined with temperature; set one of them');
  if (rules?.sampling === false && ((temperature ?? 1) !== 1 || topP !== undefined || topK !== undefined)) {
    refuse(`${at}temperature`, `, top_p and top_k cannot be changed on ${request.model}`);
  }
}

function checkThinking(
  request: CountTokensRequest & Partial<MessageRequest>,
  at: string,
  rules: ModelRules | undefined,
  forced: boolean,
  maxTokens: number | undefined,
): void {
  const { thinking } = request;
  if (thinking === undefined) return;
  const field = `${at}thinking`;
  if (!isRecord(thinking)) refuse(field, 'must be an object');
  mustBeOneOf(thinking.type, `${field}.type`, ['enabled', 'adaptive', 'disabled']);
  if (rules?.thinking !== undefined) {
    mustBeOneOf(thinking.type, `${field}.type`, rules.thinking, `${request.model} does not know the others.`);
  }
  const known = { enabled: ['type', 'budget_tokens', 'display'], adaptive: ['type', 'display'], disabled: ['type'] };
  mustKnow(thinking, field, new Set(known[thinking.type]));
  if (thinking.type === 'disabled') return;
  if (thinking.display !== undefined) mustBeOneOf(thinking.display, `${field}.display`, ['summarized', 'omitted']);
  if (thinking.type === 'enabled') {
    const budget = mustBeInteger(thinking.budget_tokens, `${field}.budget_tokens`, 1024);
    if (maxTokens !== undefined && budget >= maxTokens) {
      refuse(
        `${field}.budget_tokens`,
        `(${budget}) must be below max_tokens (${maxTokens}), which covers thinking and text`,
      );
    }
    if (forced)
      refuse(
        `${at}tool_choice`,
        'cannot force a tool while thinking is "enabled"',
        'Use "auto", or thinking { type: "adaptive" }.',
      );
  }
  if (request.temperature !== undefined && request.temperature !== 1) {
    refuse(`${at}temperature`, 'cannot be changed while thinking is on');
  }
  if (request.top_k !== undefined) refuse(`${at}top_k`, 'cannot be set while thinking is on');
  if (request.top_p !== undefined && request.top_p < 0.95)
    refuse(`${at}top_p`, 'must be from 0.95 to 1 while thinking is on');
}

function checkEffort(request: CountTokensRequest, at: string, rules: ModelRules | undefined): void {
  const { effort } = request;
  if (effort === undefined) return;
  mustBeOneOf(
    effort,
    `${at}effort`,
    ['low', 'medium', 'high', 'xhigh', 'max'],
    'Adaptive thinking is thinking: { type: "adaptive" }.',
  );
  if (rules?.effort === undefined) return;
  if (rules.effort.length === 0) refuse(`${at}effort`, `is not known to ${request.model}`);
  mustBeOneOf(effort, `${at}effort`, rules.effort, `${request.model} does not know the others.`);
}

function checkOutput(request: CountTokensRequest, at: string, cited: boolean, last: LastTurn): void {
  const config: unknown = request.output_config;
  if (config === undefined) return;
  const field = `${at}output_config`;
  if (!isRecord(config)) refuse(field, 'must be an object');
  if (config.effort !== undefined)
    refuse(`${field}.effort`, 'is written `effort` on the request', 'The dialect decides where it stands on the wire.');
  mustKnow(config, field, new Set(['format']));
  const { format } = config;
  if (format === undefined) return;
  if (!isRecord(format) || format.type !== 'json_schema') refuse(`${field}.format.type`, 'must be "json_schema"');
  checkOutputSchema(format.schema, `${field}.format.schema`);
  if (cited) refuse(`${field}.format`, 'cannot be combined with citations', 'Ask for cited text, or make two calls.');
  if (last.role === 'assistant' && !last.paused)
    refuse(`${field}.format`, 'cannot be combined with a last assistant message to continue');
}

function checkPrefill(request: MessageRequest, at: string, rules: ModelRules | undefined, last: LastTurn): void {
  if (last.role !== 'assistant' || last.paused || rules?.allowPrefill !== false) return;
  refuse(
    `${at}${last.field.slice(at.length)}.role`,
    `must be "user": ${request.model} does not continue an assistant message`,
    'Say in the instruction how the answer begins, or use output_config.format.',
  );
}

function checkRest(request: MessageRequest, at: string, rules: ModelRules | undefined): void {
  const stops: unknown = request.stop_sequences;
  if (stops !== undefined) {
    if (!Array.isArray(stops)) refuse(`${at}stop_sequences`, 'must be a list');
    for (const [index, stop] of stops.entries()) mustBeText(stop, `${at}stop_sequences[${index}]`);
  }
  if (request.metadata !== undefined) {
    if (!isRecord(request.metadata)) refuse(`${at}metadata`, 'must be an object');
    mustKnow(request.metadata, `${at}metadata`, new Set(['user_id']));
    if (request.metadata.user_id !== undefined) mustBeText(request.metadata.user_id, `${at}metadata.user_id`);
  }
  if (request.service_tier !== undefined)
    mustBeOneOf(request.service_tier, `${at}service_tier`, ['auto', 'standard_only']);
  if (request.inference_geo !== undefined) {
    mustBeOneOf(request.inference_geo, `${at}inference_geo`, ['us', 'global']);
    if (rules?.inferenceGeo === false) refuse(`${at}inference_geo`, `is not known to ${request.model}`);
  }
  if (request.container !== undefined && typeof request.container !== 'string' && !isRecord(request.container)) {
    refuse(`${at}container`, 'must be an id or { id }');
  }
  if (request.container === '') refuse(`${at}container`, 'must not be empty');
  if (request.context_management !== undefined) checkEdits(request, at, rules);
}

function checkEdits(request: MessageRequest, at: string, rules: ModelRules | undefined): void {
  const field = `${at}context_management.edits`;
  const edits: unknown = request.context_management?.edits;
  if (!Array.isArray(edits) || edits.length === 0) refuse(field, 'must be a list of at least one edit');
  edits.forEach((edit: unknown, index) => {
    const path = `${field}[${index}]`;
    if (!isRecord(edit) || typeof edit.type !== 'string') refuse(path, 'must be an object with a "type"');
    if (edit.type.startsWith('clear_thinking_') && index > 0) refuse(path, `(${edit.type}) must come first`);
    if (!edit.type.startsWith('compact_')) return;
    if (rules?.compaction === false) refuse(path, `(${edit.type}) is not known to ${request.model}`);
    const { trigger } = edit;
    if (trigger === undefined || trigger === null) return;
    if (!isRecord(trigger) || trigger.type !== 'input_tokens') refuse(`${path}.trigger.type`, 'must be "input_tokens"');
    mustBeInteger(trigger.value, `${path}.trigger.value`, 50_000);
  });
}

/**
 * Refuses a body over the limit. The exact size is only worked out when the strings alone come near it:
 * escaping makes a character six bytes at most.
 */
export function checkSize(body: unknown, weight: number, limit: number, what: string): void {
  if (weight * 6 < limit * 0.9) return;
  const bytes = Buffer.byteLength(JSON.stringify(body));
  if (bytes > limit)
    refuse(
      what,
      `is ${bytes} bytes, the limit is ${limit} (${limit / MB} MB)`,
      'Upload large files once and refer to them by file_id.',
    );
}
