import { formatVersion } from '../embed/local/model.ts';
import type { CutShape, SmallFile } from '../ingest/contract.ts';
import type { FileFailure } from '../ingest/cut.ts';
import { analysisVersion } from '../text/analysis/analysis.ts';
import { textVersion } from '../text/version.ts';

/** What each job may say of workers that were lost. */
export interface Suspect {
  /** Workers that were lost while they had this job and no other; 0 where one was with a batch that had its file too. */
  readonly lostAlone?: number | undefined;
}

/** A job for a worker: files to read and cut. */
export interface CutBatch extends Suspect {
  readonly shape: CutShape;
  /** Folder beside the index, where the parts go. */
  readonly parts: string;
  readonly files: readonly SmallFile[];
}

export interface Part {
  readonly part: string;
}

/** The outcome for a file: the name of its part, or the reason why there is none. */
export type FileResult = Part | { readonly failure: FileFailure };

/** In the order of the files; null for one that says nothing: it was not there, or its part cannot be written. */
export type CutResult = readonly (FileResult | null)[];

/** A job for a worker: vectors of documents that were cut. */
export interface EmbedBatch extends Suspect {
  readonly parts: string;
  /** The id of the model, a part too. */
  readonly model: string;
  /** Names of the documents' parts. */
  readonly documents: readonly string[];
}

/** The name of the part with the vectors; absent when the model or a document was not there, or was damaged. */
export interface EmbedResult {
  readonly vectors?: string | undefined;
}

/** A job for a worker: the segment of documents that were cut. */
export interface SegmentBatch extends Suspect {
  readonly kind: 'segment';
  readonly parts: string;
  /** Names of the documents' parts. */
  readonly documents: readonly string[];
}

/** The name of the part with the segment; absent when a document was not there, or was damaged. */
export interface SegmentResult {
  readonly segment?: string | undefined;
}

/** How the names of the queues of all versions begin. */
export const familyName = 'ibid-parts-';

/** Programs that read, cut, embed or analyse in another way do not see each other's work. */
export const queueName: string = `${familyName}2-${textVersion}-${analysisVersion}-${formatVersion}`;

/** How often a batch is tried before it counts as failed. */
export const ATTEMPTS = 3;

/** Why a batch failed with which workers were lost, in the words of BullMQ. */
export const LOSS = 'job stalled more than allowable limit';

/** Whether a batch failed because workers were lost with it. */
export function isLoss(reason: string): boolean {
  return reason.startsWith(LOSS);
}

/** Why a batch failed, in words for people. @param reason of BullMQ, or of the worker */
export function failureReason(reason: string): string {
  return isLoss(reason) ? 'each worker that had it was lost: killed, or out of memory' : reason;
}
