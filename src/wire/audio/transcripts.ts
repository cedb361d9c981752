import type { WireCallOptions } from '../http/contract.ts';
import { acknowledged, requireId } from './check.ts';
import type { AudioContext, WithInfo } from './context.ts';
import { callOptions, withInfo } from './context.ts';
import { audioOperations as operations } from './operations.ts';
import type { RealtimeEvent, RealtimeInput, RealtimeRequest } from './realtime.ts';
import { realtimeTranscript } from './realtime.ts';
import { parseTranscript, parseTranscriptBody } from './transcript-parse.ts';
import { prepareTranscript } from './transcript-request.ts';
import type { Transcript, TranscriptBody, TranscriptRequest } from './transcript-types.ts';
import type { WebhookDelivery, WebhookEvent } from './webhook.ts';
import { verifyWebhook } from './webhook.ts';

export type TranscriptResult = WithInfo<TranscriptBody>;

/** Speech to text. */
export interface TranscriptsApi {
  /**
   * One file, or an address the service fetches. Long files take minutes to answer: the headers' time limit is the
   * transport's (10 minutes), not the platform's; `webhook: true` returns at once with `kind: 'accepted'`.
   */
  create(request: TranscriptRequest, options?: WireCallOptions): Promise<TranscriptResult>;
  get(transcriptionId: string, options?: WireCallOptions): Promise<WithInfo<Transcript>>;
  delete(transcriptionId: string, options?: WireCallOptions): Promise<{ readonly status: string }>;
  /** Sound in as it is spoken, text out, over one WebSocket. */
  realtime(
    audio: AsyncIterable<RealtimeInput> | Iterable<RealtimeInput>,
    request?: RealtimeRequest,
    options?: WireCallOptions,
  ): AsyncGenerator<RealtimeEvent>;
  /** Checks the signature of a delivery and reads it; sends nothing. @throws IbidError PERMISSION_DENIED */
  verifyWebhook(delivery: WebhookDelivery): WebhookEvent;
}

export function transcriptsApi(context: AudioContext): TranscriptsApi {
  return {
    async create(request, options) {
      const call = prepareTranscript(context, request);
      const reply = await context.transport.json(operations.transcript, { ...call, options });
      return withInfo(context, reply, parseTranscriptBody(reply.body, operations.transcript));
    },
    async get(transcriptionId, options) {
      const path = { transcription_id: requireId('transcription_id', transcriptionId) };
      const reply = await context.transport.json(operations.transcriptGet, { path, ...callOptions(options) });
      return withInfo(context, reply, parseTranscript(reply.body, operations.transcriptGet));
    },
    async delete(transcriptionId, options) {
      const path = { transcription_id: requireId('transcription_id', transcriptionId) };
      return acknowledged(await context.transport.json(operations.transcriptDelete, { path, ...callOptions(options) }));
    },
    realtime: (audio, request, options) => realtimeTranscript(context, audio, request, options),
    verifyWebhook: (delivery) => verifyWebhook(delivery, context.profile.signatureHeader),
  };
}
