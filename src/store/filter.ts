import { IbidError } from '../core/errors.ts';
import { filterColumns } from './schema.ts';
import { sqlString } from './sql.ts';

interface Token {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'symbol' | 'space';
  readonly text: string;
}

const tokenPattern =
  /(?<space>\s+|--[^\n]*|\/\*.*?\*\/)|(?<string>'(?:[^']|'')*')|(?<quoted>"(?:[^"]|"")*"|`[^`]*`)|(?<open>['"`]|\/\*)|(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<word>[\p{L}_][\p{L}\p{N}_]*)|(?<symbol><>|<=|>=|!=|==|[-+*/%=<>!()[\].,:|&])/suy;

/** The database bears more than twice as many in each other; then its stack overflows, which ends the process. */
const MOST_OPERATORS = 250;
/** Joined by AND and OR; it bears six times as many. */
const MOST_CONDITIONS = 5000;

/**
 * Translates a filter to the database's SQL dialect. Metadata is stored as binary JSON, so `metadata.year >= 2020` or
 * `metadata."due date" IS NULL` becomes a call of a JSON function. The literal beside the name gives the type: with a
 * number, values that are no numbers do not match; so with booleans. With a text every value is compared as it is
 * written.
 * @throws IbidError INVALID_FILTER when the text cannot be a filter; the database detects other errors
 */
export function rewriteFilter(where: string): string {
  const tokens = tokenize(where);
  const out: string[] = [];
  for (let i = 0; i < tokens.length; ) {
    const field = metadataField(tokens, i);
    out.push(field ? valueSql(tokens, field) : tokens[i]!.text);
    i = field?.end ?? i + 1;
  }
  return out.join('');
}

/**
 * All of the filters that are given, as one. Comments are left out, and each filter stands in its own parentheses.
 * @throws IbidError INVALID_FILTER for a filter that would leave them
 */
export function everyFilter(filters: readonly (string | undefined)[]): string | undefined {
  const given = filters.filter((filter) => filter !== undefined).map(tokenize);
  if (given.length === 0) return undefined;
  return given.map((tokens) => `(${tokens.map(({ text }) => text).join('')})`).join(' AND ');
}

/** Functions whose value is no larger than what they are given. */
const plainFunctions: ReadonlySet<string> = new Set([
  ...['starts_with', 'ends_with', 'contains', 'lower', 'upper', 'trim', 'ltrim', 'rtrim', 'btrim', 'substr', 'left'],
  ...['right', 'strpos', 'length', 'char_length', 'character_length', 'octet_length', 'regexp_like', 'coalesce'],
  ...['nullif', 'abs', 'round', 'floor', 'ceil', 'date_part', 'date_trunc', 'to_date', 'to_timestamp'],
]);
/** Words before a bracket that call nothing. */
const plainWords: ReadonlySet<string> = new Set([
  ...['and', 'or', 'not', 'in', 'between', 'like', 'ilike', 'is'],
  ...['cast', 'try_cast', 'decimal', 'timestamp'],
]);

/**
 * For a filter of somebody who may read an index but is not trusted with its machine.
 * @throws IbidError INVALID_FILTER for one that joins texts or calls a function that may fill the memory of the process:
 * `repeat('a', 2000000000)`, `range(0, 2000000000)`
 */
export function checkModest(where: string): void {
  const tokens = tokenize(where).filter(({ kind }) => kind !== 'space');
  for (const [i, { kind, text }] of tokens.entries()) {
    if (text === '|') throw invalidFilter(where, 'it joins texts');
    const name = text.toLowerCase();
    const isCalled = tokens[i + 1]?.text === '(' && (kind === 'word' || kind === 'quoted');
    if (isCalled && !plainFunctions.has(name) && !plainWords.has(name))
      throw invalidFilter(where, `it calls ${text}`, {
        hint: `Of functions it may call ${[...plainFunctions].join(', ')}.`,
      });
  }
}

