import { createHmac } from 'node:crypto';
import type { AudioContext } from './context.ts';
import type { TranscriptionScript } from './script.ts';

/** `t=<unix>,v0=<hex>`: HMAC-SHA256 over time, a dot and the raw body. */
function signWebhook(secret: string, unixSeconds: number, body: string): string {
  return `t=${unixSeconds},v0=${createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex')}`;
}

/** Posts a finished transcript soon after the request was answered; one attempt. */
export function deliver(
  context: AudioContext,
  { url, secret, form = 'current' }: NonNullable<TranscriptionScript['webhook']>,
  requestId: string,
  metadata: unknown,
  transcription: Readonly<Record<string, unknown>>,
): void {
  const now = Math.floor(context.now() / 1000);
  const data = { request_id: requestId, webhook_metadata: metadata ?? null, transcription };
  const payloads = {
    current: { type: 'speech_to_text_transcription', event_timestamp: now, data },
    // An older guide: another name, and metadata back as the string that was sent.
    older: {
      type: 'speech_to_text.completed',
      event_timestamp: now,
      data: { ...data, webhook_metadata: JSON.stringify(metadata ?? null) },
    },
    bare: transcription,
  } as const;
  const body = JSON.stringify(payloads[form]);
  const headers = { 'content-type': 'application/json', 'x-audio-signature': signWebhook(secret, now, body) };
  // The receiver is a test's own server; when it is gone there is nobody to tell.
  setImmediate(() => void fetch(url, { method: 'POST', headers, body }).catch(() => undefined));
}
