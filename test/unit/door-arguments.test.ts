import { describe, expect, it } from 'vitest';
import { answerModel, searchTool } from '../../src/ai.ts';
import * as quality from '../../src/eval.ts';
import { openIndex } from '../../src/index.ts';
import { IbidRetriever, IbidVectorStore } from '../../src/langchain.ts';
import { modelServer } from '../../src/models.ts';
import { serve, TokenStore } from '../../src/serve.ts';
import { fakeEmbedder } from '../../src/testing.ts';
import * as wire from '../../src/wire.ts';
import { makeTempFolder } from '../support/temp.ts';

type Any = never; // what JavaScript lets through
const index = await openIndex('memory://', { create: true, embedder: fakeEmbedder() });
const store = new IbidVectorStore({ index });
const server = modelServer({ baseUrl: 'http://127.0.0.1:9' });
const key = { apiKey: 'none', baseUrl: 'http://127.0.0.1:9' };
const [audio, messages, search] = [
  wire.createAudioService(key),
  wire.createMessagesService(key),
  wire.createSearchService(key),
];
const tokens = new TokenStore(`${makeTempFolder()}/tokens.json`);

const wrongs = { undefined: undefined, null: null, 'a number': 7, 'a string': 'x', 'a list': [], 'an object': {} };
type Kind = keyof typeof wrongs;
const noObject: readonly Kind[] = ['undefined', 'null', 'a number', 'a string', 'a list'];
const noOptions: readonly Kind[] = ['null', 'a number', 'a string', 'a list'];
const noParts: readonly Kind[] = [...noObject, 'an object'];
const noList: readonly Kind[] = ['undefined', 'null', 'a number', 'a string', 'an object'];

const calls: readonly (readonly [string, (wrong: Any) => unknown, readonly Kind[]])[] = [
  ['serve', (o) => serve(o), noParts],
  ['serve indexes', (indexes) => serve({ indexes, port: 0 }), noParts],
  ['serve an index', (one) => serve({ indexes: { one }, port: 0 }), noParts],
  ['serve limits', (limits) => serve({ indexes: index, port: 0, limits }), noOptions],
  ['serve hosts', (hosts) => serve({ indexes: index, port: 0, hosts }), ['null', 'a number', 'a string', 'an object']],
  ['serve origins', (origins) => serve({ indexes: index, port: 0, origins }), ['null', 'a number', 'an object']],
  ['serve watch', (watch) => serve({ indexes: index, port: 0, watch }), ['null', 'a number', 'a string']],
  ['serve watch folders', (one) => serve({ indexes: index, port: 0, watch: { default: one } }), noList],
  ['serve log', (log) => serve({ indexes: index, port: 0, log }), noOptions],
  ['TokenStore.create', (token) => tokens.create(token), noParts],
  ['modelServer', (o) => modelServer(o), noParts],
  ['embedder', (o) => server.embedder(o), noParts],
  ['writer', (o) => server.writer(o), noParts],
  ['reranker', (o) => server.reranker(o), noParts],
  ['speaker', (o) => server.speaker(o), noParts],
  ['transcriber', (o) => server.transcriber(o), noParts],
  ['models', (o) => server.models(o), noOptions],
  ['searchTool', (one) => searchTool(one), noParts],
  ['searchTool options', (o) => searchTool(index, o), noOptions],
  ['answerModel', (one) => answerModel(one), noParts],
  ['answerModel options', (o) => answerModel(index, o), noOptions],
  ['IbidRetriever', (o) => new IbidRetriever(o), noParts],
  ['IbidRetriever index', (one) => new IbidRetriever({ index: one }), noParts],
  ['IbidVectorStore', (o) => new IbidVectorStore(o), noParts],
  ['addDocuments', (list) => store.addDocuments(list), noList],
  ['a document', (one) => store.addDocuments([one]), noParts],
  ['delete', (o) => store.delete(o), ['null', 'a number', 'a string', 'a list', 'an object']],
  ['delete ids', (ids) => store.delete({ ids }), ['a number', 'a string', 'an object']],
  ['fromTexts', (texts) => IbidVectorStore.fromTexts(texts, {}, undefined, { index }), noList],
  ['readBeirFolder', (path) => quality.readBeirFolder(path), ['undefined', 'null', 'a number', 'a list', 'an object']],
  ['evaluateFolder options', (o) => quality.evaluateFolder('.', o), noOptions],
  ['tuneFolder options', (o) => quality.tuneFolder(['.'], o), noObject],
  ['evaluateRun', (qrels) => quality.evaluateRun(qrels, new Map()), noParts],
  ['measureGate', (list) => quality.measureGate(index, list, { version: '1' }), noList],
  ['compareWithBaseline', (one) => quality.compareWithBaseline(one, one), noParts],
  ['formatQuestions', (list) => quality.formatQuestions(list), noList],
  ['questionsOfIndex', (one) => quality.questionsOfIndex(one), noParts],
  ['tunePlot', (report) => quality.tunePlot(report), noParts],
  ['createSearchService', (o) => wire.createSearchService(o), noObject],
  ['createMessagesService', (o) => wire.createMessagesService(o), noObject],
  ['createAudioService', (o) => wire.createAudioService(o), noObject],
  ['createCommonService', (o) => wire.createCommonService(o), noObject],
  ['runTools', (o) => wire.runTools(messages, {} as Any, o), noParts],
  ['streamTools', (o) => wire.streamTools(messages, {} as Any, o), noParts],
  ['runResearch', (o) => wire.runResearch(search, {} as Any, o), noParts],
  ['longSpeech', (request) => wire.longSpeech(audio, request), noParts],
  ['longDialogue', (request) => wire.longDialogue(audio, request), noParts],
  ['openServiceSpeaker', (client) => wire.openServiceSpeaker(client), noParts],
  ['defineTool', (o) => wire.defineTool(o), noParts],
  ['segmentKey', (request) => wire.segmentKey(request, false), noObject],
  ['serviceFromEnvironment', (env) => wire.serviceFromEnvironment('search', env), noObject],
  ['sumCosts', (list) => wire.sumCosts(list), noList],
];

