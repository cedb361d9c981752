import type { KnownOptions } from '../core/arguments.ts';
import type { CallOptions } from '../core/types.ts';
import type { AskBatchOptions, AskOptions } from '../modes/options.ts';
import type { OverviewOptions } from '../overview/contract.ts';
import type { DocumentPageOptions } from './documents.ts';
import type { ExportOptions } from './export.ts';
import type {
  EmbedOptions,
  OpenIndexesOptions,
  OpenIndexOptions,
  SearchIndexIngestOptions,
  SearchIndexSearchOptions,
  WriteOptions,
} from './options.ts';
import type { ReembedOptions } from './reembed.ts';
import type { WatchOptions } from './watch.ts';

const call = { signal: true, onSilence: true };
const opened = { base: true, embedder: true, models: true, reader: true, services: true, signal: true, tuning: true };
const written = {
  ...call,
  verify: true,
  force: true,
  concurrency: true,
  commit: true,
  budget: true,
  workers: true,
  queue: true,
  dryRun: true,
};
const paged = { ...call, where: true };

export const openIndexOptions: KnownOptions<OpenIndexOptions> = {
  of: 'openIndex',
  names: {
    ...opened,
    ...call,
    create: true,
    chunking: true,
    waitMs: true,
    storageOptions: true,
    cache: true,
    threads: true,
    shards: true,
    apiKey: true,
  },
};

export const openIndexesOptions: KnownOptions<OpenIndexesOptions> = {
  of: 'openIndexes',
  names: { ...opened, shardTimeoutMs: true },
};

export const addOptions: KnownOptions<WriteOptions> = { of: 'add', names: written };

export const repairOptions: KnownOptions<WriteOptions> = { of: 'repair', names: written };

const ingested = {
  ...written,
  transcribe: true,
  hidden: true,
  maxFileBytes: true,
  leaveOut: true,
  pipeline: true,
  rebuild: true,
};

export const ingestOptions: KnownOptions<SearchIndexIngestOptions> = { of: 'ingest', names: ingested };

export const watchOptions: KnownOptions<WatchOptions> = {
  of: 'watchFolders',
  names: { ...ingested, quietMs: true, longestMs: true, sweepMs: true, events: true, waitMs: true },
};

export const searchOptions: KnownOptions<SearchIndexSearchOptions> = {
  of: 'search',
  names: {
    ...call,
    mode: true,
    limit: true,
    where: true,
    explain: true,
    neighbours: true,
    opening: true,
    variants: true,
    distinct: true,
    weights: true,
    candidates: true,
    web: true,
    rerank: true,
    budget: true,
  },
};

/** Of all modes: what one of them has no use for is passed over, so that options may be shared. */
export const askOptions: KnownOptions<AskOptions> = {
  of: 'ask',
  names: {
    ...call,
    mode: true,
    fallback: true,
    history: true,
    budget: true,
    where: true,
    rerank: true,
    web: true,
    look: true,
    sentences: true,
    passages: true,
    model: true,
    maxTokens: true,
    continues: true,
    // of agents and research
    preset: true,
    maxSteps: true,
    maxTotalTokens: true,
    tools: true,
    mcpServers: true,
    confirm: true,
    effort: true,
    instructions: true,
    language: true,
    metadata: true,
    sandbox: true,
    functions: true,
    journal: true,
    wait: true,
    pollMs: true,
    // of the answer service
    contextSize: true,
    searchMode: true,
    images: true,
    relatedQuestions: true,
  },
};

export const askBatchOptions: KnownOptions<AskBatchOptions> = {
  of: 'askBatch',
  names: {
    ...call,
    model: true,
    maxTokens: true,
    journal: true,
    wait: true,
    pollMs: true,
    where: true,
    passages: true,
    web: true,
    rerank: true,
    budget: true,
  },
};

export const overviewOptions: KnownOptions<OverviewOptions> = {
  of: 'overview',
  names: {
    ...paged,
    question: true,
    paths: true,
    script: true,
    mode: true,
    model: true,
    minutes: true,
    sound: true,
    dryRun: true,
    budget: true,
  },
};

export const reembedOptions: KnownOptions<ReembedOptions> = {
  of: 'reembed',
  names: { ...call, to: true, queries: true, sample: true, dryRun: true, budget: true, switch: true },
};

export const embedOptions: KnownOptions<EmbedOptions> = {
  of: 'embed',
  names: { ...call, dimensions: true, budget: true },
};

export const documentsOptions: KnownOptions<CallOptions & { readonly where?: unknown }> = {
  of: 'documents',
  names: paged,
};

export const documentPageOptions: KnownOptions<DocumentPageOptions> = {
  of: 'documentPage',
  names: { ...paged, offset: true, limit: true },
};

export const exportOptions: KnownOptions<ExportOptions> = {
  of: 'export',
  names: { ...call, vectors: true, metadata: true, onMissing: true },
};

export const removeOptions: KnownOptions<CallOptions & { readonly force?: boolean }> = {
  of: 'remove',
  names: { ...call, force: true },
};
