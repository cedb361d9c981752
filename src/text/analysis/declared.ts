/** Where references of programs say what a name is: `log_level (string): How much is said.` */
import type { AnalysedQuery } from './query.ts';

/** Words of a query that may stand beside the name: `git rebase --onto`. */
const MOST_WORDS = 4;
/** Characters before the name in its line, and behind it. */
const MOST_BEFORE = 200;
const MOST_BEHIND = 600;
/** So many words at least say what a name is. */
const LEAST_SAID = 4;
/** Places of the name that are looked at in one text. */
const MOST_PLACES = 50;

/** `_`, a dot or two colons between letters, hyphens before: no `e.g.`. */
const CODE = /^-{1,2}\p{L}|\p{L}_|[\p{L}\p{N}]{2}(?:\.|::|#)\p{L}{2}/u;
/** Of a query that is nothing else, hyphens or capitals within are enough: `Rules-Requires-Root`, `maxWait`. */
const JOINED = /[\p{L}\p{N}][-_/][\p{L}\p{N}]|\p{Ll}\p{Lu}/u;

/** The one name of code that a query asks for, as it is written. */
export function nameAsked(query: AnalysedQuery): string | undefined {
  const words = wordsOf(query);
  const names = words.filter((word) => CODE.test(word));
  return query.phrases.length > 0 || words.length > MOST_WORDS || names.length > 1
    ? undefined
    : (names[0] ?? nameAlone(query));
}

/** The name of code that is all a query holds: `log_level`, `What does log_level do?` */
export function nameAlone(query: AnalysedQuery): string | undefined {
  const said = wordsOf(query).filter((word) => word !== '' && word !== 'do');
  const isName = query.phrases.length === 0 && said.length === 1 && (CODE.test(said[0]!) || JOINED.test(said[0]!));
  return isName ? said[0] : undefined;
}

function wordsOf({ content }: AnalysedQuery): string[] {
  return content.split(/\s+/).map((word) => word.replace(/^[`'"(]+|(?:\(\))?[`'",;:!?.)]*$/gu, ''));
}

const KIND =
  '(?:(?:abstract|async|attribute|class|classmethod|const|data|def|enum|exception|fn|func|function|interface|macro|method|module|option|parameter|property|public|static|staticmethod|struct|type|var|variable)[ \\t]+)';
/** A mark of a list, a number, kinds, the path of the name, other names of the same: `-q, --quiet, `. */
const BEFORE = new RegExp(
  `^[ \\t]*(?:[-*•‣·+][ \\t]+)?(?:\\d+(?:\\.\\d+)*\\.?[ \\t]+)?${KIND}{0,3}(?:(?:-|[A-Za-z\\d$]*[_.<])[^\\s,]*(?: [<[{A-Z][^\\s,]*| \\([^(),]{1,30}\\))?,[ \\t]+){0,8}(?:[\\w$]+(?:\\.|::|#)){0,8}["'\`]?$`,
);
/** What may stand between a name and what is said of it. */
const FORM =
  /^["'`]?[ \t]*(?:\([^()\n]*\)|\[[^\]\n]*\]|<[^>\n]*>|(?:=|[ \t])(?:<[^>\n]*>|\p{Lu}{2,}(?![\p{L}\p{N}]))|=[^\s,]{1,60}(?=[ \t]+[–—-](?:\s|$)))/u;
const OTHERS = /^(?:,[ \t]+(?:-|[A-Za-z\d$]*[_.<])[^\s,]*(?: \([^(),]{1,30}\))?)+[ \t]*$/;
const SAID = /^[ \t]*(?:::?|=|\||[–—-](?=\s|$)|¶)/u;

/** Whether a line of a text begins with a name, and words follow that are no part of a sentence with it. */
export function declares(text: string, name: string): boolean {
  return declaredAt(text, name) !== undefined;
}

/** Where a text begins to say what a name is, behind the name. */
export function declaredAt(text: string, name: string): number | undefined {
  const low = text.toLowerCase();
  const wanted = name.toLowerCase();
  if (low.length !== text.length) return undefined;
  let at = low.indexOf(wanted);
  for (let i = 0; i < MOST_PLACES && at >= 0; i++, at = low.indexOf(wanted, at + 1)) {
    const from = low.lastIndexOf('\n', at) + 1;
    if (at - from > MOST_BEFORE || !BEFORE.test(text.slice(from, at))) continue;
    const end = at + name.length;
    const said = saidAt(text.slice(end, end + MOST_BEHIND));
    if (said !== undefined) return end + said;
  }
  return undefined;
}

/** @param behind what stands behind a name, over several lines */
function saidAt(behind: string): number | undefined {
  if (/^(?:[\p{L}\p{N}_]|[-.]\p{L})/u.test(behind)) return undefined;
  const lines = behind.split('\n');
  let rest = lines[0]!;
  for (let form = FORM.exec(rest); form !== null; form = FORM.exec(rest)) rest = rest.slice(form[0].length);
  const said = rest.replace(SAID, '').trimStart();
  if (said.length < rest.trimStart().length && said !== '')
    return wordsIn(said) >= LEAST_SAID ? lines[0]!.length - said.length : undefined;
  if (said !== '' && !OTHERS.test(rest)) return undefined;
  const next = lines.findIndex((line, i) => i > 0 && /\p{L}/u.test(line));
  if (next < 0 || wordsIn(lines[next]!) < LEAST_SAID) return undefined;
  const before = lines.slice(0, next).join('\n').length + 1;
  return before + lines[next]!.length - lines[next]!.trimStart().length;
}

const wordsIn = (text: string): number => text.match(/(?<![^\s(“"'])\p{L}+(?![^\s).,;:!?’”"'])/gu)?.length ?? 0;
