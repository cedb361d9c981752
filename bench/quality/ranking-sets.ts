/**
 * Collections to learn the ranking on, made of the question sets of IBID_SHARED/data-train. None of them is one that
 * is reported. Each set is asked in several ways, because its own questions alone were all asked of long paragraphs.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { hash32, sentenceSpans } from '../../src/internal.ts';
import type { CutDocument } from '../support/stored-snapshot.ts';

/** The sets whose terms allow weights that ship: permissive, attribution, share alike. See the README of data-train. */
export const freeSets: readonly string[] = [
  ...['selqa', 'squad2-dev-half', 'squad2-sv', 'squad2-es', 'policyqa', 'cnil-faq', 'faquad', 'norquad'],
  ...['cmrc2018', 'drcd', 'pquad', 'heq', 'arcd', 'iapp-thai', 'turkish-qa'],
];
/** The others: the learnt weights are tested on them, besides the collections that are reported. */
export const heldOutSets: readonly string[] = [
  ...['wikiqa', 'trecqa', 'squadshifts-wiki', 'squadshifts-amazon', 'squadshifts-reddit', 'subjqa'],
  ...['fquad-valid', 'korquad-dev', 'idk-mrc', 'persianqa-test'],
];

/**
 * `passages`: questions, to whole passages beside others of the same title. `pieces`: the same, cut small. `named`:
 * pieces that do not name their title, asked with the title before the question, as manuals are. `sections`: pieces, the first words of a passage as its heading.
 * `claims`: the sentence that answers, taken out of its passage. `topics`: the title, to all passages of that title,
 * which do not have it.
 */
const shapes = ['passages', 'pieces', 'named', 'sections', 'claims', 'topics'] as const;
export type Shape = (typeof shapes)[number];

/** Of a collection: what a measurement needs. */
export interface RankingSet {
  readonly name: string;
  /** By ordinal. */
  readonly ids: readonly string[];
  readonly documents: readonly CutDocument[];
  readonly queries: readonly { readonly id: string; readonly text: string }[];
  readonly qrels: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

interface Line {
  readonly id: string;
  readonly question: string;
  readonly answerable: boolean;
  readonly passages: readonly { readonly title: string; readonly text: string }[];
  readonly answers: readonly { readonly passage: number; readonly start: number; readonly end: number }[];
}

interface Passage {
  readonly title: string;
  readonly text: string;
}

interface Question {
  readonly id: string;
  readonly text: string;
  readonly answers: { readonly passage: Passage; readonly start: number }[];
}

/** Characters of a small piece; Han, kana and Hangul say more in each. */
const PIECE = 300;
const DENSE_PIECE = 120;
/** A topic has at least so many passages, and at most so many. */
const TOPIC = [4, 40] as const;
const FEWEST_QUERIES = 20;

/** The collections that can be made of a set; those of too few questions are left out. */
export function rankingSets(folder: string, name: string, queries: number): RankingSet[] {
  const { passages, questions } = within(readQuestions(folder, name));
  const titled = new Set(passages.map(({ title }) => title)).size > 1;
  const make = { passages: wholePassages, pieces: smallPieces, named, sections, claims, topics };
  return shapes
    .filter((shape) => titled || !['named', 'topics'].includes(shape))
    .map((shape) => make[shape]({ name: `${name}/${shape}`, passages, questions, titled, queries }))
    .filter((set) => set.queries.length >= Math.min(FEWEST_QUERIES, queries));
}

interface Source {
  readonly name: string;
  readonly passages: readonly Passage[];
  readonly questions: readonly Question[];
  readonly titled: boolean;
  readonly queries: number;
}

function readQuestions(folder: string, name: string): { passages: Passage[]; questions: Question[] } {
  const path = join(folder, name, 'questions.jsonl');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : gunzipSync(readFileSync(`${path}.gz`)).toString();
  const passages = new Map<string, Passage>();
  const questions = new Map<string, Question>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const { id, question, answerable, passages: given, answers } = JSON.parse(line) as Line; // data-train/README.md
    const own = given.map((passage) => {
      const key = `${passage.title}\n${passage.text}`;
      const known = passages.get(key) ?? passage;
      passages.set(key, known);
      return known;
    });
    if (!answerable) continue;
    const known = questions.get(question) ?? { id, text: question, answers: [] };
    known.answers.push(...answers.map(({ passage, start }) => ({ passage: own[passage]!, start })));
    questions.set(question, known);
  }
  const byHash = (a: Question, b: Question): number => hash32(a.id) - hash32(b.id);
  return { passages: [...passages.values()], questions: [...questions.values()].sort(byHash) };
}

