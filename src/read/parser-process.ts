import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { watchOwner } from '../core/watch-owner.ts';
import { HEAD_BYTES } from './detect.ts';
import { type FileInput, MEMORY_MARK, type ParseRequest, type ParseResponse } from './isolate.ts';
import type { Scan } from './ocr/contract.ts';
import { asFileError, finish, parseBytes, unreadable } from './parse.ts';
import { misnamed, recordingType } from './recording/kinds.ts';

/**
 * The parser process: takes one file at a time and answers with a document or an error.
 */
watchOwner({ mostMb: Number(process.argv[2]), mark: MEMORY_MARK });
process.on('message', (message) => void answer(message as ParseRequest)); // only the parent process sends messages
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL')); // `process.exit` may hang: nodejs/node#54918

async function answer(request: ParseRequest): Promise<void> {
  const { id, name, file, limits, surroundings, readings, pictureOf, pagesOf, recording } = request;
  let result: Omit<ParseResponse, 'id' | 'scans' | 'rssBytes'>;
  const found: Scan[] = [];
  try {
    if (recording !== undefined) result = await answerRecording(request);
    else if (pictureOf !== undefined)
      result = { picture: await (await import('./pdf/picture.ts')).pictureOnPage(bytesOf(file), pictureOf) };
    else if (pagesOf !== undefined)
      result = { pages: await (await import('./pdf/pages.ts')).pdfOfPages(bytesOf(file), pagesOf) };
    else {
      const scans = { found, readings };
      result = { document: await parseBytes(name, bytesOf(file), { ...limits, surroundings }, 0, undefined, scans) };
    }
  } catch (error) {
    const { code, message, hint } = asFileError(error);
    result = { error: { code, message, hint } };
  }
  const response: ParseResponse = { id, ...result, scans: found, rssBytes: process.memoryUsage.rss() };
  process.send?.(response);
}

/** A recording is not loaded: its beginning says what it is, and the reader of its container takes what it needs. */
async function answerRecording({ name, file, limits, recording = {} }: ParseRequest) {
  const { readRecording } = await import('./recording/recording.ts');
  const head = 'bytes' in file ? file.bytes : headOf(file.path);
  const type = recordingType(head) ?? 'audio/mpeg';
  const { document, waits } = await readRecording(file, type, recording, limits);
  return { ...(document ? { document: finish(document, misnamed(name, type), limits) } : {}), waits };
}

function headOf(path: string): Uint8Array {
  try {
    const file = openSync(path, 'r');
    try {
      const head = new Uint8Array(HEAD_BYTES);
      return head.subarray(0, readSync(file, head, 0, HEAD_BYTES, 0));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw unreadable(error);
  }
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
