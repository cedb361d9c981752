/** The collections with gold sentences, and one index over each, for measuring and training the extractive answerer. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { groupCorpus, readBeirFolder } from '../../src/eval.ts';
import type { Embedder, Hit, Span } from '../../src/index.ts';
import { nearestHits, openLocalEmbedder, type Snapshot, search, trainLocalEmbedder } from '../../src/internal.ts';
import { type CutDocument, embedDocumentsOf, storedSnapshot } from '../support/stored-snapshot.ts';

/** A stretch of gold text, in offsets of the document `uri` as it is indexed. */
export interface Gold extends Span {
  readonly uri: string;
}

export interface AnswerQuestion {
  readonly id: string;
  readonly text: string;
  readonly language: string;
  readonly answerable: boolean;
  /** One list per annotator. */
  readonly golds: readonly (readonly Gold[])[];
  /** Places whose removal leaves the question without an answer. */
  readonly relevant: readonly Gold[];
  /** Short answers, where the set has them. */
  readonly answers: readonly string[];
}

export interface AnswerSet {
  readonly name: string;
  readonly documents: readonly CutDocument[];
  readonly questions: readonly AnswerQuestion[];
}

/** With gold sentences; the others only lend their questions and their collections to the off-topic test. */
export const goldSets = ['clapnq-dev', 'hotpotqa-100', 'scifact', 'xquad-7', 'chunk-spans'] as const;
export const otherSets = ['cranfield', 'codebase-chunks', 'eslint-sections'] as const;

/** Where a corpus entry stands in the index. */
interface Entry extends Gold {
  readonly text: string;
  readonly document: string;
  /** Offset of the entry in its document as the data set has it. */
  readonly from: number;
  readonly metadata: Readonly<Record<string, unknown>>;
}

interface Line {
  readonly query_id: string;
  readonly doc_id: string;
  readonly answerable?: boolean;
  readonly passage_id?: string;
  readonly answers?: readonly string[];
  readonly evidence?: readonly { doc_id: string; sentences?: readonly string[]; text?: string; start?: number }[];
  readonly rationale_texts?: readonly string[];
  readonly spans?: readonly Span[];
}

