import { createHash, hash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parseSlackUsers } from './chat/chats.ts';
import { discordChannel, discordOwner } from './chat/discord-package.ts';

/** What is known of a file from what is around it. */
export interface Surroundings {
  /** Name of the folder that the file lies in. */
  readonly folder?: string | undefined;
  /** User id of Slack → name. */
  readonly people?: ReadonlyMap<string, string> | undefined;
  /** What a channel is called, and who wrote all of it, in a data package of Discord. */
  readonly channel?: string | undefined;
  readonly owner?: string | undefined;
  /** Path of the log beside a database, which has its newest rows. */
  readonly log?: string | undefined;
  /** The file is a chapter of a book or the text of a mail: no part of it is around the content. */
  readonly isWhole?: boolean | undefined;
  /** Charset that a mail declares for an attached text; may be wrong. */
  readonly charset?: string | undefined;
}

/** A day of a channel in an export of Slack; beside the channels lies `users.json`. */
const SLACK_DAY = /(?:^|[/\\])[^/\\]+[/\\]\d{4}-\d\d-\d\d\.json$/;
/** A channel in a data package of Discord. */
const DISCORD_CHANNEL = /(?:^|[/\\])c?\d{3,20}[/\\]messages\.(?:json|csv)$/;
const DATABASE = /\.(?:db3?|sqlite3?|s3db)$/i;
const MOST_EXPORTS = 50;
/** Bytes of a list of names. */
const MOST_NAMES = 16 * 2 ** 20;

/** The files around another one that make its text too, whether they are there or not; none for most files. */
export function besidesOf(path: string): readonly string[] {
  if (path.endsWith('.json') && SLACK_DAY.test(path)) return [join(dirname(dirname(path)), 'users.json')];
  if (DISCORD_CHANNEL.test(path)) {
    const messages = dirname(dirname(path));
    const accounts = ['account', 'Account'].map((name) => join(dirname(messages), name, 'user.json'));
    return [join(dirname(path), 'channel.json'), join(messages, 'index.json'), ...accounts];
  }
  return DATABASE.test(path) ? [`${path}-wal`] : [];
}

/** A list of people as it is at the moment. */
interface PeopleList {
  readonly people: ReadonlyMap<string, string>;
  readonly hash: string;
}

interface KeptList {
  readonly state: string;
  readonly reading: Promise<PeopleList | undefined>;
}

/** Reads what lies around files; a list of people once, while it stays as it is. */
export class SurroundingsReader {
  readonly #lists = new Map<string, KeptList>();

  /** Nothing for a file of which its bytes say all. */
  async of(path: string): Promise<Surroundings> {
    const [beside] = besidesOf(path);
    if (beside === undefined) return {};
    if (DISCORD_CHANNEL.test(path)) {
      const [channel, index, ...users] = await Promise.all(besidesOf(path).map(textAt));
      const owner = discordOwner(users.find((user) => user !== undefined));
      return { folder: basename(dirname(path)), channel: discordChannel(channel, index), owner };
    }
    const found = await fileAt(beside);
    if (DATABASE.test(path)) return found ? { log: beside } : {};
    return { folder: basename(dirname(path)), people: found && (await this.#people(beside, found))?.people };
  }

  /** The hash of all that makes the text of a file, and its title. @param own of its content */
  async hashOf(path: string, own: string): Promise<string> {
    const [beside] = besidesOf(path);
    if (DISCORD_CHANNEL.test(path)) return hash('sha256', JSON.stringify([own, await this.of(path)]));
    const found = beside === undefined ? undefined : await fileAt(beside);
    if (beside === undefined || (!found && DATABASE.test(path))) return own;
    if (DATABASE.test(path)) return hash('sha256', JSON.stringify([own, await hashOfFile(beside)]));
    const list = found && (await this.#people(beside, found));
    return hash('sha256', JSON.stringify([own, basename(dirname(path)), list?.hash]));
  }

  async #people(file: string, { mtimeMs, size }: Stats): Promise<PeopleList | undefined> {
    const state = `${mtimeMs} ${size}`;
    const kept = this.#lists.get(file);
    if (kept?.state === state) return await kept.reading;
    if (this.#lists.size >= MOST_EXPORTS) this.#lists.clear();
    const reading = readFile(file).then(
      (bytes): PeopleList => ({ people: parseSlackUsers(bytes.toString('utf8')), hash: hash('sha256', bytes) }),
      () => undefined,
    );
    this.#lists.set(file, { state, reading });
    return await reading;
  }
}

/** Undefined for what is no file, or empty. */
async function fileAt(path: string): Promise<Stats | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() && found.size > 0 ? found : undefined;
}

/** Undefined for what is no file, is larger than any list of names, or cannot be read. */
async function textAt(path: string): Promise<string | undefined> {
  const found = await fileAt(path);
  return found && found.size <= MOST_NAMES ? await readFile(path, 'utf8').catch(() => undefined) : undefined;
}

/** Undefined for a file that cannot be read. */
async function hashOfFile(path: string): Promise<string | undefined> {
  const sum = createHash('sha256');
  try {
    for await (const bytes of createReadStream(path)) sum.update(bytes as Buffer); // without an encoding a stream gives Buffers
  } catch {
    return undefined;
  }
  return sum.digest('hex');
}
