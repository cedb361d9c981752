import { IbidError } from '../core/errors.ts';
import { filterColumns } from './schema.ts';
import { sqlString } from './sql.ts';

interface Token {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'symbol' | 'space';
  readonly text: string;
}

const tokenPattern =
  /(?<space>\s+)|(?<string>'(?:[^']|'')*')|(?<quoted>"(?:[^"]|"")*"|`[^`]*`)|(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<word>[\p{L}_][\p{L}\p{N}_]*)|(?<symbol><>|<=|>=|!=|==|.)/suy;

/**
 * Translates a filter to the database's SQL dialect. Metadata is stored as binary JSON, so `metadata.year >= 2020` or
 * `metadata."due date" IS NULL` becomes a call of a JSON function. The literal beside the name gives the type; values
 * of another type do not match.
 * @throws IbidError INVALID_FILTER when the text cannot be a filter; the database detects other errors
 */
export function rewriteFilter(where: string): string {
  const tokens = tokenize(where);
  const out: string[] = [];
  for (let i = 0; i < tokens.length; ) {
    const field = metadataField(tokens, i);
    if (field === undefined) {
      out.push(tokens[i]!.text);
      i++;
      continue;
    }
    i = field.end;
    const kind = literalKind(tokens, i) ?? literalKindBefore(tokens, field.start);
    const value = `json_get_string(metadata, ${sqlString(field.name)})`;
    out.push(kind === 'number' ? `TRY_CAST(${value} AS DOUBLE)` : value);
    if (kind === 'boolean') i = copyQuotingBooleans(tokens, i, out);
  }
  return out.join('');
}

function tokenize(where: string): Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < where.length) {
    const groups = tokenPattern.exec(where)?.groups;
    const [kind, text] = Object.entries(groups ?? {}).find(([, value]) => value !== undefined) ?? [];
    if (text === undefined || text === ';' || text === "'" || text === '`' || text === '"') {
      throw invalidFilter(where, text === ';' ? 'it holds a ";"' : 'a quote is not closed');
    }
    tokens.push({ kind: kind as Token['kind'], text }); // the names of the groups are the kinds
  }
  if (tokens.every(({ kind }) => kind === 'space')) throw invalidFilter(where, 'it is empty');
  return tokens;
}

/** `metadata.name`, `metadata."a name"` or `metadata['a name']` at token `i`. */
function metadataField(tokens: readonly Token[], i: number): { name: string; start: number; end: number } | undefined {
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
    if (!compared) {
      if (!/^(=|==|<>|!=|<|<=|>|>=)$/.test(token.text)) return undefined;
      compared = true;
    } else {
      return kindOf(token) === 'number' ? 'number' : undefined;
    }
  }
  return undefined;
}

/** Copies `= true` as `= 'true'`, because the value is compared as text. */
function copyQuotingBooleans(tokens: readonly Token[], i: number, out: string[]): number {
  let at = i;
  while (kindOf(tokens[at]!) !== 'boolean') {
    const { text } = tokens[at++]!;
    out.push(/^is$/i.test(text) ? '=' : text);
  }
  out.push(`'${tokens[at]!.text.toLowerCase()}'`);
  return at + 1;
}

export function invalidFilter(where: string, why: string, cause?: unknown): IbidError {
  return new IbidError('INVALID_FILTER', `the filter ${JSON.stringify(where)} cannot be used: ${why}`, {
    hint: `Columns: ${filterColumns.join(', ')}. Example: format = 'pdf' AND metadata.year >= 2020`,
    ...(cause === undefined ? {} : { cause }),
  });
}
