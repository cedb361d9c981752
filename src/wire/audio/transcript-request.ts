import { objectOf } from '../../core/arguments.ts';
import { isRecord } from '../../core/records.ts';
import {
  boolean,
  type Check,
  exactlyOne,
  integer,
  list,
  number,
  oneOf,
  partly,
  refuse,
  required,
  text,
  url,
} from '../http/check.ts';
import type { Call, FormPart } from '../http/contract.ts';
import { type AudioContext, chooseModel } from './context.ts';
import type { TranscriptRequest } from './transcript-types.ts';
import { type FieldValue, fieldParts, filePart, jsonPart, repeatedParts } from './upload.ts';

const METADATA_BYTES = 16 * 1_024;

/** Terms to listen for; the realtime socket allows fewer and shorter ones. */
export const keyterms = (most: number, longest = 49): Check =>
  list((field, term) => {
    required(text)(field, term);
    const words = String(term);
    if ([...words].length > longest) refuse(field, `has ${[...words].length} characters, the limit is ${longest}`);
    if (words.trim().split(/\s+/).length > 5) refuse(field, 'has more than 5 words');
    if (/[<>{}[\]\\]/.test(words)) refuse(field, 'holds one of < > { } [ ] \\');
  }, most);

/** What would be refused only after the recording was sent, which may take long. */
const fieldChecks = {
  source_url: url(),
  cloud_storage_url: url(['https']),
  num_speakers: integer(1, 32),
  timestamps_granularity: oneOf(['none', 'word', 'character']),
  file_format: oneOf(['other', 'pcm_s16le_16']),
  multichannel_output_style: oneOf(['separate', 'combined']),
  temperature: number(0, 2),
  seed: integer(0, 2_147_483_647),
  additional_formats: list(partly({ format: required(text) }), 10),
  diarization_threshold: number(0.1, 0.4),
  diarize: boolean,
};

function checkTranscript(context: AudioContext, request: TranscriptRequest): void {
  objectOf(request, 'the request');
  const { file, source_url, cloud_storage_url } = request;
  exactlyOne({ file, source_url, cloud_storage_url });
  partly({ ...fieldChecks, keyterms: keyterms(context.profile.keyterms) })('', request);
  if (request.language_code !== undefined && !/^[a-z]{2,3}$/.test(request.language_code)) {
    refuse('language_code', `"${request.language_code}" is not an ISO 639 code of two or three letters`);
  }
  if (request.diarize !== true) {
    for (const field of ['diarization_threshold', 'detect_speaker_roles'] as const) {
      if (request[field] !== undefined && request[field] !== false) refuse(field, 'needs diarize: true');
    }
  }
  if (request.diarization_threshold !== undefined && request.num_speakers !== undefined) {
    refuse('diarization_threshold', 'goes without num_speakers');
  }
  if (request.use_multi_channel === true) {
    if (request.diarize === true) refuse('diarize', 'goes without use_multi_channel: each channel is a speaker');
    if (request.num_speakers !== undefined) refuse('num_speakers', 'goes without use_multi_channel');
  } else if (request.multichannel_output_style !== undefined) {
    refuse('multichannel_output_style', 'needs use_multi_channel: true');
  }
}

function metadataText(metadata: TranscriptRequest['webhook_metadata']): string | undefined {
  if (metadata === undefined) return undefined;
  const text = typeof metadata === 'string' ? metadata : JSON.stringify(metadata);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    refuse('webhook_metadata', 'is not JSON');
  }
  if (!isRecord(value)) refuse('webhook_metadata', 'is not a JSON object');
  if (new TextEncoder().encode(text).length > METADATA_BYTES) refuse('webhook_metadata', 'is over 16 KB');
  if (depthOf(value) > 2) refuse('webhook_metadata', 'is nested deeper than 2');
  return text;
}

const depthOf = (value: unknown): number =>
  typeof value !== 'object' || value === null ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf));

const listOf = (value: string | readonly string[] | undefined): readonly string[] | undefined =>
  typeof value === 'string' ? [value] : value;

/**
 * The one serialiser of transcript requests. Array fields differ on the wire: every keyterm is a part of its own, all
 * additional formats are one part that holds JSON.
 */
export function prepareTranscript(context: AudioContext, request: TranscriptRequest): Call {
  checkTranscript(context, request);
  const named = chooseModel(context, request.model_id ?? context.profile.defaultTranscriptModel, 'transcript');
  if (named.id === 'scribe_v1') {
    for (const field of ['keyterms', 'no_verbatim'] as const) {
      if (request[field] !== undefined) refuse(field, 'needs scribe_v2');
    }
  }
  objectOf(request, 'the request');
  const { file, keyterms, additional_formats, entity_detection, entity_redaction, webhook_metadata, ...rest } = request;
  const { model_id, enable_logging, token, ...fields } = rest;
  const parts: FormPart[] = [
    { name: 'model_id', value: named.wireId },
    ...fieldParts(fields satisfies Readonly<Record<string, FieldValue>>),
    ...repeatedParts('keyterms', keyterms),
    ...repeatedParts('entity_detection', listOf(entity_detection)),
    ...repeatedParts('entity_redaction', listOf(entity_redaction)),
    ...jsonPart('additional_formats', additional_formats?.length === 0 ? undefined : additional_formats),
    ...fieldParts({ webhook_metadata: metadataText(webhook_metadata) }),
    ...(file === undefined ? [] : [filePart('file', file)]),
  ];
  const inBody = context.profile.placement === 'body';
  return {
    query: { enable_logging: inBody ? undefined : enable_logging, token },
    form: inBody ? [...fieldParts({ enable_logging }), ...parts] : parts,
    attributes: { 'gen_ai.request.model': named.wireId },
  };
}
