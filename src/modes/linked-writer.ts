import type { Answer, AnswerEvent, Citation, Grounding, WebLink } from '../answer/contract.ts';
import { applyEvent, wordless } from '../answer/grounded/grounded.ts';
import { MarkParser } from '../answer/grounded/numbered.ts';
import type { GroundingSource } from '../answer/grounded/sources.ts';
import { AnswerWriter, type WriterEvent } from '../answer/grounded/writer.ts';
import type { ModelEvent } from '../answer/language-model.ts';
import type { Hit, Span } from '../core/types.ts';
import { oneLine } from '../text/one-line.ts';
import { normaliseUrl, type Source } from '../wire/search/index.ts';
import { PAGE_PREFIX, WebMarks } from './web-marks.ts';

/** Characters of a page that are shown beside its link. */
const SNIPPET = 400;
const PAGE_URI = '\0page:';

/**
 * Writes an answer that rests on documents and on pages of the web at once. Marks of documents become citations, proven
 * like any other; marks of pages become links, for of a page only an extract is known. Both are numbered in the order
 * of their first use.
 */
export class LinkedWriter {
  readonly #writer = new AnswerWriter();
  readonly #parser = new MarkParser();
  readonly #marks = new WebMarks();
  readonly #pages = new Map<number, Source>();
  readonly #links = new Map<number, WebLink>();
  readonly #citations: Citation[] = [];
  /** Numbers that are proven places. */
  readonly #proven = new Set<number>();
  readonly #onlyLinked: Span[] = [];
  #blockStart = 0;

  get text(): string {
    return this.#writer.text;
  }

  get citations(): readonly Citation[] {
    return this.#citations;
  }

  get links(): readonly WebLink[] {
    return [...this.#links.values()];
  }

  /** What the answer may cite of the documents. */
  addSources(sources: readonly GroundingSource[]): void {
    this.#writer.addSources(sources);
  }

  /** All pages known by now. A number keeps its page: what was said of it stands. */
  setPages(pages: readonly Source[]): void {
    const fresh = pages.filter(({ number }) => !this.#pages.has(number));
    for (const page of fresh) this.#pages.set(page.number, page);
    this.#writer.addSources(fresh.map(pageSource));
    this.#marks.setPages([...this.#pages.values()].sort((a, b) => a.number - b.number));
  }

  *write(text: string): Generator<AnswerEvent> {
    yield* this.#take(this.#parser.push(this.#marks.push(text)));
  }

  *end(): Generator<AnswerEvent> {
    yield* this.#take(this.#parser.push(this.#marks.end()));
    yield* this.#take(this.#parser.end());
    yield* this.#tell(this.#writer.end());
  }

  *#take(events: Iterable<ModelEvent>): Generator<AnswerEvent> {
    for (const event of events) {
      if (event.type !== 'blockEnd') {
        yield* this.#tell(applyEvent(this.#writer, event));
        continue;
      }
      const marks: number[] = [];
      for (const told of this.#tell(applyEvent(this.#writer, event))) {
        if (told.type === 'text' && /^ (?:\[\d+\])+$/.test(told.text))
          marks.push(...[...told.text.matchAll(/\d+/g)].map(([digits]) => Number(digits)));
        yield told;
      }
      if (marks.length > 0 && !marks.some((n) => this.#proven.has(n)))
        this.#onlyLinked.push({ start: this.#blockStart, end: this.#writer.text.length });
      this.#blockStart = this.#writer.text.length;
    }
  }

  *#tell(events: Iterable<WriterEvent>): Generator<AnswerEvent> {
    for (const event of events) {
      if (event.type !== 'citation') {
        yield event;
        continue;
      }
      const { citation } = event;
      const page = citation.uri.startsWith(PAGE_URI) ? this.#pages.get(Number(citation.title)) : undefined;
      if (!page) {
        this.#citations.push(citation);
        this.#proven.add(citation.n);
        yield event;
        continue;
      }
      const link = linkOf(citation.n, page);
      this.#links.set(link.n, link);
      yield { type: 'link', link };
    }
  }

  /** Sentences that no proven citation touches; what only a link stands behind is among them. */
  #unsupported(): readonly Span[] {
    const linked = this.#onlyLinked.map(({ start, end }) => {
      const said = this.text.slice(start, end).replace(/ (?:\[\d+\])+$/, '');
      return { start: start + said.length - said.trimStart().length, end: start + said.length };
    });
    return [...this.#writer.unsupported(), ...linked].sort((a, b) => a.start - b.start);
  }

  /** The answer as it stands. Without a word it is a refusal; without a proven citation it is what the service says. */
  finish(
    question: string,
    hits: readonly Hit[],
    ending: Omit<Grounding, 'unsupported' | 'dropped' | 'links'>,
    more: { readonly dropped?: readonly string[]; readonly query?: string } = {},
  ): Answer {
    const said = this.text.trim() !== '';
    const refuses = !said || ending.stop === 'refusal';
    return {
      question,
      answer: this.text || wordless(ending.stop),
      abstained: refuses,
      confidence: refuses ? 'none' : this.#citations.length > 0 ? 'high' : 'low',
      support: this.#citations.length > 0 && !refuses ? 1 : 0,
      citations: this.#citations, // a refusal that cites keeps the places of its marks, and its links
      hits,
      grounding: {
        ...ending,
        ...(more.query === undefined || more.query === question ? {} : { query: more.query }),
        unsupported: refuses ? [] : this.#unsupported(),
        dropped: [...this.#writer.dropped, ...(more.dropped ?? [])],
        ...(refuses && this.#links.size === 0 ? {} : { links: this.links }),
      },
    };
  }
}

/** A page as something that can be marked; its number stands in for its title until it becomes a link. */
function pageSource(page: Source): GroundingSource {
  const text = page.snippet?.trim() || page.title?.trim() || page.url;
  const span = { start: 0, end: text.length };
  return {
    id: `${PAGE_PREFIX}${page.number}`,
    title: page.title ?? page.url,
    passages: [text],
    uri: `${PAGE_URI}${normaliseUrl(page.url)}`,
    documentTitle: String(page.number),
    headings: [],
    origin: 'web',
    spans: [span],
    tokens: 0,
    text,
    span,
    place: () => ({}),
  };
}

function linkOf(n: number, { url, title, snippet, date }: Source): WebLink {
  const shown = oneLine(snippet ?? '')
    .slice(0, SNIPPET)
    .toWellFormed();
  return { n, url, title: title?.trim() || url, ...(shown ? { snippet: shown } : {}), ...(date ? { date } : {}) };
}