/** Whole titles, until there is enough text; an index of a few thousand pieces is made in seconds. */
const MOST_CHARACTERS = 500_000;

function within(all: { passages: Passage[]; questions: Question[] }): { passages: Passage[]; questions: Question[] } {
  const passages: Passage[] = [];
  let characters = 0;
  for (const own of Map.groupBy(all.passages, (passage) => passage.title || passage).values()) {
    for (const passage of own) {
      if (characters > MOST_CHARACTERS) break;
      passages.push(passage);
      characters += passage.text.length;
    }
  }
  const kept = new Set(passages);
  const answerable = all.questions.filter(({ answers }) => answers.every(({ passage }) => kept.has(passage)));
  return { passages, questions: answerable };
}

interface Cut {
  readonly passage: Passage;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly headings?: readonly string[];
}

/** @param grouped pieces of one title are one document; otherwise those of one passage are */
function collect(name: string, cuts: readonly Cut[], titles: boolean, grouped: boolean) {
  const documents = new Map<string, { uri: string; title: string; chunks: Cut[] }>();
  const numbers = new Map<Passage, number>();
  for (const cut of cuts) {
    const { passage } = cut;
    if (!numbers.has(passage)) numbers.set(passage, numbers.size);
    const uri = grouped && passage.title !== '' ? passage.title : `${name}/${numbers.get(passage)}`;
    const known = documents.get(uri) ?? { uri, title: titles ? passage.title : '', chunks: [] };
    known.chunks.push(cut);
    documents.set(uri, known);
  }
  const ordered = [...documents.values()].sort((a, b) => hash32(a.uri) - hash32(b.uri) || (a.uri < b.uri ? -1 : 1));
  const rows = ordered.flatMap(({ chunks }) => chunks);
  const ordinals = new Map(rows.map((cut, i) => [cut, i]));
  const idOf = (cut: Cut): string => String(ordinals.get(cut)!);
  return { name, ids: rows.map((_, i) => String(i)), documents: ordered, idOf };
}

function asked(
  { name, ids, documents, idOf }: ReturnType<typeof collect>,
  cuts: readonly Cut[],
  questions: readonly Question[],
  text: (question: Question) => string,
): RankingSet {
  const ofPassage = Map.groupBy(cuts, ({ passage }) => passage);
  const queries = questions.map((question) => ({ id: question.id, text: text(question) }));
  const qrels = new Map(
    questions.map(({ id, answers }) => {
      const found = answers.flatMap(({ passage, start }) =>
        (ofPassage.get(passage) ?? []).filter((cut) => cut.start <= start && start < cut.end),
      );
      return [id, new Map(found.map((cut) => [idOf(cut), 1]))];
    }),
  );
  return { name, ids, documents, queries, qrels };
}

const whole = (passage: Passage): Cut => ({ passage, start: 0, end: passage.text.length, text: passage.text });

function wholePassages({ name, passages, questions, titled, queries }: Source): RankingSet {
  const cuts = passages.map(whole);
  const collected = collect(name, cuts, titled, titled);
  return asked(collected, cuts, questions.slice(0, queries), ({ text }) => text);
}

/** Sentences packed until a piece is full. */
function piecesOf(passage: Passage): Cut[] {
  const { text } = passage;
  const most = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(text) ? DENSE_PIECE : PIECE;
  const cuts: Cut[] = [];
  let start = 0;
  let end = 0;
  const close = (): void => {
    if (end > start) cuts.push({ passage, start, end, text: text.slice(start, end) });
    start = end;
  };
  for (const span of sentenceSpans(text)) {
    if (span.end - start > most) close();
    end = span.end;
  }
  close();
  return cuts;
}