const codeOf = async (call: () => unknown): Promise<string> => {
  try {
    const given = await call();
    if (typeof given === 'object' && given !== null && Symbol.asyncIterator in given)
      await Array.fromAsync(given as AsyncIterable<unknown>);
    return 'was taken';
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return code ?? message;
  }
};

describe('a wrong argument at the other doors', () => {
  it.each(calls)('%s: is an error of the library', async (_name, call, kinds) => {
    const codes = [];
    for (const kind of kinds) codes.push([kind, await codeOf(() => call(wrongs[kind] as Any))]);
    expect(codes.filter(([, code]) => code !== 'INVALID_ARGUMENT')).toEqual([]);
  });
});

/** Every method of a client, and of what it is made of, by its path. */
function methodsOf(part: object, path: string): [string, (...args: unknown[]) => unknown][] {
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) => {
    const at = `${path}.${name}`;
    if (typeof value === 'function') return name === 'close' ? [] : [[at, value.bind(part)]];
    const isPart = typeof value === 'object' && value !== null && !['profile', 'settings', 'defaults'].includes(name);
    return isPart ? methodsOf(value, at) : [];
  });
}

describe('a wrong request', () => {
  const options = { ...key, maxRetries: 0 };
  it.each([
    ['search', wire.createSearchService(options), 15],
    ['messages', wire.createMessagesService(options), 40],
    ['audio', wire.createAudioService(options), 60],
    ['common', wire.createCommonService(options), 5],
  ] as const)('of the client of %s is no TypeError from inside', async (name, client, least) => {
    const methods = methodsOf(client, name);
    expect(methods.length).toBeGreaterThan(least);
    const thrown: string[] = [];
    await Promise.all(
      methods.flatMap(([path, method]) =>
        [undefined, null, 7].flatMap((wrong) =>
          [[wrong], ['an-id', wrong]].map(async (args) => {
            const code = await codeOf(() => method(...args));
            if (!(code === 'was taken' || code in wire.errorCodes)) thrown.push(`${path}(${args.join()}): ${code}`);
          }),
        ),
      ),
    );
    expect(thrown).toEqual([]);
    await client.close();
  });
});
