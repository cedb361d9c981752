import { isUtf8 } from 'node:buffer';
import { decodeBytes, knownLabel } from '../encoding.ts';
import { decodeBase64 } from './base64.ts';
import { decodeUu } from './uuencoded.ts';

/** The value of a header field with its parameters, e.g. `text/plain; charset=utf-8`. */
interface MimeValue {
  /** Lower case, without parameters. */
  readonly value: string;
  readonly parameters: Readonly<Record<string, string>>;
}

interface MimeHeaders {
  /** Unfolded and decoded value of the first field with this name (lower case), or undefined. */
  get(name: string): string | undefined;
  structured(name: string): MimeValue | undefined;
  readonly size: number;
}

/** One entity of a message: a leaf has `content`, a multipart has `parts`. */
export interface MimePart {
  readonly headers: MimeHeaders;
  readonly type: MimeValue;
  readonly disposition: MimeValue | undefined;
  readonly fileName: string | undefined;
  /** Decoded from its transfer encoding. Empty for multiparts. */
  readonly content: Uint8Array;
  readonly parts: readonly MimePart[];
  /** What is wrong with the part, if anything. */
  readonly problem?: string;
}

const MAX_DEPTH = 20;
const MAX_PARTS = 2000;

/**
 * A message as a tree of parts. Tolerates missing headers, missing boundaries and invalid base64.
 * @see RFC 5322, 2045, 2046, 2047, 2231
 */
export function parseMime(bytes: Uint8Array): MimePart {
  return parseEntity(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, { count: 0 }, 'text/plain');
}

function parseEntity(bytes: Buffer, depth: number, budget: { count: number }, defaultType: string): MimePart {
  budget.count++;
  const { headers, body } = splitHeaders(bytes);
  const type = headers.structured('content-type') ?? { value: defaultType, parameters: {} };
  const disposition = headers.structured('content-disposition');
  const fileName = disposition?.parameters.filename ?? type.parameters.name;
  const part = {
    headers,
    type: type.value.includes('/') ? type : { ...type, value: defaultType },
    disposition,
    fileName,
  };
  const boundary = type.parameters.boundary;
  if (type.value.startsWith('multipart/') && boundary && depth < MAX_DEPTH) {
    const inner = type.value === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
    const bodies = splitAtBoundary(body, boundary);
    const parts: MimePart[] = [];
    for (const piece of bodies) {
      if (budget.count >= MAX_PARTS) {
        const problem = `a message of more than ${MAX_PARTS} parts; ${bodies.length - parts.length} are left out`;
        return { ...part, content: new Uint8Array(0), parts, problem };
      }
      parts.push(parseEntity(piece, depth + 1, budget, inner));
    }
    if (parts.length > 0) return { ...part, content: new Uint8Array(0), parts };
    return {
      ...part,
      type: { value: 'text/plain', parameters: {} },
      content: body,
      parts: [],
      problem: 'its boundary is missing',
    };
  }
  if (type.value.startsWith('multipart/')) {
    return {
      ...part,
      type: { value: 'text/plain', parameters: {} },
      content: body,
      parts: [],
      problem: 'a multipart without parts',
    };
  }
  const encoding = (headers.get('content-transfer-encoding') ?? '').toLowerCase().trim();
  if (encoding === 'base64') {
    const decoded = decodeBase64(body);
    const isText = part.type.value.startsWith('text/');
    if (decoded && isText) return { ...part, content: Buffer.concat([decoded.content, decoded.tail]), parts: [] };
    if (decoded) return { ...part, content: decoded.content, parts: [] };
    return { ...part, content: body, parts: [], problem: 'its content is not base64' };
  }
  const decode = DECODERS[encoding];
  return { ...part, content: decode ? decode(body) : body, parts: [] };
}

const DECODERS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  'quoted-printable': decodeQuotedPrintable,
  uuencode: decodeUu,
  'x-uuencode': decodeUu,
  'x-uue': decodeUu,
};

