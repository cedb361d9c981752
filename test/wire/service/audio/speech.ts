import type { Exchange, Reply, Route } from '../contract.ts';
import { type Check, flag, integer, list, Misfit, nullable, number, oneOf, record, text } from '../shape.ts';
import { type AudioContext, atLeast, costHeaders, counted, operation, refuse, type SpeechModel } from './context.ts';
import { type AudioFormat, piecesOf, readFormat } from './formats.ts';
import {
  checkSettings,
  completing,
  findModel,
  findVoice,
  remember,
  type SpeechOrder,
  type Spoken,
  speak,
} from './generate.ts';
import { onlyQuery } from './reading.ts';
import { type Alignment, align, type Locator, textPieces } from './speech-text.ts';

const ids = list(text({ min: 1 }), { max: 3 });

const locatorList: Check = list(
  record({ pronunciation_dictionary_id: text({ min: 1 }), 'version_id?': nullable(text({ min: 1 })) }),
  { max: 3 },
);

export const settingsShape: Check = record({
  'stability?': number(0, 1),
  'similarity_boost?': number(0, 1),
  'style?': number(),
  'use_speaker_boost?': flag,
  'speed?': number(),
});

/** Fields of every speaking operation. */
export const speakingFields: Readonly<Record<string, Check>> = {
  'model_id?': text({ min: 1 }),
  'language_code?': text({ pattern: /^[a-z]{2,3}$/ }),
  'seed?': integer(0, 4_294_967_295),
  'pronunciation_dictionary_locators?': locatorList,
  'apply_text_normalization?': oneOf('auto', 'on', 'off'),
};

const fields: Readonly<Record<string, Check>> = {
  ...speakingFields,
  text: text(),
  'voice_settings?': settingsShape,
  'previous_text?': text(),
  'next_text?': text(),
  'previous_request_ids?': ids,
  'next_request_ids?': ids,
  'apply_language_text_normalization?': flag,
  'use_pvc_as_ivc?': flag,
};

/** By switch the two settings of the reference's table stand in the body. */
const bodyPlaced = { ...fields, 'output_format?': text(), 'enable_logging?': flag };

export interface Placed {
  readonly body: Readonly<Record<string, unknown>>;
  readonly format: string | null;
  readonly logging: boolean;
}

/** Body and query of a speaking operation; unknown query keys are refused too. */
export function readPlaced(
  context: AudioContext,
  { request }: Exchange,
  shape: Readonly<Record<string, Check>>,
  extraQuery: readonly string[] = [],
): Placed {
  const inQuery = context.formatPlacement === 'query';
  const known = [...(inQuery ? ['output_format', 'enable_logging'] : []), ...extraQuery];
  onlyQuery(request.query, known);
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    throw new Misfit(['body'], 'model_attributes_type', 'Content-Type must be application/json');
  }
  if (request.body === undefined && request.raw.length > 0)
    refuse(context, 400, 'malformed_json', 'The body is not JSON');
  record(shape)(request.body, ['body']);
  // Checked just above.
  const body = request.body as Record<string, unknown>;
  const logging = inQuery ? request.query.get('enable_logging') : body.enable_logging;
  if (inQuery && logging !== null && logging !== 'true' && logging !== 'false') {
    throw new Misfit(['query', 'enable_logging'], 'bool_parsing', 'Input should be a valid boolean', logging);
  }
  return {
    body,
    format: inQuery ? request.query.get('output_format') : ((body.output_format as string | undefined) ?? null),
    logging: logging !== 'false' && logging !== false,
  };
}

export function speechRoutes(context: AudioContext): Route[] {
  const shape = context.formatPlacement === 'query' ? fields : bodyPlaced;
  const read = (exchange: Exchange) => readPlaced(context, exchange, shape, ['optimize_streaming_latency']);
  const base = '/v1/text-to-speech/{voice_id}';
  const route = (path: string, reply: (made: Made) => Reply, streamed: boolean): Route =>
    operation(context, 'POST', path, {
      read,
      handle: (placed, exchange) => perform(context, placed, exchange, streamed, reply),
    });
  return [
    route(base, ({ headers, spoken }) => audioReply(context, headers, spoken.audio), false),
    route(`${base}/stream`, (made) => streamReply(context, made), true),
    route(
      `${base}/with-timestamps`,
      ({ headers, spoken }) => ({
        headers,
        json: { audio_base64: Buffer.from(spoken.audio).toString('base64'), ...alignments(context, spoken) },
      }),
      false,
    ),
    route(`${base}/stream/with-timestamps`, (made) => timedReply(context, made), true),
  ];
}

interface Made {
  readonly order: SpeechOrder;
  readonly spoken: Spoken;
  readonly requestId: string;
  readonly headers: Readonly<Record<string, string>>;
}

function perform(
  context: AudioContext,
  { body, format, logging }: Placed,
  exchange: Exchange,
  streamed: boolean,
  reply: (made: Made) => Reply,
): Reply | Promise<Reply> {
  const model = findModel(context, (body.model_id as string | undefined) ?? 'voice_multilingual_v2');
  const voiceId = exchange.params.voice_id ?? '';
  findVoice(context, voiceId);
  checkText(context, model, String(body.text));
  const settings = (body.voice_settings as Record<string, unknown> | undefined) ?? {};
  checkSettings(context, model, settings);
  checkStitching(context, model, body, logging);
  checkLogging(context, logging);
  const order: SpeechOrder = {
    voiceId,
    model,
    text: String(body.text),
    format: readFormat(context, format, streamed),
    speed: settings.speed as number | undefined,
    locators: body.pronunciation_dictionary_locators as Locator[] | undefined,
    normalisation: body.apply_text_normalization as string | undefined,
  };
  return counted(context, model.group, (concurrency) => {
    const spoken = speak(context, exchange, order, 'text-to-speech');
    const requestId = remember(context, order, spoken, { logged: logging, complete: !streamed, source: 'TTS' });
    const headers = { 'request-id': requestId, ...costHeaders(context, spoken.credits), ...concurrency };
    return reply({ order, spoken, requestId, headers });
  });
}

