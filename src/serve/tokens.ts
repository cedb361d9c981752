import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, readFileSync } from 'node:fs';
import { objectOf, optionsOf, textOf, textsOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import { reasonOf, writeWhole } from '../core/files.ts';
import { type Where, whereSql } from '../store/where.ts';
import { tokenOptions } from './known-options.ts';

/** `read`: search and read; `ask`: questions too; `ingest`: change the index; `admin`: all of these, and figures. */
export type Scope = 'read' | 'ask' | 'ingest' | 'admin';
/** Every scope. */
export const scopes: readonly Scope[] = ['read', 'ask', 'ingest', 'admin'];

/** A token without its secret. */
export interface TokenRecord {
  readonly id: string;
  /** For whom it is; as it was given. */
  readonly name: string;
  /** Hex SHA-256 of the secret. */
  readonly hash: string;
  readonly scopes: readonly Scope[];
  /** Part of every question of its holder; other documents do not exist for the holder. */
  readonly where?: Where;
  /** Budget of its questions for a day (UTC), in USD. */
  readonly dailyBudgetUsd?: number;
  /** ISO 8601. */
  readonly created: string;
  readonly expires?: string;
}

/** A token to be made. `dailyBudgetUsd`: what its questions may cost in a day (UTC). */
export interface NewToken {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly where?: Where | undefined;
  readonly dailyBudgetUsd?: number | undefined;
  readonly expires?: Date | undefined;
}

/** Looked at again after so long: a token that is revoked or made works or stops working by then. */
const REREAD_MS = 1000;

/** The tokens of a server, in a file beside the index. A token is shown once, when it is made; the file has its hash. */
export class TokenStore {
  readonly #path: string;
  #read: { readonly records: readonly TokenRecord[]; readonly at: number } | undefined;

  /** @param path of a JSON file, which need not exist yet */
  constructor(path: string) {
    this.#path = path;
  }

  /** @throws IbidError FILE_UNREADABLE; FILE_DAMAGED for a file that is not ours: a server must not go on without its tokens */
  list(): readonly TokenRecord[] {
    if (this.#read && performance.now() - this.#read.at < REREAD_MS) return this.#read.records;
    const records = this.#load();
    this.#read = { records, at: performance.now() };
    return records;
  }

  /**
   * @returns the secret, `ibid_…`, which nobody can show again @throws IbidError INVALID_ARGUMENT, INVALID_FILTER
   */
  create(token: NewToken): { secret: string; record: TokenRecord } {
    const given = optionsOf(objectOf(token, 'the token'), tokenOptions);
    const { name, scopes: wanted, where, dailyBudgetUsd, expires } = given;
    textsOf(wanted, 'scopes');
    if (textOf(name, 'the name of a token').trim() === '')
      throw new IbidError('INVALID_ARGUMENT', 'a token needs a name');
    const unknown = wanted.find((scope) => !scopes.includes(scope));
    if (wanted.length === 0 || unknown !== undefined)
      throw new IbidError('INVALID_ARGUMENT', `there is no scope "${unknown ?? ''}"`, {
        hint: `Use ${scopes.join(', ')}.`,
      });
    if (where !== undefined && whereSql(where) === undefined)
      throw new IbidError('INVALID_FILTER', 'the filter of a token must have a condition');
    if (dailyBudgetUsd !== undefined && !(Number.isFinite(dailyBudgetUsd) && dailyBudgetUsd >= 0))
      throw new IbidError('INVALID_ARGUMENT', 'a daily budget must be a number of USD, at least 0');
    if (expires && !(expires.getTime() > Date.now()))
      throw new IbidError(
        'INVALID_ARGUMENT',
        'the token would have expired already, or ends on no day of the calendar',
      );
    const secret = `ibid_${randomBytes(32).toString('base64url')}`;
    const record: TokenRecord = {
      id: randomBytes(4).toString('hex'),
      name,
      hash: hashOf(secret),
      scopes: [...wanted],
      ...(where !== undefined && { where }),
      ...(dailyBudgetUsd !== undefined && { dailyBudgetUsd }),
      created: new Date().toISOString(),
      ...(expires && { expires: expires.toISOString() }),
    };
    this.#save([...this.#load(), record]);
    return { secret, record };
  }

  /** @returns false when there is no such token */
  revoke(id: string): boolean {
    const records = this.#load();
    const left = records.filter((record) => record.id !== id);
    if (left.length === records.length) return false;
    this.#save(left);
    return true;
  }

  /** The token with this secret; undefined for none, and for one that has expired. */
  find(secret: string): TokenRecord | undefined {
    const hash = Buffer.from(hashOf(secret), 'hex');
    const now = Date.now();
    return this.list().find(
      (record) =>
        timingSafeEqual(Buffer.from(record.hash, 'hex'), hash) &&
        (record.expires === undefined || Date.parse(record.expires) > now),
    );
  }

  #load(): readonly TokenRecord[] {
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw new IbidError('FILE_UNREADABLE', `the file of tokens cannot be read: ${reasonOf(cause)}`, { cause });
    }
    try {
      const { tokens } = JSON.parse(text) as { readonly tokens: readonly TokenRecord[] }; // checked below
      if (!tokens.every(isRecord)) throw new Error('a token is incomplete');
      return tokens;
    } catch (cause) {
      throw new IbidError('FILE_DAMAGED', 'the file of tokens is not what `ibid token` writes', {
        cause,
        hint: 'Bring it back from a copy, or remove it and make new tokens.',
      });
    }
  }

  #save(tokens: readonly TokenRecord[]): void {
    writeWhole(this.#path, `${JSON.stringify({ tokens }, null, 2)}\n`);
    chmodSync(this.#path, 0o600);
    this.#read = undefined;
  }
}

function isRecord(value: TokenRecord): boolean {
  return typeof value.id === 'string' && /^[0-9a-f]{64}$/.test(value.hash) && Array.isArray(value.scopes);
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
