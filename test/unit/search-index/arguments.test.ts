import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as library from '../../../src/index.ts';
import { fakeEmbedder, fakeReranker, fakeSpeaker, fakeWebSearch } from '../../../src/testing.ts';
import { tempFolder } from '../../support/temp.ts';

type Any = never; // what JavaScript lets through
const { Meter, memoryRunJournal, openIndex, SearchIndex } = library;

const values = {
  undefined: undefined,
  null: null,
  'a number': 7,
  'a list': [],
  'an object': {},
  'a function': () => 1,
};
type Kind = keyof typeof values;
/** What no option of a call and no object may be. */
const noObject: readonly Kind[] = ['null', 'a number', 'a list', 'a function'];
const noText: readonly Kind[] = ['undefined', 'null', 'a number', 'a list', 'an object', 'a function'];
const noParts: readonly Kind[] = [...noObject, 'undefined', 'an object'];

let index: library.SearchIndex;
beforeAll(async () => {
  const models = { reranker: fakeReranker(), web: fakeWebSearch([]) };
  index = await openIndex('memory://', { create: true, embedder: fakeEmbedder(), models });
  await index.add([{ uri: 'note:1', text: 'The pump is serviced in May.' }]);
});
afterAll(() => index.close());

/** Calls with one wrong argument, by what is called; `options` and `parts` of an object that is given. */
const calls: Readonly<Record<string, readonly (readonly [(wrong: Any) => unknown, readonly Kind[]])[]>> = {
  openIndex: [
    [(a) => openIndex(a), noText],
    [(o) => openIndex('memory://', o), noObject],
    [(base) => openIndex('memory://', { create: true, base }), ['a number', 'a list', 'an object']],
  ],
  openIndexes: [
    [(a) => library.openIndexes(a), noText],
    [(a) => library.openIndexes([a]), noParts],
    [(o) => library.openIndexes(['memory://'], o), noObject],
  ],
  'index.answerShard': [
    [(q) => index.answerShard(q), ['undefined', 'null', 'a number', 'a list', 'a function']],
    [(o) => index.answerShard({ kind: 'open' }, o), noObject],
  ],
  'index.ingest': [
    [(from) => index.ingest(from), noText],
    [(o) => index.ingest('.', o), noObject],
    [(leaveOut) => index.ingest('.', { leaveOut }), ['a number', 'an object', 'a function']],
    [(transcribe) => index.ingest('.', { transcribe }), ['null', 'a number', 'a list', 'a function']],
    [(maxFileBytes) => index.ingest('.', { maxFileBytes }), ['an object', 'a function']],
  ],
  'index.add': [
    [(d) => index.add(d), ['undefined', 'null', 'a number', 'an object', 'a function']],
    [(o) => index.add([], o), noObject],
  ],
  'index.reembed': [
    [(o) => index.reembed(o), noObject],
    [(o) => index.reembed(o), ['undefined']],
  ],
  'index.search': [
    [(q) => index.search(q), noText],
    [(o) => index.search('pump', o), noObject],
    [(web) => index.search('pump', { web }), ['a number', 'a list', 'a function']],
    [(rerank) => index.search('pump', { rerank }), ['a number', 'a list', 'a function']],
  ],
  'index.ask': [
    [(q) => index.ask(q), noText],
    [(o) => index.ask('pump?', o), noObject],
  ],
  'index.resume': [
    [(j) => index.resume(j), noText],
    [(o) => index.resume(memoryRunJournal(), o), noObject],
  ],
  'index.cancel': [
    [(j) => index.cancel(j), noText],
    [(o) => index.cancel(memoryRunJournal(), o), noObject],
  ],
  'index.askBatch': [
    [(q) => index.askBatch(q), ['undefined', 'null', 'a number', 'an object', 'a function']],
    [(o) => index.askBatch([], o), noObject],
  ],
  'index.overview': [
    [(o) => index.overview(o), noObject],
    [(question) => index.overview({ question }), ['null', 'a number', 'a list', 'an object']],
    [(script) => index.overview({ script }), ['null', 'a number', 'a list', 'an object']],
    [(paths) => index.overview({ paths }), ['null', 'a number', 'an object', 'a function']],
  ],
  'index.show': [
    [(c) => index.show(c), noText],
    [(o) => index.show('note:1#4-8', o), noObject],
  ],
  'index.speakers': [[(uri) => index.speakers(uri), noText]],
  'index.nameSpeakers': [
    [(uri) => index.nameSpeakers(uri, {}), noText],
    [(o) => index.nameSpeakers('note:1', { 1: 'Ada' }, o), noObject],
  ],
  'index.documents': [[(o) => Array.fromAsync(index.documents(o)), noObject]],
  'index.documentPage': [[(o) => index.documentPage(o), noObject]],
  'index.sourceFile': [[(uri) => index.sourceFile(uri), noText]],
  'index.embed': [
    [(t) => index.embed(t), ['undefined', 'null', 'a number', 'an object', 'a function']],
    [(o) => index.embed(['a'], o), noObject],
  ],
  'index.document': [[(uri) => index.document(uri), noText]],
  'index.export': [[(o) => Array.fromAsync(index.export(o)), noObject]],
  'index.ready': [[(o) => index.ready(o), noObject]],
  'index.status': [[(o) => index.status(o), noObject]],
  'index.check': [[(o) => index.check(o), noObject]],
  'index.repair': [[(o) => index.repair(o), noObject]],
  'index.remove': [
    [(uris) => index.remove(uris), noText],
    [(o) => index.remove('note:9', o), noObject],
  ],
  'index.removeWebPages': [
    [(d) => index.removeWebPages(d), noText],
    [(o) => index.removeWebPages(new Date(), o), noObject],
  ],
  Meter: [[(usd) => new Meter(usd), ['null', 'a list', 'an object', 'a function']]],
  SoundWriter: [[(out) => new library.SoundWriter(out, 'wav'), noText]],
  answerToJson: [[(a) => library.answerToJson(a), noParts]],
  captionsOf: [[(spans) => library.captionsOf('a', spans, []), noText.filter((kind) => kind !== 'a list')]],
  chunkDocument: [[(d) => library.chunkDocument(d), noParts]],
  citationOf: [[(hit) => library.citationOf(hit), noParts]],
  createReader: [[(o) => library.createReader(o), noObject]],
  definePipeline: [[(p) => library.definePipeline(p), noParts]],
  describePath: [[(p) => library.describePath(p), noParts]],
  describePlace: [[(p) => library.describePlace(p), noObject]],
  espeakSpeaker: [
    [(o) => library.espeakSpeaker(o), noObject],
    [(v) => library.espeakSpeaker({ voices: v }), ['null', 'a number', 'a list']],
  ],
  fileJournal: [[(path) => library.fileJournal(path), noText]],
  fileRunJournal: [[(path) => library.fileRunJournal(path), noText]],
  folderSource: [[(o) => library.folderSource(o), noParts]],
  formatCitation: [[(c) => library.formatCitation(c), noParts]],
  formatFor: [[(speaker) => library.formatFor('mp3', speaker), noParts]],
  hitToJson: [[(hit) => library.hitToJson(hit, 1), noParts]],
  locate: [[(chunk) => library.locate(chunk, { start: 0, end: 1 }), noParts]],
  nearestName: [
    [(name) => library.nearestName(name, ['limit']), noText],
    [(names) => library.nearestName('limt', names), ['undefined', 'null', 'a number', 'an object', 'a function']],
  ],
  normaliseText: [[(text) => library.normaliseText(text), noText]],
  openSoundFile: [[(path) => library.openSoundFile(path, 'pcm'), noText]],
  overviewCaptions: [[(script) => library.overviewCaptions(script, { sentences: [] }), noParts]],
  overviewPage: [[(script) => library.overviewPage(script, {} as Any), noParts]],
  parseCitation: [[(c) => library.parseCitation(c), noText]],
  readSettings: [[(folder) => library.readSettings(folder), noText]],
  renderScript: [[(script) => library.renderScript(script), noParts]],
  soundKindOf: [[(path) => library.soundKindOf(path), noText]],
  speakAnswer: [
    [(events) => Array.fromAsync(library.speakAnswer(events, fakeSpeaker())), noText],
    [(speaker) => Array.fromAsync(library.speakAnswer(index.ask('pump?'), speaker)), noParts],
    [(o) => Array.fromAsync(library.speakAnswer(index.ask('pump?'), fakeSpeaker(), o)), noObject],
  ],
  speakTurns: [
    [(speaker) => Array.fromAsync(library.speakTurns(speaker, [], { meter: new Meter() })), noParts],
    [(o) => Array.fromAsync(library.speakTurns(fakeSpeaker(), [], o)), noParts],
  ],
  toInt8: [[(vector) => library.toInt8(vector), ['undefined', 'null', 'a number', 'an object']]],
  watchFolders: [
    [(one) => Array.fromAsync(library.watchFolders(one, '.')), noParts],
    [(paths) => Array.fromAsync(library.watchFolders(index, paths)), noText],
    [(o) => Array.fromAsync(library.watchFolders(index, '.', o)), noObject],
  ],
  webToJson: [[(web) => library.webToJson(web), noObject]],
  webVtt: [[(captions) => library.webVtt(captions), noText.filter((kind) => kind !== 'a list')]],
  writeSettings: [
    [(folder) => library.writeSettings(folder, {}), noText],
    [(settings) => library.writeSettings(tempFolder(), settings), noObject],
  ],
};
/** They take a value of one of a few words, a filter, or nothing. */
const others = ['IbidError', 'SearchIndex', 'checkEncoder', 'memoryJournal', 'memoryRunJournal'];
const otherMethods = ['close', 'constructor', 'within'];

