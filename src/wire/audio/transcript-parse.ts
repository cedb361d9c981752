import { badAnswer, shaped, shapedList } from './check.ts';
import type { Transcript, TranscriptBody, TranscriptWord } from './transcript-types.ts';

type Named = { readonly name: string };

function parseWord(value: unknown, operation: Named, at: string): TranscriptWord {
  return shaped<TranscriptWord>(
    value,
    operation,
    { text: 'string', type: 'string', start: 'number?', end: 'number?' },
    at,
  );
}

/** A transcript; one without words (granularity `none`, silence) has an empty list. */
export function parseTranscript(value: unknown, operation: Named, at = 'body'): Transcript {
  const body = shaped<Transcript & { readonly words?: unknown }>(
    value,
    operation,
    { text: 'string', words: 'array?', additional_formats: 'array?', audio_duration_secs: 'number?' },
    at,
  );
  const words = (body.words ?? []) as readonly unknown[]; // an array, checked above
  words.forEach((word, i) => {
    parseWord(word, operation, `${at}.words[${i}]`);
  });
  return body.words === undefined || body.words === null ? { ...body, words: [] } : body;
}

const textOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Chooses the shape by the fields that are there, whatever the status: an accepted job may come as 200 too. */
export function parseTranscriptBody(value: unknown, operation: Named): TranscriptBody {
  const body = shaped<Readonly<Record<string, unknown>>>(value, operation, {});
  const transcription_id = textOr(body.transcription_id);
  if (Array.isArray(body.transcripts)) {
    const transcripts = shapedList<unknown>(body.transcripts, operation, {}, 'transcripts');
    return {
      kind: 'multichannel',
      transcripts: transcripts.map((item, i) => parseTranscript(item, operation, `transcripts[${i}]`)),
      transcription_id,
      audio_duration_secs: typeof body.audio_duration_secs === 'number' ? body.audio_duration_secs : undefined,
    };
  }
  if (typeof body.text === 'string') {
    return { kind: 'transcript', transcript: parseTranscript(body, operation), transcription_id };
  }
  if (typeof body.message === 'string' || typeof body.request_id === 'string') {
    return {
      kind: 'accepted',
      message: textOr(body.message) ?? '',
      request_id: textOr(body.request_id),
      transcription_id,
    };
  }
  throw badAnswer(operation, 'the body is neither a transcript, nor several, nor an accepted job');
}
