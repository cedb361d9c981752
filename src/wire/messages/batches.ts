import { objectOf } from '../../core/arguments.ts';
import { isRecord } from '../../core/records.ts';
import { anything, refuse, requireId } from '../http/check.ts';
import { type EndpointTable, endpoints, object, type Sent, type Wiring } from '../http/endpoint.ts';
import { poll } from '../http/poll.ts';
import { type BatchLines, BatchResults, batchFailure, readLines } from './batch-results.ts';
import type { BatchesClient, BatchRequest, BatchRunOptions, MessageBatch, WaitOptions } from './batch-types.ts';
import { checkSize } from './check.ts';
import type { MessagesProfile } from './profile.ts';
import { serialiseMessage } from './serialise.ts';
import type { MessageCallOptions, MessageRequest } from './types.ts';
import { listed, pages, withBetas } from './wiring.ts';

const customId = /^[a-zA-Z0-9_-]{1,64}$/;
const maxRequests = 100_000;
const maxBatchBytes = 256 * 1024 * 1024;

type Operations = Omit<BatchesClient, 'wait' | 'run' | 'resume'>;

/** The operations of batches; `batchesClient` adds what is made of several of them. */
export const batchesTable: EndpointTable<Operations, MessagesProfile> = endpoints<Operations, MessagesProfile>(
  { service: 'messages', prefix: 'messages.batches', group: 'batches' },
  {
    create: {
      at: 'POST /v1/messages/batches',
      json: anything,
      spell: ([requests, options], profile) => {
        const { body, betas } = serialiseBatch(requests, options, profile);
        const attributes = { 'ibid.batch.requests': requests.length };
        return { json: body, attributes, ...withBetas(profile, betas) };
      },
    },
    list: { at: 'GET /v1/messages/batches', query: listed(), pages },
    get: { at: 'GET /v1/messages/batches/{id}' },
    cancel: { at: 'POST /v1/messages/batches/{id}/cancel', repeat: 'always' },
    delete: { at: 'DELETE /v1/messages/batches/{id}' },
    results: {
      at: 'GET /v1/messages/batches/{id}/results',
      pages: (sent) => new BatchResults(sent.call.path!.id!, linesOf(sent)), // the path has an id
    },
  },
);

/** The lines of the results; a refused download asks the batch itself whether it has ended. */
const linesOf = (sent: Sent<MessagesProfile>): BatchLines =>
  readLines(sent, () => object<MessageBatch, MessagesProfile>({ ...sent, operation: batchesTable.of.get }, {}));

export function batchesClient(wiring: () => Wiring<MessagesProfile>): BatchesClient {
  const plain = batchesTable.client(wiring);

  const wait: BatchesClient['wait'] = (id, options = {}) => {
    const { pollMs = 2_000, maxPollMs = 60_000, waitMs = 0, onPoll, signal } = objectOf(options, 'the options');
    return poll({
      look: async () => {
        const batch = await plain.get(id, options);
        onPoll?.(batch);
        return batch;
      },
      done: ({ processing_status }) => processing_status === 'ended',
      late: ({ processing_status: status }) =>
        batchFailure('TIMEOUT', 'wait', `batch ${id} has not ended after ${waitMs} ms (${status})`, {
          hint: 'It goes on; `resume` with its id later.',
        }),
      ...{ pollMs, maxPollMs, waitMs, signal },
    });
  };

  async function* waitAndRead(id: string, options: WaitOptions | undefined): BatchLines {
    const batch = await wait(id, options);
    if (batch.archived_at !== null && batch.archived_at !== undefined && batch.results_url === null) {
      const problem = `the results of batch ${id} are archived; they are kept for 29 days`;
      throw batchFailure('REMOTE_NOT_FOUND', 'results', problem);
    }
    yield* linesOf({ wiring: wiring(), operation: batchesTable.of.results, call: { path: { id }, options } });
  }

  async function* createAndRead(requests: readonly BatchRequest[], options: BatchRunOptions | undefined): BatchLines {
    const batch = await plain.create(requests, options);
    await options?.onCreated?.(batch.id, batch);
    yield* waitAndRead(batch.id, options);
  }

  return {
    ...plain,
    wait,
    run: (requests, options) => new BatchResults('of this run', createAndRead(requests, options)),
    resume: (id, options) => new BatchResults(requireId('id', id), waitAndRead(id, options)),
  };
}

/** The body of a batch. @throws IbidError INVALID_ARGUMENT naming the request */
function serialiseBatch(
  requests: readonly BatchRequest[],
  options: Pick<MessageCallOptions, 'betas' | 'extraBody'> | undefined,
  profile: MessagesProfile,
): { readonly body: { readonly requests: readonly unknown[] }; readonly betas: readonly string[] } {
  if (!Array.isArray(requests) || requests.length === 0) refuse('requests', 'must be a list of at least one request');
  if (requests.length > maxRequests)
    refuse('requests', `holds ${requests.length} requests, the limit is ${maxRequests}`);
  const seen = new Set<string>();
  const betas = new Set(options?.betas ?? []);
  let weight = 0;
  const spelt = requests.map((request: unknown, at) => {
    const field = `requests[${at}]`;
    if (!isRecord(request)) refuse(field, 'must be { custom_id, params }');
    const { custom_id: id, params } = request;
    if (typeof id !== 'string' || !customId.test(id)) {
      refuse(`${field}.custom_id`, `${JSON.stringify(id)} must be 1 to 64 letters, digits, "_" or "-"`);
    }
    if (seen.has(id)) refuse(`${field}.custom_id`, `"${id}" is used twice`);
    seen.add(id);
    // Checked field by field inside.
    const one = serialiseMessage(params as MessageRequest, profile, { field: `${field}.params`, batch: true });
    for (const beta of one.betas) betas.add(beta);
    weight += one.weight;
    return { custom_id: id, params: one.body };
  });
  const body = { requests: spelt, ...options?.extraBody };
  checkSize(body, weight, maxBatchBytes, 'requests');
  return { body, betas: [...betas] };
}
