import type { Exchange, ServedSocket, SocketRoute } from '../contract.ts';
import { type Check, flag, list, Misfit, number, oneOf, record, text } from '../shape.ts';
import { type AudioContext, refuse, type SpeechModel } from './context.ts';
import { type AudioFormat, readFormat } from './formats.ts';
import { checkSettings, findModel, findVoice, speak } from './generate.ts';
import { boolean, checkQuery, SocketSession } from './socket-session.ts';
import { align } from './speech-text.ts';

/** This socket's limit cannot be set. */
const IDLE_MS = 20_000;

const query: Readonly<Record<string, Check>> = {
  model_id: text({ min: 1 }),
  output_format: text({ min: 1 }),
  sync_alignment: boolean,
  single_use_token: text({ min: 1 }),
};

const opener = record({
  voices: list(text({ min: 1 }), { min: 1, max: 10 }),
  'voice_settings?': record({ 'stability?': number(0, 1), 'use_speaker_boost?': flag }),
});

const later = record({
  'inputs?': list(record({ text: text(), voice_id: text({ min: 1 }), 'new_turn?': flag }), { min: 1 }),
  'flush?': flag,
  'keep_alive?': flag,
  'close_socket?': oneOf(true),
});

interface Line {
  readonly text: string;
  readonly voice_id: string;
  readonly new_turn?: boolean;
}

function open(context: AudioContext, exchange: Exchange, socket: ServedSocket): void {
  const session = new SocketSession(context, exchange, socket, IDLE_MS);
  const { query: given } = exchange.request;
  let model: SpeechModel | undefined;
  let format: AudioFormat | undefined;
  let voices: readonly string[] = [];
  let buffer: Line[] = [];
  session.attempt(() => {
    checkQuery(exchange, query);
    model = findModel(context, given.get('model_id') ?? 'voice_v3');
    if (!model.v3) refuse(context, 400, 'unsupported_model', `Dialogue is not supported by ${model.id}`);
    format = readFormat(context, given.get('output_format'), true);
  });

  const speakAll = () => {
    if (model === undefined || format === undefined) return;
    const turns = joinTurns(buffer);
    buffer = [];
    for (const [at, turn] of turns.entries()) {
      const order = { voiceId: turn.voice_id, model, text: turn.text, format };
      const spoken = speak(context, exchange, order, 'text-to-dialogue.stream-input');
      const times = align(spoken.text, spoken.seconds);
      session.send({
        audio: Buffer.from(spoken.audio).toString('base64'),
        alignment: {
          chars: times.characters,
          char_start_times_ms: times.character_start_times_seconds.map((start) => Math.round(start * 1000)),
          char_durations_ms: times.character_start_times_seconds.map((start, character) =>
            Math.round((times.character_end_times_seconds[character]! - start) * 1000),
          ),
        },
        is_final_audio_for_turn: at < turns.length - 1,
        is_final: false,
      });
    }
  };

  session.listen((message, first) => {
    if (model === undefined) return;
    if (first) {
      opener(message, []);
      voices = message.voices as string[];
      for (const voice of voices) findVoice(context, voice);
      checkSettings(context, model, (message.voice_settings as Record<string, unknown> | undefined) ?? {});
      return;
    }
    later(message, []);
    for (const line of (message.inputs as Line[] | undefined) ?? []) {
      if (!voices.includes(line.voice_id)) {
        throw new Misfit(['inputs'], 'value_error', `voice ${line.voice_id} was not announced`, line.voice_id);
      }
      buffer.push(line);
    }
    if (message.flush === true || buffer.reduce((sum, line) => sum + line.text.length, 0) > 250) speakAll();
    if (message.close_socket !== true) return;
    speakAll();
    session.send({ audio: null, alignment: null, is_final_audio_for_turn: true, is_final: true });
    session.close();
  });
}

/** Lines of one voice go on its turn, unless a new turn is asked for. */
function joinTurns(lines: readonly Line[]): Line[] {
  const turns: { text: string; voice_id: string }[] = [];
  for (const line of lines) {
    const last = turns.at(-1);
    if (last !== undefined && last.voice_id === line.voice_id && line.new_turn !== true) last.text += line.text;
    else turns.push({ text: line.text, voice_id: line.voice_id });
  }
  return turns.filter((turn) => turn.text.trim() !== '');
}

export function dialogueSockets(context: AudioContext): SocketRoute[] {
  return [{ path: '/v1/text-to-dialogue/stream-input', open: (exchange, socket) => open(context, exchange, socket) }];
}
