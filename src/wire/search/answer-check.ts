import type { AnswerOptions, AnswerRequest, ChatMessage, ContentPart, UserLocation } from './answer-types.ts';
import {
  checkBoolean,
  checkInteger,
  checkKnown,
  checkModel,
  checkNumber,
  checkOneOf,
  checkRecord,
  checkText,
  checkTexts,
  isRecord,
  refuse,
  shown,
} from './check.ts';
import { checkCountry, checkFilters, checkLanguage, checkLanguages, filterFields } from './check-filters.ts';
import type { SearchModel } from './models.ts';
import type { SearchProfile } from './profile.ts';
import { estimateTokens, type TokenCounter } from './token-estimate.ts';

export const contextSizes: readonly string[] = ['low', 'medium', 'high'];

const known: readonly string[] = [
  ...filterFields,
  ...['model', 'messages', 'stream_mode', 'max_tokens', 'temperature', 'top_p', 'stop', 'response_format'],
  ...['search_context_size', 'search_type', 'web_search_options', 'search_language_filter', 'search_mode'],
  ...['disable_search', 'enable_search_classifier', 'return_images', 'image_domain_filter', 'image_format_filter'],
  ...['return_related_questions', 'reasoning_effort', 'language_preference'],
];

const partFields: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image_url: ['image_url'],
  file_url: ['file_url', 'file_name'],
  pdf_url: ['pdf_url'],
  video_url: ['video_url'],
};
const maxFiles = 30;
const maxFileBytes = 50_000_000;
const maxOutputTokens = 128_000;

/** A request that may be sent. */
export interface CheckedAnswer {
  readonly request: AnswerRequest;
  readonly model: SearchModel;
  /** A generous count of what the messages hold. */
  readonly inputTokens: number;
  readonly notes: readonly string[];
}

/**
 * @param stream whether the answer will be streamed
 * @throws IbidError INVALID_ARGUMENT naming the field
 */
export function checkAnswer(
  profile: SearchProfile,
  request: AnswerRequest,
  stream: boolean,
  options: Pick<AnswerOptions, 'neighbours' | 'countTokens'> = {},
): CheckedAnswer {
  checkRecord('request', request);
  if ('stream' in request && request.stream !== undefined && request.stream !== stream) {
    refuse('stream', `is ${shown(request.stream)}, but this method sends ${stream}`, 'Use create or stream instead.');
  }
  checkKnown('', request, [...known, 'stream']);
  const model = checkModel('model', request.model, profile.models, 'answer');
  const { messages, notes } = checkMessages(request.messages, options.neighbours ?? 'merge');
  checkInteger('max_tokens', request.max_tokens, 1, maxOutputTokens);
  checkNumber('temperature', request.temperature, 0, 2);
  checkNumber('top_p', request.top_p, 0, 1);
  checkStop(request.stop);
  checkFormat(request.response_format);
  checkWebOptions(request, stream);
  checkFilters('', request);
  checkLanguages('search_language_filter', request.search_language_filter);
  checkOneOf('search_mode', request.search_mode, ['web', 'academic', 'sec']);
  for (const field of ['disable_search', 'enable_search_classifier', 'return_images', 'return_related_questions']) {
    checkBoolean(field, request[field]);
  }
  checkTexts('image_domain_filter', request.image_domain_filter, 10);
  checkTexts('image_format_filter', request.image_format_filter, 10);
  request.image_format_filter?.forEach((format, index) => {
    checkOneOf(`image_format_filter[${index}]`, format, ['gif', 'jpg', 'png', 'webp']);
  });
  if (request.return_images !== true) {
    const field = (['image_domain_filter', 'image_format_filter'] as const).find((name) => request[name] !== undefined);
    if (field !== undefined) refuse(field, 'has no effect without return_images: true');
  }
  checkOneOf('reasoning_effort', request.reasoning_effort, ['minimal', 'low', 'medium', 'high']);
  if (request.reasoning_effort !== undefined && model.deep !== true) {
    refuse('reasoning_effort', `is for the deep research model only, not for ${model.name}`);
  }
  checkLanguage('language_preference', request.language_preference);
  checkOneOf('stream_mode', request.stream_mode, ['full', 'concise']);
  if (request.stream_mode !== undefined && !stream)
    refuse('stream_mode', 'is for streams only', 'Call answers.stream.');
  const inputTokens = countMessages(messages, options.countTokens ?? estimateTokens);
  if (inputTokens > model.contextTokens) {
    const about = options.countTokens === undefined ? 'about ' : '';
    const hint = about === '' ? undefined : 'This is a generous estimate: pass countTokens to count exactly.';
    refuse('messages', `hold ${about}${inputTokens} tokens; ${model.name} takes ${model.contextTokens}`, hint);
  }
  return { request: { ...request, messages }, model, inputTokens, notes };
}

