import type { MultipartPart } from './contract.ts';

/**
 * Parts of a `multipart/form-data` body (RFC 7578), in order.
 * @returns undefined when the content type is another one
 * @throws Error when the body does not follow the boundary, or a part has no name
 */
export function parseMultipart(contentType: string, body: Buffer): MultipartPart[] | undefined {
  if (!/^multipart\/form-data\b/i.test(contentType)) return undefined;
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  if (boundary === null) throw new Error('multipart/form-data without a boundary');
  const mark = Buffer.from(`--${boundary[1] ?? boundary[2]}`);
  const parts: MultipartPart[] = [];
  if (body.indexOf(mark) !== 0) throw new Error('multipart body does not begin with its boundary');
  let at = mark.length;
  for (;;) {
    if (body.subarray(at, at + 2).toString('latin1') === '--') return parts;
    if (body.subarray(at, at + 2).toString('latin1') !== '\r\n')
      throw new Error('multipart boundary without a line end');
    const headEnd = body.indexOf('\r\n\r\n', at);
    if (headEnd < 0) throw new Error('multipart part without a head');
    const end = body.indexOf(Buffer.concat([Buffer.from('\r\n'), mark]), headEnd + 4 - 2);
    if (end < 0) throw new Error('multipart part without an end');
    parts.push(
      part(body.subarray(at + 2, headEnd).toString('utf8'), body.subarray(headEnd + 4, Math.max(end, headEnd + 4))),
    );
    at = end + 2 + mark.length;
  }
}

function part(head: string, bytes: Buffer): MultipartPart {
  const headers = new Map(
    head.split('\r\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const disposition = headers.get('content-disposition') ?? '';
  if (!/^form-data\b/i.test(disposition)) throw new Error('multipart part is not form-data');
  const name = parameter(disposition, 'name');
  if (name === undefined) throw new Error('multipart part without a name');
  return {
    name,
    filename: parameter(disposition, 'filename'),
    contentType: headers.get('content-type'),
    bytes,
    text: bytes.toString('utf8'),
  };
}

/**
 * Quotes and line ends inside names are percent-encoded by clients (WHATWG form encoding), and backslash-escaped by
 * some.
 */
function parameter(disposition: string, key: string): string | undefined {
  const found = new RegExp(`;\\s*${key}="((?:[^"\\\\]|\\\\.)*)"`, 'i').exec(disposition);
  return found?.[1]
    ?.replace(/\\(["\\])/g, '$1')
    .replace(/%22/g, '"')
    .replace(/%0D/gi, '\r')
    .replace(/%0A/gi, '\n');
}
