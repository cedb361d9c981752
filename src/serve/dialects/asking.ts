import type { Answer } from '../../answer/contract.ts';
import { IbidError } from '../../core/errors.ts';
import type { Metadata } from '../../core/types.ts';
import { askModes } from '../../modes/options.ts';
import { countTokens } from '../../text/tokens/tokens.ts';
import { nameOf } from '../answer-shapes.ts';
import { type Problem, problemOf } from '../problem.ts';
import type { AskRequest } from '../request-shapes.ts';
import type { Call, ServerEvent } from '../route.ts';
import type { Schema } from '../schema.ts';
import { type DocumentFilterFields, documentFilter } from './filters.ts';

/** A message of a conversation, as the common dialects have it. */
export interface Message {
  /** Absent in what is no message: calls of tools and their results. */
  readonly role?: string;
  readonly content?: string | readonly { readonly type?: string; readonly text?: string }[] | null;
}

/** Longer than a question may be, as a conversation holds answers too. */
const content: Schema = {
  anyOf: [
    { type: 'string', maxLength: 100_000 },
    { type: 'null' },
    {
      type: 'array',
      maxItems: 100,
      items: { type: 'object', properties: { text: { type: 'string', maxLength: 100_000 } } },
    },
  ],
};

/** @param required of each; what calls a tool has no content */
export const messagesWith = (...required: readonly 'role'[]): Schema => ({
  type: 'array',
  minItems: 1,
  maxItems: 100,
  items: { type: 'object', properties: { role: { type: 'string', maxLength: 20 }, content }, required },
});

/** The model of a request that no caller chose: sentences of the documents. */
export const usualModel = 'extractive';

function turnsOf(said: readonly Message[]): NonNullable<AskRequest['history']> {
  return said.flatMap(({ role, content: parts }) =>
    role === 'user' || role === 'assistant' ? [{ role, text: textOf(parts) }] : [],
  );
}

/** The last message. */
export function lastOf(said: readonly Message[]): string | undefined {
  return turnsOf(said).at(-1)?.text;
}

/**
 * A conversation as a question of ours: its last word of the user, and what was said before. A system prompt has no
 * place in an answer whose words are the documents'. A model that is not a mode of ours stands for the usual one, so that
 * a program keeps the name it has.
 * @throws IbidError INVALID_ARGUMENT
 */
export function questionOf(
  said: readonly Message[],
  model: string | undefined,
  filter: DocumentFilterFields,
): AskRequest {
  const turns = turnsOf(said);
  const last = turns.at(-1);
  if (last?.role !== 'user' || last.text.trim() === '')
    throw new IbidError('INVALID_ARGUMENT', 'the last message must be a question of the user');
  const mode = askModes.find((one) => one === model) ?? usualModel;
  const where = documentFilter(filter);
  const history = turns.slice(0, -1).filter(({ text }) => text.trim() !== ''); // without calls of tools
  return {
    ...{ question: last.text, mode },
    ...(history.length > 0 && { history }),
    // a filter of ours, made of values that are bound: the schema of requests takes no SQL, the library does
    ...(where !== undefined && { where: where as unknown as NonNullable<AskRequest['where']> }),
  };
}

function textOf(parts: Message['content']): string {
  if (typeof parts === 'string' || !parts) return parts ?? '';
  return parts.map(({ text = '' }) => text).join('\n');
}

/** A source as an address that a browser opens: the page of this server shows it. */
export function addressOf(
  reference: string,
  { headers, indexes }: Pick<Call, 'headers' | 'indexes'>,
  index: string | undefined,
): string {
  if (/^https?:\/\//.test(reference)) return reference;
  const named = indexes.areSeveral && index !== undefined ? `&index=${encodeURIComponent(index)}` : '';
  const scheme = /^https\b/i.test(`${headers['x-forwarded-proto'] ?? ''}`) ? 'https' : 'http'; // of the proxy before us
  return `${scheme}://${headers.host ?? 'localhost'}/source?ref=${encodeURIComponent(reference)}${named}`;
}

export interface Source {
  readonly n: number;
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
  readonly date: string | null;
  readonly last_updated: string | null;
}

/** The sources of an answer, in the order of its marks: `[n]` is entry n. */
export function sourcesOf(
  answer: Answer,
  call: Pick<Call, 'headers' | 'indexes'>,
  index: string | undefined,
): readonly Source[] {
  const dates = new Map(answer.hits.map(({ chunk }) => [chunk.uri, dateOf(chunk.metadata)]));
  const sources = answer.citations.map((citation) => {
    const { n, quote, reference, uri } = citation;
    const url = addressOf(reference, call, index);
    return { n, title: nameOf(citation), url, snippet: quote, date: dates.get(uri) ?? null, last_updated: null };
  });
  const links = (answer.grounding?.links ?? []).map(({ n, url, title, snippet = '', date = null }) => ({
    ...{ n, title, url, snippet, date, last_updated: null },
  }));
  return [...sources, ...links].sort((a, b) => a.n - b.n);
}

/** The day of a document, as ISO 8601 writes it; null where it has none. */
export function dateOf({ date, sentAt }: Metadata): string | null {
  return dayOf(date) ?? dayOf(sentAt);
}

export function dayOf(value: unknown): string | null {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) ? value.slice(0, 10) : null;
}

/** Tokens of a model where one wrote; else of the question and the answer. */
export function usageOf(
  question: string,
  { answer, grounding }: Answer,
): { readonly input: number; readonly output: number } {
  if (grounding) return { input: grounding.usage.inputTokens, output: grounding.usage.outputTokens };
  return { input: countTokens(question), output: countTokens(answer) };
}

/** An error in the shape that clients of the common dialects read. */
export function dialectProblem({ status, code, message }: Problem): { readonly error: object } {
  const type = status < 500 ? (status === 429 ? 'rate_limit_error' : 'invalid_request_error') : 'server_error';
  return { error: { message, type, param: null, code } };
}

export function dialectEvent(error: unknown): ServerEvent {
  return { data: dialectProblem(problemOf(error)) };
}
