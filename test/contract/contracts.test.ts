import { spawnSync } from 'node:child_process';
import { describe, it, onTestFinished } from 'vitest';
import { openLocalEmbedder, trainLocalEmbedder } from '../../src/embed/local/embedder.ts';
import { ownEmbedder } from '../../src/embed/own.ts';
import { openServiceSpeaker } from '../../src/services/audio/speaker.ts';
import { openServiceEmbedder } from '../../src/services/embedder.ts';
import { serviceLanguageModel } from '../../src/services/language-model.ts';
import { serviceReranker } from '../../src/services/reranker.ts';
import { serviceTranscriber } from '../../src/services/transcriber.ts';
import { serviceWebSearch } from '../../src/services/web-search.ts';
import { espeakSpeaker } from '../../src/speak/espeak.ts';
import {
  type ContractCheck,
  embedderContract,
  fakeEmbedder,
  fakeLanguageModel,
  fakeReranker,
  fakeSpeaker,
  fakeTranscriber,
  fakeWebSearch,
  languageModelContract,
  rerankerContract,
  speakerContract,
  transcriberContract,
  webSearchContract,
} from '../../src/testing.ts';
import { createAudioService } from '../../src/wire/audio/index.ts';
import { ownEmbedder as exampleEmbedder } from '../examples/own-embedder.ts';
import { ownModel } from '../examples/own-model.ts';
import { keyed, scoresByOverlap } from '../keyed/support.ts';
import { espeakStandIn } from '../support/espeak.ts';
import { pcm, soundOf, wav } from '../support/sound.ts';
import { KnowingTranscriber } from '../support/transcriber.ts';
import { ownModels } from '../unit/services/common/support.ts';
import { audioService } from '../wire/service/audio/audio-service.ts';
import { serve } from '../wire/service/harness.ts';
import { extractiveAnswerer } from '../wire/service/messages/extractive.ts';

/** One suite for each contract, run by every implementation. */
function keeps(name: string, checks: readonly ContractCheck[], skip = false): void {
  describe.skipIf(skip)(name, () => {
    for (const check of checks) it(check.name, () => check.run());
  });
}

const sentences = [
  'The ferry leaves the harbour every morning at seven.',
  'In winter there is no ferry on Sundays.',
  'Prune the roses in March, before the first leaves open.',
  'Tea is served in the hall at four.',
];

const chunks = sentences.map((text) => ({ text, headings: [] }));
const sample = Array.from({ length: 40 }, (_, i) => ({ title: `Day ${i}`, chunks }));
let trained: Promise<Uint8Array> | undefined;

describe('an embedder', () => {
  keeps(
    'the local one',
    embedderContract(async () => {
      trained ??= trainLocalEmbedder(sample, {});
      const embedder = openLocalEmbedder(await trained);
      onTestFinished(() => embedder.close?.());
      return embedder;
    }),
  );
  for (const model of ['embed-context-v1-0.6b', 'embed-v1-0.6b']) {
    keeps(
      `of the service: ${model}`,
      embedderContract(async () => openServiceEmbedder((await keyed()).services.search, { model, dimensions: 128 })),
    );
  }
  for (const dimensions of [undefined, 20, 64]) {
    keeps(
      `of an own server, ${dimensions === undefined ? 'learning its' : `with ${dimensions}`} dimensions`,
      embedderContract(async () =>
        (await ownModels({ dimensions })).models.embedder({ model: 'embedder', dimensions }),
      ),
    );
  }
  keeps(
    'of a caller, with a number of dimensions that is no multiple of 8',
    embedderContract(() => ownEmbedder(fakeEmbedder(61))),
  );
  keeps(
    'the fake',
    embedderContract(() => fakeEmbedder()),
  );
  keeps(
    'the example',
    embedderContract(() => exampleEmbedder),
  );
  keeps(
    'of a caller, within narrow limits',
    embedderContract(() => ownEmbedder({ ...fakeEmbedder(), limits: { documents: 1, chunks: 1, tokens: 50 } })),
  );
});