/** What the messages hold as text, with a few tokens around each; attachments are not counted. */
function countMessages(messages: readonly ChatMessage[], count: TokenCounter): number {
  let tokens = 0;
  for (const { content } of messages) {
    tokens += 4;
    if (typeof content === 'string') tokens += count(content);
    else for (const part of content) if (part.type === 'text') tokens += count(part.text);
  }
  return tokens;
}

const roles = ['system', 'user', 'assistant', 'tool'];
/** `user` and `tool` take the same turn. */
const turn = (role: ChatMessage['role']): string => (role === 'tool' ? 'user' : role);

function checkMessages(
  messages: unknown,
  neighbours: 'merge' | 'reject',
): { messages: readonly ChatMessage[]; notes: string[] } {
  if (!Array.isArray(messages)) refuse('messages', `must be an array of {role, content}, got ${shown(messages)}`);
  if (messages.length === 0) refuse('messages', 'must not be empty');
  let files = 0;
  const checked: ChatMessage[] = [];
  const notes: string[] = [];
  messages.forEach((message: unknown, index) => {
    const at = `messages[${index}]`;
    checkRecord(at, message);
    checkKnown(at, message, ['role', 'content']);
    checkOneOf(`${at}.role`, message.role ?? null, roles);
    files += checkContent(`${at}.content`, message.content);
    // Role and content have just been checked.
    const next = message as unknown as ChatMessage;
    const last = checked.at(-1);
    if (next.role === 'system' && last !== undefined && last.role !== 'system') {
      refuse(`${at}.role`, 'a system message must come before all others');
    }
    if (last === undefined || last.role === 'system' || turn(last.role) !== turn(next.role)) {
      checked.push(next);
    } else if (neighbours === 'reject' || last.role !== next.role) {
      refuse(`${at}.role`, `"${next.role}" follows "${last.role}": user and assistant must alternate`);
    } else {
      checked[checked.length - 1] = { role: last.role, content: joined(last.content, next.content) };
      notes.push(
        `messages[${index}] was joined to the ${last.role} message before it: the service wants turns to alternate`,
      );
    }
  });
  if (files > maxFiles) refuse('messages', `hold ${files} attachments; the limit is ${maxFiles}`);
  const first = checked.find((message) => message.role !== 'system');
  if (first === undefined) refuse('messages', 'hold no user message');
  if (turn(first.role) !== 'user') refuse('messages', 'must begin with a user message after the system messages');
  if (turn(checked.at(-1)!.role) !== 'user') refuse('messages', 'must end with a user message');
  return { messages: checked, notes };
}

function joined(a: ChatMessage['content'], b: ChatMessage['content']): ChatMessage['content'] {
  if (typeof a === 'string' && typeof b === 'string') return `${a}\n\n${b}`;
  const parts = (content: ChatMessage['content']): readonly ContentPart[] =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return [...parts(a), ...parts(b)];
}

