import { hash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parseSlackUsers } from './chats.ts';

/** What is known of a file from what is around it. */
export interface Surroundings {
  /** Name of the folder that the file lies in. */
  readonly folder?: string | undefined;
  /** User id of Slack → name. */
  readonly people?: ReadonlyMap<string, string> | undefined;
  /** The file is a chapter of a book or the text of a mail: no part of it is around the content. */
  readonly isWhole?: boolean | undefined;
  /** Charset that a mail declares for an attached text; may be wrong. */
  readonly charset?: string | undefined;
}

/** A day of a channel in an export of Slack; beside the channels lies `users.json`. */
const SLACK_DAY = /(?:^|[/\\])[^/\\]+[/\\]\d{4}-\d\d-\d\d\.json$/;
const MOST_EXPORTS = 50;

/** The list of people that a file's text has names from; undefined for a file that is no day of a channel. */
export function peopleBeside(path: string): string | undefined {
  return path.endsWith('.json') && SLACK_DAY.test(path) ? join(dirname(dirname(path)), 'users.json') : undefined;
}

/** A list of people as it is at the moment. */
interface PeopleList {
  readonly people: ReadonlyMap<string, string>;
  /** Of the file; absent where there is none. */
  readonly hash?: string | undefined;
}

interface KeptList {
  readonly state: string;
  readonly reading: Promise<PeopleList>;
}

/** Reads what lies around files, once for each export while it stays as it is. */
export class SurroundingsReader {
  readonly #lists = new Map<string, KeptList>();

  /** Nothing for a file that is no day of a channel. */
  async of(path: string): Promise<Surroundings> {
    const list = peopleBeside(path);
    return list === undefined ? {} : { folder: basename(dirname(path)), people: (await this.#read(list)).people };
  }

  /** The hash of all that makes the text of a file, and its title. @param own of its content */
  async hashOf(path: string, own: string): Promise<string> {
    const list = peopleBeside(path);
    if (list === undefined) return own;
    return hash('sha256', JSON.stringify([own, basename(dirname(path)), (await this.#read(list)).hash]));
  }

  async #read(file: string): Promise<PeopleList> {
    const found = await stat(file).catch(() => undefined);
    const state = `${found?.mtimeMs} ${found?.size}`;
    const kept = this.#lists.get(file);
    if (kept?.state === state) return await kept.reading;
    if (this.#lists.size >= MOST_EXPORTS) this.#lists.clear();
    const reading = readFile(file).then(
      (bytes): PeopleList => ({ people: parseSlackUsers(bytes.toString('utf8')), hash: hash('sha256', bytes) }),
      (): PeopleList => ({ people: new Map() }),
    );
    this.#lists.set(file, { state, reading });
    return await reading;
  }
}
