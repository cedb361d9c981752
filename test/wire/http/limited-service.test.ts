import { expect, it } from 'vitest';
import { createTransport } from '../../../src/wire/http/transport.ts';
import { dialect, KEY, operation, reply, scripted } from './support.ts';

const windowMs = 40;

it.each([4, 12])(
  'serves every one of %i calls at once where the service takes one request in a while',
  async (atOnce) => {
    let free = 0;
    const attempts: number[] = [];
    await using server = await scripted((response, request) => {
      const now = performance.now();
      if (now < free) return reply(429, '{}', { 'retry-after-ms': String(windowMs) })(response, request);
      free = now + windowMs;
      reply(200, '{"ok":true}')(response, request);
    });
    await using transport = createTransport(dialect, {
      apiKey: KEY,
      baseUrl: server.baseUrl,
      limits: { [operation('always').group]: { concurrency: atOnce } },
      onAttempt: ({ attempt }) => attempts.push(attempt),
    });
    const calls = Array.from({ length: 30 }, () => transport.json(operation('always'), {}));
    await expect(Promise.all(calls)).resolves.toHaveLength(30);
    expect(attempts.filter((attempt) => attempt > 1).length).toBeGreaterThan(10); // it did refuse
  },
);