export async function loadAnswerSet(root: string, name: string): Promise<AnswerSet> {
  const folder = join(root, name);
  const dataset = await readBeirFolder(folder);
  const documents: CutDocument[] = [];
  const entries = new Map<string, Entry>();
  const byDocument = new Map<string, Entry[]>();
  for await (const { id: uri, title, chunks } of groupCorpus(dataset)) {
    let start = 0;
    for (const { id, text, metadata } of chunks) {
      const from = Number(metadata.start ?? 0);
      const entry: Entry = { uri, start, end: start + text.length, text, document: uri, from, metadata };
      start += text.length;
      entries.set(id, entry);
      const list = byDocument.get(uri);
      if (list) list.push(entry);
      else byDocument.set(uri, [entry]);
    }
    documents.push({
      uri,
      title,
      chunks: chunks.map(({ text, heading }) => ({ text, headings: heading === undefined ? [] : [heading] })),
    });
  }
  const inEntry = (id: string, text: string, at?: number): Gold[] => {
    const entry = entries.get(id);
    if (entry === undefined || text === '') return [];
    const from = at ?? entry.text.indexOf(text);
    if (from >= 0) return [{ uri: entry.uri, start: entry.start + from, end: entry.start + from + text.length }];
    return text.split(/(?<=[.!?]) /).flatMap((part) => (part === text ? [] : inEntry(id, part)));
  };
  const lines = (file: string): Line[] =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line); // the data set's own layout, described in its README
  const golds = new Map<
    string,
    { golds: Gold[][]; relevant: Gold[]; answerable: boolean; answers: readonly string[] }
  >();
  const add = (
    id: string,
    list: Gold[][],
    relevant: Gold[],
    answerable = true,
    answers: readonly string[] = [],
  ): void => {
    const known = golds.get(id);
    if (known) {
      known.golds[0]!.push(...(list[0] ?? []));
      known.relevant.push(...relevant);
    } else golds.set(id, { golds: list, relevant, answerable, answers });
  };
  if (name === 'scifact') {
    for (const { query_id, doc_id, rationale_texts = [] } of lines('evidence.jsonl')) {
      add(query_id, [rationale_texts.flatMap((text) => inEntry(doc_id, text))], [entries.get(doc_id)!]);
    }
  } else if (name === 'chunk-spans' || name === 'eslint-sections') {
    for (const { query_id, doc_id, spans = [] } of lines('spans.jsonl')) {
      const found = (byDocument.get(doc_id) ?? []).flatMap((entry) =>
        spans.flatMap((span): Gold[] => {
          const start = Math.max(0, span.start - entry.from);
          const end = Math.min(entry.text.length, span.end - entry.from);
          return end > start ? [{ uri: entry.uri, start: entry.start + start, end: entry.start + end }] : [];
        }),
      );
      add(query_id, [found], found);
    }
  } else if (name === 'cranfield' || name === 'codebase-chunks') {
    for (const [id, grades] of dataset.qrels) {
      const relevant = [...grades].flatMap(([entry, grade]) =>
        grade > 0 && entries.has(entry) ? [entries.get(entry)!] : [],
      );
      if (relevant.length > 0) add(id, [[]], relevant);
    }
  } else {
    for (const { query_id, answerable = true, passage_id, evidence = [], answers = [] } of lines('answers.jsonl')) {
      const lists = evidence.map(({ doc_id, sentences, text, start }) =>
        (sentences ?? [text ?? '']).flatMap((sentence) => inEntry(doc_id, sentence, start)),
      );
      const relevant =
        passage_id === undefined ? evidence.map(({ doc_id }) => entries.get(doc_id)!) : [entries.get(passage_id)!];
      // In clapnq each evidence is another annotator's; elsewhere they are the parts of one answer.
      const list = name === 'clapnq-dev' ? lists : [lists.flat()];
      add(
        query_id,
        list,
        relevant,
        answerable,
        name === 'clapnq-dev' ? [] : answers.filter((x) => !/^(?:yes|no)$/i.test(x)),
      );
    }
  }
  return {
    name,
    documents,
    questions: dataset.queries.flatMap(({ id, text, metadata }): AnswerQuestion[] => {
      const gold = golds.get(id);
      return gold ? [{ id, text, language: String(metadata?.lang ?? 'en'), ...gold }] : [];
    }),
  };
}

export interface OpenSet {
  readonly set: AnswerSet;
  readonly snapshot: Snapshot;
  readonly embedder: Embedder;
  /** ibid's own hybrid search; `without` leaves out every chunk that touches one of the places. */
  ask(question: string, without?: readonly Gold[]): Promise<readonly Hit[]>;
}

/** Hits the answerer is given at most, as `SearchIndex.ask` does. */
export const hitLimit = 10;

export async function openSet(set: AnswerSet): Promise<OpenSet> {
  const embedder = openLocalEmbedder(await trainLocalEmbedder(embedDocumentsOf(set.documents)));
  const snapshot = await storedSnapshot(set.documents, embedder);
  return {
    set,
    snapshot,
    embedder,
    async ask(question, without = []) {
      const limit = hitLimit + without.length;
      const hits = await search(snapshot, embedder, question, { limit });
      const left = hits
        .filter(({ chunk }) => !without.some((place) => place.uri === chunk.uri && overlap(place, chunk.span) > 0))
        .slice(0, hitLimit);
      return nearestHits(left);
    },
  };
}

function overlap(a: Span, b: Span): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}

/** A cited span counts as gold when it shares half of itself, or half of the gold stretch. */
export function isGold(uri: string, span: Span, golds: readonly Gold[]): boolean {
  return golds.some((gold) => {
    if (gold.uri !== uri) return false;
    const shared = overlap(gold, span);
    return shared > 0 && (shared >= 0.5 * (span.end - span.start) || shared >= 0.5 * (gold.end - gold.start));
  });
}

/** `tune` or `report`, by a hash of the question's id (FNV-1a, then two rounds of mixing). */
export function halfOf(id: string): 'tune' | 'report' {
  let hash = 2166136261;
  for (const c of id) hash = Math.imul(hash ^ c.codePointAt(0)!, 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 12)) & 1) === 1 ? 'tune' : 'report';
}
