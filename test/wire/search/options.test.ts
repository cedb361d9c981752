import { expect, it } from 'vitest';
import type { WireCallOptions } from '../../../src/wire/http/contract.ts';
import { type SearchService, searchOperationNames, searchServiceOver } from '../../../src/wire/search/index.ts';
import { fakeTransport } from './fake.ts';

const asked = { model: 'answer-pro', messages: [{ role: 'user' as const, content: 'Why?' }] };
const run = { preset: 'pro-search', input: 'Why?' };

type Calls = (service: SearchService, options: WireCallOptions) => readonly (() => unknown)[];

/** One call of every operation, with options behind all its other arguments. */
const calls: Calls = ({ answers, research, embeddings, sandbox, search, models }, options) => [
  () => answers.create(asked, options),
  () => answers.stream(asked, options),
  () => answers.async.create(asked, options),
  () => answers.async.get('a', options),
  () => answers.async.list({ limit: 5 }, options),
  () => research.create(run, options),
  () => research.stream(run, options),
  () => research.get('r', options),
  () => research.resume('r', options),
  () => research.cancel('r', options),
  () => research.files('r', options),
  () => research.fileContent('r', 'f', options),
  () => search({ query: 'ferry' }, options),
  () => embeddings.create({ model: 'embed-v1-4b', input: ['ferry'] }, options),
  () => embeddings.contextual({ model: 'embed-context-v1-4b', input: [['ferry']] }, options),
  () => models(options),
  () => sandbox.create({ network_enabled: false }, options),
  () => sandbox.get('s', options),
  () => sandbox.delete('s', options),
  () => sandbox.execute('s', { code: '1', language: 'python' }, options),
  () => sandbox.pause('s', options),
  () => sandbox.resume('s', options),
  () => sandbox.readFile('s', '/a', options),
  () => sandbox.writeFile('s', '/a', 'text', options),
  () => sandbox.listFiles('s', options),
  () => sandbox.modifiedFiles('s', options),
  () => sandbox.processes('s', options),
  () => sandbox.process('s', 7, options),
  () => sandbox.kill('s', 7, options),
];

it('an abort, time limits and retries reach every operation, whatever stands before them', async () => {
  const gone = new Error('only what was sent is looked at');
  const transport = fakeTransport(...searchOperationNames.map(() => gone));
  const service = searchServiceOver(transport, { experimental: { sandbox: true } });
  const options = { signal: new AbortController().signal, timeouts: { totalMs: 1_000 }, maxRetries: 0 };
  for (const call of calls(service, options)) await expect(call()).rejects.toThrow(gone);
  const { sent } = transport;
  expect(sent.map(({ operation }) => operation.name).sort()).toEqual([...searchOperationNames].sort());
  const lost = sent.filter(({ call }) => call.options?.signal !== options.signal || call.options.maxRetries !== 0);
  expect(lost.map(({ operation }) => operation.name)).toEqual([]);
});
