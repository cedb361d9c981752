import type { Exchange, MultipartPart, Reply, Route } from '../contract.ts';
import {
  anything,
  type Check,
  flag,
  integer,
  isRecord,
  list,
  Misfit,
  mapping,
  number,
  record,
  tagged,
  text,
} from '../shape.ts';
import { type AudioContext, charge, costHeaders, counted, operation, refuse } from './context.ts';
import { piecesOf, readFormat, synthesise } from './formats.ts';
import { findModel, findVoice } from './generate.ts';
import { type PartSpec, readParts } from './parts.ts';
import { onlyQuery, reading } from './reading.ts';
import { inspect } from './transcriber.ts';
import { voiceView } from './voices.ts';

const sound = record({
  text: text({ min: 1 }),
  'duration_seconds?': number(0.5, 30),
  'prompt_influence?': number(0, 1),
  'loop?': flag,
  'model_id?': text(),
});

const audioPart: Readonly<Record<string, PartSpec>> = {
  audio: { kind: 'file', required: true },
  file_format: { kind: 'text' },
};

const designShape: Check = (value, path) => {
  record({
    voice_description: text({ min: 20, max: 1000 }),
    'text?': text({ min: 100, max: 1000 }),
    'auto_generate_text?': flag,
    'model_id?': text(),
    'loudness?': number(-1, 1),
    'quality?': number(-1, 1),
    'seed?': integer(0, 2_147_483_647),
    'guidance_scale?': number(0, 100),
    'should_enhance?': flag,
    'stream_previews?': flag,
    'reference_audio_base64?': text(),
    'prompt_strength?': number(0, 1),
  })(value, path);
  const body = value as Record<string, unknown>;
  if (body.text === undefined && body.auto_generate_text !== true) {
    throw new Misfit([...path, 'text'], 'missing', 'text or auto_generate_text is needed');
  }
};

const created = record({
  voice_name: text({ min: 1 }),
  voice_description: text({ min: 20, max: 1000 }),
  generated_voice_id: text({ min: 1 }),
  'labels?': mapping(text()),
  'played_not_selected_voice_ids?': list(text()),
});

const podcastSource = tagged('type', { text: { text: text({ min: 1 }) }, url: { url: text({ min: 1 }) } });

const podcast = record({
  model_id: text({ min: 1 }),
  mode: tagged('type', {
    conversation: { conversation: record({ host_voice_id: text({ min: 1 }), guest_voice_id: text({ min: 1 }) }) },
    bulletin: { bulletin: record({ host_voice_id: text({ min: 1 }) }) },
  }),
  source: (value, path) => (Array.isArray(value) ? list(podcastSource, { min: 1 }) : podcastSource)(value, path),
  'quality_preset?': text(),
  'duration_scale?': text({ pattern: /^(short|default|long)$/ }),
  'intro?': text(),
  'outro?': text(),
  'language?': text({ pattern: /^[a-z]{2}$/ }),
  'instructions_prompt?': text(),
  'highlights?': list(text()),
  'callback_url?': text(),
  'apply_text_normalization?': anything,
});

