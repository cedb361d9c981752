import { definedOnly, isRecord } from '../../core/records.ts';
import type { ErrorFacts } from './contract.ts';

type Fields = Readonly<Record<string, unknown>>;

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** A name that says money is the reason, whatever the status. */
export const quotaToken = (name: string): boolean =>
  /quota|insufficient_credits|billing|payment_required|paid_plan_required/.test(name.toLowerCase());

/** Longest service message that goes into an error's message. */
const MESSAGE_LIMIT = 1_000;

/**
 * What an error body says, in every shape the services and the proxies before them use:
 * `{error: {message, type, code, param, details}}`, `{error: "…"}`, `{type: "error", error: {…}, request_id}`,
 * `{detail: [{loc, msg}]}`,
 * `{detail: "…"}`, `{detail: {type, code, status, message, request_id, param}}`, `{message, error, code}`, HTML, plain
 * text, nothing.
 * @param body parsed JSON, or a string when it is none
 */
export function readErrorBody(body: unknown): ErrorFacts {
  if (typeof body === 'string') return { message: clip(plain(body)) };
  if (!isRecord(body)) return raw(body);
  const requestId = text(body.request_id);
  if (isRecord(body.error)) return { requestId, ...definedOnly(fromObject(body.error)) };
  if (isRecord(body.detail)) return { requestId, ...definedOnly(fromObject(body.detail)) };
  if (Array.isArray(body.detail)) return { requestId, ...fromList(body.detail) };
  const message = text(body.message);
  const name = text(body.error);
  // `{message, error: "machine_name", code}` of the sockets, or `{error: "human text"}`.
  const machine = name !== undefined && /^[a-z][a-z0-9_]*$/.test(name);
  const type = machine ? name : text(body.type);
  const said = message ?? text(body.detail) ?? (machine ? undefined : name) ?? text(body.error_message);
  return {
    ...(said === undefined && type === undefined ? raw(body) : { message: clip(said) }),
    type,
    codes: codesOf(body),
    param: text(body.param),
    requestId,
  };
}

/** What is of no known shape says more as it is than not at all. */
function raw(body: unknown): ErrorFacts {
  const json = JSON.stringify(body) ?? '';
  return json.length > 4 ? { message: clip(json) } : {}; // more than `{}`, `[]` and `null`
}

function fromObject(error: Fields): ErrorFacts {
  const details = isRecord(error.details) ? error.details : undefined;
  const message = text(error.message) ?? text(error.msg) ?? text(error.detail);
  return {
    message: clip(message),
    type: text(error.type),
    codes: [...(text(details?.error_code) === undefined ? [] : [text(details?.error_code)!]), ...codesOf(error)],
    param: text(error.param),
    requestId: text(error.request_id),
  };
}

/** `code` may be the HTTP status as a number or a numeral; only names are of use. */
const codesOf = (fields: Fields): string[] =>
  [fields.code, fields.status].flatMap((value) => (typeof value === 'string' && !/^\d*$/.test(value) ? [value] : []));

function fromList(detail: readonly unknown[]): ErrorFacts {
  const items = detail.flatMap((item) => {
    if (!isRecord(item)) return typeof item === 'string' ? [{ at: '', message: item, type: undefined }] : [];
    const at = Array.isArray(item.loc) ? item.loc.filter((step) => step !== 'body').join('.') : '';
    return [{ at, message: text(item.msg) ?? text(item.message) ?? '', type: text(item.type) }];
  });
  const first = items[0];
  return {
    message: clip(items.map(({ at, message }) => (at === '' ? message : `${at}: ${message}`)).join('; ')),
    type: first?.type,
    param: first === undefined || first.at === '' ? undefined : first.at,
  };
}

/** Text of a body that is not JSON: of a page its title, else its words. */
function plain(body: string): string | undefined {
  const start = body.slice(0, 20_000);
  if (!/<(!doctype|html|head|body|title)\b/i.test(start)) return text(start.trim());
  const title = /<title[^>]*>([^<]*)/i.exec(start)?.[1]?.trim();
  const heading = /<h1[^>]*>([^<]*)/i.exec(start)?.[1]?.trim();
  return `a web page instead of an answer${title || heading ? `: ${title || heading}` : ''}`;
}

const clip = (message: string | undefined): string | undefined =>
  message !== undefined && message.length > MESSAGE_LIMIT ? `${message.slice(0, MESSAGE_LIMIT)}…` : message;
