import { isRecord } from '../../core/records.ts';
import {
  anything,
  type Check,
  checkKnown,
  fields,
  filled,
  kinds,
  optional,
  record,
  refuse,
  required,
  requireRecord,
  requireText,
  shown,
  text,
  textOr,
} from '../http/check.ts';
import type { AnswerOptions, AnswerRequest, ChatMessage, ContentPart, UserLocation } from './answer-types.ts';
import { checkModel, known } from './check.ts';
import { checkFilters, country, filterFields, language, languages } from './check-filters.ts';
import type { SearchModel } from './models.ts';
import type { SearchProfile } from './profile.ts';
import { estimateTokens, type TokenCounter } from './token-estimate.ts';

const maxFiles = 30;
const maxFileBytes = 50_000_000;

const location = fields({ country, ...known('region', 'city', 'latitude', 'longitude') });

/** Where the searcher is. Half a place would be searched, and billed, as none. */
export const userLocation: Check = optional((field, value) => {
  location(field, value);
  const { latitude, longitude, country: land } = value as UserLocation; // its fields have been checked
  if ((latitude === undefined) !== (longitude === undefined)) {
    refuse(field, 'needs both latitude and longitude, or neither');
  }
  if (latitude !== undefined && land === undefined) {
    refuse(`${field}.country`, 'is required with coordinates');
  }
});

export const responseFormat: Check = fields({
  type: anything,
  json_schema: fields({ ...known('name', 'description', 'strict'), schema: record }),
});

const webSearchOptions = fields({
  ...known('search_context_size', 'search_type', 'image_results_enhanced_relevance'),
  user_location: userLocation,
});

const checkRequest = fields({
  ...known('model', 'messages', 'stream_mode', 'max_tokens', 'temperature', 'top_p', 'search_mode'),
  ...known('search_context_size', 'search_type', 'disable_search', 'enable_search_classifier', 'return_images'),
  ...known('image_domain_filter', 'image_format_filter', 'return_related_questions', 'reasoning_effort'),
  ...filterFields,
  search_language_filter: languages,
  language_preference: language,
  stop: textOr(filled(text)),
  response_format: responseFormat,
  web_search_options: webSearchOptions,
});

/** A request that may be sent. */
export interface CheckedAnswer {
  readonly request: AnswerRequest;
  readonly model: SearchModel;
  /** A generous count of what the messages hold. */
  readonly inputTokens: number;
  readonly notes: readonly string[];
}

/**
 * Refuses what would be billed and wrong, and what the service does not say it refuses. What the service refuses at
 * once is left to it.
 * @param stream whether the answer will be streamed
 * @throws IbidError INVALID_ARGUMENT naming the field
 */
export function checkAnswer(
  profile: SearchProfile,
  request: AnswerRequest,
  stream: boolean,
  options: Pick<AnswerOptions, 'neighbours' | 'countTokens'> = {},
): CheckedAnswer {
  checkRequest('', request);
  checkFilters('', request);
  const model = checkModel(request.model, profile.models, 'answer');
  const { messages, notes } = checkMessages(request.messages, options.neighbours ?? 'merge');
  checkSearchOptions(request, stream);
  if (request.return_images !== true) {
    const field = (['image_domain_filter', 'image_format_filter'] as const).find((name) => request[name] !== undefined);
    if (field !== undefined) refuse(field, 'has no effect without return_images: true');
  }
  if (request.reasoning_effort !== undefined && model.deep !== true) {
    refuse('reasoning_effort', `is for the deep research model only, not for ${model.name}`);
  }
  const inputTokens = countMessages(messages, options.countTokens ?? estimateTokens);
  if (inputTokens > model.contextTokens) {
    const about = options.countTokens === undefined ? 'about ' : '';
    const hint = about === '' ? undefined : 'This is a generous estimate: pass countTokens to count exactly.';
    refuse('messages', `hold ${about}${inputTokens} tokens; ${model.name} takes ${model.contextTokens}`, hint);
  }
  return { request: { ...request, messages }, model, inputTokens, notes };
}

