import { known } from '../../core/known.ts';
import { BraceScan } from './brace-scan.ts';
import { declarationOf, hasHeaders } from './declared.ts';

/** A named declaration of a source file. */
interface Declaration {
  /** Start of the declaration's first line, or of the comments and decorators above it. */
  readonly start: number;
  /** 1 for the outermost; members of a class are 2. */
  readonly level: number;
  readonly label: string;
}

const indentedLanguages = new Set(['python', 'ruby', 'elixir', 'lua', 'julia', 'shell']);
const section = /^\s*\[\[?([^\]\n]+)\]\]?\s*(?:[#;].*)?$/;
/** Languages of statements on lines of their own: what a line declares. */
const statements: Readonly<Record<string, RegExp>> = {
  sql: /^\s*create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+|unique\s+|materialized\s+)*(?:table|view|index|function|procedure|trigger|type|schema)\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?([\w."`[\]]+)/i,
  toml: section,
  ini: section,
  diff: /^diff --git a\/(\S+)/,
  make: /^([\w][\w./%-]*)(?:\s+[\w./%-]+)*\s*:(?![:=])/,
};

/** Lines that belong to the declaration below them: comments, decorators, attributes, parameters of a template. */
const LEADING =
  /^\s*(?:\/\/|\/\*|\*|#(?!(?:include|define|undef|if|ifn?def|elif|else|endif|pragma|error|warning)\b|[\w$]+\s*[(=;])|--|@(?!interface\b)[\w.]+|\[.*\]\s*$|"""|%|;|template\s*<[^;{]*$)/;
/** `static unsigned long`, above the name of a function of C. */
const TYPE_ALONE = /^[A-Za-z_][\w\s:<>,]*(?<!:)[\s*&]*$/;

/**
 * The declarations of a source file in order. The scan knows strings, comments and nesting, but no grammar. A missed
 * declaration does little harm (its code stays in the block before), so doubtful lines are not declarations.
 * @param isPart the text is a part of a file and may begin inside a class
 */
export function declarations(text: string, language: string | undefined, isPart: boolean = false): Declaration[] {
  if (language === 'css' || language === 'scss' || language === 'less') return [];
  const statement = known(statements, language);
  const found =
    statement !== undefined
      ? declaredBy(text, statement)
      : indentedLanguages.has(language ?? '')
        ? indented(text, isPart)
        : braced(text, language, isPart);
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
  readonly #hasTypesAlone: boolean;

  constructor(language?: string) {
    this.#hasTypesAlone = hasHeaders(language);
  }

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
    if (!blank && (LEADING.test(line.text) || (this.#hasTypesAlone && TYPE_ALONE.test(line.text)))) {
      if (this.#start === -1) this.#start = line.start;
      if (/^\s*\/\*/.test(line.text) && !line.text.includes('*/')) this.#inComment = true;
    } else {
      this.#start = -1;
    }
  }
}

function braced(text: string, language: string | undefined, isPart: boolean): Declaration[] {
  const out: Declaration[] = [];
  const leading = new Leading(language);
  const scan = new BraceScan(text, language);
  /** Classes around the current line, innermost last: brace depth and level of their members. */
  const bodies: { depth: number; level: number }[] = [];
  let isPod = false;
  for (const line of linesOf(text)) {
    const pod = language === 'perl' ? POD.exec(line.text) : null;
    if (pod) isPod = pod[1] !== 'cut';
    if (isPod) {
      scan.skip(line.start + line.text.length);
      if (pod?.[2]) out.push({ start: line.start, level: Number(pod[2]), label: plainPod(pod[3]!) });
      continue;
    }
    const { depth, inside } = scan.at(line.start, AT_MARGIN.test(line.text));
    while (bodies.length > 0 && depth < bodies[bodies.length - 1]!.depth && !OPENS_LATER.test(line.text)) bodies.pop();
    if (!inside) {
      const body = bodies[bodies.length - 1];
      const level = depth === 0 ? 1 : body && depth === body.depth ? body.level : 0;
      if (level > 0 && level <= 3) {
        const found = declarationOf(line.text, language, level > 1 || (isPart && OPENS_BODY.test(line.text)));
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

/** A named declaration without indentation: in these languages nested code is indented. */
const AT_MARGIN =
  /^(?:export\s+(?:default\s+)?(?:async\s+)?(?:abstract\s+)?(?:class|function|const|interface|type|enum)\b|(?:async\s+)?function\*?\s+[\w$]|func\s|sub\s+\w)/;
/** The opening brace of a container may follow on a later line than its name. */
const OPENS_LATER = /^\s*(?:\{|extends|implements|where|:)/;
/** `name(args) {`, but no call that takes a function. */
const OPENS_BODY = /^[^'"`=]*\)[^'"`=]*\{[^{]*$/;
/** A command of Perl's documentation, with the text of a heading. */
const POD = /^=([a-z]+)(?:(?<=head)([1-3])\s+(\S.*))?/;

/** `B<wrap> text` as `wrap text`. */
function plainPod(heading: string): string {
  return heading.replace(/[BCEFILSX]<+([^<>]*)>+/g, (_, said: string) => said.trim()).trim();
}

const INDENTED_NAME =
  /^(\s*)(?:async\s+)?(def|class|module|defmodule|defp?|defmacro|function|local\s+function)\s+([\p{L}_][\p{L}\p{N}_.:?!]*)/u;
const INNERMOST = 9;
const SHELL_FUNCTION = /^([\w:-]+)\s*\(\)\s*(?:[{(].*)?$/;

function indented(text: string, isPart: boolean): Declaration[] {
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
      const outer = around?.level ?? (isPart ? 0 : INNERMOST);
      const level = indent === 0 ? 1 : outer < INNERMOST ? outer + 1 : 0;
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

function declaredBy(text: string, statement: RegExp): Declaration[] {
  const out: Declaration[] = [];
  let leading = new Leading();
  for (const line of linesOf(text)) {
    const match = statement.exec(line.text);
    if (match) {
      out.push({ start: leading.startOf(line), level: 1, label: match[1]!.replace(/["`[\]]/g, '') });
      leading = new Leading();
    } else leading.see(line);
  }
  return out;
}
