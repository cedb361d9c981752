import type { WireCallOptions } from '../http/contract.ts';
import type { AudioContext, AudioResult, AudioStream } from './context.ts';
import { readAudio, streamAudio } from './context.ts';
import { warnIfShort, withStepDown } from './endings.ts';
import type { AudioFormat } from './formats.ts';
import type { LiveRequest, LiveText } from './live.ts';
import { liveSpeech } from './live.ts';
import type { LiveChunk } from './live-message.ts';
import type { LiveMultiRequest, LiveMultiSession } from './live-multi.ts';
import { openLiveMulti } from './live-multi.ts';
import { audioOperations as operations } from './operations.ts';
import type { PreparedSpeech, SpeechRequest } from './speech-request.ts';
import { prepareSpeech } from './speech-request.ts';
import type { TimedAudio, TimedStream } from './timed.ts';
import { requestTimed, streamTimed } from './timed.ts';

/** Text to speech. All forms check the request before sending: INVALID_ARGUMENT names the field and the limit. */
export interface SpeechApi {
  /** The complete file. @throws WireError RESPONSE_INVALID when a 200 holds no sound */
  create(request: SpeechRequest, options?: WireCallOptions): Promise<AudioResult>;
  /** Sound as it is made; `alignSamples` re-cuts pcm at sample edges. */
  stream(request: SpeechRequest, options?: WireCallOptions): Promise<AudioStream>;
  withTimestamps(request: SpeechRequest, options?: WireCallOptions): Promise<TimedAudio>;
  streamWithTimestamps(request: SpeechRequest, options?: WireCallOptions): Promise<TimedStream>;
  /** Text in as it is written, sound out as it is spoken, over one WebSocket. */
  live(
    text: AsyncIterable<LiveText> | Iterable<LiveText>,
    request: LiveRequest,
    options?: WireCallOptions,
  ): AsyncGenerator<LiveChunk>;
  /** Several texts at once over one WebSocket, each in a context of its own. */
  liveMulti(request: LiveMultiRequest, options?: WireCallOptions): Promise<LiveMultiSession>;
}

export function speechApi(context: AudioContext): SpeechApi {
  const prepare = (request: SpeechRequest, whole: boolean, formatName: string | undefined): PreparedSpeech =>
    prepareSpeech(context, formatName === undefined ? request : { ...request, output_format: formatName }, whole);

  const ended =
    (request: SpeechRequest, format: AudioFormat) =>
    (sound: Uint8Array | number): void =>
      warnIfShort(context, request.text, request.voice_settings?.speed, format, sound);

  return {
    async create(request, options) {
      const first = prepare(request, true, undefined);
      return withStepDown(context, first.format, async (formatName) => {
        const prepared = formatName === undefined ? first : prepare(request, true, formatName);
        const result = await readAudio(context, operations.speech, { ...prepared.call, options });
        ended(request, prepared.format)(result.audio);
        return { ...result, format: prepared.format.name, mediaType: prepared.format.mediaType };
      });
    },
    async stream(request, options) {
      const first = prepare(request, false, undefined);
      return withStepDown(context, first.format, (formatName) => {
        const { call, format } = formatName === undefined ? first : prepare(request, false, formatName);
        return streamAudio(context, operations.speechStream, { ...call, options }, format, ended(request, format));
      });
    },
    async withTimestamps(request, options) {
      const first = prepare(request, true, undefined);
      return withStepDown(context, first.format, async (formatName) => {
        const prepared = formatName === undefined ? first : prepare(request, true, formatName);
        const timed = await requestTimed(context, operations.speechTimed, prepared.call, prepared.format, options);
        ended(request, prepared.format)(timed.audio);
        return timed;
      });
    },
    async streamWithTimestamps(request, options) {
      const first = prepare(request, false, undefined);
      return withStepDown(context, first.format, (formatName) => {
        const { call, format } = formatName === undefined ? first : prepare(request, false, formatName);
        return streamTimed(context, operations.speechTimedStream, call, format, options);
      });
    },
    live: (text, request, options) => liveSpeech(context, text, request, options),
    liveMulti: (request, options) => openLiveMulti(context, request, options),
  };
}