describe('a language model', () => {
  for (const citations of [true, false]) {
    keeps(
      `of the service, ${citations ? 'citing' : 'with marks'}`,
      languageModelContract(async () => {
        const { services } = await keyed({ messages: { model: extractiveAnswerer().model } });
        return serviceLanguageModel(services.messages, { citations });
      }),
    );
  }
  keeps(
    'of an own server',
    languageModelContract(async () => (await ownModels()).models.writer({ model: 'writer' })),
  );
  keeps(
    'the fake',
    languageModelContract(() => fakeLanguageModel()),
  );
  keeps(
    'the example',
    languageModelContract(() => ownModel),
  );
});

describe('a reranker', () => {
  keeps(
    'the fake',
    rerankerContract(() => fakeReranker()),
  );
  for (const form of [{}, { tei: true }, { rawScores: true }]) {
    keeps(
      `of an own server: ${JSON.stringify(form)}`,
      rerankerContract(async () => (await ownModels(form)).models.reranker({ model: 'reranker' })),
    );
  }
  keeps(
    'of the service',
    rerankerContract(async () => {
      const { services } = await keyed({ messages: { model: scoresByOverlap } });
      return serviceReranker(services.messages);
    }),
  );
});

describe('a web search', () => {
  keeps(
    'the fake',
    webSearchContract(
      () => fakeWebSearch([{ url: 'https://example.org/tower', title: 'The tower', extracts: ['The tower is tall.'] }]),
      'tower',
    ),
  );
  keeps(
    'of the service',
    webSearchContract(async () => serviceWebSearch((await keyed()).services.search), 'harbour tower'),
  );
});

describe('a transcriber', () => {
  const talk = soundOf('talk.wav', wav(pcm(6000)), 6);
  const silence = soundOf('silence.wav', wav(Buffer.alloc(32_000)), 2);
  for (const asynchronous of [false, true]) {
    keeps(
      `of the service, ${asynchronous ? 'answering later' : 'at once'}`,
      transcriberContract(
        async () => {
          const harness = await serve([audioService({ script: { transcription: { polls: 2 } } })]);
          const audio = createAudioService({ apiKey: 'test-audio-key', baseUrl: harness.url });
          onTestFinished(async () => {
            await audio.close();
            await harness.close();
          });
          return serviceTranscriber(audio, { asynchronous, pollMs: 1, usdPerHour: 0.4 });
        },
        talk,
        silence,
      ),
    );
  }
  keeps(
    'of an own server', // whose stand-in reads the words that are the bytes
    transcriberContract(
      async () => (await ownModels()).models.transcriber({ model: 'ears' }),
      soundOf('talk.wav', Buffer.from('every word takes half a second'), 3),
      soundOf('silence.wav', Buffer.from(' '), 2),
    ),
  );
  keeps(
    'the fake',
    transcriberContract(() => fakeTranscriber(), talk, silence),
  );
  keeps(
    'the one of the tests',
    transcriberContract(
      () =>
        new KnowingTranscriber(({ name }) =>
          name === 'silence.wav' ? [] : [{ text: 'hello', startMs: 0, endMs: 400 }],
        ),
      talk,
      silence,
    ),
  );
});

describe('a speaker', () => {
  for (const model of [undefined, 'voice_v3']) {
    for (const withoutAlignment of [false, true]) {
      keeps(
        `of the service: ${model ?? 'its default'}${withoutAlignment ? ', without times' : ''}`,
        speakerContract(async () => {
          const harness = await serve([audioService({ script: { speech: { withoutAlignment } } })]);
          const audio = createAudioService({ apiKey: 'test-audio-key', baseUrl: harness.url });
          onTestFinished(async () => {
            await audio.close();
            await harness.close();
          });
          return await openServiceSpeaker(audio, { model });
        }),
      );
    }
  }
  keeps(
    'of an own server',
    speakerContract(async () => (await ownModels({ models: [{ id: 'voice' }] })).models.speaker({ model: 'voice' })),
  );
  const isThere = spawnSync('espeak-ng', ['--version']).status === 0;
  keeps(
    `espeak-ng${isThere ? '' : ': not installed'}`,
    speakerContract(() => espeakSpeaker()),
    !isThere,
  );
  keeps(
    'a stand-in of espeak-ng',
    speakerContract(() => espeakSpeaker({ program: espeakStandIn })),
    process.platform === 'win32', // a shell script
  );
  keeps(
    'the fake',
    speakerContract(() => fakeSpeaker()),
  );
});
