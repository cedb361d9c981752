import type { WireCallOptions } from '../http/contract.ts';
import type { AudioContext, AudioRows } from './context.ts';
import { type DialogueLiveRequest, type DialogueTurn, liveDialogue } from './dialogue-live.ts';
import { type DialogueRequest, prepareDialogue } from './dialogue-request.ts';
import { type LiveRequest, type LiveText, liveSpeech } from './live.ts';
import type { LiveChunk } from './live-message.ts';
import { type LiveMultiRequest, type LiveMultiSession, openLiveMulti } from './live-multi.ts';
import {
  type AudioResult,
  type AudioStream,
  type PreparedSound,
  sounding,
  streamedSound,
  wholeSound,
} from './sound.ts';
import { prepareSpeech, type SpeechRequest } from './speech-request.ts';
import { type TimedAudio, type TimedStream, timedSound, timedStream } from './timed.ts';

/** The four HTTP forms of what speaks a text: complete or as it is made, each with times or without. */
export interface SpokenForms<Request> {
  /** The complete file. @throws WireError RESPONSE_INVALID when a 200 holds no sound */
  create(request: Request, options?: WireCallOptions): Promise<AudioResult>;
  /** Sound as it is made; `alignSamples` re-cuts pcm at sample edges. */
  stream(request: Request, options?: WireCallOptions): Promise<AudioStream>;
  /**
   * Dialogue: `voice_segments` says who speaks when; over about a minute the service's times freeze (see
   * `longDialogue`).
   */
  withTimestamps(request: Request, options?: WireCallOptions): Promise<TimedAudio>;
  streamWithTimestamps(request: Request, options?: WireCallOptions): Promise<TimedStream>;
}

/**
 * Text to speech. A text that the model does not take, and settings that would have no effect, are refused before
 * sending.
 */
export interface SpeechApi extends SpokenForms<SpeechRequest> {
  /** Text in as it is written, sound out as it is spoken, over one WebSocket. */
  live(
    text: AsyncIterable<LiveText> | Iterable<LiveText>,
    request: LiveRequest,
    options?: WireCallOptions,
  ): AsyncGenerator<LiveChunk>;
  /** Several texts at once over one WebSocket, each in a context of its own. */
  liveMulti(request: LiveMultiRequest, options?: WireCallOptions): Promise<LiveMultiSession>;
}

/** Several voices in one piece of sound. */
export interface DialogueApi extends SpokenForms<DialogueRequest> {
  /** Turns in as they are written, sound out, over one WebSocket. */
  live(
    turns: AsyncIterable<DialogueTurn> | Iterable<DialogueTurn>,
    request: DialogueLiveRequest,
    options?: WireCallOptions,
  ): AsyncGenerator<LiveChunk>;
}

function forms<Request extends object>(
  at: `POST /${string}`,
  prepare: (context: AudioContext, request: Request) => PreparedSound,
): AudioRows<SpokenForms<Request>> {
  const group = 'speech';
  return {
    create: { at, group, ...sounding(prepare, wholeSound) },
    stream: { at: `${at}/stream`, group, ...sounding(prepare, streamedSound) },
    withTimestamps: { at: `${at}/with-timestamps`, group, ...sounding(prepare, timedSound) },
    streamWithTimestamps: { at: `${at}/stream/with-timestamps`, group, ...sounding(prepare, timedStream) },
  };
}

export const speechRows: AudioRows<SpeechApi> = {
  ...forms('POST /v1/text-to-speech/{voice_id}', prepareSpeech),
  live: {
    at: 'GET /v1/text-to-speech/{voice_id}/stream-input',
    repeat: 'unsent',
    group: 'speech',
    method: (wiring, operation) => (text, request, options) =>
      liveSpeech(wiring().profile, operation, text, request, options),
  },
  liveMulti: {
    at: 'GET /v1/text-to-speech/{voice_id}/multi-stream-input',
    repeat: 'unsent',
    group: 'speech',
    method: (wiring, operation) => (request, options) => openLiveMulti(wiring().profile, operation, request, options),
  },
};

export const dialogueRows: AudioRows<DialogueApi> = {
  ...forms('POST /v1/text-to-dialogue', prepareDialogue),
  live: {
    at: 'GET /v1/text-to-dialogue/stream-input',
    repeat: 'unsent',
    group: 'dialogue-socket',
    method: (wiring, operation) => (turns, request, options) =>
      liveDialogue(wiring().profile, operation, turns, request, options),
  },
};
