import { type Shape, shaped } from '../http/answer.ts';
import { type Check, type Fields, requireRecord, within } from '../http/check.ts';
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

/** An answer that says only that it is done: `{"status":"ok"}` and its like, an empty object, or nothing at all. */
export async function acknowledged(sent: AudioSent): Promise<{ readonly status: string }> {
  const { reply, where } = await ask(sent);
  const shape: Shape = {};
  const body = reply.body === undefined ? {} : shaped<{ readonly status?: unknown }>(where, reply.body, shape);
  return { ...body, status: typeof body.status === 'string' ? body.status : 'ok' };
}
