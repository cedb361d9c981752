import { numberOf, objectOf, textsOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import { runProgram } from '../core/program.ts';
import type { CallOptions } from '../core/types.ts';
import type { Speaker } from './contract.ts';
import { type Samples, samplesOfWave } from './pcm.ts';
import { turnByTurn } from './turn-by-turn.ts';

export interface EspeakOptions {
  /**
   * Voices of `espeak-ng --voices`, e.g. `en-gb-x-rp+f3`; one that begins with `+` speaks the language of the text.
   * @default `+m3` and `+f2`
   */
  readonly voices?: readonly string[] | undefined;
  /** 1: as usual, about 175 words a minute. @default 1 */
  readonly speed?: number | undefined;
  /** Name or path. @default 'espeak-ng' */
  readonly program?: string | undefined;
  /** The program is looked for on its `PATH`. @default the usual folders of programs */
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

const WORDS_A_MINUTE = 175;
const TIMEOUT_MS = 60_000;
const MOST_BYTES = 2 ** 28;
const CHARACTERS = 5_000;

/**
 * Speech of the machine's own `espeak-ng`: free, without a key, plain.
 * @throws IbidError INVALID_ARGUMENT for a speed or voices out of range; PROGRAM_MISSING and PROGRAM_FAILED when it
 * speaks
 */
export function espeakSpeaker(options: EspeakOptions = {}): Speaker {
  const { voices = ['+m3', '+f2'], speed = 1, program = 'espeak-ng', environment } = objectOf(options, 'the options');
  numberOf(speed, 'speed', 0.25, 4);
  if (textsOf(voices, 'voices').length === 0) throw new IbidError('INVALID_ARGUMENT', 'a speaker needs a voice');
  // `[[` would begin phonemes
  const say = async function* (text: string, voice: string, call: CallOptions): AsyncGenerator<Samples> {
    const args = [
      '-v',
      voice,
      '-s',
      String(Math.round(WORDS_A_MINUTE * speed)),
      '-b',
      '1',
      '-z',
      '--stdin',
      '--stdout',
    ];
    const run = {
      timeoutMs: TIMEOUT_MS,
      maxOutputBytes: MOST_BYTES,
      environment,
      input: Buffer.from(text.replaceAll('[[', '[ [')),
      ...call,
    };
    const wave = await runProgram(program, args, run).catch((error: unknown) => {
      call.signal?.throwIfAborted();
      throw new IbidError('PROGRAM_FAILED', `"${voice}" could not speak: ${(error as Error).message}`, {
        hint: 'Its voices are listed by espeak-ng.',
        cause: error,
      });
    });
    if (wave === undefined) {
      throw new IbidError('PROGRAM_MISSING', `speaking without a service needs ${program}, which is not installed`, {
        hint: 'Install it: apt-get install espeak-ng, brew install espeak-ng.',
      });
    }
    yield* samplesOfWave(single(wave));
  };
  return {
    id: 'espeak-ng',
    formats: ['pcm'],
    limits: { characters: CHARACTERS, voices: Number.POSITIVE_INFINITY },
    voices,
    price: () => 0,
    speak: (turns, { language = 'en', signal }) =>
      turnByTurn(turns, ({ text, voice = voices[0]! }) =>
        say(text, voice.startsWith('+') ? `${named(language)}${voice}` : voice, { signal }),
      ),
  };
}

/** espeak-ng knows Chinese as Mandarin. */
const named = (language: string): string => (language === 'zh' ? 'cmn' : language);

async function* single<T>(value: T): AsyncGenerator<T> {
  yield value;
}