const failure = async (call: () => unknown): Promise<unknown> => {
  try {
    return { given: await call() };
  } catch (error) {
    return error;
  }
};

describe('a wrong argument from JavaScript', () => {
  it('is tried for every function of the library and every method of an index', () => {
    const methods = Object.getOwnPropertyNames(SearchIndex.prototype).filter((name) => !otherMethods.includes(name));
    const functions = Object.entries(library).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []));
    const wanted = [...functions.filter((name) => !others.includes(name)), ...methods.map((name) => `index.${name}`)];
    expect(Object.keys(calls).sort()).toEqual(wanted.sort());
  });

  it.each(Object.entries(calls))('of %s is named, with a hint', async (name, wrongs) => {
    for (const [i, [call, kinds]] of wrongs.entries())
      for (const kind of kinds) {
        const error = await failure(() => call(values[kind] as Any));
        const where = `${name}, call ${i + 1}, ${kind}`;
        expect(error, where).toMatchObject({ name: 'IbidError', code: 'INVALID_ARGUMENT' });
      }
  });

  it('a signal that is none is named before anything is done', async () => {
    const withOptions = Object.entries(calls).flatMap(([name, wrongs]) =>
      wrongs.flatMap(([call, kinds]) => (name.startsWith('index.') && kinds === noObject ? [{ name, call }] : [])),
    );
    expect(withOptions.length).toBeGreaterThan(18);
    for (const { name, call } of withOptions)
      for (const signal of [7, {}, new AbortController(), null])
        expect(await failure(() => call({ signal } as Any)), name).toMatchObject({
          code: 'INVALID_ARGUMENT',
          message: expect.stringContaining('signal must be an AbortSignal'),
        });
  });

  it.each([
    [{ models: { embedder: fakeEmbedder() } }, 'models has no "embedder"'],
    [{ services: { serach: {} } }, 'services has no "serach"'],
    [{ services: { messages: { apiKey: 'k' } } }, 'services.messages is no client'],
    [{ chunking: { maxToken: 100 } }, 'chunking has no "maxToken"'],
    [{ tuning: { weigths: {} } }, 'tuning has no "weigths"'],
  ])('%j, a name that is misspelt, is not passed over', async (options, message) => {
    await expect(openIndex('memory://', { create: true, ...(options as object) })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(message),
      hint: expect.any(String),
    });
  });

  it('a misspelt name of the web or of a reranker is not passed over', async () => {
    const web = { domain: ['example.com'] } as Any;
    await expect(index.search('pump', { web })).rejects.toMatchObject({ message: 'web has no "domain"' });
    const rerank = { candidate: 3 } as Any;
    await expect(index.search('pump', { rerank })).rejects.toMatchObject({ message: 'rerank has no "candidate"' });
  });
});