/** @returns the number of attachments */
function checkContent(field: string, content: unknown): number {
  if (!Array.isArray(content)) {
    checkText(field, content);
    return 0;
  }
  if (content.length === 0) refuse(field, 'must not be empty');
  let files = 0;
  content.forEach((part: unknown, index) => {
    const at = `${field}[${index}]`;
    checkRecord(at, part);
    checkOneOf(`${at}.type`, part.type ?? null, Object.keys(partFields));
    const type = String(part.type);
    checkKnown(at, part, ['type', ...(partFields[type] ?? [])]);
    if (type === 'text') {
      checkText(`${at}.text`, part.text);
      return;
    }
    files++;
    const place = part[type];
    const url = isRecord(place) ? place.url : place;
    checkText(isRecord(place) ? `${at}.${type}.url` : `${at}.${type}`, url);
    if (type === 'image_url' && !/^(https:\/\/|data:image\/)/i.test(url)) {
      refuse(`${at}.${type}`, 'must be an https address or a data: URI of an image');
    }
    const bytes = Math.floor(((url.length - (url.indexOf(',') + 1)) * 3) / 4); // of base64, with or without `data:…,`
    if (bytes > maxFileBytes) refuse(`${at}.${type}`, `holds ${bytes} bytes; the limit is ${maxFileBytes}`);
    if (/^http:/i.test(url)) refuse(`${at}.${type}`, 'must be an https address');
  });
  return files;
}

function checkStop(stop: unknown): void {
  if (stop === undefined) return;
  if (typeof stop === 'string') {
    if (stop === '') refuse('stop', 'must not be empty');
  } else if (!Array.isArray(stop) || stop.length === 0 || stop.some((s) => typeof s !== 'string' || s === '')) {
    refuse('stop', 'must be a string or an array of non-empty strings');
  }
}

function checkFormat(format: unknown): void {
  if (format === undefined) return;
  checkRecord('response_format', format);
  checkOneOf('response_format.type', format.type ?? null, ['text', 'json_schema']);
  checkKnown('response_format', format, format.type === 'text' ? ['type'] : ['type', 'json_schema']);
  if (format.type === 'text') return;
  const schema = format.json_schema;
  checkRecord('response_format.json_schema', schema);
  checkKnown('response_format.json_schema', schema, ['schema', 'name', 'description', 'strict']);
  checkRecord('response_format.json_schema.schema', schema.schema);
  if (schema.name !== undefined) checkSchemaName('response_format.json_schema.name', schema.name);
  checkBoolean('response_format.json_schema.strict', schema.strict);
}

export function checkSchemaName(field: string, name: unknown): void {
  if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    refuse(field, `must be 1 to 64 letters, digits, _ or -, got ${shown(name)}`);
  }
}

function checkWebOptions(request: AnswerRequest, stream: boolean): void {
  const nested = request.web_search_options;
  if (nested !== undefined) {
    checkRecord('web_search_options', nested);
    const fields = ['search_context_size', 'search_type', 'user_location', 'image_results_enhanced_relevance'];
    checkKnown('web_search_options', nested, fields);
    checkBoolean('web_search_options.image_results_enhanced_relevance', nested.image_results_enhanced_relevance);
    checkLocation('web_search_options.user_location', nested.user_location);
  }
  for (const field of ['search_context_size', 'search_type'] as const) {
    const values = field === 'search_type' ? ['fast', 'pro', 'auto'] : contextSizes;
    checkOneOf(field, request[field], values);
    checkOneOf(`web_search_options.${field}`, nested?.[field], values);
    const both = request[field] !== undefined && nested?.[field] !== undefined;
    if (both && request[field] !== nested?.[field]) refuse(field, `contradicts web_search_options.${field}`);
  }
  const type = request.search_type ?? nested?.search_type;
  if (type === 'pro' && !stream) {
    refuse(
      'search_type',
      '"pro" needs a streamed answer',
      'Call answers.stream, and its final() for the whole answer.',
    );
  }
}

export function checkLocation(field: string, location: UserLocation | undefined): void {
  if (location === undefined) return;
  checkRecord(field, location);
  checkKnown(field, location, ['country', 'region', 'city', 'latitude', 'longitude']);
  checkCountry(`${field}.country`, location.country);
  checkNumber(`${field}.latitude`, location.latitude, -90, 90);
  checkNumber(`${field}.longitude`, location.longitude, -180, 180);
  if ((location.latitude === undefined) !== (location.longitude === undefined)) {
    refuse(field, 'needs both latitude and longitude, or neither');
  }
  if (location.latitude !== undefined && location.country === undefined) {
    refuse(`${field}.country`, 'is required with coordinates');
  }
}
