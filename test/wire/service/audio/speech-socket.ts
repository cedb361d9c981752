import type { Exchange, ServedSocket, SocketRoute } from '../contract.ts';
import { type Check, choose, flag, integer, list, Misfit, nullable, oneOf, record, text } from '../shape.ts';
import { type AudioContext, refuse, type SpeechModel } from './context.ts';
import { type AudioFormat, readFormat } from './formats.ts';
import { checkSettings, findModel, findVoice, type Spoken, speak } from './generate.ts';
import { boolean, checkQuery, numeric, SocketSession } from './socket-session.ts';
import { audioOffset, settingsShape } from './speech.ts';
import { align, type Locator } from './speech-text.ts';

const query: Readonly<Record<string, Check>> = {
  model_id: text({ min: 1 }),
  language_code: text({ pattern: /^[a-z]{2,3}$/ }),
  output_format: text({ min: 1 }),
  enable_logging: boolean,
  enable_ssml_parsing: boolean,
  inactivity_timeout: numeric(integer(1, 180)),
  sync_alignment: boolean,
  auto_mode: boolean,
  apply_text_normalization: oneOf('auto', 'on', 'off'),
  seed: numeric(integer(0, 4_294_967_295)),
  single_use_token: text({ min: 1 }),
  authorization: text({ min: 1 }),
};

const openerFields: Readonly<Record<string, Check>> = {
  text: oneOf(' '),
  'voice_settings?': settingsShape,
  'generation_config?': record({ 'chunk_length_schedule?': list(integer(50, 500), { min: 1 }) }),
  // Here the version cannot be left out.
  'pronunciation_dictionary_locators?': list(
    record({ pronunciation_dictionary_id: text({ min: 1 }), version_id: text({ min: 1 }) }),
    { max: 3 },
  ),
};

const textFields: Readonly<Record<string, Check>> = { text: text(), 'flush?': flag, 'try_trigger_generation?': flag };

const opener = record(openerFields);
const textMessage = record(textFields);
const contextId = text({ min: 1 });
const contextOpener = record({ ...openerFields, context_id: contextId });
const contextMessage = choose((value) => {
  const message = value as Record<string, unknown>;
  if (message.close_socket !== undefined)
    return record({ close_socket: oneOf(true), 'context_id?': nullable(contextId) });
  if (message.close_context !== undefined) return record({ context_id: contextId, close_context: oneOf(true) });
  return record({ ...textFields, 'text?': text(), 'flush?': flag, context_id: contextId });
});

const defaultSchedule = [120, 160, 250, 290];

interface Settings {
  readonly voiceId: string;
  readonly model: SpeechModel;
  readonly format: AudioFormat;
  readonly sync: boolean;
  readonly auto: boolean;
  readonly normalisation: string | undefined;
}

function readSettings(context: AudioContext, exchange: Exchange): Settings {
  checkQuery(exchange, query);
  const { query: given } = exchange.request;
  const model = findModel(context, given.get('model_id') ?? 'voice_multilingual_v2');
  if (!model.socket) refuse(context, 400, 'unsupported_model', `Model ${model.id} is not served over this socket`);
  const voiceId = exchange.params.voice_id ?? '';
  findVoice(context, voiceId);
  return {
    voiceId,
    model,
    format: readFormat(context, given.get('output_format'), true),
    sync: given.get('sync_alignment') === 'true',
    auto: given.get('auto_mode') === 'true',
    normalisation: given.get('apply_text_normalization') ?? undefined,
  };
}

/** Text of one voice on its way to audio: buffered by the schedule, spoken in generations. */
class Utterance {
  readonly #context: AudioContext;
  readonly #exchange: Exchange;
  readonly #settings: Settings;
  readonly #emit: (message: Record<string, unknown>) => void;
  readonly #schedule: readonly number[];
  readonly #locators: readonly Locator[];
  readonly #speed: number | undefined;
  #buffer = '';
  #generations = 0;

  constructor(
    context: AudioContext,
    exchange: Exchange,
    settings: Settings,
    start: Readonly<Record<string, unknown>>,
    emit: (message: Record<string, unknown>) => void,
  ) {
    this.#context = context;
    this.#exchange = exchange;
    this.#settings = settings;
    this.#emit = emit;
    const voice = (start.voice_settings as Record<string, number> | undefined) ?? {};
    checkSettings(context, settings.model, voice);
    const config = start.generation_config as { chunk_length_schedule?: number[] } | undefined;
    this.#schedule = config?.chunk_length_schedule ?? defaultSchedule;
    this.#locators = (start.pronunciation_dictionary_locators as Locator[] | undefined) ?? [];
    this.#speed = voice.speed;
  }