function checkText(context: AudioContext, model: SpeechModel, said: string): void {
  if (said.trim() === '') refuse(context, 400, 'empty_text', 'The text is empty', { param: 'text' });
  const length = Array.from(said).length;
  if (length > model.maxCharacters) {
    refuse(context, 400, 'text_too_long', `A maximum of ${model.maxCharacters} characters is allowed, not ${length}`, {
      param: 'text',
    });
  }
}

export function checkLogging(context: AudioContext, logging: boolean): void {
  if (!logging && !atLeast(context.plan, 'enterprise')) {
    refuse(context, 403, 'feature_not_available', 'Zero retention is for enterprise plans', {
      param: 'enable_logging',
    });
  }
}

/** Ids must be of generations that were read to their end, at most two hours ago, with logging on. */
function checkStitching(
  context: AudioContext,
  model: SpeechModel,
  body: Readonly<Record<string, unknown>>,
  logging: boolean,
): void {
  const fields = ['previous_text', 'next_text', 'previous_request_ids', 'next_request_ids'].filter(
    (key) => body[key] !== undefined,
  );
  if (context.dialect === 'public' && !model.stitching && fields[0] !== undefined) {
    refuse(context, 400, 'unsupported_model', `${fields[0]} is not supported by ${model.id}`, { param: fields[0] });
  }
  for (const key of ['previous_request_ids', 'next_request_ids']) {
    for (const id of (body[key] as string[] | undefined) ?? []) {
      const known = context.generations.get(id);
      const usable = known?.complete === true && known.logged && context.now() - known.madeAt <= 2 * 3_600_000;
      if (!usable || !logging)
        refuse(context, 400, 'invalid_parameters', `Request id ${id} cannot be used`, { param: key });
    }
  }
}

/** Every document declares audio/mpeg, whatever the format. */
export function audioReply(context: AudioContext, headers: Readonly<Record<string, string>>, audio: Uint8Array): Reply {
  const bad = context.script.speech?.badAudio;
  if (bad === 'empty') return { headers: { ...headers, 'content-type': 'audio/mpeg' }, bytes: '' };
  if (bad === 'json') return { headers, json: { detail: { status: 'internal_error', message: 'no audio' } } };
  return { headers: { ...headers, 'content-type': 'audio/mpeg' }, bytes: audio };
}

function streamReply(context: AudioContext, { spoken, requestId, headers }: Made): Reply {
  if (context.script.speech?.badAudio !== undefined) return audioReply(context, headers, spoken.audio);
  return {
    headers: { ...headers, 'content-type': 'audio/mpeg' },
    chunks: completing(context, requestId, piecesOf(spoken.audio)),
  };
}

function alignments(
  context: AudioContext,
  spoken: Pick<Spoken, 'text' | 'normalised' | 'seconds'>,
  from = 0,
): { alignment: Alignment | null; normalized_alignment: Alignment | null } {
  const script = context.script.speech ?? {};
  if (script.withoutAlignment === true) return { alignment: null, normalized_alignment: null };
  return {
    alignment: align(spoken.text, spoken.seconds, from, script.freezeAfterSeconds),
    normalized_alignment: align(spoken.normalised, spoken.seconds, from, script.freezeAfterSeconds),
  };
}

/** One JSON object per line. Audio is cut in proportion to the text of each line. */
export function jsonLines(context: AudioContext, lines: Iterable<Record<string, unknown>>): Iterable<string> {
  const { dataPrefix = false, blankLines = false } = context.script.speech ?? {};
  return (function* () {
    for (const line of lines)
      yield `${dataPrefix ? 'data: ' : ''}${JSON.stringify(line)}\n${dataPrefix || blankLines ? '\n' : ''}`;
  })();
}

function timedReply(context: AudioContext, { spoken, requestId, headers, order }: Made): Reply {
  const restart = context.script.speech?.restartTimes === true;
  const pieces = textPieces(spoken.text);
  const total = Array.from(spoken.text).length;
  let said = 0;
  const lines = pieces.map((piece) => {
    const length = Array.from(piece).length;
    const cut = (at: number) => audioOffset(order.format, spoken.audio.length, at / total);
    const audio = spoken.audio.subarray(cut(said), cut(said + length));
    const from = restart ? 0 : (said / total) * spoken.seconds;
    const part = { text: piece, normalised: piece, seconds: (length / total) * spoken.seconds };
    said += length;
    return { audio_base64: Buffer.from(audio).toString('base64'), ...alignments(context, part, from) };
  });
  return {
    headers: { ...headers, 'content-type': 'application/json' },
    chunks: completing(context, requestId, jsonLines(context, lines)),
  };
}

/** PCM is cut on samples here, so that a line is playable by itself. */
export function audioOffset({ codec }: AudioFormat, bytes: number, share: number): number {
  const at = Math.round(bytes * Math.min(1, share));
  return codec === 'pcm' ? at - (at % 2) : at;
}
