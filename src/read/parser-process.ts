import { writeSync } from 'node:fs';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { MEMORY_MARK, type ParseRequest, type ParseResponse } from './isolate.ts';
import { asFileError, parseBytes } from './parse.ts';

/**
 * The parser process: takes one file at a time, answers with its document or its error.
 * A thread of its own watches the memory of the whole process and the life of the parent, because the thread that
 * parses may never come back to its event loop.
 */
if (isMainThread) {
  const memoryMb = Number(process.argv[2]);
  new Worker(new URL(import.meta.url), { workerData: { memoryMb, parent: process.ppid }, execArgv: [] }).unref();
  process.on('message', (message) => void answer(message as ParseRequest)); // only our parent talks to us
  process.on('disconnect', () => process.exit(0));
} else {
  const { memoryMb, parent } = workerData as { memoryMb: number; parent: number }; // as given above
  setInterval(() => {
    if (process.memoryUsage.rss() > memoryMb * 1024 * 1024) {
      writeSync(2, `${MEMORY_MARK}\n`);
      process.kill(process.pid, 'SIGKILL');
    }
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  }, 25);
}

async function answer({ id, name, bytes, limits }: ParseRequest): Promise<void> {
  let response: ParseResponse;
  try {
    // What crosses is a Buffer; some parsers insist on a plain array.
    const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const document = await parseBytes(name, plain, limits);
    response = { id, document, rssBytes: process.memoryUsage.rss() };
  } catch (error) {
    const { code, message, hint } = asFileError(error);
    response = { id, error: { code, message, hint }, rssBytes: process.memoryUsage.rss() };
  }
  process.send?.(response);
}
