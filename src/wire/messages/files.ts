import type { FileContent, FormPart, StreamReply, WireCallOptions } from '../http/contract.ts';
import { operation } from './operations.ts';
import { mustBeInteger, refuse } from './refuse.ts';
import { betaHeader, callForObject, type Listing, type ListParams, listing, mustBeId, type Wiring } from './wiring.ts';

export interface FileInfo {
  readonly id: string;
  readonly type: 'file';
  readonly filename: string;
  readonly mime_type: string;
  readonly size_bytes: number;
  readonly created_at: string;
  /** Only files the service made can be downloaded. */
  readonly downloadable?: boolean;
  readonly expires_at?: string | null;
}

export interface FileUpload {
  /** A function is called anew for a repeated attempt; an iterable can be sent once. */
  readonly content: FileContent;
  /** 1 to 255 characters without `<>:"|?*\/` and control characters. */
  readonly filename: string;
  /** MIME type; csv and Markdown may go as `text/plain`. */
  readonly type: string;
  /** 3,600 to 7,776,000; the service keeps the file for good unless set. */
  readonly expires_in_seconds?: number | undefined;
}

export interface FileListParams extends ListParams {
  /** Only these. */
  readonly ids?: readonly string[] | undefined;
}

export interface DeletedFile {
  readonly id: string;
  readonly type: 'file_deleted';
}

/** Every key of a workspace sees every file in it: never take a file id from an end user. */
export interface FilesClient {
  upload(file: FileUpload, options?: WireCallOptions): Promise<FileInfo>;
  list(params?: FileListParams, options?: WireCallOptions): Listing<FileInfo>;
  get(id: string, options?: WireCallOptions): Promise<FileInfo>;
  /** The bytes, as they arrive. */
  content(id: string, options?: WireCallOptions): Promise<StreamReply<Uint8Array>>;
  delete(id: string, options?: WireCallOptions): Promise<DeletedFile>;
}

const maxFileBytes = 500 * 1024 * 1024;

export function filesClient(wiring: () => Wiring): FilesClient {
  const headers = (): { readonly headers?: Record<string, string> } => {
    const { profile } = wiring();
    const header = betaHeader(profile, profile.filesBetaHeader === false ? [] : [profile.filesBetaHeader]);
    return header === undefined ? {} : { headers: header };
  };
  const byId = (id: string, options: WireCallOptions | undefined) =>
    ({ path: { id: mustBeId(id, 'id') }, ...headers(), options }) as const;
  return {
    upload: async (file, options) =>
      callForObject(wiring(), 'messages.files.upload', { form: formOf(file), ...headers(), options }),
    list: ({ ids, ...params } = {}, options) =>
      listing(wiring, 'messages.files.list', params, {
        query: ids === undefined ? {} : { 'ids[]': ids },
        ...headers(),
        options,
      }),
    get: async (id, options) => callForObject(wiring(), 'messages.files.get', byId(id, options)),
    content: async (id, options) => wiring().transport.bytes(operation('messages.files.content'), byId(id, options)),
    delete: async (id, options) => callForObject(wiring(), 'messages.files.delete', byId(id, options)),
  };
}

function formOf(file: FileUpload): FormPart[] {
  const { content, filename, type, expires_in_seconds: expires } = file;
  if (typeof filename !== 'string' || filename.length < 1 || filename.length > 255) {
    refuse('filename', 'must have 1 to 255 characters');
  }
  if (/[<>:"|?*\\/\u0000-\u001f\u007f]/.test(filename)) {
    refuse('filename', 'must not hold <>:"|?*\\/ or control characters', 'Give the name without its folder.');
  }
  if (typeof type !== 'string' || !/^[^\s/]+\/[^\s/]+/.test(type)) refuse('type', 'must be a MIME type');
  const size = content instanceof Uint8Array ? content.byteLength : content instanceof Blob ? content.size : undefined;
  if (size === 0) refuse('content', 'is empty');
  if (size !== undefined && size > maxFileBytes)
    refuse('content', `has ${size} bytes, the limit is ${maxFileBytes} (500 MB)`);
  if (expires !== undefined) mustBeInteger(expires, 'expires_in_seconds', 3600, 7_776_000);
  return [
    { name: 'file', file: content, filename, type },
    ...(expires === undefined ? [] : [{ name: 'expires_in_seconds', value: String(expires) }]),
  ];
}
