import type { Call, FormPart } from '../http/contract.ts';
import { checkChoice, checkList, checkOneOf, checkRange, checkUrl, invalid, requireText } from './check.ts';
import type { AudioContext } from './context.ts';
import { chooseModel } from './context.ts';
import type { TranscriptRequest } from './transcript-types.ts';
import type { FieldValue } from './upload.ts';
import { fieldParts, filePart, jsonPart, repeatedParts } from './upload.ts';

const METADATA_BYTES = 16 * 1_024;

/** Checks that hold whatever the source is. */
function checkTranscript(context: AudioContext, request: TranscriptRequest): void {
  const { file, source_url, cloud_storage_url } = request;
  checkOneOf({ file, source_url, cloud_storage_url });
  checkUrl('source_url', source_url);
  checkUrl('cloud_storage_url', cloud_storage_url, true);
  checkRange('num_speakers', request.num_speakers, 1, 32, true);
  checkChoice('timestamps_granularity', request.timestamps_granularity, ['none', 'word', 'character']);
  checkChoice('file_format', request.file_format, ['other', 'pcm_s16le_16']);
  checkChoice('multichannel_output_style', request.multichannel_output_style, ['separate', 'combined']);
  checkRange('temperature', request.temperature, 0, 2);
  checkRange('seed', request.seed, 0, 2_147_483_647, true);
  checkList('additional_formats', request.additional_formats, 10);
  request.additional_formats?.forEach((format, i) => {
    requireText(`additional_formats[${i}].format`, format.format);
  });
  if (request.language_code !== undefined && !/^[a-z]{2,3}$/.test(request.language_code)) {
    throw invalid('language_code', `"${request.language_code}" is not an ISO 639 code of two or three letters`);
  }
  checkSpeakers(request);
  checkKeyterms(context, request.keyterms);
}

function checkSpeakers(request: TranscriptRequest): void {
  if (request.diarization_threshold !== undefined) {
    checkRange('diarization_threshold', request.diarization_threshold, 0.1, 0.4);
    if (request.diarize !== true) throw invalid('diarization_threshold', 'needs diarize: true');
    if (request.num_speakers !== undefined) throw invalid('diarization_threshold', 'goes without num_speakers');
  }
  if (request.detect_speaker_roles === true && request.diarize !== true) {
    throw invalid('detect_speaker_roles', 'needs diarize: true');
  }
  if (request.use_multi_channel === true) {
    if (request.diarize === true) throw invalid('diarize', 'goes without use_multi_channel: each channel is a speaker');
    if (request.num_speakers !== undefined) throw invalid('num_speakers', 'goes without use_multi_channel');
  } else if (request.multichannel_output_style !== undefined) {
    throw invalid('multichannel_output_style', 'needs use_multi_channel: true');
  }
}

/** Shared with the realtime socket, which allows fewer and shorter ones. */
export function checkKeyterms(
  context: AudioContext,
  terms: readonly string[] | undefined,
  most: number = context.profile.keyterms,
  longest = 49,
): void {
  checkList('keyterms', terms, most);
  terms?.forEach((term, i) => {
    requireText(`keyterms[${i}]`, term);
    if ([...term].length > longest)
      throw invalid(`keyterms[${i}]`, `has ${[...term].length} characters, the limit is ${longest}`);
    if (term.trim().split(/\s+/).length > 5) throw invalid(`keyterms[${i}]`, 'has more than 5 words');
    if (/[<>{}[\]\\]/.test(term)) throw invalid(`keyterms[${i}]`, 'holds one of < > { } [ ] \\');
  });
}

function metadataText(metadata: TranscriptRequest['webhook_metadata']): string | undefined {
  if (metadata === undefined) return undefined;
  const text = typeof metadata === 'string' ? metadata : JSON.stringify(metadata);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('webhook_metadata', 'is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('webhook_metadata', 'is not a JSON object');
  if (new TextEncoder().encode(text).length > METADATA_BYTES) throw invalid('webhook_metadata', 'is over 16 KB');
  if (depthOf(value) > 2) throw invalid('webhook_metadata', 'is nested deeper than 2');
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
      if (request[field] !== undefined) throw invalid(field, 'needs scribe_v2');
    }
  }
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
