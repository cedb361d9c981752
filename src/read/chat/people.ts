import { readFile } from 'node:fs/promises';
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

/** Reads what lies around files, once for each export. */
export class SurroundingsReader {
  readonly #users = new Map<string, Promise<ReadonlyMap<string, string>>>();

  /** Nothing for a file that is no day of a channel. */
  async of(path: string): Promise<Surroundings> {
    if (!SLACK_DAY.test(path)) return {};
    const folder = dirname(path);
    const file = join(dirname(folder), 'users.json');
    if (this.#users.size >= MOST_EXPORTS) this.#users.clear();
    const reading =
      this.#users.get(file) ?? readFile(file, 'utf8').then(parseSlackUsers, () => new Map<string, string>());
    this.#users.set(file, reading);
    return { folder: basename(folder), people: await reading };
  }
}
