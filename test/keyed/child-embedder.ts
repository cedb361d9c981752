/** What `ingest-child.ts` embeds with, and the test that kills it. */
export const childEmbedder = {
  model: 'embed-context-v1-0.6b',
  dimensions: 128,
  concurrency: 3,
  requestTokens: 4000,
} as const;
