import { expect, it, onTestFinished, vi } from 'vitest';
import type { Embedder, LanguageModel, ModelEvent, Speaker, Transcriber } from '../../../src/index.ts';
import {
  type ContractCheck,
  embedderContract,
  fakeEmbedder,
  fakeLanguageModel,
  fakeSpeaker,
  fakeTranscriber,
  languageModelContract,
  speakerContract,
  transcriberContract,
} from '../../../src/testing.ts';
import { pcm, soundOf, wav } from '../../support/sound.ts';

/** Names of the checks that a part does not pass. */
async function brokenIn(checks: readonly ContractCheck[]): Promise<string[]> {
  const results = await Promise.allSettled(checks.map(({ run }) => run()));
  return checks.filter((_, i) => results[i]!.status === 'rejected').map(({ name }) => name);
}

/** The fake's events, each as `change` gives it. */
function writing(change: (event: ModelEvent) => readonly unknown[]): LanguageModel {
  const fake = fakeLanguageModel();
  return {
    ...fake,
    async *write(request, options) {
      for await (const event of fake.write(request, options)) yield* change(event) as ModelEvent[];
    },
  };
}

it('an embedder that is asked what it is passes, with the dimensions that it then has', async () => {
  const known = fakeEmbedder();
  const embedder: Embedder = { ...known, dimensions: 0, identify: async () => known };
  expect(await brokenIn(embedderContract(() => embedder))).toEqual([]);
});

// what an answer refuses as CONTRACT_BROKEN, or drops
it.each<[string, LanguageModel]>([
  [
    'stops for a reason of its own',
    writing((event) => (event.type === 'stop' ? [{ ...event, stop: 'eos' }] : [event])),
  ],
  [
    'writes a text without text',
    writing((event) => (event.type === 'text' ? [event, { ...event, text: undefined }] : [event])),
  ],
  ['thinks without text', writing((event) => (event.type === 'text' ? [{ type: 'thinking' }, event] : [event]))],
  ['cites nothing that can be read', writing((event) => [{ ...event, citation: undefined }])],
])('a model that %s does not pass', async (_, model) => {
  expect(await brokenIn(languageModelContract(() => model))).not.toEqual([]);
});

const speaking = (change: (part: { audio: Uint8Array; sampleRate: number }) => object): Speaker => {
  const fake = fakeSpeaker();
  return {
    ...fake,
    async *speak(turns, call) {
      for await (const part of fake.speak(turns, call)) yield { ...part, ...change(part) } as typeof part;
    },
  };
};
const samples = ({ audio }: { audio: Uint8Array }): ArrayBuffer => new Uint8Array(audio).buffer; // a copy, so that it begins at its buffer's beginning

it.each<[string, Speaker]>([
  ['gives a buffer for bytes', speaking((part) => ({ audio: samples(part) }))],
  ['gives samples for bytes', speaking((part) => ({ audio: new Int16Array(samples(part)) }))],
  ['gives a list for bytes', speaking(({ audio }) => ({ audio: [...audio] }))],
  ['gives no rate', speaking(() => ({ sampleRate: 0 }))],
])('a speaker that %s does not pass', async (_, speaker) => {
  const [check] = speakerContract(() => speaker).filter(({ name }) => name === 'gives whole samples at one rate');
  await expect(check!.run()).rejects.toThrow(/bytes|rate/);
});

it('a speaker that waits for all turns is told so, and does not wait for ever', async () => {
  const fake = fakeSpeaker();
  const speaker: Speaker = {
    ...fake,
    async *speak(turns, call) {
      yield* fake.speak(await Array.fromAsync(turns), call);
    },
  };
  const checks = speakerContract(() => speaker);
  const name = 'speaks a turn before the next one comes';
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const told = expect(checks.find((check) => check.name === name)!.run()).rejects.toThrow('before the next one');
  await vi.advanceTimersByTimeAsync(60_000);
  await told;
});

it.each<[string, object]>([
  ['null for a speaker', { speaker: null }],
  ['a number for a speaker', { speaker: 1 }],
  ['an end that is no time', { endMs: Infinity }],
])('a transcriber that gives %s does not pass', async (_, wrong) => {
  const fake = fakeTranscriber();
  const transcriber: Transcriber = {
    ...fake,
    transcribe: async (sound, call) => {
      const { transcript } = await fake.transcribe(sound, call);
      return { transcript: { ...transcript, words: transcript.words.map((word) => ({ ...word, ...wrong })) } };
    },
  };
  const [talk, silence] = [
    soundOf('talk.wav', wav(pcm(4000)), 4),
    soundOf('silence.wav', wav(Buffer.alloc(16_000)), 1),
  ];
  const checks = (of: Transcriber) => transcriberContract(() => of, talk, silence);
  expect(await brokenIn(checks(fake))).toEqual([]);
  expect(await brokenIn(checks(transcriber))).not.toEqual([]);
});
