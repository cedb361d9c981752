import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { CallOptions } from '../core/types.ts';
import type { Transcript, TranscriptCache } from './contract.ts';
import { joinParts, type Part, partsAt } from './parts.ts';

/** The stored cuts of a long recording. Each run uses the same cuts, whatever program made them. */
export interface CutPlan {
  readonly cutsMs: readonly number[];
  readonly durationMs: number;
  readonly overlapMs: number;
}

/** A transcript and who made it. */
export interface MadeTranscript {
  readonly transcript: Transcript;
  readonly by: string;
}

/** The key of what is stored for some content under some settings. */
export function keyOf(content: string, ...settings: readonly unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify([content, ...settings]))
    .digest('hex');
}

export const planKey = (key: string): string => `${key} cuts`;

/** The key of the last transcript that was completed for this content, by any transcriber. */
const madeKey = (content: string): string => `made ${content}`;

export function partsOf({ cutsMs, durationMs, overlapMs }: CutPlan): Part[] {
  return partsAt(cutsMs, durationMs, overlapMs);
}

export function keyOfPart(key: string, { fromMs, toMs }: Part): string {
  return keyOf(key, fromMs, toMs);
}

/** The hash by which transcripts of a file are kept. */
export async function contentOf(path: string, { signal }: CallOptions): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path, { highWaterMark: 2 ** 20, signal })) {
    hash.update(bytes as Buffer); // without an encoding a stream gives Buffers
  }
  return hash.digest('hex');
}

export async function noteMade(
  cache: TranscriptCache,
  content: string,
  made: { key: string; by: string },
): Promise<void> {
  const before = (await cache.get(madeKey(content))) as typeof made | undefined; // written below
  if (before?.key === made.key) return;
  await cache.remove(madeKey(content));
  await cache.put(madeKey(content), made);
}

/** The last transcript that was made of a file; nothing is sent. Undefined: none, or not all of its parts. */
export async function keptTranscript(
  cache: TranscriptCache,
  path: string,
  options: CallOptions,
): Promise<MadeTranscript | undefined> {
  const made = (await cache.get(madeKey(await contentOf(path, options)))) as { key: string; by: string } | undefined;
  if (!made) return undefined;
  const { key, by } = made;
  const whole = (await cache.get(key)) as Transcript | undefined; // written by `Transcription`, as the plan and parts
  if (whole) return { transcript: whole, by };
  const plan = (await cache.get(planKey(key))) as CutPlan | undefined;
  const parts = plan ? partsOf(plan) : [];
  const heard = await Promise.all(
    parts.map(async (part) => ({
      part,
      transcript: (await cache.get(keyOfPart(key, part))) as Transcript | undefined,
    })),
  );
  if (parts.length === 0 || heard.some(({ transcript }) => transcript === undefined)) return undefined;
  return { transcript: joinParts(heard.map(({ part, transcript }) => ({ part, transcript: transcript! }))), by };
}
