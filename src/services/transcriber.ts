import { numberOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import type { Sound, TranscribeCall, Transcriber, TranscriberReply } from '../transcribe/contract.ts';
import { transcriptOfJson } from '../transcribe/json.ts';
import type { AudioService } from '../wire/audio/index.ts';
import { transcriptSurcharges } from '../wire/audio/prices.ts';
import type { TranscriptBody } from '../wire/audio/transcript-types.ts';
import { poll } from '../wire/http/poll.ts';

export interface ServiceTranscriberOptions {
  /** @default the newest of the service */
  readonly model?: string | undefined;
  /** Price of an hour of sound in the plan of the key, in USD. @default unknown: the reference has no price */
  readonly usdPerHour?: number | undefined;
  /**
   * Ask, and fetch the answer later: for recordings of more than two and a half hours in one piece. Needs a webhook in
   * the account. A run that is killed fetches what it had asked for. @default false
   */
  readonly asynchronous?: boolean | undefined;
  /** First pause between two looks for a later answer, in ms. @default 5_000 */
  readonly pollMs?: number | undefined;
}

const DEFAULT_MODEL = 'scribe_v2';
/** It knows no key terms, and refuses a request that has some. */
const FIRST_MODEL = 'scribe_v1';
/** The smaller of the two sizes that the service's documents give. */
const MOST_BYTES = 3e9;
/** The answer of a request comes within ten minutes, at twenty times real time at least: with room to spare. */
const AT_ONCE_SECONDS = 9_000;
const LATER_SECONDS = 36_000;
const CHANNELS_SECONDS = 3_600;
const SLOWEST_SPEED = 20;
const LEAST_WAIT_MS = 10 * 60_000;

/** The transcripts of the audio service behind the `Transcriber` contract: words with times, speakers and sounds. */
export function serviceTranscriber(service: AudioService, options: ServiceTranscriberOptions = {}): Transcriber {
  const { usdPerHour, asynchronous = false } = options;
  if (usdPerHour !== undefined) numberOf(usdPerHour, 'usdPerHour', 0);
  const { model = DEFAULT_MODEL } = options;
  const seconds = asynchronous ? LATER_SECONDS : AT_ONCE_SECONDS;
  return {
    id: model,
    limits: { bytes: MOST_BYTES, seconds, multichannelSeconds: CHANNELS_SECONDS },
    price: (hasKeyterms) =>
      usdPerHour === undefined
        ? undefined
        : usdPerHour * (1 + (hasKeyterms && model !== FIRST_MODEL ? transcriptSurcharges.keyterms! : 0)),
    transcribe: (sound, call) => transcribe(service, model, sound, call, options),
  };
}

async function transcribe(
  service: AudioService,
  model: string,
  sound: Sound,
  { language, speakers, multichannel = false, keyterms, ticket, onTicket, signal }: TranscribeCall,
  { asynchronous = false, pollMs = 5_000 }: ServiceTranscriberOptions,
): Promise<TranscriberReply> {
  signal?.throwIfAborted(); // the sound is not sent for somebody who has left
  const later = (id: string): Promise<TranscriberReply> => fetchLater(service, id, sound.seconds, pollMs, signal);
  if (ticket !== undefined) return await later(ticket);
  const answer = await service.transcripts.create(
    {
      file: { content: () => sound.open(), filename: sound.name },
      model_id: model,
      language_code: language,
      timestamps_granularity: 'word',
      tag_audio_events: true,
      ...(multichannel ? { use_multi_channel: true } : { diarize: true, num_speakers: speakers }),
      ...(keyterms?.length && model !== FIRST_MODEL ? { keyterms: keyterms.filter(isAllowed) } : {}),
      ...(asynchronous ? { webhook: true } : {}),
    },
    { signal },
  );
  if (answer.kind !== 'accepted') return replyOf(answer);
  const id = answer.transcription_id;
  if (id === undefined) {
    throw new IbidError('RESPONSE_INVALID', 'the audio service accepted a recording and gave no id to fetch it by', {
      hint: 'Ask for the answer at once instead.',
    });
  }
  await onTicket?.(id);
  return await later(id);
}

/** Looks for a transcript until it is made. Until then the service does not know its id. */
async function fetchLater(
  service: AudioService,
  id: string,
  seconds: number,
  pollMs: number,
  signal: AbortSignal | undefined,
): Promise<TranscriberReply> {
  const look = async (): Promise<Made | undefined> => {
    try {
      const answer = await service.transcripts.get(id, { signal });
      return answer.kind === 'accepted' ? undefined : answer;
    } catch (error) {
      if (error instanceof IbidError && (error.code === 'NOT_READY' || error.code === 'REMOTE_NOT_FOUND'))
        return undefined;
      throw error;
    }
  };
  const waitMs = Math.max(LEAST_WAIT_MS, (3000 * seconds) / SLOWEST_SPEED);
  const late = (): IbidError =>
    new IbidError(
      'NOT_READY',
      `the transcript "${id}" is still not made after ${Math.round(waitMs / 60_000)} minutes`,
      {
        hint: 'Ingest again later; the recording is not sent again while its transcript can be fetched.',
      },
    );
  const found = await poll<Made | undefined>({
    ...{ look, done: (made) => made !== undefined, pollMs, maxPollMs: 30_000 },
    ...{ waitMs: Math.round(waitMs), late, signal },
  });
  return replyOf(found!); // done means that it is made
}

type Made = Exclude<TranscriptBody, { readonly kind: 'accepted' }>;

/** @throws IbidError RESPONSE_INVALID, also for a text without words: it would be kept as silence */
function replyOf(made: Made): TranscriberReply {
  const channels = made.kind === 'transcript' ? [made.transcript] : made.transcripts;
  const transcript = transcriptOfJson(made.kind === 'transcript' ? made.transcript : { transcripts: channels });
  if (!transcript) throw new IbidError('RESPONSE_INVALID', 'the audio service gave no transcript');
  if (transcript.words.length > 0 || channels.every(({ text }) => text.trim() === '')) return { transcript };
  throw new IbidError('RESPONSE_INVALID', 'the audio service gave a text without the times of its words');
}

/** True for a key term that the service takes: a refused one would fail the whole request. */
function isAllowed(term: string): boolean {
  return term.length < 50 && term.split(/\s+/).length <= 5 && !/[<>{}[\]\\]/.test(term);
}
