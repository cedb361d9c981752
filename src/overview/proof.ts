import { analyseWords } from '../text/analysis/words.ts';
import { languageOf } from '../text/languages/detect.ts';
import { sentenceSpans } from '../text/sentences/sentences.ts';
import { allPhrases, isPhrase } from './phrases.ts';
import type { ScriptSentence, ScriptSource } from './script.ts';

/** The sentences of a text; none is cut when it is looked at again by itself. */
export function sentencesOf(text: string): string[] {
  const parts = sentenceSpans(text).map(({ start, end }) => text.slice(start, end));
  return parts.length > 1 ? parts.flatMap(sentencesOf) : parts;
}

/**
 * The sentences of what a voice says, each with the marks `[n]` behind it. A mark vouches for the one sentence that it
 * closes: text between two marks that holds several sentences has proof for the last one alone.
 */
export function citedSentences(line: string): ScriptSentence[] {
  const sentences: ScriptSentence[] = [];
  const pieces = line.split(/((?:\s*\[\d{1,9}\])+[.!?…]?)/);
  for (let i = 0; i < pieces.length; i += 2) {
    const marks = pieces[i + 1] ?? '';
    const citations = [...marks.matchAll(/\[(\d+)\]/g)].map(([, n]) => Number(n));
    const stop = /[.!?…]$/.exec(marks)?.[0] ?? '';
    const parts = sentencesOf((pieces[i]! + stop).trim()).filter((part) => /[\p{L}\p{N}]/u.test(part));
    parts.forEach((text, at) => {
      const own = at === parts.length - 1 ? citations : [];
      const before = sentences.at(-1);
      const goesOn = at === 0 && before !== undefined && before.citations.length > 0 && !ends(before.text);
      // `40 bar [1] and 20 °C. [2]`: one sentence, and proven when a mark closes it
      if (goesOn && /^[\p{Ll},;:–—)]/u.test(text)) {
        const all = own.length > 0 ? [...before.citations, ...own] : [];
        sentences[sentences.length - 1] = { text: `${before.text} ${text}`, citations: all };
      } else sentences.push({ text, citations: own });
    });
  }
  return sentences;
}

const ends = (text: string): boolean => /[.!?…。！？:;]["'”’»)\]]*$/u.test(text);

/**
 * Why a sentence may not be said; undefined where it may. A citation only proves what its passage holds: each figure of
 * the sentence, and each name in it, must stand in the passages that it cites or in the headings above them.
 * @param sources proven, by number
 */
export function objectionTo(
  { text, citations }: ScriptSentence,
  sources: ReadonlyMap<number, ScriptSource>,
): string | undefined {
  if (citations.length === 0) return isPhrase(text) ? undefined : 'no source is cited at its end';
  const cited = citations.map((n) => sources.get(n));
  const unknown = cited.indexOf(undefined);
  if (unknown >= 0) return `there is no source [${citations[unknown]}]`;
  const evidence = cited
    .map((source) => [source!.quote, source!.title, ...source!.headings, source!.uri].join('\n'))
    .join('\n');
  const figures = figuresOf(evidence);
  for (const figure of figuresOf(text)) if (!figures.has(figure)) return `no passage that it cites holds "${figure}"`;
  const name = unknownName(text, evidence);
  return name === undefined ? undefined : `no passage that it cites holds "${name}"`;
}

/** Runs of digits, without the marks between thousands. */
function figuresOf(text: string): Set<string> {
  const plain = text.normalize('NFKC').replace(/(?<=\p{Nd})[,.'’ \u00a0\u202f](?=\p{Nd}{3}(?!\p{Nd}))/gu, '');
  return new Set(plain.match(/\p{Nd}+/gu));
}

/** A capitalised word inside a sentence that the evidence lacks. In German every noun is one. */
function unknownName(text: string, evidence: string): string | undefined {
  if (languageOf(text) === 'de') return undefined;
  const words = analyseWords(text);
  const known = new Set(analyseWords(evidence).flatMap(({ term, word }) => [term, word]));
  const first = words[0]?.end ?? 0;
  const found = words.find(
    ({ capital, empty, numeric, term, word, start }) =>
      start >= first && capital && !empty && !numeric && !known.has(term) && !known.has(word),
  );
  return found && text.slice(found.start, found.end);
}

/** The hint for a script with sentences that may not be said. */
export const proofHint: string = `End each sentence with the number of the source that says it, e.g. [3]. Without one may stand: ${allPhrases.join(' ')}`;