/** Names of fields have any sign but blanks (`X-Copyright(C)`); the first line of a text is a field only if it looks so. */
const FIELD = /^[!-9;-~]+[ \t]*:(?!\/\/)/;
const FIRST_FIELD = /^[\w!#$%&'*+.^`|~-]+\s*:/;
/** A first field behind a blank, as copies have it. */
const INDENTED_FIELD = /^[ \t]+(?:from|to|date|subject|received|return-path|message-id|mime-version)[ \t]*:/i;
const MOST_NAME_BYTES = 200;

/** Header lines up to the first empty line. If the first line is no header, everything is body. */
function splitHeaders(bytes: Buffer): { headers: MimeHeaders; body: Buffer } {
  const fields: Buffer[][] = [];
  let at = 0;
  while (at < bytes.length) {
    let end = bytes.indexOf(10, at);
    if (end === -1) end = bytes.length;
    const stop = end > at && bytes[end - 1] === 13 ? end - 1 : end;
    if (stop === at) {
      at = end + 1;
      break;
    }
    const line = bytes.subarray(at, stop);
    const start = line.toString('latin1', 0, MOST_NAME_BYTES);
    if (fields.length > 0) {
      if (/^[ \t]/.test(start)) fields.at(-1)!.push(SPACE, trimmed(line));
      else if (FIELD.test(start)) fields.push([line]);
      else break; // a line that is no header ends them: the empty line is missing
    } else if (FIRST_FIELD.test(start) || INDENTED_FIELD.test(start)) fields.push([line]);
    else if (!/^(?:>?From )/.test(start)) return { headers: headersOf([], bytes), body: bytes };
    at = end + 1;
  }
  const body = bytes.subarray(Math.min(at, bytes.length));
  return { headers: headersOf(fields, body), body };
}

const SPACE = Buffer.from(' ');

function trimmed(line: Buffer): Buffer {
  let start = 0;
  let end = line.length;
  while (start < end && (line[start] === 32 || line[start] === 9)) start++;
  while (start < end && (line[end - 1] === 32 || line[end - 1] === 9)) end--;
  return line.subarray(start, end);
}

/** Of a body, where its first charset and the encoding of its bytes are looked for. */
const SAMPLE_BYTES = 64 * 1024;

function headersOf(fields: readonly (readonly Buffer[])[], body: Buffer): MimeHeaders {
  const raw = new Map<string, Buffer>();
  for (const pieces of fields) {
    const colon = pieces[0]!.indexOf(58);
    const name = pieces[0]!.toString('latin1', 0, colon).trim().toLowerCase();
    if (!raw.has(name)) raw.set(name, Buffer.concat(pieces).subarray(colon + 1));
  }
  const texts = new Map<string, string>();
  let charset: string | undefined;
  const textOf = (name: string): string | undefined => {
    const bytes = raw.get(name);
    if (bytes === undefined || texts.has(name)) return texts.get(name);
    if (!isUtf8(bytes)) charset ??= charsetOf([...raw.values()], body);
    const text = decodeBytes(bytes, charset).text.trim();
    texts.set(name, text);
    return text;
  };
  return {
    size: raw.size,
    get: (name) => {
      const text = textOf(name);
      return text === undefined ? undefined : decodeWords(text);
    },
    structured: (name) => {
      const text = textOf(name);
      return text === undefined ? undefined : parseStructured(text);
    },
  };
}

/**
 * The encoding of raw 8-bit headers that are not UTF-8: the one that a part declares, else that of all such headers
 * and of the text, which together say more than one line.
 */
function charsetOf(fields: readonly Buffer[], body: Buffer): string {
  const sample = body.subarray(0, SAMPLE_BYTES);
  const all = [...fields, sample].map((bytes) => bytes.toString('latin1')).join('\n');
  const declared = /\bcharset\s*=\s*"?([^"\s;]+)/i.exec(all)?.[1] ?? '';
  const named = /ascii/i.test(declared) ? undefined : knownLabel(declared);
  if (named !== undefined && !named.startsWith('utf-')) return named;
  const beyond = [...fields, sample].filter((bytes) => bytes.some((byte) => byte > 127));
  return decodeBytes(Buffer.concat(beyond.flatMap((bytes) => [bytes, SPACE]))).encoding;
}

/**
 * Decodes `=?charset?B?…?=` and `=?charset?Q?…?=`. Neighbours in one charset are joined before decoding, because some
 * writers cut inside a character; white space between neighbours is dropped.
 */
