import type { Exchange, Reply, Route } from '../contract.ts';
import { type DoorRules, enter, limitOf, pageByIds } from './door.ts';
import { refuse, refuseField } from './errors.ts';
import { newId } from './finish.ts';
import type { ResolvedOptions } from './options.ts';

export interface StoredFile {
  readonly id: string;
  readonly filename: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
  readonly createdAt: string;
  readonly downloadable: boolean;
  readonly expiresAt: string | undefined;
}

export class FileStore {
  /** Newest first. */
  readonly all: StoredFile[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Puts a file there without an upload; `downloadable` as if a tool of the service had made it. */
  add(file: {
    filename: string;
    mimeType: string;
    bytes: Uint8Array | string;
    downloadable?: boolean;
    expiresInSeconds?: number;
  }): StoredFile {
    const stored: StoredFile = {
      id: newId('file'),
      filename: file.filename,
      mimeType: file.mimeType,
      bytes: Buffer.from(file.bytes as Uint8Array),
      createdAt: new Date(this.#now()).toISOString(),
      downloadable: file.downloadable === true,
      expiresAt:
        file.expiresInSeconds === undefined
          ? undefined
          : new Date(this.#now() + file.expiresInSeconds * 1000).toISOString(),
    };
    this.all.unshift(stored);
    return stored;
  }

  get(id: string): StoredFile | undefined {
    return this.all.find((file) => file.id === id);
  }

  remove(id: string): boolean {
    const at = this.all.findIndex((file) => file.id === id);
    if (at >= 0) this.all.splice(at, 1);
    return at >= 0;
  }
}

function metadata(file: StoredFile): { readonly id: string } & Record<string, unknown> {
  return {
    id: file.id,
    type: 'file',
    filename: file.filename,
    mime_type: file.mimeType,
    size_bytes: file.bytes.length,
    created_at: file.createdAt,
    downloadable: file.downloadable,
    ...(file.expiresAt === undefined ? {} : { expires_at: file.expiresAt }),
  };
}

export function fileRoutes(store: FileStore, options: ResolvedOptions): Route[] {
  const come = (exchange: Exchange, rules: DoorRules = {}): void => {
    const caller = enter(exchange, options, rules);
    if (options.filesBeta && !caller.betas.has('files-api-2025-04-14'))
      refuseField(`${options.headerPrefix}beta`, 'files-api-2025-04-14 is required');
  };
  const one = (exchange: Exchange): StoredFile =>
    store.get(exchange.params.id!) ?? refuse(404, `File not found: ${exchange.params.id}`);
  return [
    {
      method: 'POST',
      path: '/v1/files',
      maxBytes: 500 << 20,
      handle: (exchange) => {
        come(exchange, { body: 'multipart' });
        return { json: metadata(upload(exchange, store)) };
      },
    },
    {
      method: 'GET',
      path: '/v1/files',
      handle: (exchange) => {
        come(exchange, {
          query: options.filesPaging === 'ids' ? ['limit', 'after_id', 'before_id'] : ['limit', 'page', 'ids[]', 'ids'],
        });
        return {
          json:
            options.filesPaging === 'ids'
              ? pageByIds(store.all.map(metadata), exchange.request.query)
              : pageByToken(store, exchange.request.query),
        };
      },
    },
    {
      method: 'GET',
      path: '/v1/files/{id}',
      handle: (exchange) => {
        come(exchange);
        return { json: metadata(one(exchange)) };
      },
    },
    {
      method: 'GET',
      path: '/v1/files/{id}/content',
      handle: (exchange): Reply => {
        come(exchange);
        const file = one(exchange);
        if (!file.downloadable) refuse(400, `File ${file.id} is not downloadable`);
        return { bytes: file.bytes, headers: { 'content-type': file.mimeType } };
      },
    },
    {
      method: 'DELETE',
      path: '/v1/files/{id}',
      handle: (exchange) => {
        come(exchange);
        const file = one(exchange);
        store.remove(file.id);
        return { json: { id: file.id, type: 'file_deleted' } };
      },
    },
  ];
}

function upload(exchange: Exchange, store: FileStore): StoredFile {
  const { parts } = exchange.request;
  for (const part of parts) {
    if (part.name !== 'file' && part.name !== 'expires_in_seconds')
      refuseField(part.name, 'Extra inputs are not permitted');
  }
  const files = parts.filter((part) => part.name === 'file');
  const file = files[0];
  if (files.length !== 1 || file?.filename === undefined)
    return refuseField('file', 'exactly one file with a name is required');
  if (!/^[^<>:"|?*\\/\p{Cc}]{1,255}$/u.test(file.filename))
    refuseField('file', `invalid filename ${JSON.stringify(file.filename)}`);
  const expiry = parts.find((part) => part.name === 'expires_in_seconds')?.text;
  const seconds = expiry === undefined ? undefined : Number(expiry);
  if (seconds !== undefined && !(Number.isInteger(seconds) && seconds >= 3600 && seconds <= 7_776_000)) {
    refuseField('expires_in_seconds', 'Input should be between 3600 and 7776000');
  }
  return store.add({
    filename: file.filename,
    mimeType: file.contentType ?? 'application/octet-stream',
    bytes: file.bytes,
    ...(seconds === undefined ? {} : { expiresInSeconds: seconds }),
  });
}

function pageByToken(store: FileStore, query: URLSearchParams): Record<string, unknown> {
  const ids = [...query.getAll('ids[]'), ...query.getAll('ids')];
  const wanted = ids.length === 0 ? store.all : store.all.filter((file) => ids.includes(file.id));
  const token = query.get('page');
  const start = token === null ? 0 : Number(Buffer.from(token, 'base64url').toString('utf8').replace('from:', ''));
  if (!Number.isInteger(start)) refuseField('page', 'invalid page token');
  const end = start + limitOf(query);
  return {
    data: wanted.slice(start, end).map(metadata),
    next_page: end < wanted.length ? Buffer.from(`from:${end}`).toString('base64url') : null,
  };
}
