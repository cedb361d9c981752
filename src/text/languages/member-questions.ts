/** What of a function, a method or a class a question asks for. */
export type MemberPart =
  | 'does'
  | 'declared'
  | 'returns'
  | 'arguments'
  | 'parameter'
  | 'type'
  | 'throws'
  | 'since'
  | 'deprecated';

const kinds =
  '(?:functions?|methods?|procedures?|macros?|class(?:es)?|constructors?|operators?|property|attributes?|calls?|structs?|traits?)';
/** Groups: the name, and whether it is called: `lift()`. */
const name = String.raw`(?:the )?(?:${kinds} )?[\x60"'“]?(?<name>[\p{L}_$~:][^\s,;\x60"”()]*)(?<call>\(\))?[\x60"'”]?(?: ${kinds})?`;
const parameter = String.raw`[\x60"'“]?(?<parameter>[\p{L}_$*-][\p{L}\p{N}_$-]*)[\x60"'”]?`;
const asParameter = '(?:keyword )?(?:parameters?|arguments?|params?|args?)';
const of = '(?:of|to|in|for|from)';
const errors = '(?:throws?|thrown|raises?|raised|panics?)';
/** `in crane`, `of the library` */
const end = String.raw`(?: (?:in|of|from|with) (?:the )?[\p{L}\p{N}.+#-]+(?: library| module)?)?\s*\?*$`;

/** How questions ask for a part, in English; the groups are `name`, `call`, `parameter` and `error`. */
export const memberQuestions: readonly (readonly [MemberPart, RegExp])[] = (
  [
    ['returns', `^what (?:type |value |kind of value |type of value )?(?:does|do|will|can) ${name} return${end}`],
    ['returns', `^what is (?:the )?return(?:ed)? (?:value|type) of ${name}${end}`],
    ['returns', `^what is returned by ${name}${end}`],
    [
      'arguments',
      `^(?:what|which) ${asParameter} (?:does|do|can|must) ${name} (?:take|accept|have|expect|need|require)${end}`,
    ],
    ['arguments', `^what (?:are the ${asParameter}|is the signature) ${of} ${name}${end}`],
    ['type', `^what (?:type|kind) is the ${asParameter} ${parameter} ${of} ${name}${end}`],
    ['type', `^what (?:type is|is the type of) the ${parameter} ${asParameter} ${of} ${name}${end}`],
    ['type', `^what is the type of the ${asParameter} ${parameter} ${of} ${name}${end}`],
    [
      'declared',
      `^what (?:type|kind) is the (?<name>[^\\s,;()]+) (?:${asParameter}|settings?|options?|variables?)${end}`,
    ],
    ['declared', `^what (?:type is|is the type of) the (?<name>[^\\s,;()]+) (?:settings?|options?|variables?)${end}`],
    [
      'parameter',
      `^what (?:is|does) the ${parameter} ${asParameter} ${of} ${name}(?: (?:used )?for| do| mean| control)?${end}`,
    ],
    [
      'parameter',
      `^what (?:is|does) the ${asParameter} ${parameter} ${of} ${name}(?: (?:used )?for| do| mean| control)?${end}`,
    ],
    [
      'throws',
      `^when (?:does|do|will|can) ${name} ${errors}(?: (?:an? )?(?<error>[\\p{L}_][\\p{L}\\p{N}_.:]*))?${end}`,
    ],
    ['throws', `^when (?:is|are) (?:an? )?(?<error>[\\p{L}_][\\p{L}\\p{N}_.:]*) ${errors} by ${name}${end}`],
    ['throws', `^(?:what|which) (?:exceptions?|errors?) (?:does|do|can|may) ${name} ${errors}${end}`],
    [
      'since',
      `^(?:since|from|in|with|as of) (?:which|what) (?:version|release) (?:is|was|has|did|were) ${name} (?:available|added|introduced|been)${end}`,
    ],
    ['since', `^(?:when|since when) (?:is|was) ${name} (?:available|added|introduced)${end}`],
    ['deprecated', `^(?:is|why is|since when is) ${name} (?:deprecated|obsolete)${end}`],
    ['deprecated', `^what (?:replaces|replaced|supersedes) ${name}${end}`],
    ['deprecated', `^what (?:should|can|do|must|to) (?:(?:i|we|you|one) )?use (?:instead|in place) of ${name}${end}`],
    ['does', `^what (?:does|do) ${name} do${end}`],
    ['does', `^what is ${name} (?:used )?for${end}`],
  ] as const
).map(([part, pattern]) => [part, new RegExp(pattern, 'iu')] as const);

