import type { WireCallOptions } from '../http/contract.ts';
import type { AudioContext, AudioResult, AudioStream } from './context.ts';
import { readAudio, streamAudio } from './context.ts';
import type { DialogueLiveRequest, DialogueTurn } from './dialogue-live.ts';
import { liveDialogue } from './dialogue-live.ts';
import type { DialogueRequest, PreparedDialogue } from './dialogue-request.ts';
import { prepareDialogue } from './dialogue-request.ts';
import { warnIfShort, withStepDown } from './endings.ts';
import type { LiveChunk } from './live-message.ts';
import { audioOperations as operations } from './operations.ts';
import type { TimedAudio, TimedStream } from './timed.ts';
import { requestTimed, streamTimed } from './timed.ts';

/** Several voices in one piece of sound. */
export interface DialogueApi {
  create(request: DialogueRequest, options?: WireCallOptions): Promise<AudioResult>;
  stream(request: DialogueRequest, options?: WireCallOptions): Promise<AudioStream>;
  /** `voice_segments` says who speaks when; over about a minute the service's times freeze (see `longDialogue` of `ibid`). */
  withTimestamps(request: DialogueRequest, options?: WireCallOptions): Promise<TimedAudio>;
  streamWithTimestamps(request: DialogueRequest, options?: WireCallOptions): Promise<TimedStream>;
  /** Turns in as they are written, sound out, over one WebSocket. */
  live(
    turns: AsyncIterable<DialogueTurn> | Iterable<DialogueTurn>,
    request: DialogueLiveRequest,
    options?: WireCallOptions,
  ): AsyncGenerator<LiveChunk>;
}

const said = ({ inputs }: DialogueRequest): string => inputs.map(({ text }) => text).join(' ');

export function dialogueApi(context: AudioContext): DialogueApi {
  /** Checks once, sends, and sends in the default format when the plan refuses and the caller opted in. */
  const run = async <T>(
    request: DialogueRequest,
    whole: boolean,
    send: (prepared: PreparedDialogue) => Promise<T>,
  ): Promise<T> => {
    const first = prepareDialogue(context, request, whole);
    return withStepDown(context, first.format, (name) =>
      send(name === undefined ? first : prepareDialogue(context, { ...request, output_format: name }, whole)),
    );
  };
  return {
    create: (request, options) =>
      run(request, true, async ({ call, format }) => {
        const result = await readAudio(context, operations.dialogue, { ...call, options });
        warnIfShort(context, said(request), undefined, format, result.audio);
        return { ...result, format: format.name, mediaType: format.mediaType };
      }),
    stream: (request, options) =>
      run(request, false, ({ call, format }) =>
        streamAudio(context, operations.dialogueStream, { ...call, options }, format, (bytes) =>
          warnIfShort(context, said(request), undefined, format, bytes),
        ),
      ),
    withTimestamps: (request, options) =>
      run(request, true, ({ call, format }) => requestTimed(context, operations.dialogueTimed, call, format, options)),
    streamWithTimestamps: (request, options) =>
      run(request, false, ({ call, format }) =>
        streamTimed(context, operations.dialogueTimedStream, call, format, options),
      ),
    live: (turns, request, options) => liveDialogue(context, turns, request, options),
  };
}
