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

const call = { signal: true, onSilence: 'function' } as const;
const opened = {
  base: 'text',
  embedder: true,
  models: true,
  reader: true,
  services: true,
  signal: true,
  tuning: true,
} as const;
const written = {
  ...call,
  verify: 'flag',
  force: 'flag',
  concurrency: true,
  commit: true,
  budget: true,
  workers: true,
  queue: true,
  dryRun: 'flag',
} as const;
const paged = { ...call, where: true } as const;

export const openIndexOptions: KnownOptions<OpenIndexOptions> = {
  of: 'openIndex',
  names: {
    ...opened,
    ...call,
    create: 'flag',
    chunking: true,
    waitMs: true,
    storageOptions: true,
    cache: true,
    threads: true,
    shards: true,
    apiKey: 'text',
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
  hidden: 'flag',
  maxFileBytes: true,
  leaveOut: true,
  pipeline: 'text',
  rebuild: 'flag',
} as const;

export const ingestOptions: KnownOptions<SearchIndexIngestOptions> = { of: 'ingest', names: ingested };

export const watchOptions: KnownOptions<WatchOptions> = {
  of: 'watchFolders',
  names: { ...ingested, quietMs: true, longestMs: true, sweepMs: true, events: 'flag', waitMs: true },
};

export const searchOptions: KnownOptions<SearchIndexSearchOptions> = {
  of: 'search',
  names: {
    ...call,
    mode: 'text',
    limit: true,
    where: true,
    explain: 'flag',
    neighbours: true,
    opening: true,
    variants: true,
    distinct: 'flag',
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
    mode: 'text',
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
    continues: 'flag',
    // of agents and research
    preset: 'text',
    maxSteps: true,
    maxTotalTokens: true,
    tools: true,
    mcpServers: true,
    confirm: 'function',
    effort: 'text',
    instructions: 'text',
    language: 'text',
    metadata: true,
    sandbox: 'flag',
    functions: true,
    journal: true,
    wait: 'flag',
    pollMs: true,
    // of the answer service
    contextSize: 'text',
    searchMode: 'text',
    images: true,
    relatedQuestions: 'flag',
  },
};

export const askBatchOptions: KnownOptions<AskBatchOptions> = {
  of: 'askBatch',
  names: {
    ...call,
    model: true,
    maxTokens: true,
    journal: true,
    wait: 'flag',
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
    question: 'text',
    paths: true,
    script: 'text',
    mode: 'text',
    model: true,
    minutes: true,
    sound: true,
    dryRun: 'flag',
    budget: true,
  },
};

export const reembedOptions: KnownOptions<ReembedOptions> = {
  of: 'reembed',
  names: { ...call, to: true, queries: true, sample: true, dryRun: 'flag', budget: true, switch: 'text' },
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
  names: { ...call, vectors: 'flag', metadata: 'flag', onMissing: 'function' },
};

export const removeOptions: KnownOptions<CallOptions & { readonly force?: boolean }> = {
  of: 'remove',
  names: { ...call, force: 'flag' },
};
