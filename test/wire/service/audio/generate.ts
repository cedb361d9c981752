import type { Exchange } from '../contract.ts';
import { type AudioContext, charge, refuse, type SpeechModel } from './context.ts';
import { type AudioFormat, synthesise } from './formats.ts';
import { type Locator, rulesOf, SECONDS_PER_CHARACTER, spokenForm } from './speech-text.ts';
import type { StoredVoice } from './voice-store.ts';

export function findVoice(context: AudioContext, id: string): StoredVoice {
  const voice = context.voices.voices.get(id);
  if (voice === undefined)
    refuse(context, 404, 'voice_not_found', `A voice with the id ${id} was not found.`, { param: 'voice_id' });
  if (voice.library && context.plan === 'free') {
    refuse(context, 402, 'paid_plan_required', 'Library voices need a paid plan.', { status: 'payment_required' });
  }
  return voice;
}

export function findModel(context: AudioContext, id: string): SpeechModel {
  const model = context.models.find((known) => known.id === id);
  if (model === undefined)
    refuse(context, 400, 'unsupported_model', `Model ${id} is not supported here`, { param: 'model_id' });
  return model;
}

/** Stability of v3 has three steps; speed and style are checked only here, not by the schema. */
export function checkSettings(
  context: AudioContext,
  model: SpeechModel,
  settings: Partial<Record<string, unknown>>,
): void {
  const { stability, speed, style } = settings as { stability?: number; speed?: number; style?: number };
  if (model.v3 && stability !== undefined && ![0, 0.5, 1].includes(stability)) {
    refuse(context, 400, 'invalid_voice_settings', 'Stability must be one of 0.0, 0.5, 1.0', {
      status: 'invalid_ttd_stability',
    });
  }
  if ((speed !== undefined && (speed < 0.25 || speed > 4)) || (style !== undefined && (style < 0 || style > 1))) {
    refuse(context, 400, 'invalid_voice_settings', 'Voice settings out of range', { param: 'voice_settings' });
  }
}

export interface Spoken {
  readonly audio: Uint8Array;
  /** Length of the audio. */
  readonly seconds: number;
  readonly text: string;
  readonly normalised: string;
  readonly credits: number;
  readonly pitch: number;
}

export interface SpeechOrder {
  readonly voiceId: string;
  readonly model: SpeechModel;
  readonly text: string;
  readonly format: AudioFormat;
  readonly speed?: number | undefined;
  readonly locators?: readonly Locator[] | undefined;
  readonly normalisation?: string | undefined;
}

/** Speaks and charges; the audio is as long as the text says. */
export function speak(
  context: AudioContext,
  { ledger }: Pick<Exchange, 'ledger'>,
  order: SpeechOrder,
  what: string,
): Spoken {
  const voice = findVoice(context, order.voiceId);
  const rules = rulesOf(context, order.locators ?? []);
  if (rules === undefined) {
    refuse(context, 404, 'not_found', 'Pronunciation dictionary or version not found', {
      param: 'pronunciation_dictionary_locators',
    });
  }
  const characters = Array.from(order.text).length;
  const credits = Math.ceil(characters * order.model.creditsPerCharacter);
  charge(context, credits);
  ledger.add({ service: 'audio', operation: what, model: order.model.id, units: credits, usd: 0, items: [order.text] });
  const numbers = order.model.group === 'fast' ? order.normalisation === 'on' : order.normalisation !== 'off';
  const whole = (characters * SECONDS_PER_CHARACTER) / (order.speed ?? voice.settings.speed);
  const seconds = whole * (context.script.speech?.deliveredShare ?? 1);
  return {
    audio: synthesise(order.format, seconds, voice.pitch),
    seconds,
    text: order.text,
    normalised: spokenForm(order.text, order.model, rules, numbers),
    credits,
    pitch: voice.pitch,
  };
}

/** Notes a generation for stitching and, when logging is on, for the history. */
export function remember(
  context: AudioContext,
  order: SpeechOrder,
  spoken: Spoken,
  options: { logged: boolean; complete: boolean; source: 'TTS' | 'Dialogue' | 'STS' },
): string {
  const requestId = context.nextId('request');
  context.generations.set(requestId, {
    madeAt: context.now(),
    model: order.model.id,
    complete: options.complete,
    logged: options.logged,
  });
  if (options.logged) {
    context.history.push({
      id: context.nextId('history'),
      requestId,
      voiceId: order.voiceId,
      modelId: order.model.id,
      text: order.text,
      dateUnix: Math.floor(context.now() / 1000),
      costFrom: context.credits.used - spoken.credits,
      costTo: context.credits.used,
      contentType: 'audio/mpeg',
      audio: spoken.audio,
      source: options.source,
    });
  }
  return requestId;
}

/** Marks a streamed generation as fully read, for only then it may be referred to. */
export function* completing(
  context: AudioContext,
  requestId: string,
  pieces: Iterable<Uint8Array | string>,
): Generator<Uint8Array | string> {
  yield* pieces;
  const generation = context.generations.get(requestId);
  if (generation !== undefined) generation.complete = true;
}
