import type { Exchange, MultipartPart, Reply, Route } from '../contract.ts';
import { flag, integer, list, mapping, number, oneOf, record, text } from '../shape.ts';
import { type AudioContext, charge, counted, operation, plain, refuse } from './context.ts';
import { type PartSpec, type PartValues, readParts } from './parts.ts';
import { onlyQuery } from './reading.ts';
import { type AudioFile, type HeardTurn, inspect } from './transcriber.ts';
import { entitiesOf, formatTranscript, itemsOf, type TranscriptOptions, type WantedFormat } from './transcript.ts';
import { deliver } from './webhook.ts';

const formats = list(
  record({
    format: oneOf('srt', 'txt', 'docx', 'pdf', 'html', 'segmented_json'),
    'include_speakers?': flag,
    'include_timestamps?': flag,
    'max_characters_per_line?': integer(1),
    'segment_on_silence_longer_than_s?': number(0),
    'max_segment_duration_s?': number(0),
    'max_segment_chars?': integer(1),
  }),
  { max: 10 },
);

const parts: Readonly<Record<string, PartSpec>> = {
  model_id: { kind: 'text', required: true },
  file: { kind: 'file' },
  source_url: { kind: 'text', check: text({ pattern: /^https:\/\// }) },
  cloud_storage_url: { kind: 'text', check: text({ pattern: /^https:\/\// }) },
  language_code: { kind: 'text', check: text({ pattern: /^[a-z]{2,3}$/ }) },
  tag_audio_events: { kind: 'boolean' },
  num_speakers: { kind: 'number', check: integer(1, 32) },
  timestamps_granularity: { kind: 'text', check: oneOf('none', 'word', 'character') },
  diarize: { kind: 'boolean' },
  diarization_threshold: { kind: 'number', check: number(0.1, 0.4) },
  // One part with a JSON array, unlike key terms.
  additional_formats: { kind: 'json', check: formats },
  file_format: { kind: 'text', check: oneOf('other', 'pcm_s16le_16') },
  keyterms: { kind: 'text', repeated: true },
  entity_detection: { kind: 'text', repeated: true },
  entity_redaction: { kind: 'text', repeated: true },
  entity_redaction_mode: { kind: 'text' },
  no_verbatim: { kind: 'boolean' },
  detect_speaker_roles: { kind: 'boolean' },
  use_speaker_library: { kind: 'boolean' },
  use_multi_channel: { kind: 'boolean' },
  multichannel_output_style: { kind: 'text', check: oneOf('separate', 'combined') },
  temperature: { kind: 'number', check: number(0, 2) },
  seed: { kind: 'number', check: integer(0, 2_147_483_647) },
  webhook: { kind: 'boolean' },
  webhook_id: { kind: 'text' },
  webhook_metadata: { kind: 'json', check: mapping(() => undefined) },
};

interface StoredTranscript {
  readonly body: Record<string, unknown>;
  polls: number;
}

export function transcriptionRoutes(context: AudioContext): Route[] {
  const transcripts = new Map<string, StoredTranscript>();
  const one = '/v1/speech-to-text/transcripts/{id}';
  const find = (id: string | undefined): StoredTranscript => {
    const stored = transcripts.get(id ?? '');
    if (stored === undefined || stored.polls < (context.script.transcription?.polls ?? 0)) {
      if (stored !== undefined) stored.polls += 1;
      refuse(context, 404, 'not_found', 'Transcript not found', { status: 'transcript_not_found' });
    }
    return stored;
  };
  return [
    operation(context, 'POST', '/v1/speech-to-text', {
      maxBytes: 256 << 20,
      token: 'batch_scribe',
      read: (exchange) => {
        onlyQuery(exchange.request.query, ['enable_logging', 'token']);
        return readParts(exchange, parts);
      },
      handle: (values, exchange) =>
        counted(context, 'transcription', (headers) => transcribe(context, transcripts, values, exchange, headers)),
    }),
    plain(context, 'GET', one, ({ params }) => ({ json: find(params.id).body })),
    plain(context, 'DELETE', one, ({ params }) => {
      find(params.id);
      transcripts.delete(params.id ?? '');
      return { json: { message: 'Delete completed successfully.' } };
    }),
  ];
}

function transcribe(
  context: AudioContext,
  transcripts: Map<string, StoredTranscript>,
  values: PartValues,
  { ledger }: Exchange,
  concurrency: Readonly<Record<string, string>>,
): Reply {
  checkCombinations(context, values);
  const script = context.script.transcription ?? {};
  const file = readFile(values);
  if (file.seconds < 0.1)
    refuse(context, 400, 'invalid_parameters', 'Audio is too short: at least 100 ms', { param: 'file' });
  const multichannel = values.use_multi_channel === true && file.channels > 1 && script.monoAnswer !== true;
  if (values.use_multi_channel === true && file.channels > 5) {
    refuse(context, 400, 'invalid_parameters', 'At most 5 channels', { param: 'use_multi_channel' });
  }
  const minutes = (file.seconds / 60) * (multichannel ? file.channels : 1);
  charge(context, Math.ceil(minutes));
  const model = String(values.model_id);
  ledger.add({ service: 'audio', operation: 'speech-to-text', model, units: minutes, usd: 0, items: [file.filename] });
  const id = context.nextId('transcript');
  const body = {
    ...bodyOf(context, values, file, multichannel),
    transcription_id: id,
    audio_duration_secs: file.seconds,
  };
  const requestId = context.nextId('request');
  const headers = { 'request-id': requestId, ...concurrency };
  transcripts.set(id, { body, polls: 0 });
  if (values.webhook !== true) return { headers, json: body };
  if (script.webhook !== undefined) deliver(context, script.webhook, requestId, values.webhook_metadata, body);
  return {
    status: script.asyncStatus ?? 202,
    headers,
    json: {
      message: 'Request accepted. Transcription result will be sent to the webhook endpoint.',
      request_id: requestId,
      transcription_id: id,
    },
  };
}

function checkCombinations(context: AudioContext, values: PartValues): void {
  const bad = (message: string, param: string, status?: string) =>
    refuse(context, 400, 'invalid_parameters', message, { param, ...(status === undefined ? {} : { status }) });
  if (!context.transcriptionModels.includes(String(values.model_id))) {
    refuse(context, 400, 'unsupported_model', `Model ${String(values.model_id)} is not supported here`, {
      param: 'model_id',
    });
  }
  const sources = ['file', 'source_url', 'cloud_storage_url'].filter((key) => values[key] !== undefined);
  if (sources.length !== 1) bad('Exactly one of file, source_url, cloud_storage_url is needed', 'file');
  if (values.diarization_threshold !== undefined && (values.diarize !== true || values.num_speakers !== undefined)) {
    bad('diarization_threshold needs diarize and excludes num_speakers', 'diarization_threshold');
  }
  if (values.use_multi_channel === true && (values.diarize === true || values.num_speakers !== undefined)) {
    bad('use_multi_channel excludes diarize and num_speakers', 'use_multi_channel');
  }
  if (values.detect_speaker_roles === true && values.diarize !== true)
    bad('detect_speaker_roles needs diarize', 'detect_speaker_roles');
  const terms = (values.keyterms as string[] | undefined) ?? [];
  if (terms.length > 0 && values.model_id !== context.transcriptionModels[0])
    bad('keyterms are for the newest model', 'keyterms');
  if (terms.length > 1_000) bad('at most 1,000 keyterms', 'keyterms');
  for (const term of terms) {
    if (term.length >= 50 || term.split(/\s+/).length > 5)
      bad(`keyterm too long: ${term.slice(0, 60)}`, 'keyterms', 'invalid_keyword_length');
    if (/[<>{}[\]\\]/.test(term)) bad(`keyterm with a forbidden character: ${term}`, 'keyterms');
  }
}

function readFile(values: PartValues): AudioFile {
  const part = values.file as MultipartPart | undefined;
  const address = String(values.source_url ?? values.cloud_storage_url);
  // What lies behind an address is as long as the address says: `…/talk.mp3?seconds=12`.
  const seconds = part === undefined ? Number(new URL(address).searchParams.get('seconds') ?? 30) : 0;
  if (part === undefined) return { bytes: new Uint8Array(), filename: address, seconds, channels: 1, silent: false };
  return inspect(part.bytes, part.filename ?? '', values.file_format === 'pcm_s16le_16');
}

function bodyOf(
  context: AudioContext,
  values: PartValues,
  file: AudioFile,
  multichannel: boolean,
): Record<string, unknown> {
  const script = context.script.transcription ?? {};
  const code = (values.language_code as string | undefined) ?? 'en';
  const turns =
    script.silence === true
      ? []
      : context.transcriber({ ...file, channels: multichannel ? file.channels : 1 }, { languageCode: code });
  const combined = multichannel && values.multichannel_output_style === 'combined';
  const options: TranscriptOptions = {
    languageCode: code,
    granularity: (values.timestamps_granularity as TranscriptOptions['granularity'] | undefined) ?? 'word',
    diarize: values.diarize === true,
    tagEvents: values.tag_audio_events !== false,
    roles: values.detect_speaker_roles === true,
    channels: combined,
    numSpeakers: (values.num_speakers as number | undefined) ?? 32,
  };
  const language = script.longLanguageCodes === true && code === 'en' ? 'eng' : code;
  const one = (own: readonly HeardTurn[], extra: Record<string, unknown>) =>
    oneTranscript(values, own, options, language, script, extra);
  if (!multichannel || combined) return one(turns, {});
  return {
    transcripts: Array.from({ length: file.channels }, (_, channel) =>
      one(
        turns.filter((turn) => turn.channel === channel),
        { channel_index: channel },
      ),
    ),
  };
}

function oneTranscript(
  values: PartValues,
  turns: readonly HeardTurn[],
  options: TranscriptOptions,
  language: string,
  script: Parameters<typeof itemsOf>[2],
  extra: Record<string, unknown>,
): Record<string, unknown> {
  const channel = extra.channel_index as number | undefined;
  const items = itemsOf(turns, options, script).map((item) =>
    // In separate transcripts the speaker is the channel.
    channel === undefined ? item : { ...item, speaker_id: `speaker_${channel}`, channel_index: channel },
  );
  const said = items.map((item) => item.text).join('');
  const kinds = values.entity_detection as string[] | undefined;
  const wanted = values.additional_formats as WantedFormat[] | undefined;
  return {
    language_code: language,
    language_probability: 0.98,
    text: said,
    words: options.granularity === 'none' ? [] : items,
    entities: kinds === undefined ? null : entitiesOf(said, kinds),
    ...(wanted === undefined
      ? {}
      : { additional_formats: wanted.map((format) => formatTranscript(format, said, items)) }),
    ...extra,
  };
}
