import type { WireCallOptions } from '../http/contract.ts';
import { checkList, invalid, requireText } from './check.ts';
import type { AudioContext } from './context.ts';
import { chooseFormat, chooseModel } from './context.ts';
import { aborted, converse, drain, iteratorOf } from './converse.ts';
import { defined, send } from './live.ts';
import type { LiveChunk } from './live-message.ts';
import { LiveReader } from './live-message.ts';
import { audioOperations as operations } from './operations.ts';
import { checkVoiceSettings } from './speech-request.ts';

export interface DialogueLiveRequest {
  /** Every voice that will speak. */
  readonly voices: readonly string[];
  readonly model_id?: string | undefined;
  readonly output_format?: string | undefined;
  readonly sync_alignment?: boolean | undefined;
  readonly single_use_token?: string | undefined;
  readonly voice_settings?: { readonly stability?: number | undefined } | undefined;
}

export interface DialogueTurn {
  readonly text: string;
  readonly voice_id: string;
  /** This begins a new turn though the voice is the same. */
  readonly new_turn?: boolean | undefined;
  readonly flush?: boolean | undefined;
}

/** The service gives up after 20 s without a message, which cannot be changed. */
const KEEP_ALIVE_MS = 12_000;

/** Behind `dialogue.live`. */
export async function* liveDialogue(
  context: AudioContext,
  turns: AsyncIterable<DialogueTurn> | Iterable<DialogueTurn>,
  request: DialogueLiveRequest,
  options?: WireCallOptions,
): AsyncGenerator<LiveChunk, void, undefined> {
  const { voices, voice_settings, ...query } = request;
  if (voices === undefined) throw invalid('voices', 'is missing');
  checkList('voices', voices, context.profile.dialogueVoices, 1);
  voices.forEach((voice, i) => {
    requireText(`voices[${i}]`, voice);
  });
  const named = chooseModel(context, request.model_id ?? context.profile.defaultDialogueModel, 'dialogue');
  const format = chooseFormat(context, request.output_format);
  if (format.codec === 'wav') throw invalid('output_format', `${format.name} is for complete answers only`);
  const settings = checkVoiceSettings(context, voice_settings, named.model);
  const iterator = iteratorOf(turns);
  const stop = aborted(options?.signal);
  const first = await Promise.race([iterator.next(), stop.promise]).finally(stop.dispose);
  if (first.done === true) throw invalid('turns', 'has ended without a turn');
  const check = ({ text, voice_id }: DialogueTurn): void => {
    requireText('text', text);
    if (!voices.includes(voice_id)) throw invalid('voice_id', `"${voice_id}" is not among the voices of the session`);
  };
  check(first.value);

  const operation = operations.dialogueLive;
  const socket = await context.transport.socket(operation, {
    query: {
      ...query,
      model_id: named.wireId,
      output_format: request.output_format === undefined ? undefined : format.name,
    },
    attributes: { 'gen_ai.request.model': named.wireId, 'gen_ai.output.type': 'speech' },
    options,
  });
  const post = async ({ flush, ...input }: DialogueTurn): Promise<void> => {
    check({ ...input });
    await send(socket, defined({ inputs: [defined({ ...input })], flush }));
  };
  const reader = new LiveReader(operation, format);
  const speak = async (signal: AbortSignal): Promise<void> => {
    await send(socket, defined({ voices, voice_settings: settings }));
    await post(first.value);
    await drain(iterator, post, () => send(socket, { keep_alive: true }), KEEP_ALIVE_MS, signal);
    await send(socket, { close_socket: true });
  };
  yield* converse(operation, socket, speak, (message) => {
    const chunk = reader.read(message);
    return { value: chunk, done: chunk.isFinal };
  });
}
