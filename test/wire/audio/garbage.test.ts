import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IbidError } from '../../../src/core/errors.ts';
import { type AudioService, audioModels, audioProfiles, learnModels } from '../../../src/wire/audio/index.ts';
import { examples, type Given } from './examples.ts';
import { type Answer, open } from './fake.ts';

const serviceOf = (answer: Answer): AudioService => open(() => answer).service;

/** Sockets and texts are below; the examples that wait would wait for a word that never comes. */
const apart = /live|realtime|long|verifyWebhook|streamDetailed|^dubbing\.(projects\.)?get/;
const plain = Object.entries(examples).filter(([name]) => !apart.test(name));
const given = new Proxy({} as Given, {
  get: (_, name) => (name === 'recording' ? new Uint8Array([1]) : String(name)),
});
const inputs = [{ text: 'Hi.', voice_id: 'v' }];

/** Values with the field names that are looked for, so that the inner checks are reached. */
const names = (
  'audio_base64 alignment characters text words type transcripts voices has_more voice_id message audio isFinal error ' +
  'chars charStartTimesMs message_type detail data'
).split(' ');
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
  it.each(plain)('%s', async (_, example) => {
    await fc.assert(
      fc.asyncProperty(value, (body) => endsTyped(() => example(serviceOf({ body }), given))),
      { numRuns: 50 },
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
          const lines = serviceOf({ lines: texts, events: texts.map((data) => ({ event: '', data })) });
          await endsTyped(async () =>
            Array.fromAsync(await lines.speech.streamWithTimestamps({ voice_id: 'v', text: 'Hi.' })),
          );
          await endsTyped(() => Array.fromAsync(lines.music.streamDetailed({ prompt: 'x' })));
          const socket = serviceOf({
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
