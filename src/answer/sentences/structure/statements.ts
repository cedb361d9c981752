import { endOfLine } from '../../../text/lines.ts';
import { commentMark } from './code.ts';
import type { Unit } from './units.ts';
import { joinLists } from './yaml-keys.ts';

/** Of a preprocessor. */
const directive = /^\s*#\s*(?:define|include|undef|if|ifn?def|elif|else|endif|pragma|error|warning)\b/;
const statementEnd = /[;}]\s*(?:\/\/.*|\/\*.*\*\/\s*|--\s.*)?$/;
const comment = new RegExp(String.raw`^\s*${commentMark}`);
/** `port = 8080`, also where a mark of a comment turns it off: what a comment above it explains. */
export const assignment: RegExp =
  /^\s*#define\s+\w+\s+\S[^\n]*$|^\s*#?(?:(?:export|public|private|static|final|const|let|var|pub|readonly|val)\s+)*[\w.$"'-]+\s*(?::[^=\n:]*)?[:+?]?=(?![=>~])\s*\S[^\n]*$/;
/** `[tool.ruff]` of TOML */
const tableName = /^\s*\[\[?[\w."' -]+\]\]?\s*$/;
const yamlComment = /^\s*#/;
/** Of a file that builds an image: `EXPOSE 8080`. */
export const instruction: RegExp =
  /^(?:ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|ONBUILD|RUN|SHELL|STOPSIGNAL|USER|VOLUME|WORKDIR)\s+\S[^\n]*$/;
/** A line that the next one goes on with. */
const open = /[,([{\\]\s*$/;
const docEnd = /^\s*\/\/\/.*<\/\w+>\s*$/;
/** Of these, the ones that say nothing by themselves. */
const condition = /^\s*#\s*(?:if|ifn?def|elif|else|endif)\b[^\n]*$/;
/** A tag of a comment in lines, as `# @param level`. */
const tag = /^\s*(?:#'?|\/\/+|--|;+)\s*@\w/;
/** A function of a language without braces, whose documentation may stand below. */
const opensBody = /^\s*(?:async\s+)?(?:def|class|module)\s.*[^,(\\\s]\s*$/;
const docString = /^\s*[rbu]?(?:"{3}|'{3})/i;
/** `CREATE TABLE boat (`, whose columns stand below it, and the end of one of these. */
const opensTable = /^\s*create\s+(?:temp(?:orary)?\s+|unlogged\s+)*table\b[^()]*\(\s*$/i;
/** The last one of a text. */
const opensLastTable = /\bcreate\s+(?:\w+\s+){0,2}table\b[^()]*\(\s*\n(?![\s\S]*\bcreate\s+(?:\w+\s+){0,2}table\b)/i;
const columnEnd = /,\s*(?:--.*)?$/;
const tableEnd = /^\s*\)/;
/** `type Boat {` and a field that must be there: a schema of GraphQL. */
const opensType = /^[ \t]*(?:type|input|interface) \w[^\n]*\{/m;
const mustBe = /:\s*\[?\w+!/;
/** `"The water rises."` over `FLOOD`, in `enum Tide {` */
const explainedValue = /^[ \t]*enum \w+[^\n{]*\{[^}]*?^[ \t]*"[^"\n]*"[ \t]*\n[ \t]*\p{Lu}[\p{Lu}\p{N}_]*[ \t]*$/mu;
/** `title: String! @deprecated`, `lift(load: Int!): Hook!`: a field, and what explains the next one. */
const graphField = /^\s*\w+(?:\([^()\n]*\))?\s*:\s*\[*\w+[\]!]*\s*(?:=[^@\n]*)?(?:@[^\n]*)?$/;
const graphText = /^\s*"[^"\n]*"\s*$/;
const graphTexts = /^\s*"/;
/** What belongs to the line above it. */
const goesOn = /^\s*(?:[})\]]|else\b|catch\b|finally\b|while\b.*;|\$\$)/;

/**
 * Lines of code up to a blank line are one sentence: statements, directives, instructions, and mappings of YAML are
 * parted here.
 */
export function cutStatements(text: string, units: readonly Unit[], isYaml: boolean): Unit[] {
  const isGraph = !isYaml && ((opensType.test(text) && mustBe.test(text)) || explainedValue.test(text));
  const kind: Kind = { isYaml, isGraph, hasTable: !isYaml && opensLastTable.test(text) };
  const parts = (isGraph ? joinFields(text, units) : units)
    .flatMap((unit) => (unit.kind === 'sentence' ? partsOf(text, unit, kind) : [unit]))
    .filter(({ start, end }) => says(text.slice(start, end)));
  return isYaml ? joinLists(text, parts) : isGraph ? joinTexts(text, parts) : parts;
}

/** No sentence ends with the mark of `Hook!` in front of `@deprecated`. */
function joinFields(text: string, units: readonly Unit[]): Unit[] {
  const out: Unit[] = [];
  for (const unit of units) {
    const last = out.at(-1);
    const isOne = last !== undefined && text[last.end - 1] === '!' && /^[ \t]+(?=[@=])/.test(text.slice(last.end));
    if (isOne && text.slice(last.end, unit.start).trim() === '') out[out.length - 1] = { ...last, end: unit.end };
    else out.push(unit);
  }
  return out;
}

/** A text that stands alone on its line, and the field or the value below it that it explains. */
function joinTexts(text: string, units: readonly Unit[]): Unit[] {
  const out: Unit[] = [];
  for (const unit of units) {
    const last = out.at(-1);
    const isOne =
      last !== undefined &&
      graphText.test(text.slice(last.start, last.end)) &&
      /^[ \t]*\n[ \t]*$/.test(text.slice(last.end, unit.start));
    if (isOne) out[out.length - 1] = { ...last, end: unit.end };
    else out.push(unit);
  }
  return out;
}

/** Whether a unit is more than a bracket, the end of a comment, a condition, or the name of a table. */
function says(unit: string): boolean {
  return /[\p{L}\p{N}]/u.test(unit) && !tableName.test(unit) && !condition.test(unit);
}

interface Kind {
  readonly isYaml: boolean;
  /** A schema of GraphQL. */
  readonly isGraph: boolean;
  /** Declares tables of a database. */
  readonly hasTable: boolean;
}

function partsOf(text: string, unit: Unit, { isYaml, isGraph, hasTable }: Kind): Unit[] {
  const out: Unit[] = [];
  let start = unit.start;
  let isTable = hasTable && isInTable(text.slice(0, unit.start));
  for (let from = unit.start; ; ) {
    const feed = text.indexOf('\n', from);
    if (feed < 0 || feed >= unit.end) break;
    const line = text.slice(from === unit.start ? text.lastIndexOf('\n', from - 1) + 1 : from, feed);
    const next = text.slice(feed + 1, endOfLine(text, feed + 1));
    isTable = opensTable.test(line) || (isTable && !tableEnd.test(line));
    const isColumn = isTable && (opensTable.test(line) || columnEnd.test(line) || tableEnd.test(next));
    if (isYaml ? endsMapping(line, next) : isColumn || (isGraph && endsField(line, next)) || ends(line, next)) {
      out.push({ ...unit, start, end: start + text.slice(start, feed).trimEnd().length });
      start = feed + 1 + indentOf(next);
    }
    from = feed + 1;
  }
  return [...out, { ...unit, start }];
}

/** A mapping of YAML ends where another one goes on outside, or where a comment explains the next key. */
function endsMapping(line: string, next: string): boolean {
  return indentOf(next) < indentOf(line) || (yamlComment.test(next) && !yamlComment.test(line));
}

function endsField(line: string, next: string): boolean {
  return graphField.test(line) && (graphField.test(next) || graphTexts.test(next));
}

/** Whether a text ends between the columns of a table that it declares. */
function isInTable(before: string): boolean {
  const from = before.search(opensLastTable);
  return from >= 0 && !/\n\s*\)/.test(before.slice(from));
}

function ends(line: string, next: string): boolean {
  if (directive.test(next) || directive.test(line)) return !line.trimEnd().endsWith('\\');
  if (docEnd.test(line) || tableName.test(line) || tag.test(next)) return true;
  if (comment.test(line) && !assignment.test(line) && opensBody.test(next)) return true;
  if (opensBody.test(line)) return !docString.test(next);
  if (/^\s*(?:"{3}|'{3})\s*$/.test(line)) return !/^\s*[\p{Lu}]/u.test(next);
  if (assignment.test(line) && assignment.test(next)) return !open.test(line);
  if (instruction.test(next) && (instruction.test(line) || /^\s/.test(line))) return !open.test(line);
  return statementEnd.test(line) && !comment.test(line) && !goesOn.test(next);
}

function indentOf(line: string): number {
  return /^\s*/.exec(line)![0].length;
}
