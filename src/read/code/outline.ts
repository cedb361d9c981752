/** A named declaration of a source file. */
export interface Declaration {
  /** Start of the declaration's first line, or of the comments and decorators above it. */
  readonly start: number;
  /** 1 for the outermost; members of a class are 2. */
  readonly level: number;
  readonly label: string;
}

type Style = 'braces' | 'indent' | 'plain';

const styles: Readonly<Record<string, Style>> = {
  python: 'indent',
  ruby: 'indent',
  elixir: 'indent',
  lua: 'indent',
  julia: 'indent',
  shell: 'indent',
  sql: 'plain',
  r: 'braces',
};

/** Lines that belong to the declaration below them. */
const LEADING = /^\s*(?:\/\/|\/\*|\*|#(?!include|define|if|endif|pragma)|--|@[\w.]+|\[[\w(]|#\[|"""|%|;)/;

const MODIFIERS = String.raw`(?:(?:export|default|declare|public|private|protected|internal|static|final|abstract|async|override|readonly|sealed|partial|virtual|inline|extern|unsafe|open|data|pub(?:\([\w:]+\))?|const|constexpr|template\s*<[^>]*>)\s+)*`;
const NAMED = new RegExp(
  String.raw`^\s*${MODIFIERS}(class|interface|enum|struct|trait|impl|namespace|module|object|record|protocol|extension|union|type|function\*?|fn|func|fun|def|sub|macro_rules!)\s+(?:<[^>]{0,80}>\s*)?(?:\([^)]{0,80}\)\s*)?([\p{L}_$][\p{L}\p{N}_$.:-]*)`,
  'u',
);
const ASSIGNED =
  /^\s*(?:export\s+)?(?:const|let|var)\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*(?::[^=]{1,120})?=\s*(?:async\s+)?(?:function\b|\([^)]{0,200}\)\s*(?::[^=]{1,80})?=>|[\p{L}_$][\p{L}\p{N}_$]*\s*=>|class\b)/u;
const MEMBER_ASSIGNED =
  /^\s*((?:module\.)?[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)+)\s*=\s*(?:async\s+)?(?:function\b|\([^)]{0,200}\)\s*=>)/u;
