import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { familyName, queueName } from './contract.ts';

/** Counts the workers that listen at a Redis, by its list of connections, which is one for all its databases. */
export class Listening {
  readonly #queue: Queue;
  readonly #database: number;
  readonly #connect: () => Redis;

  /** @param connect gives a connection of its own, to ask for the connections of others */
  constructor(queue: Queue, database: number, connect: () => Redis) {
    this.#queue = queue;
    this.#database = database;
    this.#connect = connect;
  }

  /** Workers of the queue. */
  async own(): Promise<number> {
    const workers = await this.#queue.getWorkers();
    return workers.filter(({ db }) => db === undefined || this.#isHere(db)).length; // some Redis tell no list
  }

  /** Workers of another version of ibid, which see nothing of the queue; 0 where Redis does not tell. */
  async others(): Promise<number> {
    const redis = this.#connect();
    redis.on('error', () => undefined); // the command fails too
    try {
      const list = String(await redis.client('LIST'));
      return list.split('\n').filter((line) => this.#isOther(line)).length;
    } catch {
      return 0;
    } finally {
      redis.disconnect();
    }
  }

  /** @param line of a connection: `id=7 … name=bull:aWJpZA== … db=0 …`, the name of a queue in Base64 */
  #isOther(line: string): boolean {
    const encoded = /\bname=bull:([\w+/=]+) /.exec(line)?.[1]; // with a suffix it is no worker
    const db = /\bdb=(\d+)/.exec(line)?.[1];
    if (encoded === undefined || db === undefined || !this.#isHere(db)) return false;
    const name = Buffer.from(encoded, 'base64').toString();
    return name.startsWith(familyName) && name !== queueName;
  }

  #isHere(database: string): boolean {
    return Number(database) === this.#database;
  }
}
