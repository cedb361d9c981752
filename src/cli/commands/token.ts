import { IbidError, type Where } from '../../index.ts';
import { type Scope, type TokenRecord, TokenStore } from '../../serve.ts';
import { printJson } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { type IndexesFlags, mustHaveTokensFile, openNamed, placesOf, tokensFile } from '../named-indexes.ts';
import { say, tell } from '../say.ts';
import { printableLine } from '../text.ts';

export interface TokenFlags extends IndexesFlags {
  readonly tokens?: string;
  readonly json?: boolean;
}

export interface NewTokenFlags extends TokenFlags {
  readonly scope: readonly string[];
  readonly where?: string;
  readonly dailyBudget?: number;
  readonly days?: number;
}

export async function createToken(name: string, flags: NewTokenFlags, signal: AbortSignal): Promise<number> {
  const where = whereOf(flags.where);
  const covered = where === undefined ? undefined : await documentsOf(where, flags, signal);
  const file = mustHaveTokensFile(tokensFile(flags.tokens, placesOf(flags)), 'tokens');
  const { secret, record } = new TokenStore(file).create({
    name,
    scopes: flags.scope as readonly Scope[], // the store checks them
    where,
    dailyBudgetUsd: flags.dailyBudget,
    expires: flags.days === undefined ? undefined : new Date(Date.now() + flags.days * 86_400_000),
  });
  if (flags.json) printJson({ token: secret, ...shown(record), ...(covered !== undefined && { documents: covered }) });
  else {
    say(secret);
    if (covered !== undefined)
      tell(`for its holder the index has ${covered} ${covered === 1 ? 'document' : 'documents'}`);
    say(`token ${record.id} for ${printableLine(record.name)}: ${described(record)}. It is not shown again.`);
    tell(`its hash is kept in ${printableLine(file)}`);
  }
  return exitCodes.done;
}

/** How many documents match, in all indexes. @throws IbidError INVALID_FILTER; INDEX_NOT_FOUND: no filter is checked */
async function documentsOf(where: Where, flags: TokenFlags, signal: AbortSignal): Promise<number> {
  await using opened = await openNamed(placesOf(flags), flags, signal);
  let documents = 0;
  for (const index of Object.values(opened.indexes)) {
    const { total } = await index.within(where).documentPage({ limit: 1, signal });
    documents += total;
  }
  return documents;
}

export function listTokens(flags: TokenFlags): number {
  const records = storeOf(flags).list();
  if (flags.json) printJson({ tokens: records.map(shown) });
  else if (records.length === 0) say('there is no token');
  else for (const record of records) say(`${record.id}  ${printableLine(record.name)}: ${described(record)}`);
  return exitCodes.done;
}

/** @throws IbidError INVALID_ARGUMENT */
export function revokeToken(id: string, flags: TokenFlags): number {
  const store = storeOf(flags);
  if (!store.revoke(id)) {
    const ids = store.list().flatMap((record) => (record.name === id ? [record.id] : []));
    const hint = ids.length === 0 ? 'See `ibid token list`.' : `A token is revoked by its id: ${ids.join(', ')}.`;
    throw new IbidError('INVALID_ARGUMENT', `there is no token with the id "${id}"`, { hint });
  }
  if (flags.json) printJson({ revoked: id });
  else say(`token ${id} is revoked; a running server refuses it within a second`);
  return exitCodes.done;
}

function storeOf(flags: TokenFlags): TokenStore {
  return new TokenStore(mustHaveTokensFile(tokensFile(flags.tokens, placesOf(flags)), 'tokens'));
}

/** JSON of an object filter, or SQL. @throws IbidError INVALID_FILTER */
function whereOf(text: string | undefined): Where | undefined {
  if (text === undefined || !text.trimStart().startsWith('{')) return text;
  try {
    return JSON.parse(text) as Where; // the store checks it
  } catch (cause) {
    throw new IbidError('INVALID_FILTER', 'the filter is not JSON', { cause });
  }
}

function shown({ hash: _, ...record }: TokenRecord): Omit<TokenRecord, 'hash'> {
  return record;
}

function described({ scopes, where, dailyBudgetUsd, expires }: TokenRecord): string {
  const filter = typeof where === 'string' ? where : JSON.stringify(where);
  return [
    scopes.join(', '),
    ...(where === undefined ? [] : [`only where ${printableLine(filter ?? '')}`]),
    ...(dailyBudgetUsd === undefined ? [] : [`${dailyBudgetUsd} USD a day`]),
    expires === undefined ? 'without end' : `until ${expires.slice(0, 10)}`,
  ].join('; ');
}
