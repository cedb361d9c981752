import { objectOf } from '../../core/arguments.ts';
import { mapConcurrent } from '../../core/async.ts';
import { IbidError } from '../../core/errors.ts';
import type { SoundPart, SpeakCall, Speaker, SpokenTurn } from '../../speak/contract.ts';
import { isConversation } from '../../speak/conversation.ts';
import { locatorOf } from '../../wire/audio/dictionaries.ts';
import { parseFormat, secondsOf } from '../../wire/audio/formats.ts';
import type { AudioService } from '../../wire/audio/index.ts';
import { type PlanName, plans } from '../../wire/audio/prices.ts';
import { findModel, type NamedModel } from '../../wire/audio/profile.ts';
import type { DictionaryLocator } from '../../wire/audio/speech-request.ts';
import { AlignedTurns, type TimedCharacter } from './aligned.ts';
import { packTurns } from './long-dialogue.ts';

export interface ServiceSpeakerOptions {
  /** @default the service's for answers, `voice_v3` for conversations */
  readonly model?: string | undefined;
  /** Ids of voices. @default the first two of the account */
  readonly voices?: readonly string[] | undefined;
  /** 1: as the voice is. */
  readonly speed?: number | undefined;
  /** Pronunciation dictionaries, at most three. */
  readonly dictionaries?: readonly { readonly id: string; readonly version?: string | undefined }[] | undefined;
  /** The plan of the key: its price beyond the quota is the price that is reckoned with. */
  readonly plan?: PlanName | undefined;
  /** Price of 1,000 characters, in USD, instead of the plan's. */
  readonly usdPer1000Characters?: number | undefined;
}

const FORMATS = { pcm: 'pcm_24000', mp3: 'mp3_44100_128' } as const;
/** Characters of a part of a conversation: beyond about a minute the service's times freeze. */
const DIALOGUE_CHARACTERS = 800;
/** Most characters of one turn; the models take at least this many. */
const TURN_CHARACTERS = 4_500;

/** The parts of the speaker. */
interface Voice {
  readonly service: AudioService;
  readonly voices: readonly string[];
  readonly options: ServiceSpeakerOptions;
  /** The model has a use for the language of a text. */
  readonly takesLanguage: boolean;
  /** With the version that the socket asks for. */
  readonly dictionaries: readonly Required<DictionaryLocator>[];
}

/**
 * The voices of the audio service behind the `Speaker` contract. Turns that come one by one go through its socket;
 * conversations through its dialogue, in parts.
 * @throws WireError of the service; IbidError INVALID_ARGUMENT when the account has no voice
 */
export async function openServiceSpeaker(service: AudioService, options: ServiceSpeakerOptions = {}): Promise<Speaker> {
  objectOf(service, 'the client', 'settings');
  objectOf(options, 'the options');
  const { profile } = service.settings;
  const model = findModel(profile, options.model ?? profile.defaultSpeechModel);
  const voices = options.voices ?? (await service.voices.list()).voices.slice(0, 2).map(({ voice_id }) => voice_id);
  if (voices.length === 0) {
    throw new IbidError('INVALID_ARGUMENT', 'the account of the audio service has no voice', {
      hint: 'Add one there, or name one.',
    });
  }
  const dictionaries = await Promise.all(
    (options.dictionaries ?? []).map(async ({ id, version }) => ({
      pronunciation_dictionary_id: id,
      version_id: version ?? locatorOf(await service.dictionaries.get(id)).version_id ?? '',
    })),
  );
  const takesLanguage = model.model?.languageCode === true;
  const voice: Voice = { service, voices, options, takesLanguage, dictionaries };
  const overage = options.plan === undefined ? undefined : plans[options.plan].overageUsdPer1000;
  const usdOf = ({ model: named }: NamedModel): number | undefined => {
    const rate = named?.creditsPerCharacter;
    return rate === undefined || overage === undefined ? undefined : rate * overage;
  };
  return {
    id: model.id,
    formats: ['pcm', 'mp3'],
    limits: { characters: TURN_CHARACTERS, voices: profile.dialogueVoices },
    voices,
    price: (conversing = false) => options.usdPer1000Characters ?? usdOf(conversing ? dialogueModel(voice) : model),
    speak: (turns, call) => {
      if (isConversation(turns, { voices })) return converse(voice, turns, call);
      return model.model?.socket === 'speech' ? live(voice, turns, call) : oneByOne(voice, turns, call);
    },
  };
}