function smallPieces({ name, passages, questions, titled, queries }: Source): RankingSet {
  const cuts = passages.flatMap(piecesOf);
  const collected = collect(name, cuts, titled, titled);
  return asked(collected, cuts, questions.slice(-queries), ({ text }) => text);
}

function named({ name, passages, questions, queries }: Source): RankingSet {
  const cuts = passages.flatMap((passage) => {
    const name = new RegExp(
      passage.title
        .split(/[^\p{L}\p{M}\p{N}]+/u)
        .filter(Boolean)
        .join('|') || '(?!)',
      'giu',
    );
    return piecesOf(passage).map((cut) => ({ ...cut, text: cut.text.replaceAll(name, '') }));
  });
  const from = Math.floor(questions.length / 3);
  const chosen = questions.slice(from, from + queries);
  return asked(collect(name, cuts, true, true), cuts, chosen, ({ text, answers }) => {
    const title = answers[0]!.passage.title.replaceAll('_', ' ');
    return `${title} ${text}`;
  });
}

/** What stands before a colon or a comma of the title, else the first words of the first sentence, as a heading. */
function sections({ name, passages, questions, titled, queries }: Source): RankingSet {
  const cuts = passages.flatMap((passage) => {
    const own = piecesOf(passage);
    const [, section] = passage.title.split(': ');
    const heading = section ?? own[0]?.text.split(/\s+/).slice(0, 4).join(' ') ?? '';
    // what became the heading goes from the text
    return own.map((cut, i) => ({
      ...cut,
      headings: [heading],
      text: i === 0 && section === undefined ? cut.text.slice(cut.text.indexOf(heading) + heading.length) : cut.text,
    }));
  });
  const from = Math.floor((2 * questions.length) / 3);
  const collected = collect(name, cuts, titled, titled);
  return asked(collected, cuts, questions.slice(from, from + queries), ({ text }) => text);
}

function claims({ name, passages, questions, titled, queries }: Source): RankingSet {
  const taken = new Map<Passage, { readonly id: string; readonly claim: string; readonly rest: string }>();
  for (const { id, answers } of questions) {
    if (taken.size === queries) break;
    const { passage, start } = answers[0]!;
    if (taken.has(passage)) continue;
    const spans = sentenceSpans(passage.text);
    const span = spans.find((one) => one.start <= start && start < one.end);
    if (span === undefined || spans.length < 3) continue;
    const rest = passage.text.slice(0, span.start) + passage.text.slice(span.end);
    taken.set(passage, { id, claim: passage.text.slice(span.start, span.end).trim(), rest });
  }
  const cuts = passages.map((passage) => ({ ...whole(passage), text: taken.get(passage)?.rest ?? passage.text }));
  const { ids, documents, idOf } = collect(name, cuts, titled, false);
  const byPassage = new Map(cuts.map((cut) => [cut.passage, cut]));
  return {
    ...{ name, ids, documents },
    queries: [...taken.values()].map(({ id, claim }) => ({ id, text: claim })),
    qrels: new Map([...taken].map(([passage, { id }]) => [id, new Map([[idOf(byPassage.get(passage)!), 1]])])),
  };
}

function topics({ name, passages, queries }: Source): RankingSet {
  const cuts = passages.map(whole);
  const { ids, documents, idOf } = collect(name, cuts, false, false);
  const [fewest, most] = TOPIC;
  const chosen = [...Map.groupBy(cuts, ({ passage }) => passage.title)]
    .filter(([title, own]) => title !== '' && own.length >= fewest && own.length <= most)
    .slice(0, queries);
  return {
    ...{ name, ids, documents },
    queries: chosen.map(([title]) => ({ id: title, text: title.replaceAll(/[_-]/g, ' ') })),
    qrels: new Map(chosen.map(([title, own]) => [title, new Map(own.map((cut) => [idOf(cut), 1]))])),
  };
}
