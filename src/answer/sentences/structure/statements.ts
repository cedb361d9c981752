import { commentMark } from './code.ts';
import type { Unit } from './units.ts';

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
/** What belongs to the line above it. */
const goesOn = /^\s*(?:[})\]]|else\b|catch\b|finally\b|while\b.*;|\$\$)/;

/**
 * Lines of code up to a blank line are one sentence: statements, directives, instructions, and mappings of YAML are
 * parted here.
 */
export function cutStatements(text: string, units: readonly Unit[], isYaml: boolean): Unit[] {
  return units
    .flatMap((unit) => (unit.kind === 'sentence' ? partsOf(text, unit, isYaml) : [unit]))
    .filter(({ start, end }) => says(text.slice(start, end)));
}

/** Whether a unit is more than a bracket, the end of a comment, a condition, or the name of a table. */
function says(unit: string): boolean {
  return /[\p{L}\p{N}]/u.test(unit) && !tableName.test(unit) && !condition.test(unit);
}

function partsOf(text: string, unit: Unit, isYaml: boolean): Unit[] {
  const out: Unit[] = [];
  let start = unit.start;
  for (let from = unit.start; ; ) {
    const feed = text.indexOf('\n', from);
    if (feed < 0 || feed >= unit.end) break;
    const line = text.slice(from === unit.start ? text.lastIndexOf('\n', from - 1) + 1 : from, feed);
    const after = text.indexOf('\n', feed + 1);
    const next = text.slice(feed + 1, after < 0 ? text.length : after);
    if (isYaml ? endsMapping(line, next) : ends(line, next)) {
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
