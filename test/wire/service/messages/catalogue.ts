/** What the service knows of a model: prices in USD per million tokens, limits in tokens. */
export interface ModelSpec {
  readonly id: string;
  readonly displayName: string;
  readonly createdAt: string;
  readonly inputUsd: number;
  readonly outputUsd: number;
  readonly window: number;
  readonly maxOutput: number;
  /** Shortest prefix that is cached. */
  readonly minCacheTokens: number;
  readonly efforts: readonly string[];
  readonly adaptive: boolean;
  /** Whether a last assistant turn is continued on the public wire; the reference continues it on every model. */
  readonly prefill: boolean;
  readonly inferenceGeo: boolean;
  readonly compaction: boolean;
  /** The reference names the large model only. */
  readonly referenceCompaction: boolean;
}

export const catalogue: readonly ModelSpec[] = [
  {
    id: 'assistant-large-4-6',
    displayName: 'Large 4.6',
    createdAt: '2026-02-04T00:00:00Z',
    inputUsd: 5,
    outputUsd: 25,
    window: 1_000_000,
    maxOutput: 128_000,
    minCacheTokens: 4096,
    efforts: ['low', 'medium', 'high', 'max'],
    adaptive: true,
    prefill: false,
    inferenceGeo: true,
    compaction: true,
    referenceCompaction: true,
  },
  {
    id: 'assistant-medium-4-6',
    displayName: 'Medium 4.6',
    createdAt: '2026-02-01T00:00:00Z',
    inputUsd: 3,
    outputUsd: 15,
    window: 1_000_000,
    maxOutput: 64_000,
    minCacheTokens: 2048,
    efforts: ['low', 'medium', 'high'],
    adaptive: true,
    prefill: false,
    inferenceGeo: true,
    compaction: true,
    referenceCompaction: false,
  },
  {
    id: 'assistant-small-4-5',
    displayName: 'Small 4.5',
    createdAt: '2025-10-01T00:00:00Z',
    inputUsd: 1,
    outputUsd: 5,
    window: 200_000,
    maxOutput: 64_000,
    minCacheTokens: 4096,
    efforts: [],
    adaptive: false,
    prefill: true,
    inferenceGeo: false,
    compaction: false,
    referenceCompaction: false,
  },
];

/** The names of the live service, as its official client's types have them. */
const liveNames = ['claude-opus-4-6', 'claude-sonnet-4-6', 'claude-haiku-4-5'];
export const liveCatalogue: readonly ModelSpec[] = catalogue.map((model, i) => ({ ...model, id: liveNames[i]! }));

const on = { supported: true };
const off = { supported: false };
const flag = (yes: boolean): { supported: boolean } => (yes ? on : off);

/** An entry of the models listing. */
export function listing(model: ModelSpec): Record<string, unknown> {
  return {
    type: 'model',
    id: model.id,
    display_name: model.displayName,
    created_at: model.createdAt,
    max_input_tokens: model.window,
    max_tokens: model.maxOutput,
    capabilities: {
      batch: on,
      citations: on,
      code_execution: on,
      image_input: on,
      pdf_input: on,
      structured_outputs: on,
      thinking: { supported: true, types: { adaptive: flag(model.adaptive), enabled: on } },
      effort: {
        supported: model.efforts.length > 0,
        low: flag(model.efforts.includes('low')),
        medium: flag(model.efforts.includes('medium')),
        high: flag(model.efforts.includes('high')),
        max: flag(model.efforts.includes('max')),
        xhigh: null,
      },
      context_management: {
        supported: true,
        clear_thinking_20251015: on,
        clear_tool_uses_20250919: on,
        compact_20260112: flag(model.compaction),
      },
    },
  };
}

/** For bodies that are sent to both dialects by hand: the public one under the reference's names. */
export const neutralNames: { readonly headerPrefix: string; readonly models: readonly ModelSpec[] } = {
  headerPrefix: 'x-service-',
  models: catalogue,
};

/** Token counts of one answer, as `usage` has them. */
export interface Billed {
  readonly input: number;
  readonly output: number;
  readonly write5m: number;
  readonly write1h: number;
  readonly read: number;
  readonly webSearches: number;
}

/**
 * USD for one answer: cache writes 1.25 and 2 times, reads 0.1 times the input price; a batch halves; US inference adds
 * a tenth.
 */
export function priceUsd(model: ModelSpec, billed: Billed, batch: boolean, geo: string | undefined): number {
  const input = billed.input + 1.25 * billed.write5m + 2 * billed.write1h + 0.1 * billed.read;
  const tokens = (input * model.inputUsd + billed.output * model.outputUsd) / 1e6;
  return tokens * (batch ? 0.5 : 1) * (geo === 'us' ? 1.1 : 1) + billed.webSearches * 0.01;
}
