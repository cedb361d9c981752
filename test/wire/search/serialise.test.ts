import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { publicModels, referenceModels } from '../../../src/wire/search/index.ts';
import type { ResearchRequest } from '../../../src/wire/search/research-types.ts';
import { answerBody, researchBody } from '../../../src/wire/search/serialise.ts';
import { prepared } from './fake.ts';

const messages = [{ role: 'user', content: 'q' }] as const;
const [referenceBase] = referenceModels;
const [publicBase] = publicModels;

describe('the two spellings of a body', () => {
  it('puts the answer fields at the top (reference) or into web_search_options (public)', () => {
    const request = {
      model: 'answer-base',
      messages,
      search_context_size: 'high',
      search_type: 'auto',
      web_search_options: { user_location: { country: 'DE' } },
    } as const;
    expect(answerBody('reference', request, referenceBase!, false)).toEqual({
      model: 'answer-base',
      messages,
      search_context_size: 'high',
      search_type: 'auto',
      web_search_options: { user_location: { country: 'DE' } },
    });
    expect(answerBody('public', request, publicBase!, true)).toEqual({
      model: 'sonar',
      messages,
      stream: true,
      web_search_options: { search_context_size: 'high', search_type: 'auto', user_location: { country: 'DE' } },
    });
  });

  it('names the output bound and the filters of the search tool', () => {
    const request: ResearchRequest = {
      model: 'provider-a/model-x',
      input: 'q',
      max_tokens: 100,
      tools: [
        { type: 'web_search', config: { search_domain_filter: ['a.example'] }, max_results: 3 },
        { type: 'fetch_url', max_urls: 2 },
      ],
    };
    expect(researchBody('reference', request, false)).toEqual(request);
    expect(researchBody('public', request, true)).toEqual({
      model: 'provider-a/model-x',
      input: 'q',
      max_output_tokens: 100,
      stream: true,
      tools: [
        { type: 'web_search', filters: { search_domain_filter: ['a.example'] }, max_results: 3 },
        { type: 'fetch_url', max_urls: 2 },
      ],
    });
  });

  it('takes either spelling and never sends both', () => {
    const size = fc.option(fc.constantFrom('low' as const, 'high' as const), { nil: undefined });
    fc.assert(
      fc.property(size, fc.boolean(), fc.boolean(), fc.boolean(), (value, nested, asPublicName, isPublic) => {
        const dialect = isPublic ? 'public' : 'reference';
        const answer = answerBody(
          dialect,
          {
            model: 'answer-base',
            messages,
            ...(nested ? { web_search_options: { search_context_size: value } } : { search_context_size: value }),
          },
          referenceBase!,
          false,
        );
        const inner = (answer.web_search_options ?? {}) as Record<string, unknown>;
        expect([answer.search_context_size, inner.search_context_size]).toEqual(
          isPublic ? [undefined, value] : [value, undefined],
        );
        const run = researchBody(
          dialect,
          {
            input: 'q',
            ...(asPublicName ? { max_output_tokens: 7 } : { max_tokens: 7 }),
            tools: [{ type: 'web_search', ...(asPublicName ? { filters: {} } : { config: {} }) }],
          },
          false,
        );
        expect([run.max_tokens, run.max_output_tokens]).toEqual(isPublic ? [undefined, 7] : [7, undefined]);
        expect(run.tools).toEqual([{ type: 'web_search', [isPublic ? 'filters' : 'config']: {} }]);
      }),
    );
  });

  it("takes the service's own model name as well", async () => {
    for (const model of ['answer-base', 'sonar']) {
      const { service, sent } = prepared({ profile: 'public' }, { choices: [{ message: { content: 'a' } }] });
      await service.answers.create({ model, messages });
      expect(sent[0]?.body.model).toBe('sonar');
    }
  });

  it('changes paths, models and the key header by profile alone', async () => {
    const model = { name: 'answer-next', wireName: 'vendor-next', kind: 'answer', contextTokens: 1_000 } as const;
    const profile = { models: [...referenceModels, model], paths: { answers: '/v1/chat/completions' } };
    const { service, sent } = prepared({ profile }, { choices: [{ message: { content: 'a' } }] });
    await service.answers.create({ model: 'answer-next', messages });
    expect(sent[0]?.operation.path).toBe('/v1/chat/completions');
    expect(sent[0]?.body.model).toBe('vendor-next');
  });

  it('adds extraBody as it is and leaves undefined fields out', async () => {
    const { service, sent } = prepared({}, { choices: [{ message: { content: 'a' } }] });
    await service.answers.create(
      { model: 'answer-base', messages, temperature: undefined },
      { extraBody: { top_k: 3 } },
    );
    expect(sent[0]?.body).toEqual({ model: 'answer-base', messages, top_k: 3 });
  });
});
