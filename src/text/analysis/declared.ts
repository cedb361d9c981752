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
export function nameAsked({ content, phrases }: AnalysedQuery): string | undefined {
  if (phrases.length > 0) return undefined;
  const words = content.split(/\s+/).map((word) => word.replace(/^[`'"(]+|(?:\(\))?[`'",;:!?.)]*$/gu, ''));
  const names = words.filter((word) => CODE.test(word));
  if (words.length > MOST_WORDS || names.length > 1) return undefined;
  const said = words.filter((word) => word !== '' && word !== 'do');
  return names[0] ?? (said.length === 1 && JOINED.test(said[0]!) ? said[0] : undefined);
}

const KIND =
  '(?:(?:abstract|async|attribute|class|classmethod|const|data|def|enum|exception|fn|func|function|interface|macro|method|module|option|parameter|property|public|static|staticmethod|struct|type|var|variable)[ \\t]+)';
/** A mark of a list, a number, kinds, the path of the name, other names of the same: `-q, --quiet, `. */
const BEFORE = new RegExp(
  `^[ \\t]*(?:[-*•‣·+][ \\t]+)?(?:\\d+(?:\\.\\d+)*\\.?[ \\t]+)?${KIND}{0,3}(?:(?:-{1,2}|[\\w$]*[_.<])[^\\s,]*(?: [<[{A-Z][^\\s,]*)?,[ \\t]+){0,8}(?:[\\w$]+(?:\\.|::|#)){0,8}["'\`]?$`,
);
/** What may stand between a name and what is said of it. */
const FORM =
  /^["'`]?[ \t]*(?:\([^()\n]*\)|\[[^\]\n]*\]|<[^>\n]*>|(?:=|[ \t])(?:<[^>\n]*>|\p{Lu}{2,}(?![\p{L}\p{N}]))|=[^\s,]{1,60}(?=[ \t]+[–—-](?:\s|$)))/u;
const OTHERS = /^(?:,[ \t]+(?:-{1,2}|[\w$]*[_.<])[^\s,]*)+[ \t]*$/;
const SAID = /^[ \t]*(?:::?|=|\||[–—-](?=\s|$)|¶)/u;

/** Whether a line of a text begins with a name, and words follow that are no part of a sentence with it. */
export function declares(text: string, name: string): boolean {
  const low = text.toLowerCase();
  const wanted = name.toLowerCase();
  if (low.length !== text.length) return false;
  let at = low.indexOf(wanted);
  for (let i = 0; i < MOST_PLACES && at >= 0; i++, at = low.indexOf(wanted, at + 1)) {
    const from = low.lastIndexOf('\n', at) + 1;
    if (at - from > MOST_BEFORE || !BEFORE.test(text.slice(from, at))) continue;
    if (saysMore(text.slice(at + name.length, at + name.length + MOST_BEHIND))) return true;
  }
  return false;
}

/** @param behind what stands behind a name, over several lines */
function saysMore(behind: string): boolean {
  if (/^(?:[\p{L}\p{N}_]|[-.]\p{L})/u.test(behind)) return false;
  const [line = '', ...below] = behind.split('\n');
  let rest = line;
  for (let form = FORM.exec(rest); form !== null; form = FORM.exec(rest)) rest = rest.slice(form[0].length);
  const said = rest.replace(SAID, '');
  if (said !== rest && said.trim() !== '') return wordsIn(said) >= LEAST_SAID;
  if (said.trim() !== '' && !OTHERS.test(rest)) return false;
  return wordsIn(below.find((each) => /\p{L}/u.test(each)) ?? '') >= LEAST_SAID;
}

const wordsIn = (text: string): number => text.match(/(?<![^\s(“"'])\p{L}+(?![^\s).,;:!?’”"'])/gu)?.length ?? 0;