/** Sound that is counted, and the times of its words. */
class Track {
  readonly turns: AlignedTurns = new AlignedTurns();
  readonly #format;
  #bytes = 0;
  /** The first byte of a sample whose second one has not come yet: the service cuts its sound anywhere. */
  #half: Uint8Array = new Uint8Array();

  constructor(name: string) {
    this.#format = parseFormat(name);
  }

  /** From the start of the whole sound. */
  get ms(): number {
    return (secondsOf(this.#format, this.#bytes) ?? 0) * 1000;
  }

  part(audio: Uint8Array, characters: Iterable<TimedCharacter>): SoundPart {
    this.#bytes += audio.length;
    const joined = this.#half.length === 0 ? audio : Buffer.concat([this.#half, audio]);
    const whole = joined.length - (this.#format.codec === 'pcm' ? joined.length % 2 : 0);
    this.#half = joined.subarray(whole);
    const { sampleRate } = this.#format;
    return { audio: joined.subarray(0, whole), sampleRate, spans: this.turns.hear(characters) };
  }

  /** @throws IbidError RESPONSE_INVALID when half a sample is left: with it all that follows would be noise */
  endRequest(): void {
    if (this.#half.length > 0)
      throw new IbidError('RESPONSE_INVALID', 'the sound of the audio service ended inside a 16-bit sample');
  }

  end(): SoundPart {
    return { audio: new Uint8Array(), sampleRate: this.#format.sampleRate, spans: this.turns.finish(this.ms) };
  }
}

/** The common fields of all requests of one call. */
function fields({ options, takesLanguage, dictionaries }: Voice, { format = 'pcm', language }: SpeakCall) {
  return {
    model_id: options.model,
    output_format: FORMATS[format],
    ...(takesLanguage && language !== undefined ? { language_code: language } : {}),
    ...(options.speed === undefined ? {} : { voice_settings: { speed: options.speed } }),
    ...(dictionaries.length > 0 ? { pronunciation_dictionary_locators: dictionaries } : {}),
  };
}

/** Through the socket: a session for each stretch of turns of one voice. */
async function* live(
  own: Voice,
  turns: readonly SpokenTurn[] | AsyncIterable<SpokenTurn>,
  call: SpeakCall,
): AsyncGenerator<SoundPart, void, undefined> {
  const { service, voices } = own;
  const { format = 'pcm', signal } = call;
  const track = new Track(FORMATS[format]);
  const iterator = Symbol.asyncIterator in turns ? turns[Symbol.asyncIterator]() : turns[Symbol.iterator]();
  try {
    let next = await iterator.next();
    while (!next.done) {
      const voice = next.value.voice ?? voices[0]!;
      let isAllSent = false;
      async function* ofVoice(): AsyncGenerator<{ text: string; flush: boolean }> {
        while (!next.done && (next.value.voice ?? voices[0]!) === voice) {
          track.turns.push(next.value);
          yield { text: `${next.value.text} `, flush: true };
          next = await iterator.next();
        }
        isAllSent = true;
      }
      const request = { ...fields(own, call), voice_id: voice, auto_mode: true, sync_alignment: true };
      const from = track.ms; // times of a session count from its start
      for await (const { audio, alignment } of service.speech.live(ofVoice(), request, { signal })) {
        const { chars = [], startTimesMs = [], durationsMs = [] } = alignment ?? {};
        const timed = chars.map((character, i) => {
          const startMs = from + startTimesMs[i]!;
          return { character, startMs, endMs: startMs + durationsMs[i]! };
        });
        if (audio.length > 0 || timed.length > 0) yield track.part(audio, timed);
      }
      track.endRequest();
      // another session would say, and pay, the last turn again
      if (!isAllSent)
        throw new IbidError('STREAM_BROKEN', 'the audio service ended the speech before the text had ended');
    }
    yield track.end();
  } finally {
    void Promise.resolve(iterator.return?.()).catch(() => {}); // it may be waiting for a sentence that never comes
  }
}

/** A request for each turn: for models that the socket does not serve. */
async function* oneByOne(
  own: Voice,
  turns: readonly SpokenTurn[] | AsyncIterable<SpokenTurn>,
  call: SpeakCall,
): AsyncGenerator<SoundPart, void, undefined> {
  const { format = 'pcm', signal } = call;
  const track = new Track(FORMATS[format]);
  for await (const turn of turns) {
    track.turns.push(turn);
    const from = track.ms;
    const request = { ...fields(own, call), voice_id: turn.voice ?? own.voices[0]!, text: turn.text };
    for await (const { audio, alignment } of await own.service.speech.streamWithTimestamps(request, { signal })) {
      yield track.part(audio, timedCharacters(alignment, from));
    }
    track.endRequest();
  }
  yield track.end();
}

/** The chosen model where it can converse. */
function dialogueModel({ service, options: { model } }: Voice): NamedModel {
  const { profile } = service.settings;
  const chosen = model === undefined ? undefined : findModel(profile, model);
  return chosen?.model?.jobs.includes('dialogue') ? chosen : findModel(profile, profile.defaultDialogueModel);
}

/** Through the dialogue operation, in parts whose samples are joined. */
async function* converse(
  own: Voice,
  turns: readonly SpokenTurn[],
  { format = 'pcm', language, signal }: SpeakCall,
): AsyncGenerator<SoundPart, void, undefined> {
  if (format !== 'pcm') {
    throw new IbidError('INVALID_ARGUMENT', `parts of a conversation do not join as ${format}`, {
      hint: 'Ask for pcm, and encode it.',
    });
  }
  const { service, voices, dictionaries } = own;
  const { profile } = service.settings;
  const inputs = turns.map(({ text, voice }) => ({ text, voice_id: voice ?? voices[0]! }));
  const { id, model } = dialogueModel(own);
  const track = new Track(FORMATS.pcm);
  for (const turn of turns) track.turns.push(turn);
  const spoken = mapConcurrent(
    packTurns(inputs, Math.min(DIALOGUE_CHARACTERS, profile.dialogueCharacters), profile.dialogueVoices),
    (part, stop) =>
      service.dialogue.withTimestamps(
        {
          inputs: part.inputs,
          model_id: id,
          output_format: FORMATS.pcm,
          ...(model?.languageCode && language !== undefined ? { language_code: language } : {}),
          ...(dictionaries.length > 0 ? { pronunciation_dictionary_locators: dictionaries } : {}),
        },
        { signal: stop },
      ),
    { concurrency: 2, signal },
  );
  for await (const { audio, alignment } of spoken) {
    yield track.part(audio, timedCharacters(alignment, track.ms));
    track.endRequest();
  }
  yield track.end();
}

function timedCharacters(
  alignment: {
    readonly characters: readonly string[];
    readonly character_start_times_seconds: readonly number[];
    readonly character_end_times_seconds: readonly number[];
  } | null,
  fromMs: number,
): TimedCharacter[] {
  if (alignment === null) return [];
  const { characters, character_start_times_seconds: starts, character_end_times_seconds: ends } = alignment;
  return characters.map((character, i) => ({
    character,
    startMs: fromMs + starts[i]! * 1000,
    endMs: fromMs + ends[i]! * 1000,
  }));
}
