import { IbidError } from '../core/errors.ts';
import type { Reader } from '../read/contract.ts';
import { createReader } from '../read/reader.ts';
import type { Searcher } from '../retrieve/search.ts';
import type { Tuning } from '../retrieve/tuning.ts';
import { KeptFiles } from '../services/kept-files.ts';
import type { WebParts } from '../services/open-web.ts';
import { Providers } from '../services/providers.ts';
import type { Database } from '../store/index.ts';
import { WebSnapshots } from '../web/snapshots.ts';
import { StoredPages } from '../web/stored-pages.ts';
import type { OpenPlace } from './opening.ts';
import { type EmbedderChoice, isOwnEmbedder, type OpenIndexOptions } from './options.ts';
import { IndexRecordings } from './recordings.ts';
import { ServiceEmbedders } from './service-embedders.ts';
import { Session } from './session.ts';
import { type IndexSettings, readSettings } from './settings.ts';

/** The parts of an open index, shared by all its operations. */
export interface IndexParts {
  readonly database: Database;
  /** Set for indexes that are read as one. */
  readonly joined?: Searcher | undefined;
  /** Absolute folder that the uris of files are relative to. */
  readonly base: string;
  readonly options: OpenIndexOptions;
  readonly settings: IndexSettings;
  readonly tuning: Tuning;
  readonly session: Session;
  readonly services: ServiceEmbedders;
  readonly recordings: IndexRecordings;
  reader(): Reader;
  /** From now on the index has vectors of this embedder. */
  adopt(embedder: EmbedderChoice): void;
}

/** The parts of an index and what its questions need; whoever opens them closes them. */
export interface OpenParts extends IndexParts {
  readonly providers: Providers;
  readonly web: WebParts;
  readonly keptFiles: KeptFiles;
  close(): Promise<void>;
}

export function openParts(place: OpenPlace, given: OpenIndexOptions): OpenParts {
  let options = given;
  const { database, joined, base } = place;
  const providers = new Providers(options.services, options.models);
  const services = new ServiceEmbedders(database, providers);
  const own = isOwnEmbedder(options.embedder) ? options.embedder : undefined;
  const session = new Session(place, { service: services, own }, place.store, options.threads);
  let opened: Reader | undefined;
  const reader = (): Reader => {
    opened ??= createReader(options.reader);
    return opened;
  };
  const settings = (database.address.kind === 'local' && readSettings(database.address.directory)) || {};
  return {
    ...{ database, joined, base, settings, session, services, providers, reader },
    get options() {
      return options;
    },
    adopt: (embedder) => {
      options = { ...options, embedder };
      session.adopt(isOwnEmbedder(embedder) ? embedder : undefined);
    },
    tuning: options.tuning ?? settings.search ?? {},
    recordings: new IndexRecordings(database, session, providers),
    web: { snapshots: new WebSnapshots(new StoredPages(database)), chunking: options.chunking, reader },
    keptFiles: new KeptFiles(database),
    close: async () => {
      await Promise.all([session.close(), opened?.close()]);
    },
  };
}

const READ_ALONE = 'Open the one to write or to check alone, with `openIndex`.';

/** @throws IbidError PERMISSION_DENIED for what can only be read: a part of an index, or several that are read as one */
export function checkWritable({ joined }: Pick<OpenParts, 'joined'>, isPart: boolean): void {
  if (isPart) throw new IbidError('PERMISSION_DENIED', 'a part of an index can only be read');
  if (joined)
    throw new IbidError('PERMISSION_DENIED', 'indexes that are read as one can only be read', { hint: READ_ALONE });
}

/** Key of the note with the folder that uris are relative to. */
export const BASE = 'base';
