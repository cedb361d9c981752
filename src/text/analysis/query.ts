import { withoutAsking } from '../languages/asking-parts.ts';
import { languageOf } from '../languages/detect.ts';
import { isEmptyIn, meantWords, queryStopWords } from '../languages/function-words.ts';
import { questionMark } from '../languages/question-marks.ts';
import { contentTokens, documentTokens } from './analysis.ts';
import { foldWord } from './fold.ts';
import { type QueryForms, queryForms } from './query-forms.ts';

export interface AnalysedQuery {
  /** The query without its operators: without the parts left out by `-"…"`, and without the `*` of a beginning. */
  readonly text: string;
  /** Terms in order, with repetitions. Question words are left out, unless the query holds nothing else. */
  readonly tokens: readonly string[];
  /** Terms of what the query marks as a name of code: in backticks, or with `()` behind it. */
  readonly named: ReadonlySet<string>;
  /**
   * Terms of function words beside others, in a language whose function words are not left out as those of English are:
   * `der`, `la`; neither named nor quoted ones.
   */
  readonly light: ReadonlySet<string>;
  /** Terms with other forms of their word; neither named nor quoted ones. */
  readonly forms: readonly QueryForms[];
  /** Terms of each part in double quotes, in order; a hit should hold them next to each other. */
  readonly phrases: readonly (readonly string[])[];
  /** Beginnings of words, from `alph*`, in lower case; a hit may hold any word that begins so. */
  readonly prefixes: readonly string[];
  /** Terms of each part after `-"`; a chunk that holds all of one is no hit. */
  readonly excluded: readonly (readonly string[])[];
  /** The query without question words, for character n-grams. */
  readonly content: string;
  /** Whether the query ends with a question mark. */
  readonly asks: boolean;
}

/** None goes over another that begins: looking for the ends of many would take time for each pair of them. */
const quotation = '"([^"]+)"|“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|「([^「」]+)」';
const quoted = new RegExp(quotation, 'gu');
/**
 * Only with quotes: `-term` and `--term` are options of commands more often than wishes, and a hit that is left out
 * is not missed by anyone.
 */
const excluding = new RegExp(`(?<=^|\\s)-(?:${quotation})`, 'gu');
/** Not `**bold**`, `a*b` or `*.ts`. */
const beginning = /(?<![\p{L}\p{M}\p{N}_*])([\p{L}\p{M}\p{N}_]{2,})\*(?![\p{L}\p{M}\p{N}_*])/gu;
const code = /`([^`]+)`|(?<![\p{L}\p{M}\p{N}_$])([\p{L}_$][\p{L}\p{M}\p{N}_$]*)(?=\(\))/gu;
/** Latin, fullwidth, Arabic, Greek; Armenian and Ethiopic. */
const asking = new RegExp(`(?:${questionMark}|[\u037e\u055e\u1367])[\\s"'”’»)\\]]*$`, 'u');

/** English function words are no terms; what of them remains says something. So it may be in a text of no language. */
const leavesOut: ReadonlySet<string> = new Set(['en', 'und']);

/** The last one: a search and the embedder of its query ask for the same. */
let last: { readonly query: string; readonly analysed: AnalysedQuery } | undefined;

export function analyseQuery(query: string): AnalysedQuery {
  if (last?.query !== query) last = { query, analysed: analyse(query) };
  return last.analysed;
}

function analyse(query: string): AnalysedQuery {
  const excluded = termsOfMatches(query, excluding);
  const kept = query.replace(excluding, ' ');
  const prefixes = [...kept.matchAll(beginning)].map((match) => foldWord(match[1]!.normalize('NFC')));
  const text = kept.replace(beginning, '$1');
  const words = withoutAsking(kept.replace(beginning, ' ')); // the beginning of a word is no word
  const language = languageOf(query);
  const letters = words.toLowerCase().match(/\p{L}+/gu) ?? [];
  const meant = meantWords(language, letters);
  const content = [...contentTokens(words), ...meant.flatMap(documentTokens)];
  const named = new Set(termsOfMatches(text, code).flat());
  const phrases = termsOfMatches(text, quoted);
  const marked = new Set([...named, ...phrases.flat()]);
  const empty = leavesOut.has(language) ? [] : letters.filter((word) => isEmptyIn(language, word, false));
  const light = new Set(empty.flatMap(documentTokens));
  return {
    text,
    light: new Set(content.some((term) => !light.has(term)) ? [...light].filter((term) => !marked.has(term)) : []),
    tokens: content.length > 0 || prefixes.length > 0 ? content : documentTokens(words),
    named,
    forms: queryForms(words, marked),
    phrases,
    prefixes,
    excluded,
    content: withoutAsking(text)
      .split(/\s+/)
      .filter((word) => !queryStopWords.has(word.toLowerCase()))
      .join(' '),
    asks: asking.test(query),
  };
}

/** The terms of each match's group, without empty ones. */
function termsOfMatches(text: string, pattern: RegExp): string[][] {
  return [...text.matchAll(pattern)]
    .map((match) => documentTokens(match.slice(1).find((group) => group !== undefined) ?? ''))
    .filter((tokens) => tokens.length > 0);
}
