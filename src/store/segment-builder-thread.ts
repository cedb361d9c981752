import { type MessagePort, parentPort, type Transferable } from 'node:worker_threads';
import type { SegmentData } from '../lexical/contract.ts';
import { AnalysedDocuments } from './analyse.ts';

/** A document in the form sent to the thread: arrays of strings are cheaper to copy than objects. */
export interface EnqueuedDocument {
  readonly key: number;
  readonly title: string;
  readonly texts: readonly string[];
  readonly headings: readonly (readonly string[])[];
  readonly contexts: readonly (string | undefined)[];
}

export type BuilderRequest =
  | { readonly kind: 'enqueue'; readonly documents: readonly EnqueuedDocument[] }
  | { readonly kind: 'forget'; readonly keys: readonly number[] }
  | { readonly kind: 'segment'; readonly id: number; readonly keys: readonly number[] };

export interface BuilderReply {
  readonly id: number;
  readonly segment: SegmentData;
}

/**
 * The thread that analyses documents while others are read. An error ends the thread; the caller then analyses the
 * documents.
 */
function serve(port: MessagePort): void {
  const documents = new AnalysedDocuments();
  port.on('message', (request: BuilderRequest) => {
    switch (request.kind) {
      case 'enqueue':
        for (const { key, title, texts, headings, contexts } of request.documents) {
          const chunks = texts.map((text, i) => ({ text, headings: headings[i]!, context: contexts[i] }));
          documents.add(key, { title, chunks });
        }
        return;
      case 'forget':
        documents.forget(request.keys);
        return;
      case 'segment': {
        const segment = documents.segment(request.keys);
        const buffers = [segment.header, ...segment.blocks.map(({ bytes }) => bytes)].map(({ buffer }) => buffer);
        const reply: BuilderReply = { id: request.id, segment };
        port.postMessage(reply, buffers as Transferable[]); // no two share a buffer
      }
    }
  });
}

if (parentPort !== null) serve(parentPort);
