import { invalidAnswer, shaped, shapedList, type Where } from '../http/answer.ts';
import type { Transcript, TranscriptBody } from './transcript-types.ts';

const word = { text: 'string', type: 'string', start: 'number?', end: 'number?' } as const;

/** A transcript; one without words (granularity `none`, silence) has an empty list. */
function parseTranscript(where: Where, value: unknown, at?: string): Transcript {
  const body = shaped<Omit<Transcript, 'words'> & { readonly words?: unknown }>(
    where,
    value,
    { text: 'string', additional_formats: 'array?', audio_duration_secs: 'number?' },
    at,
  );
  return { ...body, words: shapedList(where, body.words ?? [], word, at === undefined ? 'words' : `${at}.words`) };
}

const textOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Chooses the shape by the fields that are there, whatever the status: an accepted job may come as 200 too. */
export function parseTranscriptBody(where: Where, value: unknown): TranscriptBody {
  const body = shaped<Readonly<Record<string, unknown>>>(where, value, {});
  const transcription_id = textOr(body.transcription_id);
  if (Array.isArray(body.transcripts)) {
    return {
      kind: 'multichannel',
      transcripts: body.transcripts.map((item, i) => parseTranscript(where, item, `transcripts[${i}]`)),
      transcription_id,
      audio_duration_secs: typeof body.audio_duration_secs === 'number' ? body.audio_duration_secs : undefined,
    };
  }
  if (typeof body.text === 'string') {
    return { kind: 'transcript', transcript: parseTranscript(where, body), transcription_id };
  }
  if (typeof body.message === 'string' || typeof body.request_id === 'string') {
    return {
      kind: 'accepted',
      message: textOr(body.message) ?? '',
      request_id: textOr(body.request_id),
      transcription_id,
    };
  }
  throw invalidAnswer(where, 'the body is neither a transcript, nor several, nor an accepted job');
}
