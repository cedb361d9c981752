import type { WireCallOptions } from '../http/contract.ts';
import { ask } from '../http/endpoint.ts';
import { type Acknowledged, acknowledged } from './acknowledged.ts';
import { type AudioRows, type AudioSent, type WithInfo, withInfo } from './context.ts';
import { type RealtimeEvent, type RealtimeInput, type RealtimeRequest, realtimeTranscript } from './realtime.ts';
import { parseTranscriptBody } from './transcript-parse.ts';
import { prepareTranscript } from './transcript-request.ts';
import type { TranscriptBody, TranscriptRequest } from './transcript-types.ts';
import type { WebhookDelivery, WebhookEvent } from './webhook.ts';

export type TranscriptResult = WithInfo<TranscriptBody>;

/** Speech to text. */
export interface TranscriptsApi {
  /**
   * One file, or an address the service fetches. Long files take minutes to answer: the headers' time limit is the
   * transport's (10 minutes), not the platform's; `webhook: true` returns at once with `kind: 'accepted'`.
   */
  create(request: TranscriptRequest, options?: WireCallOptions): Promise<TranscriptResult>;
  /** In the same shapes: one of several channels has a transcript for each. */
  get(transcriptionId: string, options?: WireCallOptions): Promise<TranscriptResult>;
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

async function receive(sent: AudioSent): Promise<TranscriptResult> {
  const { reply, where } = await ask(sent);
  return withInfo(sent.wiring.profile, reply, parseTranscriptBody(where, reply.body));
}

export const transcriptRows: AudioRows<Omit<TranscriptsApi, 'verifyWebhook'>> = {
  create: {
    at: 'POST /v1/speech-to-text',
    group: 'transcripts',
    method: (wiring, operation) => async (request, options) => {
      const opened = wiring();
      const call = { ...prepareTranscript(opened.profile, request), options };
      return receive({ wiring: opened, operation, call });
    },
  },
  get: {
    at: 'GET /v1/speech-to-text/transcripts/{transcription_id}',
    answer: receive,
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