export function decodeWords(text: string): string {
  let out = '';
  let at = 0;
  let pending: { charset: string; bytes: Buffer[] } | undefined;
  const flush = (): void => {
    if (pending) out += decodeBytes(Buffer.concat(pending.bytes), pending.charset).text;
    pending = undefined;
  };
  for (const match of text.matchAll(/=\?([^?*\s]+)(?:\*[^?\s]*)?\?([BbQq])\?([^?\n]*)\?=/g)) {
    // These groups always match.
    const [whole, name, kind, data] = match as unknown as [string, string, string, string];
    const between = text.slice(at, match.index);
    const charset = name.toLowerCase();
    if (!pending || between.trim() !== '' || pending.charset !== charset) {
      const beside: boolean = pending !== undefined && between.trim() === '';
      flush();
      if (!beside) out += between;
      pending = { charset, bytes: [] };
    }
    pending.bytes.push(
      kind.toLowerCase() === 'b'
        ? Buffer.from(data, 'base64')
        : decodeQuotedPrintable(Buffer.from(data.replaceAll('_', ' '), 'latin1')),
    );
    at = match.index + whole.length;
  }
  flush();
  return out + text.slice(at);
}

/** A value and its parameters, with RFC 2231 continuations (`name*0*=…`) joined. */
function parseStructured(raw: string): MimeValue {
  const parameters: Record<string, string> = {};
  const pieces: Record<string, { index: number; text: string; encoded: boolean }[]> = {};
  const value = /^[^;\s]*/.exec(raw.trim())![0].toLowerCase();
  for (const match of raw.matchAll(/;\s*([\w-]+)(\*\d+)?(\*)?\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g)) {
    const [, name, index, star, quoted, plain] = match;
    const key = name!.toLowerCase();
    // Names of files have blanks that should be in quotes; behind other values stand comments.
    const bare = key === 'name' || key === 'filename' ? plain?.trim() : /^\S*/.exec(plain ?? '')?.[0];
    const text = quoted === undefined ? bare! : quoted.replace(/\\(.)/g, '$1');
    if (index === undefined && star === undefined) parameters[key] ??= decodeWords(text);
    else {
      pieces[key] ??= [];
      pieces[key].push({ index: Number(index?.slice(1) ?? 0), text, encoded: star !== undefined });
    }
  }
  for (const [key, list] of Object.entries(pieces)) {
    list.sort((a, b) => a.index - b.index);
    let charset = 'utf-8';
    const bytes = list.map(({ text, encoded }, i) => {
      if (!encoded) return Buffer.from(text, 'utf8');
      const marked = i === 0 ? /^([^']*)'[^']*'(.*)$/s.exec(text) : null;
      if (marked?.[1]) charset = marked[1];
      return percentDecode(marked?.[2] ?? text);
    });
    parameters[key] = decodeBytes(Buffer.concat(bytes), knownLabel(charset)).text;
  }
  return { value, parameters };
}

function percentDecode(text: string): Buffer {
  const latin = text.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(latin, 'latin1');
}

function splitAtBoundary(body: Buffer, boundary: string): Buffer[] {
  const mark = Buffer.from(`--${boundary}`, 'latin1');
  const out: Buffer[] = [];
  let start = -1;
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + mark.length)) {
    if (at > 0 && body[at - 1] !== 10) continue; // a boundary is at the start of a line
    const after = at + mark.length;
    const next = body[after];
    const closing = next === 45 && body[after + 1] === 45;
    // A longer boundary may begin like this one.
    if (!closing && next !== undefined && next !== 10 && next !== 13 && next !== 32 && next !== 9) continue;
    if (start !== -1) out.push(withoutLineEnd(body.subarray(start, at)));
    const feed = body.indexOf(10, after);
    start = feed === -1 ? body.length : feed + 1;
    if (closing) return out;
  }
  if (start !== -1 && start < body.length) out.push(body.subarray(start)); // without a last boundary
  return out;
}

/** The line end before a boundary belongs to the boundary. */
function withoutLineEnd(bytes: Buffer): Buffer {
  let end = bytes.length;
  if (end > 0 && bytes[end - 1] === 10) end--;
  if (end > 0 && bytes[end - 1] === 13) end--;
  return bytes.subarray(0, end);
}

function decodeQuotedPrintable(body: Buffer): Buffer {
  const out = Buffer.allocUnsafe(body.length);
  let length = 0;
  for (let i = 0; i < body.length; i++) {
    const byte = body[i]!;
    if (byte !== 61) {
      out[length++] = byte;
      continue;
    }
    const hex = body.toString('latin1', i + 1, i + 3);
    if (/^[0-9a-fA-F]{2}$/.test(hex)) {
      out[length++] = Number.parseInt(hex, 16);
      i += 2;
      continue;
    }
    // A soft line break; blanks that were added on the way may stand before it.
    let end = i + 1;
    while (body[end] === 32 || body[end] === 9) end++;
    if (body[end] === 13) end++;
    if (body[end] === 10) i = end;
    else out[length++] = byte;
  }
  return out.subarray(0, length);
}
