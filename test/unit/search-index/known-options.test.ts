import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IbidError, openIndex, openIndexes, type SearchIndex } from '../../../src/index.ts';
import { fakeEmbedder } from '../../../src/testing.ts';
import { tempFolder } from '../../support/temp.ts';

type Any = never; // what JavaScript lets through
let index: SearchIndex;
beforeAll(async () => {
  index = await openIndex('memory://', { create: true, embedder: fakeEmbedder() });
  await index.add([{ uri: 'note:1', text: 'The pump is serviced in May.' }]);
});
afterAll(() => index.close());

/** A call with an option one letter off, and what was meant. */
const slips: readonly (readonly [string, (options: Any) => unknown, string, string])[] = [
  ['openIndex', (o) => openIndex('memory://', o), 'crate', 'create'],
  ['openIndexes', (o) => openIndexes([tempFolder(), tempFolder()], o), 'shardTimeoutMS', 'shardTimeoutMs'],
  ['ingest', (o) => index.ingest(tempFolder(), o), 'hiden', 'hidden'],
  ['add', (o) => index.add([], o), 'verfy', 'verify'],
  ['search', (o) => index.search('pump', o), 'limt', 'limit'],
  ['ask', (o) => index.ask('When is the pump serviced?', o), 'sentence', 'sentences'],
  ['ask', (o) => index.ask('When is the pump serviced?', { fallback: [o] } as Any), 'sentence', 'sentences'],
  ['askBatch', (o) => index.askBatch([], o), 'passage', 'passages'],
  ['overview', (o) => index.overview(o), 'minute', 'minutes'],
  ['reembed', (o) => index.reembed(o), 'smaple', 'sample'],
  ['embed', (o) => index.embed(['pump'], o), 'dimension', 'dimensions'],
  ['documents', (o) => Array.fromAsync(index.documents(o)), 'were', 'where'],
  ['documentPage', (o) => index.documentPage(o), 'ofset', 'offset'],
  ['export', (o) => Array.fromAsync(index.export(o)), 'vector', 'vectors'],
  ['repair', (o) => index.repair(o), 'dryrun', 'dryRun'],
  ['remove', (o) => index.remove('note:2', o), 'forse', 'force'],
];

describe('an option that does not exist', () => {
  it.each(slips)('of %s is refused, with the one that is meant', async (of, call, slip, meant) => {
    const error = await Promise.resolve()
      .then(() => call({ [slip]: true } as Any))
      .then(
        () => undefined,
        (thrown: IbidError) => thrown,
      );
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', message: `${of} has no option "${slip}"` });
    expect(error?.hint).toMatch(new RegExp(`^Did you mean "${meant}"\\? There are: .*\\b${meant}\\b`));
  });

  it('is passed over where it is undefined, as options are that others fill', async () => {
    const { hits } = await index.search('pump', { limt: undefined, limit: 1 } as Any);
    expect(hits).toHaveLength(1);
  });

  it('of one mode of an answer may be given with another: options may be shared', async () => {
    const answer = await index.ask('When is the pump serviced?', { mode: 'extractive', maxTokens: 100 } as Any);
    expect(answer.answer).toContain('May');
  });
});
