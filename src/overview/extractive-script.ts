import { formatCitation, mediaFragment } from '../answer/citation.ts';
import type { Answer } from '../answer/contract.ts';
import { plainText } from '../answer/extractive/plain-text.ts';
import { locate } from '../core/location.ts';
import { languageOf } from '../text/languages/detect.ts';
import type { Topic } from './evidence.ts';
import { phrases } from './phrases.ts';
import { citedSentences, objectionTo, sentencesOf } from './proof.ts';
import { keyOf, type Quotable } from './quotable.ts';
import { type OverviewScript, type ScriptSource, type ScriptTurn, type ScriptVoice, tidyScript } from './script.ts';

/** A sentence, and what it cites. */
interface Fact {
  readonly text: string;
  readonly source: ScriptSource;
}

/** Of a topic, at least. */
const LEAST_FACTS = 2;
const HEADING_CHARS = 90;

/** Sentences of the documents, subject by subject, read in turns. @param words about how many may be said */
export function scriptOfTopics(title: string, topics: readonly Topic[], words: number): OverviewScript {
  const perTopic = words / Math.max(1, topics.length);
  const all = topics.flatMap(({ sentences }) => sentences.map(({ text }) => text));
  const language = languageOf(all.join(' '));
  const said = new Set<string>();
  const parts = topics.map((topic) => {
    // a voice speaks one language
    const sentences = topic.sentences.filter(({ text }) => [language, 'und'].includes(languageOf(text)));
    const chosen: Quotable[] = [];
    let left = perTopic;
    for (const sentence of sentences) {
      if (left <= 0 && chosen.length >= LEAST_FACTS) break;
      const key = keyOf(sentence.text);
      if (said.has(key)) continue;
      said.add(key);
      left -= wordsOf(sentence.text);
      chosen.push(sentence);
    }
    return inReadingOrder(chosen).map((one): Fact => ({ text: one.text, source: sourceOf(one) }));
  });
  return scriptOf(title, parts);
}

/** The sentences of an extractive answer and its related passages. @param words approximate limit of words */
export function scriptOfAnswer(title: string, answer: Answer, words: number): OverviewScript {
  const cited = answer.citations.map(({ answerSpan, ...citation }): Fact => {
    return { text: answer.answer.slice(answerSpan.start, answerSpan.end), source: citation };
  });
  const related = (answer.related ?? []).map(({ text, ...passage }): Fact => ({ text, source: passage }));
  const facts: Fact[] = [];
  let left = words;
  for (const fact of [...cited, ...related]) {
    if (left <= 0) break;
    left -= wordsOf(fact.text);
    facts.push(fact);
  }
  return scriptOf(title, [facts]);
}

/** Chunks in the order of their best sentence, the sentences of a chunk as they stand in it. */
function inReadingOrder(sentences: readonly Quotable[]): Quotable[] {
  const chunks = [...new Set(sentences.map(({ chunk }) => chunk))];
  return [...sentences].sort((a, b) => chunks.indexOf(a.chunk) - chunks.indexOf(b.chunk) || a.start - b.start);
}

/** Two letters of a script without blanks are about a word. */
const wordsOf = (text: string): number =>
  text.split(/\s+/).length +
  Math.floor((text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0) / 2);

function sourceOf({ chunk, headings, start, end }: Quotable): ScriptSource {
  const span = { start: chunk.span.start + start, end: chunk.span.start + end };
  const place = locate(chunk, span);
  const media = mediaFragment(chunk.uri, place);
  return {
    n: 0,
    reference: formatCitation({ uri: chunk.uri, span }),
    uri: chunk.uri,
    title: chunk.title,
    quote: chunk.text.slice(start, end),
    span,
    place,
    ...(media === undefined ? {} : { media }),
    headings,
    verified: true,
    origin: 'local',
  };
}

/** The voices take turns, a sentence each; a heading is said where it changes. Phrases are ours, and English. */
function scriptOf(title: string, subjects: readonly (readonly Fact[])[]): OverviewScript {
  const parts = subjects.filter((facts) => facts.length > 0);
  const sources = new Map<string, ScriptSource>();
  const turns: ScriptTurn[] = [];
  const isEnglish = languageOf(parts.flatMap((facts) => facts.map(({ text }) => text)).join(' ')) === 'en';
  const phrase = (voice: ScriptVoice, text: string): void => {
    if (isEnglish) turns.push({ voice, sentences: [{ text, citations: [] }] });
  };
  const cite = (source: ScriptSource): number => {
    const known = sources.get(source.reference);
    if (known) return known.n;
    sources.set(source.reference, { ...source, n: sources.size + 1 });
    return sources.size;
  };
  let voice: ScriptVoice = 'A';
  phrase('A', phrases.opening[0]);
  parts.forEach((facts, i) => {
    if (i > 0) phrase(voice, phrases.next[(i - 1) % phrases.next.length]!);
    if (i > 0) voice = other(voice);
    facts.forEach(({ text, source }, at) => {
      if (at > 0) voice = other(voice);
      const citations = [cite(source)];
      const name = nameOf(source, facts[at - 1]?.source ?? parts[i - 1]?.at(-1)?.source);
      const heading = name === undefined || text.startsWith(name) ? undefined : headingSentence(name);
      const said = [...(heading === undefined ? [] : [heading]), ...sentencesOf(ended(text))];
      turns.push({ voice, sentences: said.map((sentence) => ({ text: sentence, citations })) });
    });
  });
  phrase(other(voice), phrases.closing[0]);
  const all = [...sources.values()];
  const script = tidyScript({ title, turns: provable(turns, all), sources: all });
  return script.sources.length === 0 ? { ...script, turns: [] } : script;
}

/** Without what would not be proven again when the script is read: a row of a table that is said in our words, for one. */
function provable(turns: readonly ScriptTurn[], sources: readonly ScriptSource[]): ScriptTurn[] {
  const byNumber = new Map(sources.map((source) => [source.n, source]));
  return turns.map(({ voice, sentences }) => ({
    voice,
    sentences: sentences.filter((sentence) => {
      const marks = sentence.citations.map((n) => `[${n}]`).join('');
      const again = citedSentences(`${sentence.text} ${marks}`);
      return again.length === 1 && objectionTo(sentence, byNumber) === undefined;
    }),
  }));
}

/** The announcement before a sentence: its document when the document changes, else its heading when that changes. */
function nameOf(source: ScriptSource, before: ScriptSource | undefined): string | undefined {
  const heading = source.headings.at(-1);
  if (source.uri === before?.uri) return heading === before.headings.at(-1) ? undefined : heading;
  if (!/\s/.test(source.title)) return heading ?? source.title; // a file's name: it has no title of its own
  const [outermost = ''] = source.headings;
  return outermost.startsWith(source.title) ? outermost : source.title;
}

const other = (voice: ScriptVoice): ScriptVoice => (voice === 'A' ? 'B' : 'A');
const ended = (text: string): string =>
  /[.!?…。！？]["'”’»)\]]*$/u.test(text) ? text : `${text.replace(/[,;:]$/, '')}.`;

function headingSentence(heading: string): string | undefined {
  const name = plainText(heading);
  const text = /\s/.test(name) ? name : name.replace(/[-_]+/g, ' '); // of a file
  if (!/\p{L}/u.test(text) || text.length > HEADING_CHARS) return undefined;
  const sentence = ended(text);
  return sentencesOf(sentence).length === 1 ? sentence : undefined;
}
