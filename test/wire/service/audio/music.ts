import type { Exchange, Reply, Route } from '../contract.ts';
import { anything, type Check, flag, integer, list, Misfit, mapping, oneOf, record, text } from '../shape.ts';
import { type AudioContext, operation } from './context.ts';
import { piecesOf, readFormat, synthesise } from './formats.ts';
import { reading, taking } from './reading.ts';
import { made } from './studio.ts';

const plan: Check = record({
  positive_global_styles: list(text()),
  negative_global_styles: list(text()),
  sections: list(mapping(anything), { min: 1 }),
});

const lengthMs = integer(10_000, 300_000);

const compose: Check = (value, path) => {
  record({
    'prompt?': text({ min: 1 }),
    'composition_plan?': plan,
    'music_length_ms?': lengthMs,
    'model_id?': oneOf('music_v1'),
    'finetune_id?': text(),
    'seed?': integer(0),
    'force_instrumental?': flag,
    'respect_sections_durations?': flag,
    'store_for_inpainting?': flag,
    'sign_with_c2pa?': flag,
    'with_timestamps?': flag,
    'with_waveform_visual?': flag,
  })(value, path);
  const body = value as Record<string, unknown>;
  if ((body.prompt === undefined) === (body.composition_plan === undefined)) {
    throw new Misfit([...path, 'prompt'], 'value_error', 'either prompt or composition_plan');
  }
  if (body.composition_plan !== undefined && body.music_length_ms !== undefined) {
    throw new Misfit([...path, 'music_length_ms'], 'value_error', 'only with prompt');
  }
};

const planning = record({
  prompt: text({ min: 1 }),
  'music_length_ms?': lengthMs,
  'source_composition_plan?': plan,
  'model_id?': oneOf('music_v1'),
});

function planOf(prompt: string, length: number): Record<string, unknown> {
  const section = (name: string) => ({
    section_name: name,
    positive_local_styles: [prompt.slice(0, 40)],
    negative_local_styles: [],
    duration_ms: length / 2,
    lines: [],
  });
  return {
    positive_global_styles: ['calm'],
    negative_global_styles: ['harsh'],
    sections: [section('Intro'), section('Main')],
  };
}

const secondsOf = (body: Readonly<Record<string, unknown>>): number => {
  const sections = (body.composition_plan as { sections?: { duration_ms?: number }[] } | undefined)?.sections;
  const planned = sections?.reduce((sum, { duration_ms: ms = 0 }) => sum + ms, 0);
  return ((body.music_length_ms as number | undefined) ?? planned ?? 20_000) / 1000;
};

export function musicRoutes(context: AudioContext): Route[] {
  const route = (path: string, handle: (body: Record<string, unknown>, exchange: Exchange) => Reply | Promise<Reply>) =>
    operation(context, 'POST', path, { read: reading(compose, ['output_format']), handle });
  const song = () => ({ 'song-id': context.nextId('song') });
  return [
    route('/v1/music', (body, exchange) => made(context, exchange, 'music', secondsOf(body), 500, false, song())),
    route('/v1/music/stream', (body, exchange) => made(context, exchange, 'music', secondsOf(body), 500, true, song())),
    route('/v1/music/detailed', async (body, exchange) => {
      const reply = await made(context, exchange, 'music', secondsOf(body), 500, false, song());
      return mixed(reply, details(body));
    }),
    route('/v1/music/detailed/stream', (body, exchange) => {
      const format = readFormat(context, exchange.request.query.get('output_format'), true);
      const audio = synthesise(format, secondsOf(body), 220);
      const pieces = [...piecesOf(audio, 20_001)].map((piece) => ({
        data: { type: 'audio', audio_base64: Buffer.from(piece).toString('base64') },
      }));
      return { headers: song(), events: [{ data: { type: 'metadata', ...details(body) } }, ...pieces] };
    }),
    taking(context, 'POST', '/v1/music/plan', planning, (body: { prompt: string; music_length_ms?: number }) => ({
      json: planOf(body.prompt, body.music_length_ms ?? 20_000),
    })),
  ];
}

function details(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    composition_plan: body.composition_plan ?? planOf(String(body.prompt), secondsOf(body) * 1000),
    song_metadata: {
      title: 'A song',
      description: 'Made for a test',
      genres: ['ambient'],
      languages: [],
      is_explicit: false,
    },
  };
}

/** `multipart/mixed`: a JSON part, then the audio. */
function mixed(reply: Reply, json: Record<string, unknown>): Reply {
  const boundary = 'song-boundary-7c1f';
  const head = (type: string, extra = '') => `--${boundary}\r\nContent-Type: ${type}\r\n${extra}\r\n`;
  const body = Buffer.concat([
    Buffer.from(`${head('application/json')}${JSON.stringify(json)}\r\n`),
    Buffer.from(head('audio/mpeg', 'Content-Disposition: attachment; filename="song.mp3"\r\n')),
    Buffer.from(reply.bytes ?? ''),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { headers: { ...reply.headers, 'content-type': `multipart/mixed; boundary=${boundary}` }, bytes: body };
}