  add(message: Readonly<Record<string, unknown>>): void {
    const said = String(message.text ?? '');
    // One space is the keep-alive.
    if (said !== ' ') this.#buffer += said;
    const threshold = this.#schedule[Math.min(this.#generations, this.#schedule.length - 1)]!;
    const enough =
      this.#buffer.length >= threshold || (message.try_trigger_generation === true && this.#buffer.length >= 50);
    if (message.flush === true || enough || this.#settings.auto) this.flush();
  }

  flush(): void {
    const said = this.#buffer;
    this.#buffer = '';
    if (said.trim() === '') return;
    this.#generations += 1;
    const { voiceId, model, format, sync, normalisation } = this.#settings;
    const order = { voiceId, model, text: said, format, speed: this.#speed, locators: this.#locators, normalisation };
    const spoken = speak(this.#context, this.#exchange, order, 'text-to-speech.stream-input');
    for (const message of audioMessages(this.#context, spoken, format, sync)) this.#emit(message);
  }
}

/** A generation in two messages; times on the first only, unless asked for with every chunk. Relative to the chunk. */
function audioMessages(
  context: AudioContext,
  spoken: Spoken,
  format: AudioFormat,
  sync: boolean,
): Record<string, unknown>[] {
  const middle = audioOffset(format, spoken.audio.length, 0.5);
  const halves = [spoken.audio.subarray(0, middle), spoken.audio.subarray(middle)];
  const characters = Array.from(spoken.text);
  const half = Math.ceil(characters.length / 2);
  const texts = [characters.slice(0, half).join(''), characters.slice(half).join('')];
  return halves.map((audio, at) => {
    const timedText = sync ? texts[at]! : at === 0 ? spoken.text : undefined;
    const alignment =
      timedText === undefined ? null : milliseconds(context, timedText, sync ? spoken.seconds / 2 : spoken.seconds);
    return { audio: Buffer.from(audio).toString('base64'), alignment, normalizedAlignment: alignment, isFinal: null };
  });
}

function milliseconds(context: AudioContext, said: string, seconds: number): Record<string, unknown> {
  const { characters, character_start_times_seconds: starts, character_end_times_seconds: ends } = align(said, seconds);
  const durations = context.script.speech?.olderDurations === true ? 'charsDurationsMs' : 'charDurationsMs';
  return {
    chars: characters,
    charStartTimesMs: starts.map((start) => Math.round(start * 1000)),
    [durations]: starts.map((start, at) => Math.round(ends[at]! * 1000) - Math.round(start * 1000)),
  };
}

function idleMs(exchange: Exchange): number {
  return Number(exchange.request.query.get('inactivity_timeout') ?? 20) * 1000;
}

function openSingle(context: AudioContext, exchange: Exchange, socket: ServedSocket): void {
  const session = new SocketSession(context, exchange, socket, idleMs(exchange));
  let settings: Settings | undefined;
  let utterance: Utterance | undefined;
  session.attempt(() => {
    settings = readSettings(context, exchange);
  });
  session.listen((message, first) => {
    if (settings === undefined) return;
    if (first) {
      opener(message, []);
      utterance = new Utterance(context, exchange, settings, message, (out) => session.send(out));
      return;
    }
    textMessage(message, []);
    if (message.text !== '') {
      utterance?.add(message);
      return;
    }
    utterance?.flush();
    session.send({ audio: null, isFinal: true });
    session.close();
  });
}

function openMulti(context: AudioContext, exchange: Exchange, socket: ServedSocket): void {
  const session = new SocketSession(context, exchange, socket, idleMs(exchange));
  const utterances = new Map<string, Utterance>();
  let settings: Settings | undefined;
  session.attempt(() => {
    settings = readSettings(context, exchange);
  });
  const finish = (id: string, utterance: Utterance) => {
    utterance.flush();
    utterances.delete(id);
    const flagName = context.script.speech?.snakeFinal === true ? 'is_final' : 'isFinal';
    session.send({ audio: null, [flagName]: true, contextId: id });
  };
  session.listen((message) => {
    if (settings === undefined) return;
    if (message.close_socket === true) {
      contextMessage(message, []);
      for (const [id, utterance] of utterances) finish(id, utterance);
      session.close();
      return;
    }
    const id = String(message.context_id ?? '');
    const known = utterances.get(id);
    if (known === undefined) {
      if (message.close_context !== undefined) throw new Misfit(['context_id'], 'value_error', 'unknown context', id);
      contextOpener(message, []);
      utterances.set(
        id,
        new Utterance(context, exchange, settings, message, (out) => session.send({ ...out, contextId: id })),
      );
      return;
    }
    contextMessage(message, []);
    // An empty text keeps the context alive; it does not end it.
    if (message.close_context === true) finish(id, known);
    else known.add(message);
  });
}

export function speechSockets(context: AudioContext): SocketRoute[] {
  const base = '/v1/text-to-speech/{voice_id}';
  return [
    { path: `${base}/stream-input`, open: (exchange, socket) => openSingle(context, exchange, socket) },
    { path: `${base}/multi-stream-input`, open: (exchange, socket) => openMulti(context, exchange, socket) },
  ];
}
