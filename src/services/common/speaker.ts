import { numberOf, objectOf } from '../../core/arguments.ts';
import { IbidError } from '../../core/errors.ts';
import type { Speaker } from '../../speak/contract.ts';
import { samplesOfWave } from '../../speak/pcm.ts';
import { turnByTurn } from '../../speak/turn-by-turn.ts';
import type { CommonService } from '../../wire/common/index.ts';

export interface CommonSpeakerOptions {
  readonly model: string;
  /** As the server names them. @default `alloy` and `onyx` */
  readonly voices?: readonly string[] | undefined;
  /** 1: as the voice is. */
  readonly speed?: number | undefined;
  /** Price of 1,000 characters, in USD. @default 0 for a server without a key, else unknown: a budget then needs it */
  readonly usdPer1000Characters?: number | undefined;
}

const CHARACTERS = 4_096;

/** A model behind `/v1/audio/speech` that gives WAV: a request for each sentence, and its sound as its time. */
export function commonSpeaker(service: CommonService, isKeyless: boolean, options: CommonSpeakerOptions): Speaker {
  const { model, voices = ['alloy', 'onyx'], speed } = objectOf(options, 'the options', 'model');
  const { usdPer1000Characters = isKeyless ? 0 : undefined } = options;
  if (typeof model !== 'string' || model === '') throw new IbidError('INVALID_ARGUMENT', 'a speaker needs a model');
  if (voices.length === 0) throw new IbidError('INVALID_ARGUMENT', 'a speaker needs a voice');
  for (const [name, value] of Object.entries({ usdPer1000Characters: usdPer1000Characters ?? 0, speed: speed ?? 1 }))
    numberOf(value, name, 0);
  return {
    id: model,
    formats: ['pcm'],
    limits: { characters: CHARACTERS, voices: Number.POSITIVE_INFINITY },
    voices,
    price: () => usdPer1000Characters,
    speak: (turns, { signal }) =>
      turnByTurn(turns, async function* ({ text, voice = voices[0]! }) {
        signal?.throwIfAborted();
        const request = { model, input: text, voice, response_format: 'wav' as const, speed };
        yield* samplesOfWave(await service.speech(request, { signal }));
      }),
  };
}
