import { objectOf } from '../../core/arguments.ts';
import { shaped, shapedList, type Where } from '../http/answer.ts';
import type { FormPart, StreamReply } from '../http/contract.ts';
import { ask } from '../http/endpoint.ts';
import { quantityOf, textOf } from './read.ts';
import type { CommonContext } from './routes.ts';
import type {
  CommonCallOptions,
  SpeechRequest,
  Transcription,
  TranscriptionRequest,
  TranscriptionSegment,
  TranscriptionWord,
} from './types.ts';

export function commonTranscribe({ transport, routes }: CommonContext) {
  return async (request: TranscriptionRequest, options: CommonCallOptions = {}): Promise<Transcription> => {
    const { extraBody = {}, ...rest } = options;
    const form = [...partsOf(request), ...fieldsOf(extraBody)];
    const { reply, where } = await routes.first('transcribe', ({ transcribe: operation }) => ({
      operation,
      send: () => ask({ wiring: { transport, profile: undefined }, operation, call: { form, options: rest } }),
    }));
    const body = shaped<Record<string, unknown>>(where, reply.body, { text: 'string' });
    return {
      text: String(body.text),
      language: textOf(body.language),
      duration: quantityOf(body.duration),
      words: timed<TranscriptionWord>(where, 'words', body.words, 'word'),
      segments: timed<TranscriptionSegment>(where, 'segments', body.segments, 'text'),
    };
  };
}

function partsOf(request: TranscriptionRequest): FormPart[] {
  objectOf(request, 'the request');
  const { model, file, filename, type, language, prompt, temperature, times = ['segment', 'word'] } = request;
  return [
    { name: 'file', file, filename, type: type ?? 'application/octet-stream' },
    ...fieldsOf({
      model,
      language,
      prompt,
      temperature,
      response_format: times.length > 0 ? 'verbose_json' : 'json',
      'timestamp_granularities[]': times,
    }),
  ];
}

/** One part for each value; a list repeats its name. */
const fieldsOf = (fields: Readonly<Record<string, unknown>>): FormPart[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => ({ name, value: String(one) })),
  );

function timed<T>(where: Where, at: string, list: unknown, field: 'word' | 'text'): readonly T[] {
  if (list === undefined || list === null) return [];
  return shapedList<T>(where, list, { [field]: 'string', start: 'number', end: 'number' }, at);
}

/** Sound as it is made. */
export function commonSpeech({ transport, routes }: CommonContext) {
  return (request: SpeechRequest, options: CommonCallOptions = {}): Promise<StreamReply<Uint8Array>> => {
    const { extraBody, ...rest } = options;
    return routes.first('speech', ({ speech: operation }) => ({
      operation,
      send: () => transport.bytes(operation, { json: { ...request, ...extraBody }, options: rest }),
    }));
  };
}
