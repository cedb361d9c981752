import type { Reader } from '../read/contract.ts';
import type { Searcher } from '../retrieve/search.ts';
import type { Tuning } from '../retrieve/tuning.ts';
import type { Database } from '../store/index.ts';
import type { OpenIndexOptions } from './options.ts';
import type { IndexRecordings } from './recordings.ts';
import type { ServiceEmbedders } from './service-embedders.ts';
import type { Session } from './session.ts';
import type { IndexSettings } from './settings.ts';

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
}

/** Key of the note with the folder that uris are relative to. */
export const BASE = 'base';
