import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newestVersion } from './newest-version.ts';
import { metaTable } from './schema.ts';
import { checksumsFolder, sealed, unsealed, writeSheet } from './sheets.ts';

type Notes = Readonly<Record<string, string>>;

interface Kept {
  /** The mark of the version of their table. */
  readonly of: string | undefined;
  readonly notes: Notes;
}

/** In the copy: which version of their table the notes are of. */
const OF_VERSION = 'version of the table';

/** The copy of the notes of a local index. They alone cannot be made again from the documents. */
export class NotesCopy {
  readonly #directory: string;
  readonly #table: string;
  #kept: Kept | undefined;

  /** @param directory of the index */
  constructor(directory: string) {
    this.#directory = directory;
    this.#table = join(directory, 'lance', `${metaTable}.lance`);
  }

  /** Relative to the index folder. */
  static readonly file: string = `${checksumsFolder}/notes`;

  get exists(): boolean {
    return existsSync(join(this.#directory, NotesCopy.file));
  }

  /** @param version of their table @throws IbidError STORE_FAILED */
  keep(notes: Notes, version?: number): void {
    const newest = newestVersion(this.#table);
    const of = newest?.version === version ? newest?.mark : undefined;
    const text = JSON.stringify(of === undefined ? notes : { ...notes, [OF_VERSION]: of });
    writeSheet(this.#directory, NotesCopy.file, sealed(text));
  }

  /** Undefined where there is none, or where it is damaged. */
  read(): Notes | undefined {
    return this.#read()?.notes;
  }

  /** The notes, where they are of the newest version of their table. */
  newest(): Notes | undefined {
    const mark = newestVersion(this.#table)?.mark;
    if (mark === undefined) return undefined;
    if (this.#kept?.of !== mark) this.#kept = this.#read();
    return this.#kept?.of === mark ? this.#kept.notes : undefined;
  }

  #read(): Kept | undefined {
    let text: string;
    try {
      text = readFileSync(join(this.#directory, NotesCopy.file), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    const body = unsealed(text);
    if (body === undefined) return undefined;
    const { [OF_VERSION]: of, ...notes } = JSON.parse(body) as Record<string, string>; // written by `keep`
    return { of, notes };
  }
}
