import { describe, expect, it } from 'vitest';
import { settledBy } from '../../../src/wire/messages/events.ts';

const usage = (text: string): unknown => JSON.parse(`{"usage":${text}}`);

describe('what an answer says was used', () => {
  it('is the fresh input and what was written to the cache', () => {
    const body = usage(
      '{"input_tokens":5,"cache_creation_input_tokens":3,"cache_read_input_tokens":90,"output_tokens":7}',
    );
    expect(settledBy(body)).toMatchObject({ inputTokens: 5 + 3, outputTokens: 7 });
  });

  // 1e999 is valid JSON and comes out as Infinity: a limiter that took it would let nothing through again.
  it.each(['1e999', '-1e999', '-4', '1e300', '"5"', 'null', '{}'])('leaves out a count of %s', (count) => {
    const body = usage(`{"input_tokens":${count},"cache_creation_input_tokens":${count},"output_tokens":${count}}`);
    expect(settledBy(body)).toMatchObject({ inputTokens: 0, outputTokens: undefined });
  });
});
