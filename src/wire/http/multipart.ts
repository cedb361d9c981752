import { randomUUID } from 'node:crypto';
import type { FileContent, FormPart } from './contract.ts';
import { WireError } from './errors.ts';

/** A multipart body: its content type, its length where every part's is known, and its bytes, made anew per attempt. */
export interface FormBody {
  readonly contentType: string;
  readonly sizeBytes: number | undefined;
  /** Whether `open` may be called again. */
  readonly repeatable: boolean;
  open(): AsyncIterable<Uint8Array>;
}

const LINE = '\r\n';
const PIECE = 65_536;
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/**
 * @param parts in the order sent; a name may come several times
 * @throws WireError INVALID_ARGUMENT for a name, file name or type that cannot stand in a part's head
 */
export function formBody(parts: readonly FormPart[], boundary: string = `ibid-${randomUUID()}`): FormBody {
  const built = parts.map((part) => ({ part, head: encode(headOf(part, boundary)) }));
  const tail = encode(`--${boundary}--${LINE}`);
  const sizes = built.map(({ part, head }) => {
    const size = 'value' in part ? encode(part.value).byteLength : sizeOf(part.file);
    return size === undefined ? undefined : head.byteLength + size + LINE.length;
  });
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    sizeBytes: sizes.includes(undefined)
      ? undefined
      : (sizes as number[]).reduce((sum, size) => sum + size, tail.byteLength), // undefined is ruled out above
    repeatable: parts.every((part) => 'value' in part || repeatable(part.file)),
    async *open() {
      for (const { part, head } of built) {
        yield head;
        if ('value' in part) yield encode(part.value);
        else yield* pieces(part.file);
        yield encode(LINE);
      }
      yield tail;
    },
  };
}

function headOf(part: FormPart, boundary: string): string {
  const disposition = `--${boundary}${LINE}content-disposition: form-data; name="${quote(part.name, 'the name of a part')}"`;
  if ('value' in part) return `${disposition}${LINE}${LINE}`;
  if (part.filename === '') throw new WireError('INVALID_ARGUMENT', `the file of part ${part.name} needs a file name`);
  if (!/^[\w.+-]+\/[\w.+-]+(;[\x20-\x7e]*)?$/.test(part.type)) {
    throw new WireError('INVALID_ARGUMENT', `"${part.type}" is not a media type, in part ${part.name}`);
  }
  return `${disposition}; filename="${quote(part.filename, 'a file name')}"${LINE}content-type: ${part.type}${LINE}${LINE}`;
}

/** As browsers do: quotes and line ends percent-encoded, the rest UTF-8 as it is. */
const quote = (text: string, what: string): string => {
  if (text.includes('\0')) throw new WireError('INVALID_ARGUMENT', `${what} holds a NUL character`);
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
};

const sizeOf = (file: FileContent): number | undefined =>
  file instanceof Uint8Array ? file.byteLength : file instanceof Blob ? file.size : undefined;

const repeatable = (file: FileContent): boolean =>
  file instanceof Uint8Array || file instanceof Blob || typeof file === 'function';

async function* pieces(file: FileContent): AsyncIterable<Uint8Array> {
  if (file instanceof Uint8Array) {
    // In slices, so that a slow peer does not hold one huge write.
    for (let at = 0; at < file.byteLength; at += PIECE) yield file.subarray(at, at + PIECE);
  } else if (file instanceof Blob) {
    for (let at = 0; at < file.size; at += 16 * PIECE) yield await file.slice(at, at + 16 * PIECE).bytes();
  } else {
    for await (const piece of typeof file === 'function' ? file() : file) if (piece.byteLength > 0) yield piece;
  }
}
