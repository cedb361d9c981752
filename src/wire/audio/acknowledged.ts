import { isRecord } from '../../core/records.ts';
import { ask } from '../http/endpoint.ts';
import type { AudioSent } from './context.ts';

export type Acknowledged = Promise<{ readonly status: string }>;

/** An answer that says only that it is done: `{"status":"ok"}` and its like, an empty object, or nothing at all. */
export async function acknowledged(sent: AudioSent): Acknowledged {
  const { reply } = await ask(sent);
  const body = isRecord(reply.body) ? reply.body : {};
  return { ...body, status: typeof body.status === 'string' ? body.status : 'ok' };
}
