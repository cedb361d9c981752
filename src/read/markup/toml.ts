const STRING = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const BARE = /[^\s"'#,[\]{}][^#\n,[\]]*/y;
/** The head of a table, or a key and what follows it on its line. */
const LINE = /^[ \t]*(?:\[([^[\]\n]+)\][ \t]*(?:#.*)?$|["']?([\w.-]+)["']?[ \t]*=[ \t]*(?=\S))/gm;
/** Between the values of a list: blanks, commas, comments. */
const BETWEEN = /(?:[\s,]|#.*)*/y;
/** Nothing but a comment may stand behind a value. */
const REST = /[ \t]*(?:#.*)?(?:\n|$)/y;

/**
 * The values of TOML that front matter has: strings of one line, numbers, booleans, dates and lists of these. The key
 * of a value in a table is `table.key`. Other values are left out.
 */
export function readToml(source: string): Record<string, unknown> {
  const out: Record<string, unknown> = Object.create(null);
  let table = '';
  LINE.lastIndex = 0;
  for (let line = LINE.exec(source); line; line = LINE.exec(source)) {
    if (line[1] !== undefined) {
      table = `${line[1].trim()}.`;
      continue;
    }
    const from = LINE.lastIndex;
    const read = source[from] === '[' ? listAt(source, from + 1) : valueAt(source, from);
    if (!read || matchAt(REST, source, read.end) === undefined) continue;
    out[`${table}${line[2]}`] = read.value;
    LINE.lastIndex = read.end;
  }
  return out;
}

interface Read {
  readonly value: unknown;
  readonly end: number;
}

function listAt(source: string, from: number): Read | undefined {
  const value: unknown[] = [];
  let at = from;
  for (;;) {
    at += matchAt(BETWEEN, source, at)!.length;
    if (source[at] === ']') return { value, end: at + 1 };
    const item = valueAt(source, at);
    if (!item) return undefined;
    value.push(item.value);
    at = item.end;
  }
}

function valueAt(source: string, at: number): Read | undefined {
  const string = matchAt(STRING, source, at);
  if (string !== undefined) return { value: unquoted(string), end: at + string.length };
  const bare = matchAt(BARE, source, at)?.trimEnd();
  if (bare === undefined) return undefined;
  const end = at + bare.length;
  if (bare === 'true' || bare === 'false') return { value: bare === 'true', end };
  const number = /^[+-]?[\d_]+(?:\.[\d_]+)?(?:e[+-]?\d+)?$/i.test(bare) ? Number(bare.replaceAll('_', '')) : undefined;
  return { value: number ?? bare, end };
}

function unquoted(string: string): string {
  const inside = string.slice(1, -1);
  if (string.startsWith("'")) return inside;
  try {
    return JSON.parse(string) as string; // the escapes of TOML are those of JSON, but for \U and \e
  } catch {
    return inside;
  }
}

function matchAt(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}
