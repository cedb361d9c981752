import type { Span } from '../../core/types.ts';
import { visibleText } from '../../text/hidden.ts';
import { sentenceSpans } from '../../text/sentences/sentences.ts';
import { formatCitation, mediaFragment } from '../citation.ts';
import type { Citation } from '../contract.ts';
import { inert } from '../inert.ts';
import type { ModelCitation } from '../language-model.ts';
import type { GroundingSource } from './sources.ts';
import { checkCitation } from './verify.ts';

/** Events of a grounded answer; the texts joined are the answer. */
export type WriterEvent =
  | { readonly type: 'text'; readonly text: string }
  /** The citation of a number; comes once, before the number is written. */
  | { readonly type: 'citation'; readonly citation: Citation }
  | { readonly type: 'dropped'; readonly why: string };

interface Claim {
  /** Where its text begins in the answer; undefined until something was written. */
  start: number | undefined;
  end: number;
  /**
   * Its last characters, held back: white space that a mark may come before, the beginning of what may look like a
   * mark.
   */
  tail: string;
  /** The half of a character or of a line break that a piece ended in. */
  half: string;
  readonly citations: ModelCitation[];
}

/**
 * Writes an answer from a model's blocks: text as it comes, each block's proven citations as `[n]` behind it. A number
 * belongs to one place for the whole answer. Works the same for any cutting of the text into pieces.
 */
export class AnswerWriter {
  readonly #sources = new Map<string, GroundingSource>();
  readonly #claims = new Map<number, Claim>();
  readonly #citations: Citation[] = [];
  readonly #byPlace = new Map<string, Citation>();
  readonly #cited: Span[] = [];
  readonly #dropped: string[] = [];
  #text = '';
  /** White space between the last block and the next: an answer does not end in it. */
  #gap = '';

  constructor(sources: readonly GroundingSource[] = []) {
    this.addSources(sources);
  }

  /** Sources may arrive between steps, with the results of tools. */
  addSources(sources: readonly GroundingSource[]): void {
    for (const source of sources) this.#sources.set(source.id, source);
  }

  get text(): string {
    return this.#text;
  }

  get citations(): readonly Citation[] {
    return this.#citations;
  }

  /** Why citations were left out, one line each. */
  get dropped(): readonly string[] {
    return this.#dropped;
  }

  *write(block: number, text: string): Generator<WriterEvent> {
    if (text === '') return;
    const claim = this.#claim(block);
    for (const other of this.#claims.values()) {
      // text stays in the order it came
      if (other !== claim && other.tail !== '') yield* this.#write(other, other.tail, '');
    }
    const half = /[\ud800-\udbff\r]?$/.exec(text)![0];
    const said = visibleText(claim.half + text.slice(0, text.length - half.length));
    claim.half = half;
    // square brackets with a number are this answer's own
    const whole = (claim.tail + said).replace(markLike, (mark) => `(${mark.slice(1, -1)})`);
    const body = whole.replace(heldBack, '');
    yield* this.#write(claim, body, whole.slice(body.length));
  }

