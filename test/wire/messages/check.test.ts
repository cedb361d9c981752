import { describe, expect, it } from 'vitest';
import { checkMessage } from '../../../src/wire/messages/check.ts';
import {
  type MessageRequest,
  publicProfile,
  referenceProfile,
  serialiseCount,
  serialiseMessage,
} from '../../../src/wire/messages/index.ts';

import { allowed, base, document, type Json, refused, user } from './check-cases.ts';

const send = (request: Json, profile: 'public' | undefined): unknown =>
  serialiseMessage(request as unknown as MessageRequest, profile === 'public' ? publicProfile : referenceProfile);

describe('checking a request before it is sent', () => {
  it.each(
    refused.map(
      ([problem, request, profile]) => [`${profile ?? 'reference'} ${problem}`, problem, request, profile] as const,
    ),
  )('refuses: %s', (_name, problem, request, profile) => {
    expect(() => send(request, profile)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringContaining(problem) }),
    );
  });

  it.each(allowed.map(([name, request, profile]) => [name, request, profile] as const))(
    'lets through: %s',
    (_name, request, profile) => {
      expect(() => send(request, profile)).not.toThrow();
    },
  );

  it('suggests the spelling for a misspelt field', () => {
    expect(() => send({ ...base, maxTokens: 5 }, undefined)).toThrow(
      expect.objectContaining({ hint: 'Did you mean "max_tokens"?' }),
    );
  });

  it('refuses a body over 32 MB and lets one just below through', () => {
    const pdf = (megabytes: number): Json => ({
      ...base,
      messages: [
        user(
          document({
            source: { type: 'base64', media_type: 'application/pdf', data: 'A'.repeat(megabytes * 1024 * 1024) },
          }),
        ),
      ],
    });
    expect(() => send(pdf(32), undefined)).toThrow(/^request: is \d+ bytes, the limit is 33554432 \(32 MB\)/);
    expect(() => send(pdf(31), undefined)).not.toThrow();
  });

  it('counts the bytes of escapes and other scripts, not the characters', () => {
    const long = '"'.repeat(17 * 1024 * 1024); // two bytes each in JSON
    expect(() => send({ ...base, messages: [{ role: 'user', content: long }] }, undefined)).toThrow(
      /the limit is 33554432/,
    );
  });

  it('refuses in a token count what a count does not take', () => {
    const request = { ...base } as unknown as MessageRequest;
    expect(() => serialiseCount(request, referenceProfile)).toThrow(/^max_tokens: is not a field of this request/);
  });

  it('names the request of a batch', () => {
    const request = { ...base, temperature: 2 } as unknown as MessageRequest;
    expect(() => checkMessage(request, referenceProfile, { field: 'requests[3].params', batch: true })).toThrow(
      /^requests\[3\]\.params\.temperature: /,
    );
  });
});
