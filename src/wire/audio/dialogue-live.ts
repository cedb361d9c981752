import { objectOf } from '../../core/arguments.ts';
import { definedOnly } from '../../core/records.ts';
import { list, refuse, required, requireText, text } from '../http/check.ts';
import type { Operation, Socket, WireCallOptions } from '../http/contract.ts';
import { type AudioContext, chooseFormat, chooseModel } from './context.ts';
import { aborted, converse, drain, iteratorOf, leave } from './converse.ts';
import { hearing, send } from './live.ts';
import type { LiveChunk } from './live-message.ts';
import { checkVoiceSettings, speechAttributes } from './speech-request.ts';

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
  operation: Operation,
  turns: AsyncIterable<DialogueTurn> | Iterable<DialogueTurn>,
  request: DialogueLiveRequest,
  options?: WireCallOptions,
): AsyncGenerator<LiveChunk, void, undefined> {
  objectOf(request, 'the request');
  const { voices, voice_settings, ...query } = request;
  required(list(text, context.profile.dialogueVoices, 1))('voices', voices);
  const named = chooseModel(context, request.model_id ?? context.profile.defaultDialogueModel, 'dialogue');
  const format = chooseFormat(context, request.output_format);
  const settings = checkVoiceSettings(context, voice_settings, named.model);
  const iterator = iteratorOf(turns);
  const check = ({ text, voice_id }: DialogueTurn): void => {
    requireText('text', text);
    if (!voices.includes(voice_id)) refuse('voice_id', `"${voice_id}" is not among the voices of the session`);
  };
  const opening = async (): Promise<{ first: DialogueTurn; socket: Socket }> => {
    const stop = aborted(options?.signal);
    const { done, value: first } = await Promise.race([iterator.next(), stop.promise]).finally(stop.dispose);
    if (done === true) refuse('turns', 'has ended without a turn');
    check(first);
    const output_format = request.output_format === undefined ? undefined : format.name;
    const sent = { ...query, model_id: named.wireId, output_format };
    const call = { query: sent, attributes: speechAttributes(named), options };
    return { first, socket: await context.transport.socket(operation, call) };
  };
  const { first, socket } = await opening().catch((error: unknown) => {
    leave(iterator);
    throw error;
  });
  const post = async ({ flush, ...input }: DialogueTurn): Promise<void> => {
    check({ ...input });
    await send(socket, definedOnly({ inputs: [definedOnly({ ...input })], flush }));
  };
  const speak = async (signal: AbortSignal): Promise<void> => {
    await send(socket, definedOnly({ voices, voice_settings: settings }));
    await post(first);
    await drain(iterator, post, () => send(socket, { keep_alive: true }), KEEP_ALIVE_MS, signal);
    await send(socket, { close_socket: true });
  };
  yield* converse(operation, socket, speak, hearing(operation, format));
}
