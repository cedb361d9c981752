import type { EarlierTurn, HistoryTurn, ShownMedia } from '../answer/grounded/request.ts';
import type { StandaloneQuery } from '../answer/query-rewriting.ts';
import { checkChoice, namedOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import type { Meter } from '../core/meter.ts';
import type { SearchReport } from '../core/report.ts';
import type { CallOptions, Hit, StoredChunk } from '../core/types.ts';
import { type FindOptions, findPassages, type RerankStage, readChunks, sumOfReports } from '../passages/find.ts';
import { type Look, type LookOptions, lookAgain, lookAt } from '../passages/look.ts';
import { besideChunk } from '../passages/named-document.ts';
import type { SourceFiles } from '../passages/show.ts';
import type { IndexView } from '../passages/view.ts';
import type { Tuning } from '../retrieve/tuning.ts';
import type { KeptFiles } from '../services/kept-files.ts';
import { openWeb, type WebParts } from '../services/open-web.ts';
import type { Providers } from '../services/providers.ts';
import { everyFilter } from '../store/filter.ts';
import { sqlString } from '../store/sql.ts';
import { type Where, whereSql } from '../store/where.ts';
import type { WebConversation } from '../web/conversation.ts';
import type { WebOptions } from '../web/options.ts';
import type { RerankChoice } from './options.ts';

/** What a question is answered with. The view stays the same for as long as the answer takes. */
export interface QuestionContext {
  /** Absent for a question that looks at no document. */
  readonly view?: IndexView | undefined;
  readonly tuning: Tuning;
  readonly providers: Providers;
  readonly web: WebParts;
  /** Absent: nothing can be looked at. */
  readonly files?: SourceFiles | undefined;
  readonly keptFiles?: KeptFiles | undefined;
  readonly meter: Meter;
  /**
   * What models have made of follow-up questions, so that the same one after the same conversation is not paid for
   * again.
   */
  readonly rewritten: Map<string, StandaloneQuery>;
}

interface QuestionSearchOptions {
  readonly where?: Where | undefined;
  readonly web?: boolean | WebOptions | undefined;
  readonly rerank?: boolean | RerankChoice | undefined;
}

type FindCall = CallOptions & { readonly limit: number } & Pick<FindOptions, 'opening' | 'variants' | 'nearest'>;

/** The searches of one question: over one view, with one web, on one meter. */
export class QuestionSearch {
  /** Pages of the web alone; absent when the question may not have the web. */
  readonly searchWeb: ((query: string, options: CallOptions) => Promise<readonly Hit[]>) | undefined;
  readonly view: IndexView;
  readonly #context: QuestionContext;
  readonly #where: string | undefined;
  readonly #web: WebConversation | undefined;
  readonly #rerank: RerankStage | undefined;
  readonly #reports: SearchReport[] = [];
  readonly #warnings: IbidError[] = [];

  private constructor(
    context: QuestionContext,
    where: string | undefined,
    web: WebConversation | undefined,
    rerank: RerankStage | undefined,
  ) {
    if (!context.view) throw new IbidError('INDEX_NOT_FOUND', 'there is no index to search');
    this.view = context.view;
    this.#context = context;
    this.#where = where;
    this.#web = web;
    this.#rerank = rerank;
    this.searchWeb = web && ((query, { signal }) => this.#find(query, { limit: undefined, signal }, true, true));
  }

  /** @throws IbidError INVALID_ARGUMENT, INVALID_FILTER, KEY_MISSING */
  static async open(context: QuestionContext, options: QuestionSearchOptions): Promise<QuestionSearch> {
    const { where, web, rerank } = options;
    return new QuestionSearch(
      context,
      whereSql(where),
      web ? await openWeb(context.web, context.providers, web) : undefined,
      rerank ? await rerankStage(context.providers, rerank) : undefined,
    );
  }

  /** The index alone. */
  search(query: string, options: FindCall): Promise<readonly Hit[]> {
    return this.#find(query, options, false, false);
  }

  /** The index, and the web where the question may have it, in one list. */
  searchAll(query: string, options: FindCall): Promise<readonly Hit[]> {
    return this.#find(query, options, true, false);
  }

  /** The index alone, and of it the rows of a filter. @param filter SQL */
  searchWithin(query: string, filter: string, options: FindCall): Promise<readonly Hit[]> {
    return this.#find(query, options, false, false, filter);
  }

  /** The passages of a filter, of those that the question may have, as they stand in the index. @param filter SQL */
  async passagesWhere(filter: string, most: number): Promise<readonly StoredChunk[]> {
    const { snapshot } = this.view;
    const rows = await snapshot.filter(everyFilter([this.#where, filter])!);
    return rows.size > most ? [] : await snapshot.fetch(rows.ordinals);
  }

  /** How many passages of a filter the question may have. @param filter SQL */
  async countWhere(filter: string): Promise<number> {
    return (await this.view.snapshot.filter(everyFilter([this.#where, filter])!)).size;
  }

  /** The passages of a filter that stand in the document that a passage is of. */
  async passagesBeside(chunk: StoredChunk, most: number, filter?: string): Promise<readonly StoredChunk[]> {
    const { snapshot } = this.view;
    const rows = await snapshot.filter(everyFilter([this.#where, `uri = ${sqlString(chunk.uri)}`, filter])!);
    const own = await besideChunk(snapshot, rows, chunk);
    return own.length > most ? [] : await snapshot.fetch(own);
  }

  async #find(
    query: string,
    { limit, opening, variants, nearest, signal, onSilence }: Omit<FindCall, 'limit'> & Pick<FindOptions, 'limit'>,
    withWeb: boolean,
    webOnly: boolean,
    filter?: string,
  ): Promise<readonly Hit[]> {
    const { tuning, meter } = this.#context;
    const { hits, report } = await findPassages(this.view, query, {
      ...tuning,
      where: everyFilter([this.#where, filter]),
      limit,
      opening,
      variants,
      nearest,
      signal,
      onSilence,
      meter,
      web: withWeb ? this.#web : undefined,
      webOnly,
      rerank: webOnly ? undefined : this.#rerank,
    });
    this.#reports.push(report);
    return hits;
  }

  /** Chunks `[from, to)` of a document, or of a page that was found. @param beside a chunk of what is meant */
  async read(uri: string, from: number, to: number, beside?: StoredChunk): Promise<readonly Hit[]> {
    return this.#web?.read(uri, from, to) ?? (await readChunks(this.view.snapshot, uri, [from, to], beside));
  }

  /** The pages and pictures behind hits; what cannot be shown stands in the report. */
  async look(hits: readonly Hit[], options: Parameters<typeof lookAt>[3]): Promise<Look> {
    const { files } = this.#context;
    if (!files) return { media: [], sources: [], warnings: [] };
    return await this.#kept(await lookAt(hits, this.view.snapshot, files, options), options);
  }

  /** A conversation with the pages and pictures that a model looked at then, numbered as they were. */
  async lookAgain(
    history: readonly HistoryTurn[],
    options: Pick<LookOptions, 'keepFiles'> & CallOptions,
  ): Promise<readonly EarlierTurn[]> {
    const { files } = this.#context;
    const turns: EarlierTurn[] = [];
    const before: ShownMedia[] = [];
    for (const turn of history) {
      if (!files || turn.role !== 'user' || !turn.looked?.length) {
        turns.push(turn);
        continue;
      }
      const call = { ...options, first: before.length + 1, before };
      const shown = await this.#kept(await lookAgain(turn.looked, this.view.snapshot, files, call), options);
      before.push(...shown.media);
      turns.push({ ...turn, shown });
    }
    return turns;
  }

  async #kept(look: Look, options: Pick<LookOptions, 'keepFiles'> & CallOptions): Promise<Look> {
    this.#warnings.push(...look.warnings);
    if (!options.keepFiles || !this.#context.keptFiles) return look;
    const service = this.#context.providers.messages('keeping files at the service');
    return { ...look, media: await this.#context.keptFiles.keep(service, look.media, options) };
  }

  /** Of all searches so far; undefined before the first one. */
  get report(): SearchReport | undefined {
    const report = sumOfReports(this.#reports);
    if (!report || this.#warnings.length === 0) return report;
    return { ...report, warnings: [...report.warnings, ...this.#warnings] };
  }
}

/** @throws IbidError KEY_MISSING */
export async function rerankStage(providers: Providers, choice: true | RerankChoice): Promise<RerankStage> {
  checkChoice(choice, 'rerank');
  const { model, candidates, trust } =
    choice === true ? {} : namedOf(choice, ['model', 'candidates', 'trust'], 'rerank');
  return { reranker: await providers.reranker(model), candidates, trust };
}
