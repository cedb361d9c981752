import { invalidAnswer, type Where } from '../http/answer.ts';

export interface MixedPart {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Takes a `multipart/mixed` body apart (RFC 2046, section 5.1). The delimiter counts only at a line's start, so that
 * sound that happens to hold its letters stays whole.
 * @throws WireError RESPONSE_INVALID without a boundary, without parts, or without the closing delimiter
 */
export function parseMixed(bytes: Uint8Array, contentType: string, where: Where): MixedPart[] {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const name = boundary?.[1] ?? boundary?.[2];
  if (name === undefined) throw invalidAnswer(where, `"${contentType}" names no boundary`);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const delimiter = Buffer.from(`--${name}`, 'latin1');
  const parts: MixedPart[] = [];
  let start: number | undefined;
  for (let at = buffer.indexOf(delimiter); at !== -1; at = buffer.indexOf(delimiter, at + delimiter.length)) {
    if (at > 0 && buffer[at - 1] !== 0x0a) continue;
    const after = buffer.toString('latin1', at + delimiter.length, at + delimiter.length + 256);
    const rest = /^(--)?[ \t]*(\r?\n|$)/.exec(after);
    if (rest === null) continue;
    if (start !== undefined) {
      const end = buffer[at - 2] === 0x0d ? at - 2 : at - 1;
      parts.push(parsePart(buffer.subarray(start, Math.max(start, end)), where));
    }
    if (rest[1] !== undefined) {
      if (parts.length === 0) throw invalidAnswer(where, 'the multipart body has no parts');
      return parts;
    }
    start = at + delimiter.length + rest[0].length;
  }
  throw invalidAnswer(where, 'the multipart body ends before its last delimiter');
}

function parsePart(part: Buffer, where: Where): MixedPart {
  const head = /^(?:\r?\n|[\s\S]*?\r?\n\r?\n)/.exec(part.toString('latin1', 0, 16_384));
  if (head === null) throw invalidAnswer(where, 'a part of the multipart body has no end of headers');
  const headers = Object.fromEntries(
    head[0]
      .split(/\r?\n/)
      .filter((line) => line.includes(':'))
      .map((line) => [line.slice(0, line.indexOf(':')).trim().toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { headers, body: part.subarray(head[0].length) };
}