export function studioRoutes(context: AudioContext): Route[] {
  const designs = new Set<string>();
  const voicePath = '/v1/speech-to-speech/{voice_id}';
  return [
    operation(context, 'POST', '/v1/sound-generation', {
      read: reading(sound, ['output_format']),
      handle: (body, exchange) => {
        const seconds = (body.duration_seconds as number | undefined) ?? 3;
        return made(context, exchange, 'sound-generation', seconds, 100, false);
      },
    }),
    operation(context, 'POST', '/v1/forced-alignment', {
      maxBytes: 256 << 20,
      read: (exchange) =>
        readParts(exchange, { file: { kind: 'file', required: true }, text: { kind: 'text', required: true } }),
      handle: (values) => forcedAlignment(values.file as MultipartPart, String(values.text)),
    }),
    ...[voicePath, `${voicePath}/stream`].map((path) =>
      operation(context, 'POST', path, {
        read: (exchange) => {
          onlyQuery(exchange.request.query, ['output_format', 'enable_logging', 'optimize_streaming_latency']);
          return readParts(exchange, {
            ...audioPart,
            model_id: { kind: 'text' },
            voice_settings: { kind: 'json' },
            seed: { kind: 'number', check: integer(0, 4_294_967_295) },
            remove_background_noise: { kind: 'boolean' },
          });
        },
        handle: (values, exchange) => {
          findVoice(context, exchange.params.voice_id ?? '');
          if (values.model_id !== undefined) findModel(context, String(values.model_id));
          const { seconds } = inspect((values.audio as MultipartPart).bytes, '', false);
          return made(
            context,
            exchange,
            'speech-to-speech',
            seconds,
            Math.ceil(seconds * 16),
            path.endsWith('/stream'),
          );
        },
      }),
    ),
    ...['/v1/audio-isolation', '/v1/audio-isolation/stream'].map((path) =>
      operation(context, 'POST', path, {
        read: (exchange) => readParts(exchange, { ...audioPart, preview_b64: { kind: 'text' } }),
        handle: (values, exchange) => {
          const { seconds } = inspect((values.audio as MultipartPart).bytes, '', false);
          return made(context, exchange, 'audio-isolation', seconds, Math.ceil(seconds * 16), path.endsWith('/stream'));
        },
      }),
    ),
    operation(context, 'POST', '/v1/text-to-voice/design', {
      read: reading(designShape, ['output_format']),
      handle: (body, exchange) => {
        const format = readFormat(context, exchange.request.query.get('output_format'), false);
        const said =
          (body.text as string | undefined) ??
          `This is how I sound. ${String(body.voice_description)}`.padEnd(100, ' .');
        const previews = [0, 1, 2].map((at) => {
          const id = context.nextId('preview');
          designs.add(id);
          return {
            audio_base_64: Buffer.from(synthesise(format, 2, 150 + 40 * at)).toString('base64'),
            generated_voice_id: id,
            media_type: 'audio/mpeg',
            duration_secs: 2,
            language: 'en',
          };
        });
        charge(context, said.length);
        return { json: { previews, text: said } };
      },
    }),
    operation(context, 'POST', '/v1/text-to-voice', {
      read: reading(created, []),
      handle: (body) => {
        if (!designs.delete(String(body.generated_voice_id))) {
          refuse(context, 404, 'voice_not_found', 'No such preview', { param: 'generated_voice_id' });
        }
        const voice = context.voices.add({
          id: context.nextId('voice'),
          name: String(body.voice_name),
          category: 'generated',
          description: String(body.voice_description),
          labels: (body.labels as Record<string, string> | undefined) ?? {},
        });
        return { json: voiceView(voice) };
      },
    }),
    operation(context, 'POST', '/v1/studio/podcasts', {
      read: reading(podcast, []),
      handle: (body) => createPodcast(context, body),
    }),
  ];
}

/** Sound of a length, charged a number of credits. */
export function made(
  context: AudioContext,
  exchange: Exchange,
  what: string,
  seconds: number,
  credits: number,
  streamed: boolean,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const format = readFormat(context, exchange.request.query.get('output_format'), streamed);
  return counted(context, 'standard', (concurrency) => {
    charge(context, credits);
    exchange.ledger.add({ service: 'audio', operation: what, units: credits, usd: 0 });
    const audio = synthesise(format, seconds, 220);
    const all = {
      'content-type': 'audio/mpeg',
      'request-id': context.nextId('request'),
      ...costHeaders(context, credits),
      ...concurrency,
      ...headers,
    };
    return streamed ? { headers: all, chunks: piecesOf(audio) } : { headers: all, bytes: audio };
  });
}

function forcedAlignment(file: MultipartPart, said: string): Reply {
  const { seconds } = inspect(file.bytes, file.filename ?? '', false);
  const characters = Array.from(said);
  const each = seconds / Math.max(1, characters.length);
  const time = (at: number) => Math.round(at * each * 1000) / 1000;
  const words = [...said.matchAll(/\S+/g)].map((match) => ({
    text: match[0],
    start: time(match.index),
    end: time(match.index + match[0].length),
    loss: 0.02,
  }));
  return {
    json: {
      characters: characters.map((character, at) => ({ text: character, start: time(at), end: time(at + 1) })),
      words,
      loss: 0.02,
    },
  };
}

function createPodcast(context: AudioContext, body: Readonly<Record<string, unknown>>): Reply {
  findModel(context, String(body.model_id));
  const mode = body.mode as Record<string, unknown>;
  const inner = mode[String(mode.type)];
  if (isRecord(inner)) for (const id of Object.values(inner)) findVoice(context, String(id));
  return {
    json: {
      project: {
        project_id: context.nextId('project'),
        name: 'Podcast',
        state: 'creating',
        creation_meta: { status: 'pending', creation_progress: 0, type: 'generate_podcast' },
      },
    },
  };
}
