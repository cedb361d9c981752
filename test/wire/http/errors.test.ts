import { describe, expect, it } from 'vitest';
import { IbidError } from '../../../src/core/errors.ts';
import { errorFromBody, WireError } from '../../../src/wire/http/errors.ts';

const html = '<!doctype html><html><head><title>502 Bad Gateway</title></head><body><h1>nginx</h1></body></html>';

describe('an error body', () => {
  const cases: readonly (readonly [status: number | undefined, body: unknown, expected: Partial<WireError>])[] = [
    // The search service's envelope, `code` a number or a numeral.
    [
      400,
      { error: { message: 'bad filter', type: 'invalid_request', code: 400, param: 'filters' } },
      { code: 'REQUEST_REJECTED', type: 'invalid_request', param: 'filters' },
    ],
    [
      401,
      { error: { message: 'no', type: 'invalid_api_key', code: '401' } },
      { code: 'KEY_REJECTED', type: 'invalid_api_key' },
    ],
    [
      403,
      { error: { message: 'use /v1/responses', type: 'chat_completions_not_available', code: 403 } },
      { code: 'OPERATION_RETIRED', retryable: false },
    ],
    [403, { error: { message: 'blocked', type: 'forbidden' } }, { code: 'PERMISSION_DENIED' }],
    [
      424,
      { error: { message: 'tool server', type: 'external_connector_error' } },
      { code: 'SERVICE_FAILED', retryable: false, hint: expect.stringContaining('tool server') },
    ],
    [
      429,
      { error: { message: 'slow down', type: 'request_rate_limit_exceeded' } },
      { code: 'RATE_LIMITED', retryable: true },
    ],
    [429, { error: { message: 'spent', type: 'insufficient_quota' } }, { code: 'BILLING', retryable: false }],
    [
      422,
      { detail: [{ loc: ['body', 'input', 0], msg: 'must not be empty', type: 'value_error' }] },
      { code: 'REQUEST_REJECTED', param: 'input.0', type: 'value_error' },
    ],
    [400, { error: 'a sentence about it' }, { code: 'REQUEST_REJECTED', message: 'HTTP 400: a sentence about it' }],
    [413, { error: { type: 'payload_too_large', message: 'over' } }, { code: 'REQUEST_TOO_LARGE' }],
    // The messages service.
    [
      404,
      { type: 'error', error: { type: 'not_found_error', message: 'no such model' }, request_id: 'req_01' },
      { code: 'REMOTE_NOT_FOUND', requestId: 'req_01', type: 'not_found_error' },
    ],
    [402, { type: 'error', error: { type: 'billing_error', message: 'pay' } }, { code: 'BILLING' }],
    [
      429,
      {
        type: 'error',
        error: { type: 'rate_limit_error', message: 'x', details: { error_code: 'enforced_spend_limit_reached' } },
      },
      { code: 'BILLING', retryable: false },
    ],
    [
      529,
      { type: 'error', error: { type: 'overloaded_error', message: 'x' } },
      { code: 'OVERLOADED', retryable: true },
    ],
    [
      undefined,
      { type: 'error', error: { type: 'overloaded_error', message: 'x' } },
      { code: 'OVERLOADED', retryable: true },
    ],
    [undefined, { type: 'error', error: { type: 'rate_limit_error', message: 'x' } }, { code: 'RATE_LIMITED' }],
    [undefined, { type: 'error', error: { type: 'api_error', message: 'x' } }, { code: 'SERVICE_FAILED' }],
    [
      undefined,
      { type: 'error', error: { type: 'invalid_request_error', message: 'x' } },
      { code: 'REQUEST_REJECTED' },
    ],
    [
      undefined,
      { type: 'error', error: { type: 'something_new', message: 'x' } },
      { code: 'SERVICE_FAILED', type: 'something_new' },
    ],
    // The audio service, in its four shapes.
    [
      400,
      {
        detail: {
          type: 'validation_error',
          code: 'unsupported_model',
          message: 'text',
          status: 'unsupported_model',
          request_id: '1c16',
          param: 'model_id',
        },
      },
      { code: 'REQUEST_REJECTED', requestId: '1c16', param: 'model_id' },
    ],
    [401, { detail: { status: 'quota_exceeded', message: 'used up' } }, { code: 'BILLING', retryable: false }],
    [401, { detail: { status: 'missing_permissions', message: 'x' } }, { code: 'PERMISSION_DENIED' }],
    [
      400,
      { detail: { type: 'authentication_error', code: 'invalid_api_key', message: 'x' } },
      { code: 'KEY_REJECTED' },
    ],
    [400, { detail: { status: 'voice_does_not_exist', message: 'x' } }, { code: 'REMOTE_NOT_FOUND' }],
    [
      403,
      { detail: { type: 'authorization_error', code: 'output_format_not_allowed', message: 'x' } },
      { code: 'PERMISSION_DENIED' },
    ],
    [429, { detail: { type: 'rate_limit_error', code: 'system_busy', message: 'x' } }, { code: 'OVERLOADED' }],
    [429, { detail: { status: 'too_many_concurrent_requests', message: 'x' } }, { code: 'RATE_LIMITED' }],
    [404, { detail: 'Not Found' }, { code: 'REMOTE_NOT_FOUND', message: 'HTTP 404: Not Found' }],
    [
      undefined,
      { message: 'idle', error: 'input_timeout_exceeded', code: 1008 },
      { code: 'TIMEOUT', type: 'input_timeout_exceeded' },
    ],
    // What stands between: proxies and nothing.
    [502, html, { code: 'SERVICE_FAILED', message: 'HTTP 502: a web page instead of an answer: 502 Bad Gateway' }],
    [500, '', { code: 'SERVICE_FAILED', message: 'HTTP 500' }],
    [503, 'upstream connect error', { code: 'OVERLOADED', message: 'HTTP 503: upstream connect error' }],
    [400, '{"error":{"mess', { code: 'REQUEST_REJECTED' }],
    [400, { message: 'plain' }, { code: 'REQUEST_REJECTED', message: 'HTTP 400: plain' }],
    [400, { reason: 'no tower' }, { code: 'REQUEST_REJECTED', message: 'HTTP 400: {"reason":"no tower"}' }],
    [425, {}, { code: 'NOT_READY', retryable: true }],
    [409, null, { code: 'CONFLICT' }],
    [418, [1, 2], { code: 'REQUEST_REJECTED' }],
    [504, { error: { type: 'timeout_error', message: 'x' } }, { code: 'SERVICE_FAILED' }],
    [500, { error: { type: 'invalid_request', message: 'x' } }, { code: 'SERVICE_FAILED' }],
  ];

  it.each(cases)('%s %j', (status, body, expected) => {
    expect(errorFromBody(body, { status })).toMatchObject(expected);
  });

  it('lets a spending limit with a date to come back at stay a rate limit', () => {
    const body = { error: { type: 'rate_limit_error', details: { error_code: 'enforced_spend_limit_reached' } } };
    expect(errorFromBody(body, { status: 429, retryAfterMs: 1000 })).toMatchObject({
      code: 'RATE_LIMITED',
      retryable: true,
    });
  });

  it('is a member of the one family', () => {
    const error = errorFromBody({}, { status: 500, operation: 'messages.create' });
    expect(error).toBeInstanceOf(WireError);
    expect(error).toBeInstanceOf(IbidError);
    expect(error.message).toBe('messages.create: HTTP 500');
  });

  it('keeps a long message short', () => {
    const error = errorFromBody({ error: { message: 'x'.repeat(50_000) } }, { status: 400 });
    expect(error.message.length).toBeLessThan(1_100);
  });

  it('is corrected by a service that knows better', () => {
    const error = errorFromBody({ odd: 'E7' }, { status: 400 }, () => ({
      code: 'NOT_READY',
      message: 'E7',
      param: undefined,
    }));
    expect(error).toMatchObject({ code: 'NOT_READY', message: 'HTTP 400: E7' });
  });
});
