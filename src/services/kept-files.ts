import type { ModelMedia } from '../answer/language-model.ts';
import { IbidError } from '../core/errors.ts';
import type { CallOptions } from '../core/types.ts';
import type { Database } from '../store/database.ts';
import { KeyValues } from '../store/key-values.ts';
import type { MessagesService } from '../wire/messages/index.ts';

/** Time after which a service forgets a file, if it can do so by itself. */
const KEPT_SECONDS = 30 * 24 * 3600;

/**
 * Pages and pictures that were uploaded to the messages service, by their content: what is looked at again is named by
 * its id instead of being sent again. An id is asked for before it is used; one that is gone, or of another account, is
 * forgotten, and the file is uploaded anew.
 */
export class KeptFiles {
  readonly #ids: KeyValues;

  constructor(database: Database) {
    this.#ids = new KeyValues(database, 'service_files');
  }

  /** The same media with the ids of their files; where an upload fails, without one. */
  async keep<Media extends ModelMedia>(
    service: MessagesService,
    media: readonly Media[],
    call: CallOptions,
  ): Promise<readonly Media[]> {
    return await Promise.all(
      media.map(async (one) => {
        const fileId = await this.#idOf(service, one, call);
        return fileId === undefined ? one : { ...one, fileId };
      }),
    );
  }

  async #idOf(service: MessagesService, media: ModelMedia, { signal }: CallOptions): Promise<string | undefined> {
    const key = media.digest;
    try {
      const kept = (await this.#ids.get([key])).get(key);
      if (kept) {
        const id = Buffer.from(kept).toString();
        if (await isThere(service, id, signal)) return id;
        await this.#ids.delete([key]);
      }
      const expires = service.profile.filesBetaHeader === false ? { expires_in_seconds: KEPT_SECONDS } : {};
      const file = { content: media.bytes, filename: nameOf(media), type: media.mediaType, ...expires };
      const { id } = await service.files.upload(file, { signal });
      await this.#ids.put(new Map([[key, Buffer.from(id)]]));
      return id;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof IbidError) return undefined; // it is sent as it is
      throw error;
    }
  }
}

async function isThere(service: MessagesService, id: string, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await service.files.get(id, { signal });
    return true;
  } catch (error) {
    if (error instanceof IbidError && error.code === 'REMOTE_NOT_FOUND') return false;
    throw error;
  }
}

/** No name of a document: it may say more than the service needs to know. */
const nameOf = ({ mediaType }: ModelMedia): string => `page.${mediaType.split('/')[1]!}`;
