import { IbidError } from '../../core/errors.ts';
import type { CallOptions } from '../../core/types.ts';
import type { MessageBatch, MessagesService } from '../../wire/messages/index.ts';
import type { JournalEntry, JournalRequest } from './journal.ts';

/** A batch as the journal tells of it. */
export interface KnownBatch {
  readonly nonce: string;
  /** When it was about to be created, by our clock. */
  readonly at: string;
  readonly size: number;
  /** Absent: the process ended before the service's answer was written down. */
  readonly id: string | undefined;
  readonly model: string;
  readonly citations: boolean;
  /** By custom id; those that have failed are left out. */
  readonly requests: ReadonlyMap<string, JournalRequest>;
  readonly isNew: boolean;
}

/** How far the service's clock may be from ours. */
const SKEW_MS = 3_600_000;

/** The batches that exist, or may. Requests that were written down and never sent are in none of them. */
export function knownBatches(entries: readonly JournalEntry[]): KnownBatch[] {
  const failed = new Set(entries.flatMap((entry) => (entry.type === 'failed' ? [entry.customId] : [])));
  const refused = new Set(entries.flatMap((entry) => (entry.type === 'refused' ? [entry.nonce] : [])));
  const ids = new Map(entries.flatMap((entry) => (entry.type === 'created' ? [[entry.nonce, entry.batchId]] : [])));
  const requests = new Map<string, JournalRequest[]>();
  for (const entry of entries) {
    if (entry.type !== 'request' || failed.has(entry.customId)) continue;
    const nonce = entry.customId.slice(0, entry.customId.lastIndexOf('-'));
    const own = requests.get(nonce);
    if (own) own.push(entry);
    else requests.set(nonce, [entry]);
  }
  return entries.flatMap((entry) => {
    if (entry.type !== 'creating' || refused.has(entry.nonce)) return [];
    const { nonce, at, requests: size, model, citations } = entry;
    const own = new Map((requests.get(nonce) ?? []).map((request) => [request.customId, request]));
    return [{ nonce, at, size, id: ids.get(nonce), model, citations, requests: own, isNew: false }];
  });
}

/**
 * Looks for a batch whose id was lost: made since then, of the same size, and its results carry our nonce, which can
 * only be seen once it has ended.
 * @param others batches that are known to be someone else's
 * @returns undefined when it was never made
 * @throws IbidError NOT_READY when one that may be ours has not ended and waiting is not wanted
 */
export async function findBatch(
  service: MessagesService,
  { nonce, at, size }: Pick<KnownBatch, 'nonce' | 'at' | 'size'>,
  others: ReadonlySet<string>,
  options: CallOptions & { readonly wait?: boolean | undefined; readonly pollMs?: number | undefined },
): Promise<string | undefined> {
  const { signal, wait = true, pollMs } = options;
  const since = Date.parse(at) - SKEW_MS;
  const candidates: MessageBatch[] = [];
  for await (const batch of service.batches.list({ limit: 100 }, { signal })) {
    if (Date.parse(batch.created_at) < since) break; // newest first
    if (!others.has(batch.id) && countOf(batch) === size) candidates.push(batch);
  }
  for (const candidate of candidates) {
    const batch = wait ? await service.batches.wait(candidate.id, { signal, pollMs }) : candidate;
    if (batch.processing_status !== 'ended') {
      throw new IbidError(
        'NOT_READY',
        `batch ${candidate.id} may be the one that was being created, and has not ended`,
        {
          hint: 'Run again with `wait: true`, or later: nothing is sent twice.',
        },
      );
    }
    if (await isOurs(service, batch, nonce, signal)) return batch.id;
  }
  return undefined;
}

/** Results that the service no longer keeps tell nothing, and could not be had: such a batch is nobody's. */
async function isOurs(
  service: MessagesService,
  { id: batchId, archived_at: archived }: MessageBatch,
  nonce: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (archived !== null && archived !== undefined) return false;
  try {
    for await (const { custom_id: id } of service.batches.results(batchId, { signal }))
      return id.startsWith(`${nonce}-`);
  } catch (error) {
    if (!(error instanceof IbidError) || error.code !== 'REMOTE_NOT_FOUND') throw error;
  }
  return false;
}

function countOf({ request_counts: counts }: MessageBatch): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