/** Two options have two places each. */
function checkSearchOptions(request: AnswerRequest, stream: boolean): void {
  const nested = request.web_search_options;
  for (const field of ['search_context_size', 'search_type'] as const) {
    const both = request[field] !== undefined && nested?.[field] !== undefined;
    if (both && request[field] !== nested[field]) refuse(field, `contradicts web_search_options.${field}`);
  }
  if ((request.search_type ?? nested?.search_type) === 'pro' && !stream) {
    const hint = 'Call answers.stream, and its final() for the whole answer.';
    refuse('search_type', '"pro" needs a streamed answer', hint);
  }
  if (request.stream_mode !== undefined && !stream) {
    refuse('stream_mode', 'is for streams only', 'Call answers.stream.');
  }
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

/** `user` and `tool` take the same turn. */
const turn = (role: ChatMessage['role']): string => (role === 'tool' ? 'user' : role);

function checkMessages(
  messages: unknown,
  neighbours: 'merge' | 'reject',
): { messages: readonly ChatMessage[]; notes: readonly string[] } {
  if (!Array.isArray(messages)) refuse('messages', `must be a list of {role, content}, got ${shown(messages)}`);
  let files = 0;
  const checked: ChatMessage[] = [];
  const notes: string[] = [];
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`;
    requireRecord(at, message);
    checkKnown(at, message, ['role', 'content']);
    files += checkContent(`${at}.content`, message.content);
    const next = message as unknown as ChatMessage; // its content has been checked, its role is the service's to check
    const last = checked.at(-1);
    if (last === undefined || last.role === 'system' || turn(last.role) !== turn(next.role)) {
      checked.push(next);
    } else if (neighbours === 'reject' || last.role !== next.role) {
      refuse(`${at}.role`, `"${next.role}" follows "${last.role}": user and assistant must alternate`);
    } else {
      checked[checked.length - 1] = { role: last.role, content: joined(last.content, next.content) };
      notes.push(`${at} was joined to the ${last.role} message before it: the service wants turns to alternate`);
    }
  }
  if (files > maxFiles) refuse('messages', `hold ${files} attachments; the limit is ${maxFiles}`);
  const last = checked.at(-1);
  if (last === undefined || turn(last.role) !== 'user') refuse('messages', 'must end with a user message');
  return { messages: checked, notes };
}

function joined(a: ChatMessage['content'], b: ChatMessage['content']): ChatMessage['content'] {
  if (typeof a === 'string' && typeof b === 'string') return `${a}\n\n${b}`;
  const parts = (content: ChatMessage['content']): readonly ContentPart[] =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return [...parts(a), ...parts(b)];
}

const part = kinds(
  {
    text: { text: required(text) },
    image_url: known('image_url'),
    file_url: known('file_url', 'file_name'),
    pdf_url: known('pdf_url'),
    video_url: known('video_url'),
  },
  fields,
);
const textOrParts = required(textOr(filled(part)));

/** @returns the number of attachments */
function checkContent(field: string, content: unknown): number {
  textOrParts(field, content);
  if (!Array.isArray(content)) return 0;
  let files = 0;
  for (const [index, entry] of content.entries()) {
    const type = String(entry.type);
    if (type === 'text') continue;
    files++;
    checkAttachment(`${field}[${index}].${type}`, entry[type], type === 'image_url');
  }
  return files;
}

function checkAttachment(field: string, place: unknown, isImage: boolean): void {
  const url = isRecord(place) ? place.url : place;
  requireText(isRecord(place) ? `${field}.url` : field, url);
  if (isImage && !/^(https:\/\/|data:image\/)/i.test(url)) {
    refuse(field, 'must be an https address or a data: URI of an image');
  }
  if (/^http:/i.test(url)) refuse(field, 'must be an https address');
  const bytes = Math.floor(((url.length - (url.indexOf(',') + 1)) * 3) / 4); // of base64, with or without `data:…,`
  if (bytes > maxFileBytes) refuse(field, `holds ${bytes} bytes; the limit is ${maxFileBytes}`);
}
