import { invalidAnswer, type Where } from '../http/answer.ts';

/** @throws WireError RESPONSE_INVALID for a text that is not JSON */
export function jsonOf(where: Where, text: string, what = 'a message'): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw Object.assign(invalidAnswer(where, `${what} is not JSON`), { cause });
  }
}
