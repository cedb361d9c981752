import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WireError } from '../../../src/wire/http/errors.ts';
import { collect, open, operation, raw } from './support.ts';

const get = operation('always', 'GET');

const body = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.json().map((text) => Buffer.from(text)),
  fc
    .constantFrom(
      '',
      'null',
      '[]',
      '{"error":',
      '{"error":null}',
      '{"error":{"message":7}}',
      '{"detail":[null,{"loc":7}]}',
      '{"detail":{}}',
      '<html>',
      'data: {\n\n',
      '\uFEFF{}',
      '0',
    )
    .map((text) => Buffer.from(text)),
);
const status = fc.constantFrom(
  200,
  200,
  201,
  204,
  206,
  300,
  304,
  307,
  400,
  401,
  404,
  418,
  422,
  429,
  500,
  503,
  529,
  599,
);
const header = fc.constantFrom(
  'content-encoding: gzip',
  'content-encoding: br',
  'content-encoding: zstd, gzip',
  'content-type: text/html',
  'retry-after: 1e9',
  'retry-after: -1',
  'retry-after-ms: NaN',
  'x-should-retry: perhaps',
  'location: //',
  'location: https://elsewhere.example/x',
  'location: http://[',
  'x-ratelimit-limit: 0',
  'x-request-id: ',
);
const framing = fc.constantFrom('exact', 'short', 'chunked', 'close', 'badchunk', 'cut', 'rubbish');

describe('an answer of any bytes', () => {
  it('ends, as a value or as a typed error', async () => {
    let answer = Buffer.alloc(0);
    await using server = await raw((socket) => {
      socket.end(answer);
    });
    // A hang is the test's own time limit; the pauses after a 429 take no time here.
    await using transport = open(server, { maxRetries: 0 });
    const outcomes = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        status,
        fc.uniqueArray(header, { maxLength: 3 }),
        body,
        framing,
        fc.constantFrom('json', 'events', 'lines', 'bytes'),
        async (code, headers, bytes, how, kind) => {
          const length =
            how === 'exact'
              ? [`content-length: ${bytes.length}`]
              : how === 'short'
                ? [`content-length: ${bytes.length + 5}`]
                : how === 'chunked' || how === 'badchunk'
                  ? ['transfer-encoding: chunked']
                  : [];
          const head = Buffer.from(
            `HTTP/1.1 ${code} X\r\n${[...headers, ...length].map((line) => `${line}\r\n`).join('')}connection: close\r\n\r\n`,
          );
          const chunk = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
          const rest = {
            exact: bytes,
            short: bytes,
            chunked: Buffer.concat([bytes.length > 0 ? chunk : Buffer.alloc(0), Buffer.from('0\r\n\r\n')]),
            close: bytes,
            badchunk: Buffer.from('zz\r\nxx'),
            cut: Buffer.alloc(0),
            rubbish: bytes,
          }[how];
          answer =
            how === 'cut'
              ? head.subarray(0, head.length - 9)
              : how === 'rubbish'
                ? Buffer.from(bytes)
                : Buffer.concat([head, rest]);
          const outcome = await (kind === 'json' ? transport.json(get, {}) : collectOf(kind)).then(
            () => 'value',
            (error: unknown) => {
              expect(error).toBeInstanceOf(WireError);
              return (error as WireError).code;
            },
          );
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        },
      ),
      { numRuns: 1_500 },
    );
    // The generator reaches what it is meant to reach.
    for (const code of [
      'value',
      'STREAM_BROKEN',
      'RESPONSE_INVALID',
      'CONNECTION_FAILED',
      'UNSAFE_ADDRESS',
      'REQUEST_REJECTED',
      'RATE_LIMITED',
      'SERVICE_FAILED',
    ]) {
      expect([code, outcomes.get(code) ?? 0]).not.toEqual([code, 0]);
    }

    async function collectOf(kind: string): Promise<unknown> {
      if (kind === 'events') return collect(await transport.events(get, {}));
      if (kind === 'lines') return collect(await transport.lines(get, {}));
      return collect(await transport.bytes(get, {}));
    }
  }, 120_000);
});
