import { describe, expect, it } from 'vitest';
import { isTooDeep } from '../../../src/wire/http/depth.ts';
import { collect, errorOf, open, operation, reply, scripted } from './support.ts';

const get = operation('always', 'GET');
const levels = (count: number): string => '[{"a":'.repeat(count / 2) + '}]'.repeat(count / 2);

describe('levels of JSON', () => {
  it.each([
    [levels(1_000), false],
    [levels(1_002), true],
    ['['.repeat(1_001), true],
    [`["${'['.repeat(5_000)}"]`, false],
    [`["\\\\", "\\"${'['.repeat(5_000)}"]`, false],
    [`[${'[],'.repeat(5_000)}[]]`, false],
    [`"${'['.repeat(5_000)}`, false],
  ])('%#: too deep is %s', (text, expected) => {
    expect(isTooDeep(text)).toBe(expected);
  });

  it.each([
    ['json', levels(4_000), {}],
    ['events', `data: ${levels(4_000)}\n\n`, { 'content-type': 'text/event-stream' }],
    ['lines', `${levels(4_000)}\n`, {}],
  ] as const)('are bounded in %s', async (kind, body, headers) => {
    await using server = await scripted(reply(200, body, headers));
    await using transport = open(server);
    const call =
      kind === 'json' ? transport.json(get, {}) : transport[kind](get, {}).then((stream) => collect<unknown>(stream));
    expect(await errorOf(call)).toMatchObject({
      code: 'RESPONSE_INVALID',
      message: expect.stringContaining('deeper than 1000 levels'),
    });
  });

  it('are bounded in a refusal, which stays a refusal and says how its text begins', async () => {
    await using server = await scripted(reply(401, '['.repeat(5_000) + ']'.repeat(5_000), {}));
    await using transport = open(server);
    expect(await errorOf(transport.json(get, {}))).toMatchObject({
      code: 'KEY_REJECTED',
      message: expect.stringContaining('[[[['),
    });
  });
});
