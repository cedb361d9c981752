import { BodyTooLarge, decoded, readStart, UnknownEncoding } from './body.ts';
import type { ReplyInfo, ServiceDialect } from './contract.ts';
import { isTooDeep } from './depth.ts';
import { errorFromBody, RefusedAfterAll, WireError, type WireErrorFacts } from './errors.ts';
import { PieceTooLarge } from './events.ts';
import { type HttpResponse, Unanswered } from './exchange.ts';
import type { ApiKey } from './keys.ts';
import { type Cause, retryAfterMs, shouldRetry, statusFor, WAIT_CEILING_MS } from './retry.ts';

/** How much of an error's body is read, and how much of it an error keeps. */
const ERROR_BODY_BYTES = 262_144;
const EXCERPT = 2_000;

/** An attempt that failed: the error, and what it means for another attempt. */
export interface Failed {
  readonly error: unknown;
  /** Undefined: not a matter of repeating. */
  readonly cause: Cause | undefined;
  readonly waitMs?: number | undefined;
  readonly shouldRetry?: boolean | undefined;
  readonly passing: boolean;
  /** Too many calls under way, rather than too many per minute. */
  readonly crowded?: boolean;
}

/** An answer with a status that is no success. */
export async function refused(
  response: HttpResponse,
  info: ReplyInfo,
  { dialect, key, nowMs }: { readonly dialect: ServiceDialect; readonly key: ApiKey; readonly nowMs: number },
  facts: WireErrorFacts,
): Promise<Failed> {
  const { status, headers } = response;
  let text = '';
  try {
    const bytes = await readStart(decoded(response.body, headers['content-encoding']), ERROR_BODY_BYTES);
    text = key.mask(key.scrub(Buffer.from(bytes).toString('utf8')));
  } catch (error) {
    response.body.cancel();
    if (!(error instanceof UnknownEncoding)) throw error;
  }
  const asked = retryAfterMs(headers, nowMs, status);
  const tooLong =
    asked !== undefined && asked > WAIT_CEILING_MS ? ` (the service asks to wait ${Math.ceil(asked / 1000)} s)` : '';
  const body = parsed(text);
  const made = errorFromBody(
    body,
    { ...facts, ...pick(info), retryAfterMs: asked, body: text === '' ? undefined : text.slice(0, EXCERPT) },
    dialect.readError,
  );
  const invalid = status < 400;
  const final = shouldRetry(headers) === false || invalid;
  const error = new WireError(invalid ? 'RESPONSE_INVALID' : made.code, made.message + tooLong, {
    ...made,
    retryable: made.retryable && !final,
    hint: tooLong === '' ? made.hint : `Call again in ${Math.ceil(asked! / 1000)} s.`,
  });
  // A used-up budget and a retired operation stay so, whatever the status says.
  const passing = !invalid && error.code !== 'BILLING' && error.code !== 'OPERATION_RETIRED';
  const crowded = /concurrent/.test(`${error.type ?? ''} ${text.slice(0, EXCERPT)}`);
  return { error, cause: status, waitMs: asked, shouldRetry: shouldRetry(headers), passing, crowded };
}

/** An attempt that threw: no answer, an answer that broke off, or one that is not what it should be. */
export function broken(thrown: unknown, key: ApiKey, signal: AbortSignal, facts: WireErrorFacts): Failed {
  if (signal.aborted) return { error: signal.reason, cause: undefined, passing: false };
  if (thrown instanceof RefusedAfterAll) {
    const { error } = broken(thrown.error, key, signal, facts);
    return { error, cause: statusFor[thrown.error.code], waitMs: thrown.error.retryAfterMs, passing: true };
  }
  if (thrown instanceof WireError) {
    const error =
      thrown.address !== undefined
        ? thrown
        : new WireError(thrown.code, key.scrub(`${facts.operation}: ${thrown.message}`), {
            ...thrown,
            ...facts,
            hint: thrown.hint,
            retryable: thrown.retryable,
          });
    return { error, cause: undefined, passing: false };
  }
  const say = (text: string): string => key.scrub(`${facts.operation}: ${text}`);
  const lost = { ...facts, unanswered: (facts.unanswered ?? 0) + 1 };
  const cause = safeCause(thrown, key);
  if (thrown instanceof Unanswered) {
    const answered = facts.status !== undefined;
    const code = thrown.late !== undefined ? 'TIMEOUT' : answered ? 'STREAM_BROKEN' : 'CONNECTION_FAILED';
    const text = answered && thrown.late === undefined ? `the answer broke off: ${thrown.message}` : thrown.message;
    return {
      error: new WireError(code, say(text), { ...(thrown.sent ? lost : facts), cause }),
      cause: thrown.sent ? 'unanswered' : 'unsent',
      passing: true,
    };
  }
  const zlibCode = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (zlibCode === 'Z_BUF_ERROR') {
    return {
      error: new WireError('STREAM_BROKEN', say('the compressed answer broke off'), { ...lost, cause }),
      cause: 'unanswered',
      passing: true,
    };
  }
  const unreadable =
    thrown instanceof BodyTooLarge ||
    thrown instanceof PieceTooLarge ||
    thrown instanceof UnknownEncoding ||
    thrown instanceof SyntaxError;
  if (unreadable || /^(Z_|ERR__?(ZSTD|BROTLI|ERROR)|ZSTD_|ERR_ZLIB|ERR_BROTLI)/.test(zlibCode)) {
    return {
      error: new WireError('RESPONSE_INVALID', say(String((thrown as Error).message)), { ...facts, cause }),
      cause: undefined,
      passing: false,
    };
  }
  return { error: thrown, cause: undefined, passing: false }; // a fault of the caller's own source
}

export const pick = (info: ReplyInfo): WireErrorFacts => ({ status: info.status, requestId: info.requestId });

/** The original error without what it may carry along (sockets, bytes received, our own headers). */
function safeCause(thrown: unknown, key: ApiKey): Error | undefined {
  const original = thrown instanceof Unanswered && thrown.cause !== undefined ? thrown.cause : thrown;
  if (!(original instanceof Error)) return undefined;
  const safe = new Error(key.scrub(original.message));
  safe.name = original.name;
  if ('code' in original && typeof original.code === 'string') Object.assign(safe, { code: original.code });
  return safe;
}

function parsed(text: string): unknown {
  try {
    return isTooDeep(text) ? text : JSON.parse(text);
  } catch {
    return text;
  }
}
