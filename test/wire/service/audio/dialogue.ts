import type { Exchange, Reply, Route } from '../contract.ts';
import { type Check, flag, list, number, record, text } from '../shape.ts';
import { type AudioContext, costHeaders, counted, operation, refuse } from './context.ts';
import { piecesOf, readFormat, synthesise } from './formats.ts';
import { checkSettings, completing, findModel, findVoice, remember, type Spoken, speak } from './generate.ts';
import { audioReply, checkLogging, jsonLines, type Placed, readPlaced, speakingFields } from './speech.ts';
import { align, type Locator } from './speech-text.ts';

/** Limits of one script. The reference gives the model's own limit; the public service takes less. */
const dialogueLimits = { characters: { reference: 5_000, public: 2_000 }, voices: 10 } as const;

const fields: Readonly<Record<string, Check>> = {
  ...speakingFields,
  inputs: list(record({ text: text(), voice_id: text({ min: 1 }) }), { min: 1 }),
  'settings?': record({ 'stability?': number(0, 1), 'use_speaker_boost?': flag }),
};

export interface Turn {
  readonly text: string;
  readonly voice_id: string;
}

export interface SpokenTurn {
  readonly turn: Turn;
  readonly spoken: Spoken;
  readonly fromSeconds: number;
}

export function dialogueRoutes(context: AudioContext): Route[] {
  const base = '/v1/text-to-dialogue';
  const shape =
    context.formatPlacement === 'query' ? fields : { ...fields, 'output_format?': text(), 'enable_logging?': flag };
  const route = (path: string, reply: (made: Made) => Reply, streamed: boolean): Route =>
    operation(context, 'POST', path, {
      read: (exchange) => readPlaced(context, exchange, shape),
      handle: (placed, exchange) => perform(context, placed, exchange, streamed, reply),
    });
  return [
    route(base, ({ headers, audio }) => audioReply(context, headers, audio), false),
    route(
      `${base}/stream`,
      ({ headers, audio, requestId }) => ({
        headers: { ...headers, 'content-type': 'audio/mpeg' },
        chunks: completing(context, requestId, piecesOf(audio)),
      }),
      true,
    ),
    route(
      `${base}/with-timestamps`,
      (made) => ({ headers: made.headers, json: timed(context, made.turns, made.audio, 0) }),
      false,
    ),
    route(
      `${base}/stream/with-timestamps`,
      ({ headers, turns, requestId }) => {
        const lines = turns.map((turn, at) => timed(context, [turn], turn.spoken.audio, at));
        return {
          headers: { ...headers, 'content-type': 'application/json' },
          chunks: completing(context, requestId, jsonLines(context, lines)),
        };
      },
      true,
    ),
  ];
}

interface Made {
  readonly turns: readonly SpokenTurn[];
  readonly audio: Uint8Array;
  readonly requestId: string;
  readonly headers: Readonly<Record<string, string>>;
}

function perform(
  context: AudioContext,
  { body, format: wanted, logging }: Placed,
  exchange: Exchange,
  streamed: boolean,
  reply: (made: Made) => Reply,
): Reply | Promise<Reply> {
  const model = findModel(context, (body.model_id as string | undefined) ?? 'voice_v3');
  if (!model.v3)
    refuse(context, 400, 'unsupported_model', `Dialogue is not supported by ${model.id}`, { param: 'model_id' });
  const inputs = body.inputs as Turn[];
  checkTurns(context, inputs);
  checkSettings(context, model, (body.settings as Record<string, unknown> | undefined) ?? {});
  checkLogging(context, logging);
  const format = readFormat(context, wanted, streamed);
  return counted(context, model.group, (concurrency) => {
    let at = 0;
    const locators = body.pronunciation_dictionary_locators as Locator[] | undefined;
    const turns = inputs.map((turn): SpokenTurn => {
      const order = { voiceId: turn.voice_id, model, text: turn.text, format, locators };
      const spoken = speak(context, exchange, order, 'text-to-dialogue');
      const fromSeconds = at;
      at += spoken.seconds;
      return { turn, spoken, fromSeconds };
    });
    // Joined WAV files would carry a header per turn.
    const audio =
      format.codec === 'wav'
        ? synthesise(format, at, turns[0]!.spoken.pitch)
        : Buffer.concat(turns.map(({ spoken }) => spoken.audio));
    const credits = turns.reduce((sum, { spoken }) => sum + spoken.credits, 0);
    const requestId = remember(
      context,
      { voiceId: inputs[0]!.voice_id, model, text: inputs.map((turn) => turn.text).join('\n'), format },
      { ...turns[0]!.spoken, audio, credits },
      { logged: logging, complete: !streamed, source: 'Dialogue' },
    );
    return reply({
      turns,
      audio,
      requestId,
      headers: { 'request-id': requestId, ...costHeaders(context, credits), ...concurrency },
    });
  });
}

function checkTurns(context: AudioContext, inputs: readonly Turn[]): void {
  if (new Set(inputs.map((turn) => turn.voice_id)).size > dialogueLimits.voices) {
    refuse(context, 400, 'invalid_parameters', `At most ${dialogueLimits.voices} voices`, { param: 'inputs' });
  }
  for (const turn of inputs) {
    if (turn.text.trim() === '') refuse(context, 400, 'empty_text', 'A line is empty', { param: 'inputs' });
    findVoice(context, turn.voice_id);
  }
  const characters = inputs.reduce((sum, turn) => sum + Array.from(turn.text).length, 0);
  const most = dialogueLimits.characters[context.dialect];
  if (characters > most) {
    refuse(context, 400, 'text_too_long', `A maximum of ${most} characters is allowed, not ${characters}`, {
      param: 'inputs',
    });
  }
}

/** Audio with times and the part of each line; `first` is the position of the first turn in the request. */
function timed(
  context: AudioContext,
  turns: readonly SpokenTurn[],
  audio: Uint8Array,
  first: number,
): Record<string, unknown> {
  const { freezeAfterSeconds, withoutAlignment } = context.script.speech ?? {};
  const aligned = turns.map(({ spoken, fromSeconds }) =>
    align(spoken.text, spoken.seconds, fromSeconds, freezeAfterSeconds),
  );
  let character = 0;
  const segments = turns.map(({ turn, spoken }, at) => {
    const { characters, character_start_times_seconds: starts, character_end_times_seconds: ends } = aligned[at]!;
    const start = character;
    character += characters.length;
    return {
      voice_id: turn.voice_id,
      start_time_seconds: starts[0] ?? 0,
      end_time_seconds: ends.at(-1) ?? spoken.seconds,
      character_start_index: start,
      character_end_index: character,
      dialogue_input_index: first + at,
    };
  });
  return {
    audio_base64: Buffer.from(audio).toString('base64'),
    alignment:
      withoutAlignment === true
        ? null
        : {
            characters: aligned.flatMap(({ characters }) => characters),
            character_start_times_seconds: aligned.flatMap((part) => part.character_start_times_seconds),
            character_end_times_seconds: aligned.flatMap((part) => part.character_end_times_seconds),
          },
    normalized_alignment: null,
    voice_segments: segments,
  };
}
