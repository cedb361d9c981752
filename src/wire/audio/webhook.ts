import { createHmac, timingSafeEqual } from 'node:crypto';
import { objectOf } from '../../core/arguments.ts';
import { IbidError } from '../../core/errors.ts';
import { isRecord } from '../../core/records.ts';
import { shaped, type Where } from '../http/answer.ts';
import { refuse, requireText } from '../http/check.ts';
import { jsonOf } from './json.ts';
import { parseTranscriptBody } from './transcript-parse.ts';
import type { TranscriptBody } from './transcript-types.ts';

export interface WebhookDelivery {
  /** The raw body, byte for byte as it came: a parsed and printed one has another signature. */
  readonly body: string | Uint8Array;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly secret: string;
  /** Oldest delivery that is believed. @default 1,800,000 (30 minutes) */
  readonly toleranceMs?: number | undefined;
  /** Milliseconds since 1970. @default Date.now() */
  readonly now?: number | undefined;
}

export interface WebhookEvent {
  /** `speech_to_text_transcription`, `speech_to_text.completed`, … ; '' for a bare transcript of the older form. */
  readonly type: string;
  /** Seconds since 1970. */
  readonly event_timestamp: number | undefined;
  readonly request_id: string | undefined;
  readonly webhook_metadata: Readonly<Record<string, unknown>> | undefined;
  /** `undefined` when the delivery tells of a failure or of something else. */
  readonly result: TranscriptBody | undefined;
  /** The delivery as it came. */
  readonly raw: Readonly<Record<string, unknown>>;
}

const where: Where = { operation: { service: 'audio', name: 'audio.transcripts.verifyWebhook' } };

const untrusted = (why: string): IbidError =>
  new IbidError('PERMISSION_DENIED', `${where.operation.name}: ${why}`, {
    hint: 'Answer 401 and do nothing with the body.',
  });

/**
 * Checks the signature of a delivery, then reads it.
 * @param headerName the profile's `signatureHeader`
 * @throws IbidError PERMISSION_DENIED for a missing, wrong or old signature; RESPONSE_INVALID for a body that is not
 * JSON
 */
export function verifyWebhook(delivery: WebhookDelivery, headerName: string): WebhookEvent {
  objectOf(delivery, 'the delivery');
  requireText('secret', delivery.secret);
  const body = typeof delivery.body === 'string' ? Buffer.from(delivery.body, 'utf8') : Buffer.from(delivery.body);
  const header = headerOf(delivery.headers, headerName);
  if (header === undefined) throw untrusted(`the header ${headerName} is missing`);
  const fields = header.split(',').map((part) => part.trim().split('=', 2));
  const timestamp = fields.find(([name]) => name === 't')?.[1];
  const signatures = fields.filter(([name]) => name === 'v0').map(([, value]) => value ?? '');
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp) || signatures.length === 0) {
    throw untrusted(`the header ${headerName} does not hold t and v0`);
  }
  const expected = createHmac('sha256', delivery.secret).update(`${timestamp}.`).update(body).digest();
  const genuine = signatures.some((hex) => {
    const given = Buffer.from(hex, 'hex');
    return /^[0-9a-f]{64}$/i.test(hex) && timingSafeEqual(given, expected);
  });
  if (!genuine) throw untrusted('the signature does not fit the body');
  const now = delivery.now ?? Date.now();
  if (Math.abs(now - Number(timestamp) * 1_000) > (delivery.toleranceMs ?? 1_800_000)) {
    throw untrusted('the delivery is too old, or its clock is wrong');
  }
  return readDelivery(body.toString('utf8'));
}

function headerOf(headers: WebhookDelivery['headers'], name: string): string | undefined {
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
  return typeof entry === 'string' ? entry : entry?.[0];
}

/** Both forms: an envelope with `data`, or a bare transcript. */
function readDelivery(text: string): WebhookEvent {
  const raw = shaped<Readonly<Record<string, unknown>>>(where, jsonOf(where, text, 'the body'), {});
  const data = isRecord(raw.data) ? raw.data : raw;
  const transcription = isRecord(data.transcription) ? data.transcription : data;
  const hasText = typeof transcription.text === 'string' || Array.isArray(transcription.transcripts);
  return {
    type: typeof raw.type === 'string' ? raw.type : '',
    event_timestamp: typeof raw.event_timestamp === 'number' ? raw.event_timestamp : undefined,
    request_id: typeof data.request_id === 'string' ? data.request_id : undefined,
    webhook_metadata: metadataOf(data.webhook_metadata),
    result: hasText ? parseTranscriptBody(where, transcription) : undefined,
    raw,
  };
}

/** Some deliveries hold the metadata as text. */
function metadataOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'string') return isRecord(value) ? value : undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return isRecord(parsed) ? parsed : { value };
  } catch {
    return { value };
  }
}

/** Signs a body as the service does; for tests of a receiver. @param unixSeconds when it is sent */
export function signWebhook(body: string | Uint8Array, secret: string, unixSeconds: number): string {
  requireText('secret', secret);
  if (!Number.isInteger(unixSeconds)) refuse('unixSeconds', 'is not a whole number');
  const hex = createHmac('sha256', secret).update(`${unixSeconds}.`).update(body).digest('hex');
  return `t=${unixSeconds},v0=${hex}`;
}