/** What an entry of a reference says below its description, behind a label: `Returns: The load.` */
export type EntryPart = 'parameters' | 'returns' | 'type' | 'throws' | 'since' | 'deprecated' | 'other';

const partLabels: readonly (readonly [EntryPart, string])[] = [
  ['parameters', 'parameters?|params?|arguments?|args|keyword arguments?'],
  ['returns', 'returns?|return values?|returned values?'],
  ['type', 'return type|rtype'],
  ['throws', 'throws|raises|exceptions?|errors|panics'],
  ['since', 'since|available since'],
  ['deprecated', 'deprecated(?: since [^:\\n]{1,12})?'],
  [
    'other',
    'examples?|see also|notes?|warnings?|changelog|attention|remarks?|type parameters|template parameters|overrides|specified by|safety',
  ],
];
const byLabel = partLabels.map(
  ([part, words]) =>
    [part, new RegExp(`^[ \\t]*(?:[-*•] |[@:\\\\])?(?:${words})(?:[ \\t]*:(?=\\s|$)|[ \\t]*(?=\\n|$))`, 'iu')] as const,
);
const anyLabel = new RegExp(
  `(?:^|\\n)[ \\t]*(?:${partLabels.map(([, words]) => words).join('|')})[ \\t]*(?::|\\n|$)`,
  'iu',
);

/** The part that a label at the beginning of a text opens, and where the label ends. */
export function entryPartAt(text: string): { readonly part: EntryPart; readonly end: number } | undefined {
  for (const [part, label] of byLabel) {
    const found = label.exec(text);
    if (found) return { part, end: found[0].length };
  }
  return undefined;
}

/** Whether a line says a part behind its label: `Return type: int`. */
export function saysPart(line: string): boolean {
  const label = entryPartAt(line);
  return label !== undefined && line.slice(label.end).trim() !== '';
}

/** Whether a line is such a label over a list. */
export const isListLabel = (line: string): boolean =>
  /^[ \t]*(?:template )?(?:parameters|return values|exceptions):?[ \t]*$/iu.test(line);

/** Whether a text may have such a label. */
export const mayHaveParts = (text: string): boolean => anyLabel.test(text);

/** `Returns the load`, `it returns 0`: said in a sentence of the description. */
export const saysReturn: RegExp = /\breturn(?:s|ed|ing)?\b/iu;
export const saysThrow: RegExp = /\b(?:throw[sn]?|raise[sd]?|panics?|fails?)\b/iu;
export const saysDeprecated: RegExp = /\bdeprecated\b|\bobsolete\b|\bsuperseded\b/iu;
/** What stands in the place of something that is deprecated. */
export const saysInstead: RegExp =
  /\b(?:use|using|moved|replaced|instead|superseded|see|prefer|removed|no longer|has been|will be)\b/iu;
/** `New in version 3.8`, `Since: 3.2`; not what was changed. */
export const saysSince: RegExp =
  /\b(?:new in|added in|introduced in|available (?:since|from|in)|since)\b[^.\n]{0,24}?\d|\bstable since\b/iu;
/** What is no description of the thing itself. */
export const asideOfEntry: RegExp =
  /^\W*(?:deprecated|changed in|new in|since|see also|for more information|note|expand description)\b/iu;
