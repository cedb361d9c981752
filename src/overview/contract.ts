import type { Grounding } from '../answer/contract.ts';
import type { Budget } from '../core/meter.ts';
import type { CallOptions } from '../core/types.ts';
import type { ServiceModelOptions } from '../services/language-model.ts';
import type { Speaker } from '../speak/contract.ts';
import type { SoundEncoder } from '../speak/sound-writer.ts';
import type { Where } from '../store/where.ts';
import type { OverviewScript } from './script.ts';
import type { SpokenPartEvent, SpokenScript } from './spoken-script.ts';
import type { DroppedEvent } from './written-script.ts';

export interface OverviewOptions extends CallOptions {
  /** The subject of the conversation. @default the topics of the documents, by clusters of their vectors */
  readonly question?: string | undefined;
  /** Uris of documents, or of folders that hold them. @default all */
  readonly paths?: readonly string[] | undefined;
  /** Only documents that pass are looked at. */
  readonly where?: Where | undefined;
  /**
   * A script as `renderScript` gives it, edited or not, in place of a new one. Its citations are proven again.
   */
  readonly script?: string | undefined;
  /** The writer of the script. @default 'grounded' where a model can write, else 'extractive' */
  readonly mode?: 'extractive' | 'grounded' | undefined;
  /** A model of the messages service. @default the caller's own writer, else the service's default model */
  readonly model?: ServiceModelOptions | undefined;
  /** About how long the conversation is, from 0.5 to 60. @default 3 */
  readonly minutes?: number | undefined;
  /** Lets two voices say the script. @default it is not said */
  readonly sound?: OverviewSound | undefined;
  /**
   * Looks and counts, asks no model and says nothing. The price is at most the estimate, but for the sound of a script
   * that a model has yet to write. @default false
   */
  readonly dryRun?: boolean | undefined;
  /** Budget of the overview: a number of USD, or a meter that calls share. @default no bound */
  readonly budget?: Budget | undefined;
}

/** Options of the speech of a script. */
export interface OverviewSound {
  readonly speaker: Speaker;
  /** Names of the speaker's voices, for A and B. @default its first two */
  readonly voices?: readonly string[] | undefined;
  /** `mp3` is made by ffmpeg, which must be installed. @default 'wav' */
  readonly format?: 'wav' | 'mp3' | undefined;
  readonly encoder?: SoundEncoder | undefined;
}

/** A subject that was found in the documents. */
export interface OverviewTopic {
  /** Of its most typical passage: title and headings, outermost first. */
  readonly path: readonly string[];
  /** Share of the passages that were looked at, in [0, 1]. */
  readonly share: number;
}

/** A conversation about what the documents say. */
export interface Overview {
  readonly mode: 'extractive' | 'grounded' | 'given';
  /** The documents say nothing of what was asked, or hold no sentence that can be told. */
  readonly abstained: boolean;
  /** Empty where it abstained, and in a dry run with a model. */
  readonly script: OverviewScript;
  /** The script as text that a person can edit; `OverviewOptions.script` takes it. */
  readonly text: string;
  /** Without a question: largest first. */
  readonly topics: readonly OverviewTopic[];
  /** Sentences and citations of the model that were left out, one line each. */
  readonly dropped: readonly string[];
  /** Present when a model wrote the script. */
  readonly grounding?: Pick<Grounding, 'model' | 'usage' | 'costUsd' | 'stop'>;
  readonly sound?: SpokenScript;
  /** Of a dry run. */
  readonly estimate?: OverviewEstimate;
  /** Of everything that was billed. */
  readonly costUsd: number;
}

/** The expected price of an overview, in USD; a part is absent when its price is unknown. */
export interface OverviewEstimate {
  /** The most that a model may cost. */
  readonly scriptUsd?: number;
  /** Price of the sound; an estimate while the script is not written. */
  readonly soundUsd?: number;
  /** Of text that is said aloud. */
  readonly characters: number;
}

/** An overview while it is made. */
export type OverviewEvent =
  | { readonly type: 'evidence'; readonly topics: readonly OverviewTopic[]; readonly passages: number }
  | DroppedEvent
  | { readonly type: 'script'; readonly script: OverviewScript; readonly text: string }
  | SpokenPartEvent
  | { readonly type: 'done'; readonly overview: Overview };
