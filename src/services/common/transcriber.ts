import { numberOf, objectOf } from '../../core/arguments.ts';
import { IbidError } from '../../core/errors.ts';
import type { Transcriber } from '../../transcribe/contract.ts';
import { transcriptOfJson } from '../../transcribe/json.ts';
import type { CommonService } from '../../wire/common/index.ts';

export interface CommonTranscriberOptions {
  readonly model: string;
  /** Price of an hour of sound, in USD. @default 0 for a server without a key, else unknown: a budget then needs it */
  readonly usdPerHour?: number | undefined;
  /** Longest sound of a request, in seconds; longer recordings are cut at silence. @default 1_500 */
  readonly requestSeconds?: number | undefined;
  /** Largest file of a request, in bytes. @default 25 MiB, the limit of most servers */
  readonly requestBytes?: number | undefined;
}

/** A model behind `/v1/audio/transcriptions`: words or segments with times, without speakers. */
export function commonTranscriber(
  service: CommonService,
  isKeyless: boolean,
  options: CommonTranscriberOptions,
): Transcriber {
  const {
    model,
    usdPerHour = isKeyless ? 0 : undefined,
    requestSeconds = 1_500,
    requestBytes = 25 * 2 ** 20,
  } = objectOf(options, 'the options', 'model');
  if (typeof model !== 'string' || model === '') throw new IbidError('INVALID_ARGUMENT', 'a transcriber needs a model');
  for (const [name, value] of Object.entries({ usdPerHour: usdPerHour ?? 0, requestSeconds, requestBytes }))
    numberOf(value, name, 0);
  return {
    id: model,
    limits: { bytes: requestBytes, seconds: requestSeconds },
    price: () => usdPerHour,
    async transcribe(sound, { language, keyterms, signal }) {
      signal?.throwIfAborted();
      const answer = await service.transcribe(
        {
          ...{ model, file: () => sound.open(), filename: sound.name, language },
          prompt: keyterms?.length ? keyterms.join(', ') : undefined,
        },
        { signal },
      );
      const transcript = transcriptOfJson(answer);
      const isHeard = transcript !== undefined && (transcript.words.length > 0 || answer.text.trim() === '');
      if (isHeard) return { transcript };
      throw new IbidError('RESPONSE_INVALID', `"${model}" gives a text without times`, {
        hint: 'Recordings need a model that gives the times of words or segments.',
      });
    },
  };
}