function tokenize(where: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < where.length; at = tokenPattern.lastIndex) {
    tokenPattern.lastIndex = at;
    const groups = tokenPattern.exec(where)?.groups;
    const [kind, text] = Object.entries(groups ?? {}).find(([, value]) => value !== undefined) ?? [];
    if (kind === undefined || text === undefined)
      throw invalidFilter(where, `it holds a "${String.fromCodePoint(where.codePointAt(at)!)}"`);
    if (kind === 'open') throw invalidFilter(where, `a ${text === '/*' ? 'comment' : 'quote'} is not closed`);
    // a letter before a quote would begin a string of other rules: N'…', X'…'
    if (kind === 'string' && tokens.at(-1)?.kind === 'word') tokens.push({ kind: 'space', text: ' ' });
    const isComment = kind === 'space' && /^[-/]/.test(text);
    tokens.push({ kind: kind as Token['kind'], text: isComment ? ' ' : text }); // other groups are named after kinds
  }
  if (tokens.every(({ kind }) => kind === 'space')) throw invalidFilter(where, 'it is empty');
  checkShape(where, tokens);
  return tokens;
}

/** What stands between two brackets, as far as it is read. */
interface Level {
  readonly closes: string;
  /** Words and operators of the condition that is read, with all that it encloses. */
  operators: number;
  most: number;
  /** Each `BETWEEN` has an `AND` that joins no conditions. */
  betweens: number;
}

const levelUntil = (closes: string): Level => ({ closes, operators: 0, most: 0, betweens: 0 });

/** Refuses brackets that do not match, and what would be nested too deep. */
function checkShape(where: string, tokens: readonly Token[]): void {
  let level = levelUntil('');
  const outer: Level[] = [];
  let conditions = 1;
  for (const { kind, text } of tokens) {
    const word = text.toLowerCase();
    if (word === '(' || word === '[') {
      outer.push(level);
      level = levelUntil(word === '(' ? ')' : ']');
    } else if (word === ')' || word === ']') {
      if (level.closes !== word) throw invalidFilter(where, `a "${word}" closes nothing`);
      const { most } = level;
      level = outer.pop()!;
      level.operators += most;
    } else if (word === ',' || word === 'or' || (word === 'and' && level.betweens === 0)) {
      level.operators = 0;
      if (word !== ',') conditions++;
    } else if (kind === 'word' || kind === 'symbol') {
      level.operators++;
      if (word === 'between') level.betweens++;
      if (word === 'and') level.betweens--;
    }
    level.most = Math.max(level.most, level.operators);
    if (conditions > MOST_CONDITIONS) throw tooLarge(where, `it joins more than ${MOST_CONDITIONS} conditions`);
    if (level.most > MOST_OPERATORS) throw tooLarge(where, `a condition has more than ${MOST_OPERATORS} operators`);
  }
  if (outer.length > 0) throw invalidFilter(where, `a "${level.closes === ')' ? '(' : '['}" is not closed`);
}

function tooLarge(where: string, why: string): IbidError {
  return invalidFilter(where, why, {
    hint: "Write values of one column as a list: uri IN ('a', 'b'), or { uri: ['a', 'b'] }.",
  });
}

