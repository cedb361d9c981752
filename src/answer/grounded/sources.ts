import { describePath } from '../../core/describe-place.ts';
import { type Locatable, locate } from '../../core/location.ts';
import type { Hit, Locator, Place, Span } from '../../core/types.ts';
import { DuplicateFilter } from '../../retrieve/duplicates.ts';
import { hashTerm } from '../../retrieve/hash.ts';
import { analyseWords } from '../../text/analysis/words.ts';
import { countNegations } from '../../text/languages/negation.ts';
import { countTokens } from '../../text/tokens/tokens.ts';
import type { ModelSource } from '../language-model.ts';
import { unitsOf } from '../sentences/structure/units.ts';

/** A part of one document that a model reads: one chunk, or neighbouring chunks joined. */
export interface GroundingSource extends ModelSource {
  readonly uri: string;
  readonly documentTitle: string;
  readonly headings: readonly string[];
  readonly origin: Hit['origin'];
  /** For a page of the web: which of its texts was read. */
  readonly snapshot?: string | undefined;
  /** Document offsets of each passage; they follow on each other without a gap. */
  readonly spans: readonly Span[];
  readonly tokens: number;
  /** `text.slice(span.start - this.span.start, …)` of any span inside. */
  readonly text: string;
  readonly span: Span;
  place(span: Span): Place;
}

interface PackOptions {
  /** Tokens the passages may take together. */
  readonly maxTokens: number;
  /** Number of the first source: those of one conversation or one run of tools go on counting. @default 1 */
  readonly first?: number | undefined;
  /** What the model has in front of it already is not shown again; what is packed is added. @default nothing */
  readonly shown?: ShownTexts | undefined;
}

/** What was shown to a model in one conversation. */
export class ShownTexts {
  readonly #places = new Set<string>();
  /** By the numbers and the nos that stand in them: "kept for 90 days" is no copy of "kept for 30 days". */
  readonly #copies = new Map<string, DuplicateFilter>();

  has(chunk: Hit['chunk']): boolean {
    return this.#places.has(placeOf(chunk));
  }

  /** False when the chunk, or near enough its text, was shown before. */
  add(chunk: Hit['chunk']): boolean {
    const place = placeOf(chunk);
    if (this.#places.has(place)) return false;
    const tokens = analyseWords(chunk.text);
    const numbers = tokens.flatMap(({ numeric, word }) => (numeric ? [word] : []));
    const key = `${numbers.join(' ')} ${countNegations(chunk.text)}`;
    let copies = this.#copies.get(key);
    if (!copies) {
      copies = new DuplicateFilter();
      this.#copies.set(key, copies);
    }
    const terms = Uint32Array.from(tokens, ({ term }) => hashTerm(term));
    if (copies.isCopy(terms, chunk.text)) return false;
    this.#places.add(place);
    return true;
  }
}

function placeOf({ uri, position }: Hit['chunk']): string {
  return `${uri}\n${position}`;
}

/** What the markup around a source costs beside its text, about. */
export const TOKENS_PER_SOURCE = 24;
export const TOKENS_PER_PASSAGE = 6;

/**
 * Chooses the sources that a model reads: the best hits that fit the budget, without lone headings and without texts
 * shown before. Neighbouring chunks of a document become one source, so that a sentence across a chunk border can be
 * cited whole. Sources stand in the order of their best hit.
 */
export function packSources(hits: readonly Hit[], options: PackOptions): GroundingSource[] {
  const chosen: Hit[] = [];
  const { shown = new ShownTexts() } = options;
  let left = options.maxTokens;
  for (const hit of hits) {
    const { text } = hit.chunk;
    if (isHeading(hit.chunk)) continue;
    const price = countTokens(text) + TOKENS_PER_SOURCE + TOKENS_PER_PASSAGE * unitsOf(text, hit.chunk.format).length;
    if (price > left) continue; // a shorter one further down may still fit
    if (!shown.add(hit.chunk)) continue;
    left -= price;
    chosen.push(hit);
  }
  return runsOf(chosen).map((run, i) => sourceOf(run, `s${(options.first ?? 1) + i}`));
}

/**
 * Whether a chunk holds nothing but headings, or no letter at all: the text below the headings stands in another chunk.
 */
function isHeading({ text, headings, format }: Hit['chunk']): boolean {
  const known = new Set(headings.map((heading) => heading.trim()));
  return text.split('\n').every((raw) => {
    const line = raw.trim();
    return !/[\p{L}\p{N}]/u.test(line) || known.has(line) || (format === 'markdown' && /^#{1,6}\s/.test(line));
  });
}

/** Chosen chunks that follow on each other in one document, each run in document order; runs by their best hit. */
function runsOf(hits: readonly Hit[]): Hit[][] {
  const byPlace = new Map(hits.map((hit) => [placeOf(hit.chunk), hit]));
  const taken = new Set<Hit>();
  const runs: Hit[][] = [];
  const at = ({ chunk }: Hit, step: number): Hit | undefined => {
    const near = byPlace.get(placeOf({ ...chunk, position: chunk.position + step }));
    const touches = step < 0 ? near?.chunk.span.end === chunk.span.start : near?.chunk.span.start === chunk.span.end;
    return near && touches && !taken.has(near) ? near : undefined;
  };
  for (const hit of hits) {
    if (taken.has(hit)) continue;
    taken.add(hit);
    const run = [hit];
    for (let near = at(run[0]!, -1); near; near = at(run[0]!, -1)) {
      taken.add(near);
      run.unshift(near);
    }
    for (let near = at(run.at(-1)!, 1); near; near = at(run.at(-1)!, 1)) {
      taken.add(near);
      run.push(near);
    }
    runs.push(run);
  }
  return runs;
}

function sourceOf(run: readonly Hit[], id: string): GroundingSource {
  const first = run[0]!.chunk;
  const text = run.map(({ chunk }) => chunk.text).join('');
  const span = { start: first.span.start, end: first.span.start + text.length };
  const locators: Locator[] = run.flatMap(({ chunk }) => chunk.locators);
  const whole: Locatable = {
    text,
    span,
    locators,
    ...(first.firstLine === undefined ? {} : { firstLine: first.firstLine }),
  };
  const spans = partition(text, span.start, first.format);
  return {
    id,
    title: describePath(first) || first.uri,
    passages: spans.map(({ start, end }) => text.slice(start - span.start, end - span.start)),
    uri: first.uri,
    documentTitle: first.title,
    headings: first.headings,
    origin: run[0]!.origin,
    snapshot: run.at(-1)!.web?.snapshot, // a page only grows at its end
    spans,
    tokens: countTokens(text),
    text,
    span,
    place: (part) => locate(whole, part),
  };
}

/**
 * Sentences and rows, each with the white space behind it; the first also with the white space before it. The parts
 * joined are the text.
 */
function partition(text: string, offset: number, format: string): Span[] {
  const units = unitsOf(text, format);
  return units.map((_, i) => ({
    start: offset + (i === 0 ? 0 : units[i]!.start),
    end: offset + (units[i + 1]?.start ?? text.length),
  }));
}
