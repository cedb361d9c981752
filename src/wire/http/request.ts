import type { Call, OpenOptions, Operation, QueryValue, ServiceDialect } from './contract.ts';
import { WireError } from './errors.ts';
import type { HttpRequest } from './exchange.ts';
import type { ApiKey } from './keys.ts';
import { formBody } from './multipart.ts';

/** A call as it goes out, and whether its body can be made again. */
export interface PreparedRequest extends HttpRequest {
  readonly repeatable: boolean;
  /** Origin and path template, for errors, hooks and traces. */
  readonly address: string;
}

export interface RequestContext {
  readonly base: URL;
  readonly key: ApiKey;
  readonly dialect: ServiceDialect;
  readonly options: Pick<OpenOptions, 'headers'>;
  readonly accept: string;
  readonly acceptEncoding: string;
}

/** Headers of the connection, which belong to the transport alone. */
const reserved: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'accept-encoding',
]);

/**
 * @throws WireError INVALID_ARGUMENT for a missing or empty path value, a header that cannot be replaced or sent, a
 * body that is not JSON
 */
export function prepareRequest(operation: Operation, call: Call, context: RequestContext): PreparedRequest {
  const url = new URL(context.base);
  url.pathname = `${context.base.pathname.replace(/\/+$/, '')}${fillPath(operation.path, call.path ?? {})}`;
  url.search = queryString(call.query ?? {});
  const form = call.form === undefined ? undefined : formBody(call.form);
  const json = call.json === undefined ? undefined : jsonBody(call.json);
  const fixed: Record<string, string> = {
    accept: context.accept,
    'accept-encoding': context.acceptEncoding,
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...(form === undefined ? {} : { 'content-type': form.contentType }),
    ...(form?.sizeBytes === undefined ? {} : { 'content-length': String(form.sizeBytes) }),
  };
  return {
    url,
    method: operation.method,
    headers: headersOf(fixed, call, context),
    body: form === undefined ? json : form.open,
    repeatable: form?.repeatable ?? true,
    address: `${url.origin}${context.base.pathname.replace(/\/+$/, '')}${operation.path}`,
  };
}

function fillPath(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined || value === '') {
      throw new WireError('INVALID_ARGUMENT', `${name} is missing or empty`, {
        hint: 'It stands in the path of the request.',
      });
    }
    // A dot segment would climb out of the path the operation names.
    if (value === '.' || value === '..') throw new WireError('INVALID_ARGUMENT', `${name} cannot be "${value}"`);
    return encodeURIComponent(value);
  });
}

/** Lists repeat the name; undefined is left out, and so is null (the cursor of a last page), '' is not. */
function queryString(query: Readonly<Record<string, QueryValue>>): string {
  const out = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    for (const item of Array.isArray(value) ? value : [value]) out.append(name, String(item));
  }
  return out.toString();
}

function jsonBody(value: unknown): Uint8Array {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new WireError('INVALID_ARGUMENT', 'the request cannot be written as JSON', { cause });
  }
  if (text === undefined) throw new WireError('INVALID_ARGUMENT', 'the request cannot be written as JSON');
  return Buffer.from(text);
}

function headersOf(fixed: Record<string, string>, call: Call, context: RequestContext): Record<string, string> {
  const own: Record<string, string> = { ...fixed };
  const set = (headers: Readonly<Record<string, string | undefined>>): void => {
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) own[name.toLowerCase()] = value;
  };
  set(context.dialect.headers ?? {});
  set(call.headers ?? {});
  set(context.key.header(context.dialect.auth) ?? {});
  const out: Record<string, string> = { 'user-agent': 'ibid' };
  for (const given of [context.options.headers ?? {}, call.options?.headers ?? {}]) {
    for (const [name, value] of Object.entries(given)) {
      const lower = name.toLowerCase();
      if (value === undefined) continue;
      if (Object.hasOwn(own, lower) || reserved.has(lower)) {
        throw new WireError('INVALID_ARGUMENT', `header ${lower} is set by this client and cannot be replaced`);
      }
      out[lower] = value;
    }
  }
  const all = { ...out, ...own };
  for (const [name, value] of Object.entries(all)) {
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw new WireError(
        'INVALID_ARGUMENT',
        `header ${JSON.stringify(name)} cannot be sent: a line end or a character beyond Latin-1`,
      );
    }
  }
  return all;
}
