import { join } from 'node:path';
import { IbidError } from '../core/errors.ts';
import type { CallOptions, Span } from '../core/types.ts';
import type { IngestSource, LoadedItem } from '../ingest/contract.ts';
import { folderSource } from '../ingest/folder-source.ts';
import { createReader } from '../read/reader.ts';
import { type MadeQuestion, QuestionMaker } from './make-questions.ts';
import type { OpenQualityIndex, QualityIndex } from './quality-index.ts';
import type { JudgedQuestion } from './question.ts';
import { sectionsOf, withoutHeadings } from './sections.ts';
import type { TuneOptions } from './tune-contract.ts';

/** Fewer cannot show a gain beyond noise. */
const LEAST_QUESTIONS = 20;
/** Documents are kept between builds up to this many characters of text. */
const KEPT_CHARS = 64_000_000;

/** The documents, read once, and the indexes built of them. */
export class Sweep implements AsyncDisposable {
  documents = 0;
  chunks = 0;
  buildMs = 0;
  readonly #open: OpenQualityIndex;
  readonly #paths: readonly string[];
  readonly #options: TuneOptions;
  readonly #workplace: string;
  readonly #reader = createReader();
  readonly #loaded = new Map<string, LoadedItem>();
  readonly #taken = new Map<string, Span[]>();
  #keptChars = 0;

  constructor(open: OpenQualityIndex, paths: readonly string[], options: TuneOptions, workplace: string) {
    this.#open = open;
    this.#paths = paths;
    this.#options = options;
    this.#workplace = workplace;
  }

  #source(): IngestSource {
    const { base, exclude, leaveOut: patterns } = this.#options;
    const leaveOut = patterns && { root: base, patterns };
    const source = folderSource({ paths: this.#paths, base, reader: this.#reader, exclude, leaveOut });
    const load = (item: { readonly uri: string; load(call?: CallOptions): Promise<LoadedItem> }, call?: CallOptions) =>
      this.#load(item, call);
    return {
      covers: (uri) => source.covers(uri),
      async *items(call) {
        for await (const item of source.items(call)) yield { ...item, load: (inner) => load(item, inner) };
      },
    };
  }

  async #load(
    item: { readonly uri: string; load(call?: CallOptions): Promise<LoadedItem> },
    call: CallOptions | undefined,
  ): Promise<LoadedItem> {
    const known = this.#loaded.get(item.uri);
    const read = known ?? (await item.load(call));
    if (!known && this.#keptChars + read.document.text.length <= KEPT_CHARS) {
      this.#keptChars += read.document.text.length;
      this.#loaded.set(item.uri, read);
    }
    return { ...read, document: withoutHeadings(read.document, this.#taken.get(item.uri) ?? []) };
  }

  /** @returns the questions; the headings they were made of are gone from every index built afterwards */
  async prepare(signal: AbortSignal): Promise<readonly JudgedQuestion[]> {
    const { questions: given, limit = 240, onProgress = () => {} } = this.#options;
    const maker = new QuestionMaker();
    const missing = new Set(given?.flatMap(({ evidence }) => evidence.map(({ uri }) => uri)));
    for await (const item of this.#source().items({ signal })) {
      const read = await this.#load(item, { signal }).catch((error: unknown) => {
        if (error instanceof IbidError) return undefined; // a file that cannot be read asks nothing
        throw error;
      });
      signal.throwIfAborted();
      missing.delete(item.uri);
      if (read === undefined) continue;
      this.documents++;
      if (given === undefined) for (const section of sectionsOf(read.document)) maker.add(section);
    }
    const made: readonly MadeQuestion[] = given === undefined ? maker.make(limit) : [];
    for (const { uri, headingSpan } of made) {
      if (headingSpan) this.#taken.set(uri, [...(this.#taken.get(uri) ?? []), headingSpan]);
    }
    const questions = given ?? made.map(({ question }) => question);
    const lost = given?.filter(({ evidence }) => evidence.every(({ uri }) => uri !== undefined && missing.has(uri)));
    if (lost?.length)
      onProgress(`questions about documents that are not there, and count as not found: ${lost.length}`);
    if (questions.length < LEAST_QUESTIONS) {
      throw new IbidError(
        'INVALID_ARGUMENT',
        `${questions.length} questions ${given ? 'are given' : 'could be made from the folder'}, at least ${LEAST_QUESTIONS} are needed to tell a gain from noise`,
        { hint: 'Name a larger folder, or give your own `questions`.' },
      );
    }
    return questions;
  }

  async build(maxTokens: number, signal: AbortSignal): Promise<QualityIndex> {
    const startedAt = performance.now();
    const index = await this.#open(join(this.#workplace, `chunks-${maxTokens}`), {
      create: true,
      base: this.#options.base,
      chunking: { maxTokens },
      signal,
    });
    try {
      for await (const event of index.ingest(this.#source(), { signal, force: true })) {
        if (event.type === 'done' && this.chunks === 0) this.chunks = event.summary.chunks;
      }
      signal.throwIfAborted();
    } catch (error) {
      await index.close();
      throw error;
    }
    this.buildMs = Math.max(this.buildMs, performance.now() - startedAt);
    return index;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader.close();
  }
}
