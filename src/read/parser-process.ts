import { readFileSync, writeSync } from 'node:fs';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { type FileInput, MEMORY_MARK, type ParseRequest, type ParseResponse } from './isolate.ts';
import type { Scan } from './ocr/contract.ts';
import { asFileError, parseBytes, unreadable } from './parse.ts';

/**
 * The parser process: takes one file at a time and answers with a document or an error. A separate thread watches the
 * memory of the process and whether the parent is alive, because the parsing thread may never return to its event loop.
 */
if (isMainThread) {
  const memoryMb = Number(process.argv[2]);
  new Worker(new URL(import.meta.url), { workerData: { memoryMb, parent: process.ppid }, execArgv: [] }).unref();
  process.on('message', (message) => void answer(message as ParseRequest)); // only the parent process sends messages
  process.on('disconnect', () => process.exit(0));
} else {
  const { memoryMb, parent } = workerData as { memoryMb: number; parent: number }; // as passed above
  setInterval(() => {
    if (process.memoryUsage.rss() > memoryMb * 1024 * 1024) {
      writeSync(2, `${MEMORY_MARK}\n`);
      process.kill(process.pid, 'SIGKILL');
    }
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  }, 25);
}

async function answer(request: ParseRequest): Promise<void> {
  const { id, name, file, limits, surroundings, readings, pictureOf, pagesOf } = request;
  let result: Omit<ParseResponse, 'id' | 'scans' | 'rssBytes'>;
  const found: Scan[] = [];
  try {
    const bytes = bytesOf(file);
    if (pictureOf !== undefined)
      result = { picture: await (await import('./pdf/picture.ts')).pictureOnPage(bytes, pictureOf) };
    else if (pagesOf !== undefined)
      result = { pages: await (await import('./pdf/pages.ts')).pdfOfPages(bytes, pagesOf) };
    else
      result = {
        document: await parseBytes(name, bytes, { ...limits, surroundings }, 0, undefined, { found, readings }),
      };
  } catch (error) {
    const { code, message, hint } = asFileError(error);
    result = { error: { code, message, hint } };
  }
  const response: ParseResponse = { id, ...result, scans: found, rssBytes: process.memoryUsage.rss() };
  process.send?.(response);
}

/** Not as a Buffer, because some parsers accept only a plain array. */
function bytesOf(file: FileInput): Uint8Array {
  const bytes = 'bytes' in file ? file.bytes : load(file.path);
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function load(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw unreadable(error);
  }
}
