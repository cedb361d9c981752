import type { WireCallOptions } from '../http/contract.ts';
import type { Message, MessageCallOptions, MessageRequest } from './types.ts';
import type { Listing, ListParams } from './wiring.ts';

export interface BatchRequest {
  /** `^[a-zA-Z0-9_-]{1,64}$`, once per batch: results come in any order. */
  readonly custom_id: string;
  readonly params: MessageRequest;
}

export interface MessageBatch {
  readonly id: string;
  readonly type: 'message_batch';
  readonly processing_status: 'in_progress' | 'canceling' | 'ended' | (string & {});
  /** All but `processing` stay 0 until the whole batch has ended. */
  readonly request_counts: {
    readonly processing: number;
    readonly succeeded: number;
    readonly errored: number;
    readonly canceled: number;
    readonly expired: number;
  };
  readonly created_at: string;
  /** 24 hours after creation; what is not done by then is `expired`. */
  readonly expires_at: string;
  readonly ended_at: string | null;
  readonly archived_at: string | null;
  readonly cancel_initiated_at: string | null;
  readonly results_url: string | null;
}

export interface BatchErrorBody {
  readonly type: 'error';
  readonly error: { readonly type: string; readonly message: string };
  readonly request_id?: string;
}

/** One line of the results. Only `succeeded` is billed. */
export interface BatchResult {
  readonly custom_id: string;
  readonly result:
    | { readonly type: 'succeeded'; readonly message: Message }
    | { readonly type: 'errored'; readonly error: BatchErrorBody }
    | { readonly type: 'canceled' }
    | { readonly type: 'expired' };
}

export interface WaitOptions extends WireCallOptions {
  /** First wait between two looks, then half as long again each time. @default 2,000 */
  readonly pollMs?: number | undefined;
  /** Longest wait between two looks. @default 60,000 */
  readonly maxPollMs?: number | undefined;
  /** 0: as long as it takes; a batch ends after 24 hours at the latest. @default 0 */
  readonly waitMs?: number | undefined;
  readonly onPoll?: ((batch: MessageBatch) => void) | undefined;
}

export interface BatchRunOptions extends WaitOptions, Pick<MessageCallOptions, 'betas'> {
  /** Told the id before anything is waited for; write it down to `resume` after a crash. */
  readonly onCreated?: ((id: string, batch: MessageBatch) => void | Promise<void>) | undefined;
}

export interface BatchesClient {
  create(requests: readonly BatchRequest[], options?: MessageCallOptions): Promise<MessageBatch>;
  get(id: string, options?: WireCallOptions): Promise<MessageBatch>;
  /** Newest first, all pages. */
  list(params?: ListParams, options?: WireCallOptions): Listing<MessageBatch>;
  /** Ends as `ended` after a while; what was done by then has results. */
  cancel(id: string, options?: WireCallOptions): Promise<MessageBatch>;
  /** Only after it has ended. */
  delete(
    id: string,
    options?: WireCallOptions,
  ): Promise<{ readonly id: string; readonly type: 'message_batch_deleted' }>;
  /**
   * The results, line by line as they arrive, in any order. A cut download goes on where it broke.
   * @throws WireError NOT_READY when the batch has not ended
   */
  results(id: string, options?: WireCallOptions): AsyncIterableIterator<BatchResult, undefined>;
  /** Looks until the batch has ended. @throws WireError TIMEOUT after `waitMs`; the batch goes on */
  wait(id: string, options?: WaitOptions): Promise<MessageBatch>;
  /** Creates, waits, and gives the results. Leaving the loop does not cancel the batch. */
  run(requests: readonly BatchRequest[], options?: BatchRunOptions): AsyncIterableIterator<BatchResult, undefined>;
  /** Waits for a batch created earlier, perhaps by another process, and gives the results. */
  resume(id: string, options?: WaitOptions): AsyncIterableIterator<BatchResult, undefined>;
}