  *#write(claim: Claim, body: string, tail: string): Generator<WriterEvent> {
    claim.tail = tail;
    if (body === '') return;
    if (this.#gap !== '') yield* this.#put(this.#gap);
    this.#gap = '';
    const safe = inert(body, this.#text.at(-1), tail === '');
    claim.start ??= this.#text.length + (safe.length - safe.trimStart().length);
    yield* this.#put(safe);
    claim.end = this.#text.length;
  }

  cite(block: number, citation: ModelCitation): void {
    this.#claim(block).citations.push(citation);
  }

  /** Counts a citation that could not even be understood. */
  *drop(why: string): Generator<WriterEvent> {
    this.#dropped.push(why);
    yield { type: 'dropped', why };
  }

  /** Proves the block's citations and writes their marks. */
  *endBlock(block: number): Generator<WriterEvent> {
    const claim = this.#claims.get(block);
    if (!claim) return;
    this.#claims.delete(block);
    claim.tail += visibleText(claim.half);
    if (claim.tail.trim() !== '') yield* this.#write(claim, claim.tail, '');
    const marks = new Set<number>();
    for (const citation of claim.citations) {
      const checked = checkCitation(citation, this.#sources);
      if ('dropped' in checked) {
        yield* this.drop(checked.dropped);
        continue;
      }
      if (claim.start === undefined) {
        yield* this.drop('it supports no words');
        continue;
      }
      const { source, span, quote } = checked;
      const place = `${source.uri}#${span.start}-${span.end}`;
      let known = this.#byPlace.get(place);
      if (!known) {
        const where = source.place(span);
        const media = source.origin === 'local' ? mediaFragment(source.uri, where) : undefined;
        known = {
          n: this.#citations.length + 1,
          reference: formatCitation({ uri: source.uri, span, snapshot: source.snapshot }),
          uri: source.uri,
          title: source.documentTitle,
          quote,
          span,
          place: where,
          ...(media === undefined ? {} : { media }),
          headings: source.headings,
          verified: true,
          answerSpan: { start: claim.start, end: claim.end },
          origin: source.origin,
        };
        this.#byPlace.set(place, known);
        this.#citations.push(known);
        yield { type: 'citation', citation: known };
      }
      marks.add(known.n);
    }
    if (marks.size > 0) {
      this.#cited.push({ start: claim.start!, end: claim.end });
      yield* this.#put(` ${[...marks].map((n) => `[${n}]`).join('')}`);
    }
    this.#gap += claim.tail;
  }

  /** Ends what is still open, as after a broken stream. */
  *end(): Generator<WriterEvent> {
    for (const block of [...this.#claims.keys()]) yield* this.endBlock(block);
  }

  /** Sentences of the answer that no proven citation touches. */
  unsupported(): Span[] {
    return statementsOf(this.#text).flatMap(({ start, end }) => {
      const text = this.#text.slice(start, end);
      const marks = /^(?:\[\d+\])*\s*/.exec(text)![0].length; // of the sentence before
      const isSaid = /[\p{L}\p{N}]/u.test(text.replace(/\[\d+\]/g, ''));
      const isCited = this.#cited.some((span) => span.start < end && span.end > start + marks);
      return isSaid && !isCited ? [{ start: start + marks, end }] : [];
    });
  }

  #claim(block: number): Claim {
    let claim = this.#claims.get(block);
    if (!claim) {
      claim = { start: undefined, end: 0, tail: '', half: '', citations: [] };
      this.#claims.set(block, claim);
    }
    return claim;
  }

  *#put(text: string): Generator<WriterEvent> {
    this.#text += text;
    yield { type: 'text', text };
  }
}

const number = String.raw`\p{Nd}{1,9}`;
const listed = String.raw`\^?${number}(?: ?[-‐-—,;:，、] ?\^?${number}){0,19}`;
/** What readers and programs take for a mark: `[1]`, `[1, 2]`, `[1-3]`, `[^1]`, and `【1†source】` as some models write. */
const markLike = new RegExp(
  String.raw`\[ ?${listed} ?\]|［ ?${listed} ?］|【 ?${listed} ?(?:†[^】\r\n]{0,60})?】`,
  'gu',
);
/** The end of a piece that may become more: every beginning of a mark, and of a tag. */
const heldBack =
  /\s*(?:[[［【][\p{Nd} ^\-‐-—,;:，、]{0,300}|【[\p{Nd} ^\-‐-—,;:，、]{1,300}†[^】\r\n]{0,60}|<\/?[a-z]{0,8}\s*)?$/iu;

/** Behind a line, and behind a mark from which no word goes on. */
const statementEnd = /\s*\n\s*|(?<=\[\d+\])\s+(?=[\p{Lu}\p{Lt}\p{Lo}\p{N}<])/gu;

/** Sentences, cut where one begins although the one before has no full stop: a cited heading vouches for no more. */
function statementsOf(text: string): Span[] {
  return sentenceSpans(text).flatMap(({ start, end }) => {
    const sentence = text.slice(start, end);
    const cuts = [...sentence.matchAll(statementEnd)].map(({ index, 0: gap }) => ({
      at: index,
      to: index + gap.length,
    }));
    return [...cuts, { at: sentence.length, to: sentence.length }].map(({ at }, i) => ({
      start: start + (cuts[i - 1]?.to ?? 0),
      end: start + at,
    }));
  });
}
