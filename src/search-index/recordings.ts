import { checkChoice, wholeOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import type { Meter } from '../core/meter.ts';
import type { RecordingParts } from '../ingest/folder-source.ts';
import { type GivenNames, namesFor } from '../ingest/recordings.ts';
import type { Providers } from '../services/providers.ts';
import type { ServiceTranscriberOptions } from '../services/transcriber.ts';
import type { Database } from '../store/index.ts';
import { StoredTranscripts } from '../store/transcript-cache.ts';
import type { TranscribedTotals, TranscriptionSettings, TranscriptReceipt } from '../transcribe/contract.ts';
import type { FfmpegOptions } from '../transcribe/cutter.ts';
import { keptTranscript } from '../transcribe/kept.ts';
import { keytermsOf } from '../transcribe/keyterms.ts';
import { Transcription, type TranscriptionProgress } from '../transcribe/transcription.ts';
import { sampleTexts } from './export.ts';
import type { Session } from './session.ts';

/** How recordings without words get a transcript. */
export interface TranscribeOptions extends TranscriptionSettings, Omit<ServiceTranscriberOptions, 'pollMs'> {
  /**
   * Names and terms that the service should spell right, for a fifth more of its price. `index`: those of the documents
   * in the index. @default 'index'
   */
  readonly keyterms?: 'index' | readonly string[] | false | undefined;
  /** Cuts recordings that are too long for one request, unless they are WAV. @default ffmpeg, where there is one */
  readonly ffmpeg?: FfmpegOptions | undefined;
  /** Told while a recording is sent and heard. */
  readonly onProgress?: ((progress: TranscriptionProgress) => void) | undefined;
}

/** Chunks of the index whose terms are looked at. */
const SAMPLE = 4_000;

/** Transcripts and speakers of one index. */
export class IndexRecordings {
  readonly #stored: StoredTranscripts;
  readonly #session: Session;
  readonly #providers: Providers;

  constructor(database: Database, session: Session, providers: Providers) {
    this.#stored = new StoredTranscripts(database);
    this.#session = session;
    this.#providers = providers;
  }

  /**
   * What a run knows of recordings.
   * @param transcription absent: only transcripts that were made before
   */
  partsFor(transcription: Transcription | undefined): RecordingParts {
    return {
      names: () => this.#stored.names(),
      makesTranscripts: transcription !== undefined,
      transcribe: async ({ path, uri, info: { durationMs, channels } }, options) =>
        transcription
          ? await transcription.transcribe({ path, uri, durationMs, channels }, options)
          : await keptTranscript(this.#stored, path, options),
    };
  }

  /**
   * @param choice undefined: with a transcriber of the caller's own, which costs nothing that ibid knows of
   * @throws IbidError KEY_MISSING, INVALID_ARGUMENT
   */
  async transcription(
    choice: boolean | TranscribeOptions | undefined,
    meter: Meter,
    dryRun: boolean,
  ): Promise<Transcription | undefined> {
    checkChoice(choice, 'transcribe');
    if (choice === false || (choice === undefined && !this.#providers.hasOwnTranscriber)) return undefined;
    const options = typeof choice === 'object' ? choice : {};
    const { keyterms = 'index', language, speakers, multichannel, ffmpeg, onProgress } = options;
    const settings = checked({ language, speakers, multichannel });
    const transcriber = await this.#providers.transcriber(options);
    const terms = async (): Promise<readonly string[]> => {
      if (keyterms !== 'index') return keyterms || [];
      if (!(await this.#session.existing())) return [];
      return await this.#session.withView(async ({ snapshot }) => keytermsOf(await sampleTexts(snapshot, SAMPLE)));
    };
    return new Transcription({
      ...{ transcriber, settings, cache: this.#stored, meter, keyterms: terms },
      ...{ ffmpeg, dryRun, onProgress },
    });
  }

  async namesOf(uri: string): Promise<GivenNames | undefined> {
    return namesFor(uri, await this.#stored.names());
  }

  /** Adds names; an empty one takes a name back. @throws IbidError INVALID_ARGUMENT */
  async putNames(uri: string, names: Readonly<Record<string, string>>): Promise<void> {
    const known = (await this.#stored.names()).get(uri)?.names ?? {};
    const all = Object.entries({ ...known, ...names }).map(([speaker, name]) => [speaker, name.trim()] as const);
    await this.#stored.putNames({
      uri,
      names: Object.fromEntries(all.filter(([, name]) => name !== '')),
      at: Date.now(),
    });
  }

  /** Undefined when nothing was transcribed. */
  async totals(): Promise<TranscribedTotals | undefined> {
    const receipts = await this.#stored.receipts();
    if (receipts.length === 0) return undefined;
    const sum = (of: (receipt: TranscriptReceipt) => number): number =>
      Math.round(receipts.reduce((total, receipt) => total + of(receipt), 0) * 1e9) / 1e9;
    const isPriced = receipts.every(({ costUsd }) => costUsd !== undefined);
    return {
      requests: receipts.length,
      seconds: sum(({ seconds }) => seconds),
      ...(isPriced ? { costUsd: sum(({ costUsd }) => costUsd!) } : {}),
    };
  }
}

/** @throws IbidError INVALID_ARGUMENT: what a service would refuse after the recording was sent */
function checked(settings: TranscriptionSettings): TranscriptionSettings {
  const { language, speakers } = settings;
  if (language !== undefined && !/^[a-z]{2,3}$/.test(language)) {
    throw new IbidError('INVALID_ARGUMENT', `"${language}" is not an ISO 639 code of two or three letters`);
  }
  if (speakers !== undefined) wholeOf(speakers, 'speakers', 1, 32);
  return settings;
}
