import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IbidError } from '../../../src/core/errors.ts';
import {
  type AudioService,
  audioModels,
  audioProfiles,
  createAudioService,
  learnModels,
} from '../../../src/wire/audio/index.ts';
import { type Answer, FakeTransport } from './fake.ts';

const open = (answer: Answer): AudioService =>
  createAudioService({ apiKey: 'k', baseUrl: 'https://audio.test', transport: new FakeTransport(() => answer) });

const file = new Uint8Array([1]);
const inputs = [{ text: 'Hi.', voice_id: 'v' }];
const jsonCalls: readonly ((audio: AudioService) => Promise<unknown>)[] = [
  (audio) => audio.speech.withTimestamps({ voice_id: 'v', text: 'Hi.' }),
  (audio) => audio.dialogue.withTimestamps({ inputs }),
  (audio) => audio.transcripts.create({ file }),
  (audio) => audio.transcripts.get('t'),
  (audio) => audio.transcripts.delete('t'),
  (audio) => audio.voices.list(),
  (audio) => audio.voices.search(),
  (audio) => audio.voices.get('v'),
  (audio) => audio.voices.add({ name: 'n', files: [file] }),
  (audio) => audio.voices.settings('v'),
  (audio) => audio.voices.shared(),
  (audio) => audio.models(),
  (audio) => audio.account.subscription(),
  (audio) => audio.account.user(),
  (audio) => audio.account.usage({ start_unix: 0, end_unix: 1e12 }),
  (audio) => audio.account.history.list(),
  (audio) => audio.dictionaries.list(),
  (audio) => audio.dictionaries.get('d'),
  (audio) => audio.music.plan({ prompt: 'x' }),
  (audio) => audio.dubbing.get('d'),
  (audio) => audio.dubbing.projects.get('p'),
  (audio) => audio.voiceDesign.design({ voice_description: 'x'.repeat(20), auto_generate_text: true }),
  (audio) => audio.alignment.create({ file, text: 'x' }),
  (audio) => audio.agents.list(),
  (audio) => audio.agents.conversations.list(),
  (audio) => audio.tokens.create('realtime_scribe'),
];

/** Values with the field names that are looked for, so that the inner checks are reached. */
const names = [
  'audio_base64',
  'alignment',
  'characters',
  'text',
  'words',
  'type',
  'transcripts',
  'voices',
  'has_more',
  'voice_id',
  'message',
  'audio',
  'isFinal',
  'error',
  'chars',
  'charStartTimesMs',
  'message_type',
  'detail',
  'data',
];
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      -1.5,
      '',
      'abc',
      'QUJD',
      'committed_transcript',
      'partial_transcript',
      'quota_exceeded',
    ),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('any'), { maxKeys: 5 }),
  ),
})).any;

const endsTyped = async (run: () => Promise<unknown>): Promise<void> => {
  try {
    await run();
  } catch (error) {
    expect(error).toBeInstanceOf(IbidError);
  }
};

describe('garbage from the service ends in a result or a typed error', () => {
  it.each(jsonCalls.map((call) => [String(call).slice(11, 60), call] as const))('%s', async (_, call) => {
    await fc.assert(
      fc.asyncProperty(value, (body) => endsTyped(() => call(open({ body })))),
      { numRuns: 120 },
    );
  });

  it('in lines, events and messages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            value.map((one) => JSON.stringify(one)),
            fc.string(),
          ),
          { maxLength: 4 },
        ),
        async (texts) => {
          const lines = open({ lines: texts, events: texts.map((data) => ({ event: '', data })) });
          await endsTyped(async () =>
            Array.fromAsync(await lines.speech.streamWithTimestamps({ voice_id: 'v', text: 'Hi.' })),
          );
          await endsTyped(() => Array.fromAsync(lines.music.streamDetailed({ prompt: 'x' })));
          const socket = open({
            socket: (made) => {
              for (const text of texts) made.say(text);
              made.hangUp();
            },
          });
          await endsTyped(() => Array.fromAsync(socket.speech.live(['Hi.'], { voice_id: 'v' })));
          await endsTyped(() => Array.fromAsync(socket.dialogue.live(inputs, { voices: ['v'] })));
          await endsTyped(() => Array.fromAsync(socket.transcripts.realtime([new Uint8Array(4)], { finishMs: 5 })));
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('limits the service names itself', () => {
  it.each([0, -1, Number.POSITIVE_INFINITY, '9', null])('learns no limit and no price from a listing of %s', (odd) => {
    const { public: profile } = audioProfiles;
    for (const [id, known] of Object.entries(profile.models)) {
      const listed = {
        model_id: profile.modelIds[id] ?? id,
        maximum_text_length_per_request: odd,
        model_rates: { character_cost_multiplier: odd === 0 ? -1 : odd },
      };
      expect(learnModels(profile, [listed as never])[id]).toEqual(known); // a listing may hold anything
    }
  });

  it('go into the table where they are lower', () => {
    const models = learnModels(audioProfiles.public, [
      {
        model_id: 'eleven_v3',
        maximum_text_length_per_request: 3_000,
        model_rates: { character_cost_multiplier: 0.8 },
      },
      { model_id: 'eleven_flash_v2_5', maximum_text_length_per_request: 99_999 },
      { model_id: 'unheard_of' },
    ]);
    expect(models.voice_v3).toMatchObject({ maxCharacters: 3_000, creditsPerCharacter: 0.8 });
    expect(models.voice_flash_v2_5).toEqual(audioModels.voice_flash_v2_5);
    expect(Object.keys(models)).toEqual(Object.keys(audioModels));
  });
});
