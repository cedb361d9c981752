import { type Check, type Fields, isRecord, requireRecord, within } from '../http/check.ts';
import { ask } from '../http/endpoint.ts';
import type { AudioSent } from './context.ts';

/** Checks the named fields; the others go as they are, for the service adds fields. */
export function partly(known: Fields): Check {
  return (field, value) => {
    if (value === undefined) return;
    requireRecord(field === '' ? 'request' : field, value);
    for (const [name, check] of Object.entries(known)) check(within(field, name), value[name]);
  };
}

export type Acknowledged = Promise<{ readonly status: string }>;

/** An answer that says only that it is done: `{"status":"ok"}` and its like, an empty object, or nothing at all. */
export async function acknowledged(sent: AudioSent): Acknowledged {
  const { reply } = await ask(sent);
  const body = isRecord(reply.body) ? reply.body : {};
  return { ...body, status: typeof body.status === 'string' ? body.status : 'ok' };
}
