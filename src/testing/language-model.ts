import { strict as assert } from 'node:assert';
import { withMarks } from '../answer/grounded/request.ts';
import type { LanguageModel, ModelEvent, ModelRequest } from '../answer/language-model.ts';
import { checkedEvent, partOf } from '../answer/own-model.ts';
import type { CallOptions } from '../core/types.ts';
import { type ContractCheck, checks, costsAtMost, endsWhenAborted, type Make } from './check.ts';

const request: ModelRequest = {
  instructions: 'Answer from the sources. Be brief.',
  turns: [{ role: 'user', text: 'When does the ferry leave?' }],
  sources: [
    {
      id: 's1',
      title: 'Ferries',
      passages: ['The ferry leaves the harbour at seven.', 'In winter it leaves at eight.'],
    },
    { id: 's2', title: 'Garden', passages: ['Prune the roses in March.'] },
  ],
  maxTokens: 200,
};

/**
 * What answers ask of a `LanguageModel`, as checks for any test runner:
 * `for (const { name, run } of languageModelContract(() => mine)) it(name, run);`
 * Each check but the first asks the model once.
 */
export function languageModelContract(make: Make<LanguageModel>): ContractCheck[] {
  return checks(make, {
    'has an id, and limits in tokens': async (model) => {
      assert.equal(typeof model.id, 'string');
      assert.notEqual(model.id, '');
      assert.ok(model.contextTokens > 0 && model.maxOutputTokens > 0);
      assert.ok(model.maxOutputTokens <= model.contextTokens);
    },
    'ends with one `stop`, and says what was used': async (model) => {
      const events = await written(model);
      assert.equal(events.filter(({ type }) => type === 'stop').length, 1);
      const stop = events.at(-1);
      assert.ok(stop?.type === 'stop', 'the last event must be `stop`');
      for (const [name, count] of Object.entries(stop.usage)) {
        assert.ok(Number.isSafeInteger(count) && count >= 0, `usage.${name} is ${count}`);
      }
      costsAtMost(stop.costUsd, model.estimateUsd(request));
    },
    'writes text in blocks that are numbered from 0 and end in order': async (model) => {
      const events = await written(model);
      assert.ok(
        events.some((event) => event.type === 'text' && event.text.trim() !== ''),
        'not a word was written',
      );
      let open = 0;
      for (const event of events) {
        if (event.type === 'thinking' || event.type === 'stop') continue;
        assert.ok(event.block >= open, `block ${event.block} goes on after block ${open} began`);
        open = event.block;
      }
    },
    'cites passages that the request has, or leaves citing to marks': async (model) => {
      for (const event of await written(model)) {
        if (event.type !== 'citation') continue;
        assert.ok(model.citesPassages, 'a model that does not cite passages writes marks into its text');
        const { source, first, end } = event.citation;
        const cited = request.sources.find(({ id }) => id === source);
        assert.ok(cited, `there is no source "${source}"`);
        assert.ok(
          first >= 0 && first < end && end <= cited.passages.length,
          `passages [${first}, ${end}) of ${source}`,
        );
      }
    },
    'writes from a request without sources, as a question is rewritten': async (model) => {
      const events = await written(model, { ...request, sources: [] });
      assert.equal(events.at(-1)?.type, 'stop');
    },
    'ends when the caller leaves': async (model) => {
      await endsWhenAborted((options) => written(model, request, options));
    },
  });
}

/** @throws IbidError CONTRACT_BROKEN for what an answer refuses */
async function written(
  model: LanguageModel,
  asked: ModelRequest = request,
  options?: CallOptions,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  // a model without citations of its own is always given the sources as text, with marks
  const given = model.citesPassages ? asked : withMarks(asked);
  for await (const event of model.write(given, options)) {
    checkedEvent(partOf(model), event);
    events.push(event);
  }
  return events;
}
