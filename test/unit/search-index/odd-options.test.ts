import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openIndex, openIndexes, type SearchIndex, watchFolders } from '../../../src/index.ts';
import * as known from '../../../src/search-index/known-options.ts';
import { fakeEmbedder, fakeLanguageModel, fakeReranker, fakeWebSearch } from '../../../src/testing.ts';
import { makeTempFolder, writeFiles } from '../../support/temp.ts';

type Options = never; // what JavaScript lets through

const base = makeTempFolder();
writeFiles(base, { 'note.md': 'The pump is serviced in May.' });
const embedder = fakeEmbedder();
const models = { reranker: fakeReranker(), web: fakeWebSearch([]), writer: fakeLanguageModel() };
let index: SearchIndex;
beforeAll(async () => {
  index = await openIndex(`${base}/.ibid`, { create: true, base, embedder, models });
  await index.add([{ uri: 'note:1', text: 'The pump is serviced in May.' }]);
});
afterAll(() => index.close());

const question = 'When is the pump serviced?';
const whole = (options: object): Options => options as Options;
const opened = async (opening: Promise<SearchIndex>): Promise<void> => {
  await using other = await opening;
  await other.search('pump');
};

/** What takes options, each with those it knows. Runs are dry: what is wrong is wrong before anything is written. */
const calls: readonly (readonly [{ of: string; names: object }, (options: object) => unknown])[] = [
  [known.searchOptions, (o) => index.search('pump', whole(o))],
  [known.askOptions, (o) => index.ask(question, whole(o))],
  [{ ...known.askOptions, of: 'ask by an extract' }, (o) => index.ask(question, whole({ mode: 'extractive', ...o }))],
  [known.askBatchOptions, (o) => index.askBatch([{ id: '1', question }], whole(o))],
  [known.overviewOptions, (o) => index.overview(whole(o))],
  [known.embedOptions, (o) => index.embed(['pump'], whole(o))],
  [known.documentsOptions, (o) => Array.fromAsync(index.documents(whole(o)))],
  [known.documentPageOptions, (o) => index.documentPage(whole(o))],
  [known.exportOptions, (o) => Array.fromAsync(index.export(whole(o)))],
  [known.removeOptions, (o) => index.remove('note:9', whole(o))],
  [known.reembedOptions, (o) => index.reembed(whole({ to: fakeEmbedder(32), dryRun: true, ...o }))],
  [known.ingestOptions, (o) => index.ingest(base, whole({ dryRun: true, ...o }))],
  [known.addOptions, (o) => index.add([], whole(o))],
  [known.openIndexOptions, (o) => opened(openIndex(index.address, whole({ embedder, ...o })))],
  [known.openIndexesOptions, (o) => opened(openIndexes([index.address], whole({ embedder, ...o })))],
];

const odd: Readonly<Record<string, unknown>> = {
  null: null,
  NaN: Number.NaN,
  'a negative number': -1,
  'an empty text': '',
  'a text': 'x',
  'a symbol': Symbol('x'),
  'an object without a text': Object.create(null),
  'a list of nothing': [undefined],
  'a list of null': [null],
  'an object': {},
};

async function outcomeOf(call: () => unknown): Promise<string> {
  try {
    await call();
    return 'done';
  } catch (error) {
    const { name, code, hint, message } = error as { name: string; code?: string; hint?: string; message: string };
    if (name !== 'IbidError') return `${name}: ${message}`;
    return hint ? `${code}` : `${code} without a hint: ${message}`;
  }
}

describe.each(calls)('an odd value among the options of $of', ({ names }, call) => {
  it('is taken, or is an error of the library that says what to do', async () => {
    const bad: string[] = [];
    for (const name of Object.keys(names))
      for (const [kind, value] of Object.entries(odd)) {
        const outcome = await outcomeOf(() => call({ [name]: value }));
        if (!/^(?:done|[A-Z_]+)$/.test(outcome)) bad.push(`${name}, ${kind}: ${outcome}`);
      }
    expect(bad).toEqual([]);
  });

  it('is refused where the type alone tells', async () => {
    const wrong = { flag: 'no', function: {}, text: 7 };
    const taken: string[] = [];
    for (const [name, kind] of Object.entries(names))
      if (typeof kind === 'string') {
        const outcome = await outcomeOf(() => call({ [name]: wrong[kind as keyof typeof wrong] }));
        if (outcome !== 'INVALID_ARGUMENT') taken.push(`${name}: ${outcome}`);
      }
    expect(taken).toEqual([]);
  });
});

it('a misspelt choice of a reembedding is refused before a vector is made', async () => {
  let made = 0;
  const to = {
    ...fakeEmbedder(32),
    embedDocuments: async () => {
      made++;
      return [];
    },
  };
  const wrongs = [{ switch: 'nevr' }, { sample: -1 }, { queries: ['pump'] }, { queries: [{ text: '' }] }];
  for (const wrong of wrongs)
    expect(await outcomeOf(() => index.reembed(whole({ to, ...wrong }))), Object.keys(wrong)[0]).toBe(
      'INVALID_ARGUMENT',
    );
  expect(made).toBe(0);
});

it('an odd value among the options of a watch is refused where the type alone tells', async () => {
  const watched = (options: object) => Array.fromAsync(watchFolders(index, base, whole(options)));
  expect(await outcomeOf(() => watched({ events: 'no' }))).toBe('INVALID_ARGUMENT');
});
