import type { WireCallOptions } from '../http/contract.ts';
import { ask } from '../http/endpoint.ts';
import { type Acknowledged, acknowledged } from './acknowledged.ts';
import { type Answer, type AudioRows, type WithInfo, withInfo } from './context.ts';
import { type RealtimeEvent, type RealtimeInput, type RealtimeRequest, realtimeTranscript } from './realtime.ts';
import { parseTranscript, parseTranscriptBody } from './transcript-parse.ts';
import { prepareTranscript } from './transcript-request.ts';
import type { Transcript, TranscriptBody, TranscriptRequest } from './transcript-types.ts';
import type { WebhookDelivery, WebhookEvent } from './webhook.ts';

export type TranscriptResult = WithInfo<TranscriptBody>;

/** Speech to text. */
export interface TranscriptsApi {
  /**
   * One file, or an address the service fetches. Long files take minutes to answer: the headers' time limit is the
   * transport's (10 minutes), not the platform's; `webhook: true` returns at once with `kind: 'accepted'`.
   */
  create(request: TranscriptRequest, options?: WireCallOptions): Promise<TranscriptResult>;
  get(transcriptionId: string, options?: WireCallOptions): Answer<Transcript>;
  delete(transcriptionId: string, options?: WireCallOptions): Acknowledged;
  /** Sound in as it is spoken, text out, over one WebSocket. */
  realtime(
    audio: AsyncIterable<RealtimeInput> | Iterable<RealtimeInput>,
    request?: RealtimeRequest,
    options?: WireCallOptions,
  ): AsyncGenerator<RealtimeEvent>;
  /** Checks the signature of a delivery and reads it; sends nothing. @throws IbidError PERMISSION_DENIED */
  verifyWebhook(delivery: WebhookDelivery): WebhookEvent;
}

export const transcriptRows: AudioRows<Omit<TranscriptsApi, 'verifyWebhook'>> = {
  create: {
    at: 'POST /v1/speech-to-text',
    group: 'transcripts',
    method: (wiring, operation) => async (request, options) => {
      const opened = wiring();
      const call = { ...prepareTranscript(opened.profile, request), options };
      const { reply, where } = await ask({ wiring: opened, operation, call });
      return withInfo(opened.profile, reply, parseTranscriptBody(where, reply.body));
    },
  },
  get: {
    at: 'GET /v1/speech-to-text/transcripts/{transcription_id}',
    answer: async (sent) => {
      const { reply, where } = await ask(sent);
      return withInfo(sent.wiring.profile, reply, parseTranscript(where, reply.body));
    },
  },
  delete: { at: 'DELETE /v1/speech-to-text/transcripts/{transcription_id}', answer: acknowledged },
  realtime: {
    at: 'GET /v1/speech-to-text/realtime',
    repeat: 'unsent',
    group: 'transcripts',
    method: (wiring, operation) => (audio, request, options) =>
      realtimeTranscript(wiring().profile, operation, audio, request, options),
  },
};
