import { createHmac, randomBytes } from 'node:crypto';

/**
 * Signatures of thinking blocks, so that a changed, dropped or invented one is noticed when it comes back. The key
 * belongs to the module, not to one running service: a conversation may go on after the service was started again.
 */
const key = 'loopback thinking key';

function mac(nonce: string, text: string): string {
  return createHmac('sha256', key).update(nonce).update('\0').update(text).digest('base64url');
}

/** @param shown the thinking text as sent to the client ('' when it is omitted) */
export function sign(shown: string): string {
  const nonce = randomBytes(6).toString('hex');
  return `${nonce}.${mac(nonce, shown)}`;
}

export function verifies(shown: string, signature: string): boolean {
  const [nonce = '', value = ''] = signature.split('.');
  return value !== '' && mac(nonce, shown) === value;
}

/** Data of a redacted thinking block. */
export function seal(): string {
  return sign('redacted');
}

export function sealed(data: string): boolean {
  return verifies('redacted', data);
}
