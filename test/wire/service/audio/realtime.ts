import type { Exchange, ServedSocket, SocketRoute } from '../contract.ts';
import { type Check, flag, integer, isRecord, Misfit, number, oneOf, record, text } from '../shape.ts';
import { type AudioContext, useToken } from './context.ts';
import { boolean, checkQuery, numeric } from './socket-session.ts';
import { itemsOf } from './transcript.ts';

const rates: Readonly<Record<string, number>> = {
  pcm_8000: 16_000,
  pcm_16000: 32_000,
  pcm_22050: 44_100,
  pcm_24000: 48_000,
  pcm_44100: 88_200,
  pcm_48000: 96_000,
  ulaw_8000: 8_000,
};

const duration = numeric(integer(50, 2000));

const input = record({
  message_type: oneOf('input_audio_chunk'),
  audio_base_64: text(),
  'commit?': flag,
  'sample_rate?': integer(8000, 48_000),
  'previous_text?': text(),
});

/** Seconds of audio a commit needs. */
const SHORTEST_COMMIT = 0.3;

function open(context: AudioContext, exchange: Exchange, socket: ServedSocket): void {
  const { query, headers } = exchange.request;
  const script = context.script.transcription ?? {};
  let ended = false;
  const send = (message: Record<string, unknown>) => socket.send(JSON.stringify(message));
  const end = (type: string, error: string) => {
    ended = true;
    send({ message_type: type, error });
    socket.close(1008, type);
  };
  const token = query.get('token');
  const key = headers[context.keyHeader];
  const known =
    key !== undefined ? context.apiKeys.has(key) : token !== null && useToken(context, token, 'realtime_scribe');
  if (!known) {
    end('auth_error', 'You must be authenticated to use this endpoint.');
    return;
  }
  const checks: Readonly<Record<string, Check>> = {
    model_id: oneOf(context.realtimeModel),
    audio_format: oneOf(...Object.keys(rates)),
    language_code: text({ pattern: /^[a-z]{2,3}$/ }),
    commit_strategy: oneOf('manual', 'vad'),
    vad_silence_threshold_secs: numeric(number(0.3, 3)),
    vad_threshold: numeric(number(0.1, 0.9)),
    min_speech_duration_ms: duration,
    min_silence_duration_ms: duration,
    include_timestamps: boolean,
    include_language_detection: boolean,
    keyterms: text({ min: 1, max: 20 }),
    no_verbatim: boolean,
    enable_logging: boolean,
    token: text(),
  };
  try {
    checkQuery(exchange, checks);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    end('input_error', `${error.field}: ${error.message}`);
    return;
  }
  const format = query.get('audio_format') ?? 'pcm_16000';
  const language = query.get('language_code') ?? 'en';
  const timestamps = query.get('include_timestamps') === 'true';
  const vad = query.get('commit_strategy') === 'vad';
  let seconds = 0;
  let first = true;
  let committed = '';
  send({
    message_type: 'session_started',
    session_id: context.nextId('session'),
    config: {
      model_id: context.realtimeModel,
      audio_format: format,
      sample_rate: Number(format.split('_')[1]),
      language_code: language,
      commit_strategy: vad ? 'vad' : 'manual',
      include_timestamps: timestamps,
    },
  });

  const hear = (length: number) => {
    const turns = context.transcriber(
      { bytes: new Uint8Array(), filename: 'realtime', seconds: length, channels: 1, silent: false },
      { languageCode: language },
    );
    const options = {
      languageCode: language,
      granularity: 'word',
      diarize: false,
      tagEvents: true,
      roles: false,
      channels: false,
      numSpeakers: 1,
    } as const;
    const words = itemsOf(turns, options, script);
    return { words, text: words.map((word) => word.text).join('') };
  };

  const commit = () => {
    if (seconds < SHORTEST_COMMIT) {
      return send({
        message_type: 'commit_throttled',
        error: `Commit with ${Math.round(seconds * 1000)} ms of audio; at least 300 ms are needed.`,
      });
    }
    const { words, text: heard } = hear(seconds);
    const said = script.repeatCommit === true && committed !== '' ? committed : heard;
    committed = said;
    exchange.ledger.add({
      service: 'audio',
      operation: 'speech-to-text.realtime',
      model: context.realtimeModel,
      units: seconds / 60,
      usd: 0,
    });
    seconds = 0;
    send({ message_type: 'committed_transcript', text: said });
    if (timestamps) {
      send({ message_type: 'committed_transcript_with_timestamps', text: said, language_code: language, words });
    }
  };

  socket.onMessage((raw) => {
    if (ended) return;
    let message: unknown;
    try {
      message = typeof raw === 'string' ? JSON.parse(raw) : undefined;
      input(message, []);
    } catch (error) {
      if (error instanceof Misfit || error instanceof SyntaxError) return end('input_error', error.message);
      throw error;
    }
    if (!isRecord(message)) return;
    if (message.previous_text !== undefined && !first)
      return end('input_error', 'previous_text is for the first chunk only');
    first = false;
    const audio = Buffer.from(String(message.audio_base_64), 'base64');
    seconds += audio.length / rates[format]!;
    if (script.realtimeError !== undefined) return end(script.realtimeError, 'scripted');
    // Silence ends a phrase when voice activity decides.
    const quiet = vad && audio.length > 0 && audio.every((byte) => byte === 0);
    if (audio.length > 0 && !quiet) send({ message_type: 'partial_transcript', text: hear(seconds).text });
    if (message.commit === true || quiet || seconds >= 90) commit();
  });
}

export function realtimeSockets(context: AudioContext): SocketRoute[] {
  return [{ path: '/v1/speech-to-text/realtime', open: (exchange, socket) => open(context, exchange, socket) }];
}
