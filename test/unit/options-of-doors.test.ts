// What the doors beside `SearchIndex` take: an option that does not exist is refused, never passed over.
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { aiWriter, searchTool } from '../../src/ai.ts';
import { watchFolders } from '../../src/index.ts';
import { IbidRetriever, IbidVectorStore } from '../../src/langchain.ts';
import { ingestQueue, runWorker } from '../../src/queue.ts';
import { mcpOverStdio, serve, TokenStore } from '../../src/serve.ts';
import { tempFolder } from '../support/temp.ts';

type Any = never; // what JavaScript lets through
const nothing = async () => ({ hits: [], failed: [] });
const index = { search: nothing, add: nothing, remove: nothing, ingest: nothing, ask: nothing } as Any;
const model = { doStream: nothing } as Any;

/** A call with an option one letter off, and what was meant. */
const slips: readonly (readonly [string, (options: object) => unknown, string, string])[] = [
  ['watchFolders', (o) => watchFolders(index, tempFolder(), o as Any).next(), 'quietMS', 'quietMs'],
  ['serve', (o) => serve({ indexes: index, ...o }), 'token', 'tokens'],
  ['limits', (o) => serve({ indexes: index, limits: o }), 'bodyByte', 'bodyBytes'],
  ['watchFolders', (o) => serve({ indexes: index, watchOptions: o }), 'sweepMS', 'sweepMs'],
  ['mcpOverStdio', (o) => mcpOverStdio({ indexes: index, ...streams(), ...o }), 'signals', 'signal'],
  [
    'a token',
    (o) => new TokenStore(join(tempFolder(), 't')).create({ name: 'a', scopes: ['read'], ...o }),
    'were',
    'where',
  ],
  ['searchTool', (o) => searchTool(index, o), 'limits', 'limit'],
  ['aiWriter', (o) => aiWriter(model, o), 'contextToken', 'contextTokens'],
  ['IbidRetriever', (o) => new IbidRetriever({ index, ...o }), 'were', 'where'],
  ['IbidVectorStore', (o) => new IbidVectorStore({ index, ...o }), 'were', 'where'],
  ['runWorker', (o) => runWorker('redis://127.0.0.1:1', o), 'concurency', 'concurrency'],
  ['ingestQueue', (o) => ingestQueue('redis://127.0.0.1:1', o), 'onGon', 'onGone'],
];

function streams(): { input: PassThrough; output: PassThrough } {
  return { input: new PassThrough().end() as PassThrough, output: new PassThrough() };
}

describe('an option that does not exist', () => {
  it.each(slips)('of %s is refused, with the one that is meant', async (of, call, slip, meant) => {
    const error = await Promise.resolve()
      .then(() => call({ [slip]: true }))
      .then(
        async (made) => {
          if (of === 'serve' || of === 'limits') await (made as { stop(): Promise<void> }).stop();
          return undefined;
        },
        (thrown: Error) => thrown,
      );
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', message: `${of} has no option "${slip}"` });
    expect(error).toHaveProperty('hint', expect.stringContaining(`Did you mean "${meant}"?`));
  });

  it('is passed over where it is undefined', () => {
    expect(() => searchTool(index, { limits: undefined, limit: 3 } as Any)).not.toThrow();
    expect(() => new IbidRetriever({ index, tags: ['a'], verbose: false, were: undefined } as Any)).not.toThrow();
  });
});
