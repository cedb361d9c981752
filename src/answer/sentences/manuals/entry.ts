import { kindOfThing } from '../../../text/languages/definitions.ts';
import { endOfLine } from '../../../text/lines.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/**
 * Names of programs: words that marks join (`os.path.join`, `max_load`), humps (`maxLoad`, `KeepAlive`), and what is called
 * (`open()`).
 */
const programName =
  /(?<![\p{L}\p{N}_$.%-])(?:[\p{L}_$][\p{L}\p{N}$]*(?:(?:[._:]+|->|#)[\p{L}\p{N}$]+)+|[\p{L}$]*\p{Ll}\p{N}*\p{Lu}[\p{L}\p{N}$]*|\p{Lu}{2,}\p{Lu}\p{Ll}[\p{L}\p{N}$]*)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}_$.%-])[\p{L}_$][\p{L}\p{N}$]*(?=\(\))/gu;

/** `e.g`, `p.m` */
const shortForm = /^(?:\p{L}{1,2}\.)+\p{L}{1,2}$/u;

/** In lower case. */
export function programNamesIn(text: string): string[] {
  return Array.from(text.matchAll(programName), ([one]) => one.toLowerCase()).filter((one) => !shortForm.test(one));
}

const kind =
  '(?:parameters?|arguments?|params?|options?|settings?|directives?|keywords?|attributes?|propert(?:y|ies)|fields?|flags?)';
/** `the depth parameter`, `parameter depth`: the kind says that a plain word is a name. */
const namedByKind = new RegExp(
  `\\b(?:the|a|an|of|its)\\s+[\`*"'“]*([\\p{L}_$][\\p{L}\\p{N}_$-]*)[\`*"'”]*\\s+(?:keyword\\s+)?${kind}(?![\\p{L}])|\\b${kind}\\s+[\`"'“]*([\\p{Ll}_$][\\p{L}\\p{N}_$-]*)[\`"'”]*(?=\\s+(?:of|in|to|do|does|mean|for)\\b)`,
  'giu',
);
const noName =
  /^(?:(?:keyword|optional|positional|required|first|second|third|fourth|fifth|last|next|other|same|following|default|new|only|command|this|that|each|every|value|values|named|above|configuration|of|in|to|do|does|mean|for|is|are|was|were)|\p{Nd}.*)$/iu;

function namedIn(text: string): string[] {
  return Array.from(text.matchAll(namedByKind), ([, before, behind]) => (before ?? behind)!.toLowerCase()).filter(
    (one) => !noName.test(one),
  );
}

/** The names that a question gives to parts of a program. */
export const namesAsked: (question: Question) => readonly string[] = once(({ text }) => [
  ...new Set([...programNamesIn(text), ...namedIn(text)]),
]);

const lastPart = (name: string): string => /[^.:#>]*$/.exec(name)![0];
/** `dumps` is `json.dumps`, as `CharField` is `models.CharField`. */
export function isSameName(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return lastPart(long) === short;
}

const ofWord = /[\p{L}\p{N}_]/u;

/** Whether a text has a word just as it is written, and not only a longer one that holds it. */
export function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0 && at < text.length; at = text.indexOf(word, at + 1))
    if (!ofWord.test(text[at - 1] ?? '') && !ofWord.test(text[at + word.length] ?? '')) return true;
  return false;
}

/** Whether a text has one of the names that are asked about. */
export function isNamedIn(question: Question, text: string): boolean {
  const own = text.toLowerCase();
  return namesAsked(question).some((one) => hasWord(own, lastPart(one)));
}

const partsAsked = once(({ text }): readonly string[] => namedIn(text));

/** Whether a text has all parts that are asked about by their kind: `depth` of `the depth parameter`. */
export function namesParts(question: Question, text: string): boolean {
  const parts = partsAsked(question);
  return parts.length > 0 && parts.every((one) => hasWord(text.toLowerCase(), one));
}

/** `* `maxLoad` {number}`, `- **depth**: …`: an item begins with the name that it explains. */
const item =
  /^([ \t]*)[-*+][ \t]+(?:\*\*|__)?(?:`([^`\n]{1,60})`|([\p{L}_$][\p{L}\p{N}_.$]*)(?=(?:\*\*|__)?[ \t]*(?:[:–—{(]|- )))/u;
const itemMark = /^([ \t]*)[-*+][ \t]/;
const indentOf = (line: string): number => /^[ \t]*/.exec(line)![0].length;

/** `- Removed: …` in a log of changes: no name. */
const changeLabel = /^(?:Added|Changed|Deprecated|Fixed|Removed|Security)$/u;

/** The name of the item of a list in which a sentence stands. */
export function itemName(text: string, start: number): string | undefined {
  const lines = text.slice(0, endOfLine(text, start)).split('\n');
  let indent = Number.POSITIVE_INFINITY;
  for (let i = lines.length - 1; i >= 0; i--) {
    const line = lines[i]!;
    if (line.trim() === '') {
      if (i === lines.length - 1) return undefined;
      continue;
    }
    const isItem = itemMark.test(line);
    if (indentOf(line) >= indent && (isItem || i < lines.length - 1)) continue;
    if (!isItem) {
      if (indentOf(line) === 0) return undefined;
      indent = i === lines.length - 1 ? indentOf(line) : Math.min(indent, indentOf(line));
      continue;
    }
    const found = item.exec(line);
    if (found) return changeLabel.test(found[3] ?? '') ? undefined : (found[2] ?? found[3])!.replace(/\(.*$/, '');
    indent = indentOf(line);
    if (indent === 0) return undefined;
  }
  return undefined;
}

/** `The mode argument can be …`: what the sentences behind it in its paragraph are about. */
function paragraphName(text: string, end: number): string | undefined {
  const paragraph = text
    .slice(0, end)
    .split(/\n\s*\n/)
    .at(-1)!;
  return namedIn(paragraph).at(-1);
}

const declared =
  /\*\/\s*(?:(?:export|default|declare|public|protected|private|readonly|static|abstract|async|function|const|let|type|interface|class|get|set)\s+)*([\p{L}_$][\p{L}\p{N}_$]*)\??\s*[(:=<]/uy;

/** The name that is declared below the comment in which a sentence stands. */
export function declaredBelow(text: string, start: number, end: number): string | undefined {
  const before = text.slice(0, start);
  if (before.lastIndexOf('/*') <= before.lastIndexOf('*/') && !text.slice(start, end).startsWith('/*'))
    return undefined;
  declared.lastIndex = text.indexOf('*/', start);
  return declared.lastIndex < 0 ? undefined : declared.exec(text)?.[1];
}

const isDotted = (name: string): boolean => /\p{L}\.\p{L}/u.test(name);
/** What raises an exception stands in other sections than the exception. */
const isException = /^exception\s|(?:Error|Exception|Warning)$/;
const asksForException = /\b(?:rais(?:es?|ed)|throw[sn]?|exceptions?|errors?)\b/iu;

/** The name in front of the arguments: `gzip.open(filename)` is about `gzip.open`. */
const headOf = (heading: string): string => heading.replace(/\([^)].*$/s, '()');

/** `open(name, mode): Opens it.`: where terms are no headings, one begins an entry of several paragraphs. */
const entryTerm = /(?:^|\n\n)(?:[a-z]+ )?([\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}\p{N}_$]+)*)\([^\n]{0,300}?\): /gu;

/** The term of the entry in which a sentence stands, where it is no heading. */
export function entryOver({ headings, passage, unit }: Candidate): string | undefined {
  const { chunk } = passage.hit;
  const heading = headings.at(-1);
  if (chunk.format !== 'html' || heading?.includes('(') || heading !== chunk.headings.at(-1)) return undefined;
  return [...chunk.text.slice(0, unit.end).matchAll(entryTerm)].at(-1)?.[1];
}

/** The names that stand over a sentence, the innermost first. */
function namesAbove(candidate: Candidate): readonly (readonly string[])[] {
  const entry = entryOver(candidate);
  return [...candidate.headings, ...(entry === undefined ? [] : [`${entry}()`])]
    .reverse()
    .map((heading) => programNamesIn(headOf(heading)))
    .concat([programNamesIn(candidate.passage.hit.chunk.title)]);
}

/** Whether a name is all that a heading says, but for what it is: not of `Limits of MySQL`. */
function isWholeHeading(name: string, candidate: Candidate): boolean {
  const entry = entryOver(candidate);
  return [...candidate.headings, entry ?? ''].some((heading) => {
    const [before = '', ...behind] = headOf(heading).toLowerCase().split(name);
    if (behind.length === 0) return false;
    const words = `${before} ${behind.join(' ')}`.match(/\p{L}{2,}/gu) ?? [];
    return words.every(
      (word) => kindOfThing.test(word) || /^(?:class|exception|static|async|method|of|the)$/.test(word),
    );
  });
}

/**
 * Whether a sentence says something of another part of a program than the one which is asked about: it stands in the item
 * or the paragraph of another parameter, or in the section of another function, and does not have the name itself.
 */
export function isOfOtherEntry(question: Question, candidate: Candidate): boolean {
  const asked = namesAsked(question);
  if (asked.length === 0) return false;
  const { text, format } = candidate.passage.hit.chunk;
  const own = textOf(candidate).toLowerCase();
  const isIn =
    (names: readonly string[]) =>
    (one: string): boolean =>
      names.some((name) => isSameName(one, name));
  const says = (one: string): boolean => hasWord(own, lastPart(one));
  const above = namesAbove(candidate);
  const open = asked.filter((one) => !says(one) && !above.some((names) => isIn(names)(one)));
  if (open.length === 0) return false;
  const { start, end } = candidate.unit;
  const narrow = (
    format === 'code' ? declaredBelow(text, start, end) : (itemName(text, start) ?? paragraphName(text, end))
  )?.toLowerCase();
  const isAsked = (name: string): boolean =>
    hasWord(question.text.toLowerCase(), name) || asked.some((one) => isSameName(one, name) || name.includes(one));
  if (narrow !== undefined && !isAsked(narrow)) return true;
  const heading = candidate.headings.at(-1) ?? '';
  if (isException.test(heading) && asksForException.test(question.text)) return false;
  const [inner = []] = above.slice(0, -1).filter((names) => names.some((name) => isWholeHeading(name, candidate)));
  if (open.length < asked.length || narrow !== undefined) return open.some(isDotted) && inner.some(isDotted);
  return inner.length > 0;
}

/** On the scale of the trees. */
const loss = -2;

/** What such a sentence loses. */
export function otherEntryLoss(question: Question, candidate: Candidate): number {
  return isOfOtherEntry(question, candidate) ? loss : 0;
}
