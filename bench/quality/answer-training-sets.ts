/**
 * The sets of `../shared/data-train` as collections: the passages of all questions of a set are its documents. They are
 * for learning and for leaving out, never for the figures.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sentenceSpans } from '../../src/internal.ts';
import type { CutDocument } from '../support/stored-snapshot.ts';
import type { AnswerQuestion, AnswerSet, Gold } from './answer-sets.ts';

/** Sets whose terms let weights ship: marked "free" or "share alike" in the README of the folder. */
export const shippingSets = [
  'selqa',
  'squad2-dev-half',
  'squad2-sv',
  'squad2-es',
  'policyqa',
  'cnil-faq',
  'faquad',
  'norquad',
  'cmrc2018',
  'drcd',
  'pquad',
  'heq',
  'arcd',
  'iapp-thai',
  'turkish-qa',
] as const;

/** Sets of other terms: they judge what was learned, and nothing is learned from them. */
export const judgingSets = [
  'wikiqa',
  'squadshifts-wiki',
  'squadshifts-reddit',
  'subjqa',
  'fquad-valid',
  'korquad-dev',
  'idk-mrc',
] as const;

interface Line {
  readonly id: string;
  readonly question: string;
  readonly lang: string;
  readonly answerable: boolean;
  readonly passages: readonly { readonly title: string; readonly text: string }[];
  readonly answers: readonly {
    readonly passage: number;
    readonly start: number;
    readonly end: number;
    readonly text: string;
  }[];
}

/** About as long as a chunk of an index. */
const pieceChars = 1600;

export interface TrainingLimits {
  /** Questions with an answer, and questions without, at most; by a hash of the id. */
  readonly answerable: number;
  readonly unanswerable: number;
}

export function loadTrainingSet(root: string, name: string, limits: TrainingLimits): AnswerSet {
  const plain = join(root, name, 'questions.jsonl');
  const text = existsSync(plain) ? readFileSync(plain, 'utf8') : gunzipSync(readFileSync(`${plain}.gz`)).toString();
  const lines = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line])); // its README has the layout
  const documents = new Map<string, CutDocument>();
  const uriOf = (passage: Line['passages'][number]): string => {
    const key = `${passage.title}\n${passage.text}`;
    const known = documents.get(key);
    if (known) return known.uri;
    const uri = `${name}-${documents.size}`;
    documents.set(key, { uri, title: passage.title, chunks: pieces(passage.text).map((piece) => ({ text: piece })) });
    return uri;
  };
  const questions = lines.map(({ id, question, lang, answerable, passages, answers }): AnswerQuestion => {
    const uris = passages.map(uriOf);
    const golds = answers.map(({ passage, start, end }): Gold => ({ uri: uris[passage]!, start, end }));
    const relevant = answerable
      ? [...new Set(golds.map(({ uri }) => uri))].map((uri): Gold => ({ uri, start: 0, end: 1e9 }))
      : [];
    const texts = answers.map((answer) => answer.text);
    return { id, text: question, language: lang, answerable, golds: [golds], relevant, answers: texts };
  });
  const chosen = (wanted: boolean, limit: number): AnswerQuestion[] =>
    questions
      .filter(({ answerable }) => answerable === wanted)
      .map((question) => ({ question, key: hashOf(question.id) }))
      .sort((a, b) => a.key - b.key)
      .slice(0, limit)
      .map(({ question }) => question);
  return {
    name,
    documents: [...documents.values()],
    questions: [...chosen(true, limits.answerable), ...chosen(false, limits.unanswerable)],
  };
}

function pieces(text: string): string[] {
  if (text.length <= pieceChars) return [text];
  const out: string[] = [];
  let from = 0;
  for (const { start } of sentenceSpans(text)) {
    if (start - from < pieceChars / 2 || text.length - start < pieceChars / 4) continue;
    out.push(text.slice(from, start));
    from = start;
  }
  out.push(text.slice(from));
  return out;
}

/** FNV-1a of the id, then mixed. */
function hashOf(id: string): number {
  let hash = 2166136261;
  for (const c of id) hash = Math.imul(hash ^ c.codePointAt(0)!, 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