/** `int main(int argc`, `public List<String> names(`: a type, a name, an open parenthesis, no semicolon at the end. */
const TYPED_FUNCTION =
  /^\s*(?:[\p{L}_][\p{L}\p{N}_<>,.:*&[\]?]*\s+){1,5}[*&]*([\p{L}_][\p{L}\p{N}_:~]*)\s*\((?!.*;\s*$)/u;
/** `name(args) {` inside a class body. */
const METHOD =
  /^\s*(?:(?:public|private|protected|static|async|override|get|set|readonly|abstract|#)\s*)*\*?\s*([\p{L}_$#][\p{L}\p{N}_$]*)\s*(?:<[^>]{0,80}>)?\s*\([^;]*$/u;
const NOT_A_NAME = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'return',
  'else',
  'do',
  'try',
  'new',
  'throw',
  'await',
  'typeof',
  'in',
  'of',
  'delete',
  'case',
  'with',
  'yield',
  'super',
  'require',
  'import',
  'function',
  'elif',
  'except',
  'using',
  'lock',
  'foreach',
  'sizeof',
  'assert',
]);
const CONTAINERS = new Set([
  'class',
  'interface',
  'struct',
  'trait',
  'impl',
  'namespace',
  'module',
  'object',
  'record',
  'protocol',
  'extension',
]);

/**
 * The declarations of a source file in order. The scan knows strings, comments and nesting, but no grammar. A missed
 * declaration does little harm (its code stays in the block before), so doubtful lines are not declarations.
 */
export function declarations(text: string, language: string | undefined): Declaration[] {
  if (language === 'css' || language === 'scss' || language === 'less') return [];
  const style = styles[language ?? ''] ?? 'braces';
  const found = style === 'plain' ? sqlDeclarations(text) : style === 'indent' ? indented(text) : braced(text);
  // Overloads, or a getter and its setter, are one section.
  return found.filter((item, i) => item.label !== found[i - 1]?.label || item.level !== found[i - 1]?.level);
}

interface Line {
  readonly start: number;
  readonly text: string;
}

function* linesOf(text: string): Generator<Line> {
  let start = 0;
  while (start <= text.length) {
    const feed = text.indexOf('\n', start);
    const end = feed === -1 ? text.length : feed;
    // Longer lines are minified code, where a match is useless.
    yield { start, text: text.slice(start, Math.min(end, start + 400)) };
    if (feed === -1) return;
    start = feed + 1;
  }
}

/** Finds the start of the comments and decorators directly above a line. */
class Leading {
  #start = -1;
  #inComment = false;

  /** @returns the start of these lines; `line.start` if there are none */
  startOf(line: Line): number {
    return this.#start === -1 ? line.start : this.#start;
  }

  see(line: Line): void {
    const blank = line.text.trim() === '';
    if (this.#inComment) {
      if (line.text.includes('*/')) this.#inComment = false;
      return;
    }
    if (!blank && LEADING.test(line.text)) {
      if (this.#start === -1) this.#start = line.start;
      if (/^\s*\/\*/.test(line.text) && !line.text.includes('*/')) this.#inComment = true;
    } else {
      this.#start = -1;
    }
  }
}

function braced(text: string): Declaration[] {
  const out: Declaration[] = [];
  const leading = new Leading();
  const scan = new BraceScan(text);
  /** Classes around the current line, innermost last: brace depth and level of their members. */
  const bodies: { depth: number; level: number }[] = [];
  for (const line of linesOf(text)) {
    const { depth, inside } = scan.at(line.start, AT_MARGIN.test(line.text));
    while (
      bodies.length > 0 &&
      depth < bodies[bodies.length - 1]!.depth &&
      !opensLater(bodies[bodies.length - 1]!, line)
    )
      bodies.pop();
    if (!inside) {
      const body = bodies[bodies.length - 1];
      const level = depth === 0 ? 1 : body && depth === body.depth ? body.level : 0;
      if (level > 0 && level <= 3) {
        const found = declarationOf(line.text, level > 1);
        if (found) {
          out.push({ start: leading.startOf(line), level, label: found.label });
          if (found.container) bodies.push({ depth: depth + 1, level: level + 1 });
        }
      }
    }
    leading.see(line);
  }
  return out;
}

/** Whether the opening brace of a container may follow on a later line than its name. */
function opensLater(body: { depth: number }, line: Line): boolean {
  return body.depth === 1 && /^\s*(?:\{|extends|implements|where|:)/.test(line.text);
}

function declarationOf(line: string, member: boolean): { label: string; container: boolean } | undefined {
  const named = NAMED.exec(line);
  if (named) {
    const [, keyword, name] = named as unknown as [string, string, string];
    if (keyword === 'type' && !/[={]/.test(line)) return undefined;
    return { label: name.replace(/[:.]+$/, ''), container: CONTAINERS.has(keyword) };
  }
  const assigned = ASSIGNED.exec(line) ?? MEMBER_ASSIGNED.exec(line);
  if (assigned) return { label: assigned[1]!, container: false };
  if (/^\s*(?:return|else|throw|new|await|case|import|export\s*\{|[})\]])/.test(line)) return undefined;
  const method = member ? METHOD.exec(line) : null;
  if (method && !NOT_A_NAME.has(method[1]!)) return { label: method[1]!, container: false };
  const typed = TYPED_FUNCTION.exec(line);
  if (
    typed &&
    !NOT_A_NAME.has(typed[1]!) &&
    !/[=.]\s*[\w.]*\(/.test(line.slice(0, line.indexOf('(') + 1)) &&
    !NOT_A_NAME.has(/^\s*(\w+)/.exec(line)?.[1] ?? '')
  ) {
    return { label: typed[1]!, container: false };
  }
  return undefined;
}

/** A named declaration without indentation. In JavaScript and TypeScript modules nested code is indented. */
const AT_MARGIN =
  /^export\s+(?:default\s+)?(?:async\s+)?(?:abstract\s+)?(?:class|function|const|interface|type|enum)\b/;

/** Brace depth at the start of lines, without strings, template strings and comments. Offsets must ascend. */
class BraceScan {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  /** End mark of the current block comment or template string, which may span lines. */
  #mode: '' | '*/' | '`' = '';
  /** Offset of that end mark. Kept, so that an end mark that does not exist is searched for only once. */
  #end = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** @param atMargin the line at `offset` cannot be nested: if the count differs, a quote or brace was misread */
  at(offset: number, atMargin: boolean): { depth: number; inside: boolean } {
    while (this.#at < offset) this.#step(offset);
    if (atMargin && this.#mode === '') this.#depth = 0;
    return { depth: this.#depth, inside: this.#mode !== '' };
  }

  #step(limit: number): void {
    const text = this.#text;
    if (this.#mode !== '') {
      if (this.#end < this.#at) {
        const found = text.indexOf(this.#mode, this.#at);
        this.#end = found === -1 ? text.length : found;
      }
      if (this.#end >= limit) {
        this.#at = limit;
        return;
      }
      const escaped = this.#mode === '`' && text[this.#end - 1] === '\\';
      this.#at = this.#end + (escaped ? 1 : this.#mode.length);
      if (!escaped) this.#mode = '';
      return;
    }
    const code = text.charCodeAt(this.#at++);
    if (code === 123) this.#depth++;
    else if (code === 125) this.#depth = Math.max(0, this.#depth - 1);
    else if (code === 47) {
      const next = text.charCodeAt(this.#at);
      if (next === 47) this.#toLineEnd(limit);
      else if (next === 42) this.#mode = '*/';
    } else if (code === 96) this.#mode = '`';
    else if (code === 34 || code === 39) this.#string(code, limit);
  }

  #toLineEnd(limit: number): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end === -1 || end > limit ? limit : end;
  }

  /** A string ends at its quote. Without one on its line it is no string, but an apostrophe or a lifetime. */
  #string(quote: number, limit: number): void {
    const text = this.#text;
    for (let at = this.#at; at < limit; at++) {
      const code = text.charCodeAt(at);
      if (code === 92) at++;
      else if (code === quote) {
        this.#at = at + 1;
        return;
      } else if (code === 10) return;
    }
  }
}

const INDENTED_NAME =
  /^(\s*)(?:async\s+)?(def|class|module|defmodule|defp?|defmacro|function|local\s+function)\s+([\p{L}_][\p{L}\p{N}_.:?!]*)/u;
const INNERMOST = 9;
const SHELL_FUNCTION = /^([\w:-]+)\s*\(\)\s*\{?\s*$/;

function indented(text: string): Declaration[] {
  const out: Declaration[] = [];
  const leading = new Leading();
  const classes: { indent: number; level: number }[] = [];
  let quote = '';
  for (const line of linesOf(text)) {
    const wasQuoted = quote !== '';
    quote = tripleQuote(line.text, quote);
    if (wasQuoted) continue;
    const match = INDENTED_NAME.exec(line.text);
    const shell = match ? null : SHELL_FUNCTION.exec(line.text);
    if (match) {
      const indent = match[1]!.length;
      while (classes.length > 0 && indent <= classes[classes.length - 1]!.indent) classes.pop();
      const around = classes[classes.length - 1];
      const container = /^(?:class|module|defmodule)$/.test(match[2]!);
      const level = indent === 0 ? 1 : around !== undefined && around.level < INNERMOST ? around.level + 1 : 0;
      if (level > 0 && level <= 3) {
        out.push({ start: leading.startOf(line), level, label: match[3]!.replace(/[:.]+$/, '') });
        if (container) classes.push({ indent, level });
        else classes.push({ indent, level: INNERMOST }); // declarations inside a function get no heading
      }
    } else if (shell) {
      out.push({ start: leading.startOf(line), level: 1, label: shell[1]! });
    }
    leading.see(line);
  }
  return out;
}

/** The triple quote that is open after this line. @param open the one that is open before it */
function tripleQuote(line: string, open: string): string {
  let state = open;
  for (const match of line.matchAll(/"""|'''/g)) {
    if (state === '') state = match[0];
    else if (state === match[0]) state = '';
  }
  return state;
}

function sqlDeclarations(text: string): Declaration[] {
  const out: Declaration[] = [];
  const leading = new Leading();
  for (const line of linesOf(text)) {
    const match =
      /^\s*create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+|unique\s+|materialized\s+)*(?:table|view|index|function|procedure|trigger|type|schema)\s+(?:if\s+not\s+exists\s+)?([\w."`[\]]+)/i.exec(
        line.text,
      );
    if (match) out.push({ start: leading.startOf(line), level: 1, label: match[1]!.replace(/["`[\]]/g, '') });
    leading.see(line);
  }
  return out;
}