interface Field {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** `metadata.name`, `metadata."a name"` or `metadata['a name']` at token `i`. */
function metadataField(tokens: readonly Token[], i: number): Field | undefined {
  if (tokens[i]?.kind !== 'word' || tokens[i]!.text.toLowerCase() !== 'metadata') return undefined;
  if (tokens[i + 1]?.text === '.') {
    const { kind, text } = tokens[i + 2] ?? {};
    if (kind === 'word') return { name: text!, start: i, end: i + 3 };
    if (kind === 'quoted') return { name: text!.slice(1, -1).replaceAll('""', '"'), start: i, end: i + 3 };
  } else if (tokens[i + 1]?.text === '[' && tokens[i + 2]?.kind === 'string' && tokens[i + 3]?.text === ']') {
    return { name: tokens[i + 2]!.text.slice(1, -1).replaceAll("''", "'"), start: i, end: i + 4 };
  }
  return undefined;
}

type LiteralKind = 'string' | 'number' | 'boolean';

const comparisons = new Set([
  '=',
  '==',
  '<>',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  '(',
  '-',
  '+',
  'not',
  'in',
  'between',
  'like',
  'ilike',
  'is',
]);

function kindOf({ kind, text }: Token): LiteralKind | undefined {
  if (kind === 'string' || kind === 'number') return kind;
  return /^(true|false)$/i.test(text) ? 'boolean' : undefined;
}

/** The kind of the literal that a name is compared with. Looks forward from token `i`, over operators. */
function literalKind(tokens: readonly Token[], i: number): LiteralKind | undefined {
  for (let at = i; at < tokens.length; at++) {
    const token = tokens[at]!;
    const kind = kindOf(token);
    if (kind !== undefined) return kind;
    if (token.kind !== 'space' && !comparisons.has(token.text.toLowerCase())) return undefined;
  }
  return undefined;
}

/** The same, looking back: `2020 <= metadata.year`. */
function literalKindBefore(tokens: readonly Token[], i: number): LiteralKind | undefined {
  let compared = false;
  for (let at = i - 1; at >= 0; at--) {
    const token = tokens[at]!;
    if (token.kind === 'space') continue;
    if (compared) return kindOf(token);
    if (!/^(=|==|<>|!=|<|<=|>|>=)$/.test(token.text)) return undefined;
    compared = true;
  }
  return undefined;
}

/** The value as the database reads it; null for a value of another type than the literal beside it. */
function valueSql(tokens: readonly Token[], { name, start, end }: Field): string {
  const json = `json_extract(json_get(metadata, ${sqlString(name)}), '$')`; // a text has quotes in it, and is no number
  switch (literalKind(tokens, end) ?? literalKindBefore(tokens, start)) {
    case 'number':
      return `TRY_CAST(${json} AS DOUBLE)`;
    case 'boolean':
      return `TRY_CAST(ltrim(${json}, '01') AS BOOLEAN)`; // the cast takes 0 and 1 too
    default:
      return `json_get_string(metadata, ${sqlString(name)})`;
  }
}

/** What the database says about a filter, in terms of its author: without our own columns and functions. */
const refusals: readonly (readonly [said: RegExp, why: (name: string) => string])[] = [
  [/no field named ["`]?(.+?)["`]?\.(?: |$)/i, (name) => `there is no column "${name}"`],
  [/invalid function '([^']*)'/i, (name) => `there is no function "${name}"`],
  [/operator (\S+) is not supported/i, (name) => `there is no operator "${name}"`],
  [/sql parser error: (.*?)\)?$/i, (why) => `it is not valid SQL: ${why}`],
  [/not return a boolean/i, () => 'it is not true or false'],
  [/type|coerce|convert/i, () => 'it compares values of different types'],
];

/** The error for a filter that the database refuses. */
export function refusedFilter(where: string, message: string, cause: unknown): IbidError {
  for (const [said, why] of refusals) {
    const found = said.exec(message);
    if (found) return invalidFilter(where, why(found[1] ?? ''), { cause });
  }
  return invalidFilter(where, 'the database does not understand it', { cause });
}

/** Where the text of a filter is cut in a message. */
const SHOWN = 300;

function invalidFilter(
  where: string,
  why: string,
  { hint, cause }: { hint?: string; cause?: unknown } = {},
): IbidError {
  const shown = where.length > SHOWN ? `${where.slice(0, SHOWN)}…` : where;
  return new IbidError('INVALID_FILTER', `the filter ${JSON.stringify(shown)} cannot be used: ${why}`, {
    hint: hint ?? `Columns: ${filterColumns.join(', ')}. Example: format = 'pdf' AND metadata.year >= 2020`,
    ...(cause === undefined ? {} : { cause }),
  });
}
