import { IbidError } from '../../../../src/core/errors.ts';
import { hash32 } from '../../../../src/core/hash.ts';
import type { EmbedDocument } from '../../../../src/embed/contract.ts';
import type { EmbedReceipt, SendTexts, ServiceModel, VectorCache } from '../../../../src/embed/service/contract.ts';
import { ServiceEmbedder, type ServiceEmbedderSettings } from '../../../../src/embed/service/embedder.ts';
import { countTokens } from '../../../../src/text/tokens/tokens.ts';

export const model: ServiceModel = {
  name: 'context-model',
  dimensions: 4,
  contextual: true,
  limits: { documents: 8, chunks: 40, tokens: 1000, tokensPerDocument: 400 },
  usdPerMillionTokens: 1_000_000, // one token is one dollar: prices can be read
};

/** A vector that says which chunk of which text it was made for. */
export function vectorOf(text: string): Int8Array {
  const bits = hash32(text);
  return Int8Array.of(bits & 127, (bits >> 7) & 127, (bits >> 14) & 127, (bits >> 21) & 127);
}

export class FakeService {
  readonly sent: string[][][] = [];
  readonly billed: Map<string, number> = new Map();
  fail: (request: number) => Error | undefined = () => undefined;
  /** More tokens than this in a request are refused, by the service's own count. */
  mostTokens: number = Infinity;
  #requests = 0;

  readonly send: SendTexts = async (texts) => {
    const request = this.#requests++;
    await new Promise((done) => setImmediate(done));
    const error = this.fail(request);
    if (error) throw error;
    const tokens = texts.flat().reduce((sum, text) => sum + countTokens(text), 0);
    if (tokens > this.mostTokens) throw new IbidError('REQUEST_TOO_LARGE', `${tokens} tokens are too many`);
    this.sent.push(texts.map((document) => [...document]));
    for (const text of texts.flat()) this.billed.set(text, (this.billed.get(text) ?? 0) + 1);
    return { vectors: texts.map((document) => document.map(vectorOf)), tokens };
  };
}

export class MemoryCache implements VectorCache {
  readonly entries: Map<string, readonly Int8Array[]> = new Map();

  async get(keys: readonly string[]): Promise<ReadonlyMap<string, readonly Int8Array[]>> {
    return new Map(keys.flatMap((key) => (this.entries.has(key) ? [[key, this.entries.get(key)!] as const] : [])));
  }

  readonly kept: EmbedReceipt[] = [];

  async receipts(): Promise<readonly EmbedReceipt[]> {
    return this.kept;
  }

  async put(entries: ReadonlyMap<string, readonly Int8Array[]>, receipt?: EmbedReceipt): Promise<void> {
    if (receipt) this.kept.push(receipt);
    for (const [key, rows] of entries) this.entries.set(key, rows);
  }
}

export const document = (name: string, chunks: number): EmbedDocument => ({
  title: '',
  chunks: Array.from({ length: chunks }, (_, i) => ({
    text: `${name} says in part ${i} something of its own`,
    headings: [],
  })),
});

export function setUp(options: Partial<ServiceEmbedderSettings> = {}): {
  readonly service: FakeService;
  readonly cache: MemoryCache;
  readonly embedder: ServiceEmbedder;
} {
  const service = new FakeService();
  const cache = new MemoryCache();
  const embedder = new ServiceEmbedder({ model, send: service.send, cache, ...options });
  return { service, cache, embedder };
}

export const many: readonly EmbedDocument[] = Array.from({ length: 60 }, (_, i) =>
  document(`document ${i}`, 1 + (i % 9)),
);
export const chunksOf = (documents: readonly EmbedDocument[]): number =>
  documents.reduce((n, d) => n + d.chunks.length, 0);
