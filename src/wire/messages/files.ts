import { objectOf } from '../../core/arguments.ts';
import { anything, type Check, characters, checkFields, integer, list, refuse, required, text } from '../http/check.ts';
import type { Call, FileContent, FormPart, StreamReply, WireCallOptions } from '../http/contract.ts';
import { bytes, type EndpointTable, endpoints } from '../http/endpoint.ts';
import type { MessagesProfile } from './profile.ts';
import { type Listing, type ListParams, listed, pages, withBetas } from './wiring.ts';

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

const withBeta = (profile: MessagesProfile): Partial<Call> =>
  withBetas(profile, profile.filesBetaHeader === false ? [] : [profile.filesBetaHeader]);

export const filesTable: EndpointTable<FilesClient, MessagesProfile> = endpoints<FilesClient, MessagesProfile>(
  { service: 'messages', prefix: 'messages.files', group: 'files' },
  {
    upload: { at: 'POST /v1/files', form: ([file]) => formOf(file), spell: (_, profile) => withBeta(profile) },
    list: {
      at: 'GET /v1/files',
      query: listed({ ids: list(text) }),
      spell: ([request = {}], profile) => {
        const { ids, ...params } = objectOf(request, 'the request');
        return { query: { ...params, 'ids[]': ids }, ...withBeta(profile) };
      },
      pages,
    },
    get: { at: 'GET /v1/files/{id}', spell: (_, profile) => withBeta(profile) },
    content: { at: 'GET /v1/files/{id}/content', spell: (_, profile) => withBeta(profile), answer: bytes },
    delete: { at: 'DELETE /v1/files/{id}', spell: (_, profile) => withBeta(profile) },
  },
);

/** What the service would refuse only after the file was sent. */
const fileName: Check = (field, value) => {
  characters(1, 255)(field, value);
  const refused = /[<>:"|?*\\/\u0000-\u001f\u007f]/.exec(String(value));
  if (refused)
    refuse(field, `holds ${JSON.stringify(refused[0])}; not allowed are < > : " | ? * \\ / and control characters`);
};

/** @throws IbidError INVALID_ARGUMENT */
function formOf(file: FileUpload): FormPart[] {
  checkFields('', file, {
    content: required(anything),
    filename: required(fileName),
    type: required(text),
    expires_in_seconds: integer(3600, 7_776_000),
  });
  const { content, filename, type, expires_in_seconds: expires } = file;
  const size = content instanceof Uint8Array ? content.byteLength : content instanceof Blob ? content.size : undefined;
  if (size === 0) refuse('content', 'is empty');
  if (size !== undefined && size > maxFileBytes) {
    refuse('content', `has ${size} bytes; the limit is ${maxFileBytes} (500 MB)`);
  }
  return [
    { name: 'file', file: content, filename, type },
    ...(expires === undefined ? [] : [{ name: 'expires_in_seconds', value: String(expires) }]),
  ];
}
