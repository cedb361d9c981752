import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Document } from '../core/types.ts';
import type { LightLimits } from '../read/contract.ts';
import { readLight } from '../read/light.ts';
import { SurroundingsReader } from '../read/surroundings.ts';
import type { ChunkOptions } from '../text/chunk/chunk.ts';
import type { SharedRanks } from '../text/tokens/ranks.ts';
import { adoptVocabulary } from '../text/tokens/tokens.ts';
import { sha256, unreadable } from './content-hash.ts';
import type { SmallFile } from './contract.ts';
import { chunkerOf, cutDocument, type FileFailure, failureOf, type SentDocument, sent } from './cut.ts';
import { titled } from './title.ts';

/** The start options of a thread. */
export interface CutJob {
  readonly limits: LightLimits;
  readonly chunking: ChunkOptions | undefined;
  /** Absent: the thread loads its own. */
  readonly vocabulary?: SharedRanks | undefined;
}

export interface CutRequest extends SmallFile {
  readonly id: number;
}

/** Id of the first message of a thread, which answers nothing: it can read now. */
const STARTED = 0;

export interface CutReply {
  readonly id: number;
  /** Neither this nor `failure`: the file needs a parser process. */
  readonly cut?: SentDocument | undefined;
  readonly failure?: FileFailure | undefined;
}

/** Reads and cuts one file after the other, in the order of the requests. */
function serve(port: MessagePort, { limits, chunking, vocabulary }: CutJob): void {
  const around = new SurroundingsReader();
  const chunk = chunkerOf(chunking);
  const answer = async ({ id, uri, path }: CutRequest): Promise<void> => {
    let reply: CutReply;
    try {
      const bytes = load(path);
      const contentHash = await around.hashOf(path, sha256(bytes));
      const name = posix.basename(uri.replaceAll('\\', '/'));
      const read = await readLight({ name, bytes, from: path }, limits, around);
      if (read === undefined) reply = { id };
      else {
        const document: Document = titled({ uri, ...read }, uri);
        reply = { id, cut: sent({ ...cutDocument(document, chunk), contentHash }) };
      }
    } catch (error) {
      reply = { id, failure: failureOf(error) };
    }
    port.postMessage(reply);
  };
  if (vocabulary) adoptVocabulary(vocabulary);
  let last = Promise.resolve();
  port.postMessage({ id: STARTED } satisfies CutReply);
  port.on('message', (request: CutRequest) => {
    last = last.then(() => answer(request));
  });
}

function load(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw unreadable(cause);
  }
}

if (parentPort !== null) serve(parentPort, workerData as CutJob); // set by `CutterPool`
